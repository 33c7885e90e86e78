"""Annotation files of other programs. `ANNOTATION_FORMATS` lists their formats; each has a file here.

A format is a module with SUFFIXES, ORIGINS (the numbers that the first character of a text may have), `sniff(head) ->
bool` and `read(stream, counts, name)`, which gives (document id, annotations): the id is "" where the file names no
document.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from anagnosis.errors import InputError

ANNOTATION_FORMATS = {
    "metamap": "anagnosis.entities.third_party.metamap",
    "clamp": "anagnosis.entities.third_party.clamp",
    "knowtator": "anagnosis.entities.third_party.knowtator",
    "brat": "anagnosis.entities.third_party.brat",
}
Stream = Iterator[tuple[str, list["Annotation"]]]
_LONGEST = 18  # digits


class Annotation(msgspec.Struct, frozen=True, gc=False):
    """An entity in a text. spans: (start, end) in characters of the text that the program had, end exclusive.

    text: the annotated words according to the file; "" where the file does not have them. where: "file:line", or the
    record.
    """

    spans: tuple[tuple[int, int], ...]
    text: str
    type: str
    identifier: str
    name: str = ""
    where: str = ""


def whole_number(value: object, where: str, what: str) -> int:
    """The number of `value`. InputError: it is no whole number of at most 18 digits. what: its name in the message."""
    words = str(value).strip()
    if words.isascii() and words.isdigit() and len(words) <= _LONGEST:
        return int(words)
    raise InputError(f"{what} is {words[:40]!r}, not a whole number", where, "check how the file was made")
