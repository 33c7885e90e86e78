"""A predictions file as PubMedQA's own program takes it: one JSON object from id to label.

    {"12377809": "yes", "26163474": "no", …}        on one line or on many

An id that stands twice has its last label, as JSON readers have it. A label that is a number is its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from anagnosis.documents.io.json_stream import JsonText
from anagnosis.errors import InputError

# Objects of one prediction a line begin with a field's name, and no field is a number.
_HEAD = re.compile(rb'\s*\{\s*(?:\n|$|\}|"\d+"\s*:)')
REMEDY = "an object from id to label, or one prediction a line"


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these bytes is such an object."""
    return _HEAD.match(head) is not None


def answers(stream: BinaryIO, name: str) -> Iterator[tuple[int, str, str | None]]:
    """(line, id, label) of each; the object is read whole first."""
    text = JsonText(stream, name)
    text.demand("{", "an object from id to label")
    found: dict[str, tuple[int, str | None]] = {}
    while not text.take("}"):
        if found:
            text.demand(",", "a comma or the end of the object")
        where = f"{name}:{text.line}"
        ident: Any = text.value()
        if not isinstance(ident, str):
            raise InputError(f"an id expected, {ident!r} found", where, REMEDY)
        text.demand(":", "a colon")
        line, label = text.line, text.value()
        if isinstance(label, list | dict):
            raise InputError(f"the label of {ident} is no text", f"{name}:{line}", REMEDY)
        found[ident] = (line, label if label is None else str(label))
    if text.peek():
        raise text.fault("nothing expected after the object")
    for ident, (line, label) in found.items():
        yield line, ident, label
