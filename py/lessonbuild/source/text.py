"""From the bytes of a file to clean text, or to errors with the line of the first bad byte of each kind."""

import unicodedata
from pathlib import Path
from typing import Final

from lessonbuild.source.reporter import Reporter

LARGEST_FILE: Final = 512 * 1024
"""Bytes. The longest lesson of a course is a tenth of this; more is a wrong file."""

_FORBIDDEN: Final = {
    **dict.fromkeys("\u2028\u2029\x85", "a line separator that editors do not show as a new line"),
    **dict.fromkeys("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e", "a text-direction control"),
    **dict.fromkeys("\u2066\u2067\u2068\u2069", "a text-direction control"),
    "\ufeff": "a byte-order mark inside the text",
    "\ufffd": "a replacement character: text was lost when the file was converted",
    "\u00ad": "a soft hyphen",
    "\u200b": "a zero-width space",
}


def read_source(path: Path, reporter: Reporter) -> str | None:
    """Return the text with line ends as ``\\n`` and without a byte-order mark, or None after an error.

    Windows line ends and a leading byte-order mark are accepted: editors write them, and they change nothing.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            reporter.error(1, "file-read", f"the file has {size} bytes; the limit is {LARGEST_FILE}")
            return None
        data = path.read_bytes()
    except OSError as error:
        reporter.error(1, "file-read", f"the file cannot be read: {error.strerror or error}")
        return None
    return decode(data, reporter)


def decode(data: bytes, reporter: Reporter) -> str | None:
    """Return the bytes as clean text; report bytes that are not UTF-8, and control characters."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x}"
        reporter.error(line, "file-encoding", f"{found} is not UTF-8; save the file with the encoding UTF-8")
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    bad = [(n, c) for n, row in enumerate(text.split("\n"), 1) for c in row if forbidden(c) is not None]
    reported: set[str] = set()
    for line, character in bad:
        if character not in reported:
            reported.add(character)
            found = f"U+{ord(character):04X} is {forbidden(character)}; remove it"
            reporter.error(line, "file-characters", found)
    return None if bad else text


def forbidden(character: str) -> str | None:
    """Return why a character may not stand in a source, or None when it may."""
    if character in _FORBIDDEN:
        return _FORBIDDEN[character]
    if unicodedata.category(character) in {"Cc", "Cs"} and character not in "\t\n":
        return "a control character"
    return None
