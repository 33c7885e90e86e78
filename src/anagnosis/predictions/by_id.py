"""A predictions file as PubMedQA's and CliCR's own programs take it: one JSON object from id to answer.

    {"12377809": "yes", "26163474": "no", …}        on one line or on many
    {"bcr-2012-006329.1":"steroids",…}

An id that stands twice is refused. An answer that is a number is its text. Written,
the object has no blanks and escapes what is not ASCII, as CliCR's program writes it; what was not answered is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from anagnosis.datasets.export.authors_files import in_lines, members
from anagnosis.documents.io.whole import decoded_json, whole
from anagnosis.errors import InputError
from anagnosis.io.files import atomic_write
from anagnosis.io.paths import PathLike
from anagnosis.predictions.prediction import Prediction

# Objects of one prediction a line begin with a field's name. No field is a number, nor ends in one behind a point or a
# colon, as ids do: a document's name with the number of the question, or with the place of the hidden mention.
_HEAD = re.compile(rb'\s*\{\s*(?:\n|$|\}|"(?:(?:[^"\\]|\\.)+[.:])?\d+"\s*:)')
REMEDY = "an object from id to answer, or one prediction a line"


def write_by_id(path: PathLike, predictions: Iterable[Prediction]) -> int:
    """Write predictions as such an object, all or nothing; gives how many. Of several answers it has the first.

    InputError: an id that stands twice, or by which it would not be known again.
    """
    first = dict[str, str]()
    for each in (one for one in predictions if one.texts):
        if each.id in first:
            raise InputError("two answers have this id", each.id, "write one prediction a line")
        first[each.id] = each.texts[0]
    entries = [f"{json.dumps(ident)}:{json.dumps(text)}" for ident, text in first.items()]
    if entries and not sniff(f"{{{entries[0]}".encode()):
        what = "an object from id to answer is known by an id that is a number or ends in one"
        raise InputError(what, next(iter(first)), "write one prediction a line")
    with atomic_write(path) as stream:
        stream.write(f"{{{','.join(entries)}}}".encode())
    return len(entries)


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these bytes is such an object."""
    return _HEAD.match(head) is not None


def answers(stream: BinaryIO, name: str) -> Iterator[tuple[int, str, str | None]]:
    """(line, id, answer) of each."""
    data = whole(stream, name)
    found = members(data, name)
    for ident, (line, text) in zip(found, in_lines(data, found.values()), strict=True):
        answer = decoded_json(text, f"{name}:{line}", str | int | float | bool | None)
        yield line, str(ident), answer if answer is None else str(answer)
