"""Whole numbers in annotation files."""

from __future__ import annotations

from anagnosis.errors import InputError

_LONGEST = 18  # digits


def whole_number(value: object, where: str, what: str) -> int:
    """The number of `value`. InputError: it is no whole number of at most 18 digits. what: its name in the message."""
    words = str(value).strip()
    if words.isascii() and words.isdigit() and len(words) <= _LONGEST:
        return int(words)
    raise InputError(f"{what} is {words[:40]!r}, not a whole number", where, "check how the file was made")
