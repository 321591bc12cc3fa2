"""What can go wrong while pages are made, told to the person at the terminal."""

from __future__ import annotations


class SiteError(Exception):
    """The site could not be built. The message says what happened and what to do; no traceback is shown."""
