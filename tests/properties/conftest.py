"""Laws are tried on the same examples in every run, so that a failure can be seen again."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("laws", derandomize=True, database=None, deadline=None, max_examples=60)
settings.load_profile("laws")
