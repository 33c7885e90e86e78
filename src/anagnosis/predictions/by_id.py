"""A predictions file as PubMedQA's and CliCR's own programs take it: one JSON object from id to answer.

    {"12377809": "yes", "26163474": "no", …}        on one line or on many
    {"bcr-2012-006329.1":"steroids",…}

An id that stands twice is refused. An answer that is a number is its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from anagnosis.datasets.export.authors_files import in_lines, members
from anagnosis.documents.io.whole import decoded_json, whole

# Objects of one prediction a line begin with a field's name. No field is a number, nor ends in one behind a point or a
# colon, as ids do: a document's name with the number of the question, or with the place of the hidden mention.
_HEAD = re.compile(rb'\s*\{\s*(?:\n|$|\}|"(?:(?:[^"\\]|\\.)+[.:])?\d+"\s*:)')


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
