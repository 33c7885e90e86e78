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
from typing import Any, BinaryIO

from anagnosis.errors import InputError
from anagnosis.wording import reworded, shortened

# Objects of one prediction a line begin with a field's name. No field is a number, nor ends in one behind a point or a
# colon, as ids do: a document's name with the number of the question, or with the place of the hidden mention.
_HEAD = re.compile(rb'\s*\{\s*(?:\n|$|\}|"(?:(?:[^"\\]|\\.)+[.:])?\d+"\s*:)')
REMEDY = "an object from id to answer, or one prediction a line"


def write(stream: BinaryIO, answers: Iterable[tuple[str, str]]) -> int:
    """Write (id, answer)s as such an object; gives how many. InputError: an id by which it would not be known again."""
    count = 0
    stream.write(b"{")
    for ident, answer in answers:
        entry = f"{json.dumps(ident)}:{json.dumps(answer)}".encode()
        if not count and not sniff(b"{" + entry):
            what = "an object from id to answer is known by an id that is a number or ends in one"
            raise InputError(what, ident, "write one prediction a line")
        stream.write(b"," * bool(count) + entry)
        count += 1
    stream.write(b"}")
    return count


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these bytes is such an object."""
    return _HEAD.match(head) is not None


def answers(stream: BinaryIO, name: str) -> Iterator[tuple[int, str, str | None]]:
    """(place among them, id, answer) of each."""
    try:
        pairs: Any = json.loads(stream.read(), object_pairs_hook=list)
    except (ValueError, RecursionError) as fault:
        raise InputError(reworded(fault), name, REMEDY) from fault
    found: set[str] = set()
    for place, (ident, answer) in enumerate(pairs, 1):
        where = f"{name}: {shortened(ident)!r}"
        if ident in found:
            raise InputError("the id stands twice", where, "keep one of its answers")
        if isinstance(answer, list):
            raise InputError("its answer is no text", where, REMEDY)
        found.add(ident)
        answer = answer if answer is None else str(answer)
        try:
            f"{ident}{answer}".encode()
        except UnicodeEncodeError:
            what = "a surrogate without its other half"
            raise InputError(what, where, "write each character whole") from None
        yield place, ident, answer
