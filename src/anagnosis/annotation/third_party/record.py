"""The record of an annotation as its file has it, before it is compared with a paper's text."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

Annotations = tuple[str, list["Annotation"]]
"""A document's id, "" where the file names none, and its annotations."""
Stream = Iterator[Annotations]


class Annotation(msgspec.Struct, frozen=True, gc=False):
    """An entity in a text. spans: (start, end) in characters of the text that the program had, end exclusive.

    text: the annotated words according to the file; "" where the file does not have them. score: None where the
    program gives none; of other programs the larger the better. where: "file:line", or the record.
    """

    spans: tuple[tuple[int, int], ...]
    text: str
    type: str
    identifier: str
    name: str = ""
    score: float | None = None
    is_negated: bool = False
    where: str = ""
