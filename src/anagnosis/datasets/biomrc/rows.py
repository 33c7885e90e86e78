"""The JSON of the authors' files, row by row: one object on one line, four lists side by side.

    {"abstracts": [str, …], "titles": [str, …], "entities_list": [[str, …], …], "answers": [str, …]}

The i-th item of each list belongs to instance i. The bytes are those of Python's `json.dumps` with its
defaults: separators ", " and ": ", every non-ASCII character escaped, no newline at the end. The lists follow
each other, so a file is read by four cursors over it, each at its own list, and written with three lists
waiting in temporary files: memory does not grow with the file either way.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack
from itertools import zip_longest
from typing import Any, BinaryIO, NamedTuple, cast

from anagnosis.documents.io.json_stream import JsonText
from anagnosis.documents.io.malformed import MalformedError
from anagnosis.errors import InputError
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike

KEYS = ("abstracts", "titles", "entities_list", "answers")
NOT_THE_LAYOUT = (
    f"the layout is one object with the lists {', '.join(KEYS)}; name another dataset's with --layout"
)

_encode = json.JSONEncoder().encode


class Row(NamedTuple):
    """One instance as the file has it, line ends and all."""

    abstract: str
    title: str
    entities: list[str]
    answer: str


def read_rows(path: PathLike, otherwise: Callable[[str], None] | None = None) -> Iterator[Row]:
    """The rows of a file, plain or compressed, in their order.

    otherwise: called at the end with a reason if the file is not as long as `json.dumps` of its content;
    writing the same rows again then gives other bytes.
    Refused (InputError): no JSON, other keys or another order of them, lists of unequal length, an item that
    is no text.
    """
    name = display_name(path)
    written = len(_encode({key: [] for key in KEYS}))
    sizes: list[int] = []
    with ExitStack() as stack:
        columns = [_column(stack, path, name, key, sizes) for key in KEYS]
        number = -1
        for number, items in enumerate(zip_longest(*columns)):
            if None in items:
                ended = ", ".join(key for key, item in zip(KEYS, items) if item is None)
                raise InputError(
                    f"the lists are not equally long: {ended} has {number} items", name, NOT_THE_LAYOUT
                )
            row = Row(*cast("tuple[str, str, list[str], str]", items))
            written += len(_encode(row))  # its brackets and separators are as long as one ", " in each list
            yield row
        if number >= 0:
            written -= 2 * len(KEYS)
    if otherwise is not None and written != sizes[0]:
        otherwise(f"{sizes[0]} characters of JSON, json.dumps would write {written}")


def first_entities(path: PathLike) -> list[str] | None:
    """The candidates of the first instance; None for a file without instances."""
    with ExitStack() as stack:
        column = _column(stack, path, display_name(path), "entities_list", [])
        return cast("list[str] | None", next(column, None))


def write_rows(rows: Iterable[Row], stream: BinaryIO, *, spool: PathLike | None = None) -> int:
    """Write the rows as the authors would have, and say how many they were.

    spool: the folder for the temporary files (as large as titles, candidates and answers together).
    """
    with ExitStack() as stack:
        waiting = [stack.enter_context(tempfile.TemporaryFile(dir=spool)) for _ in KEYS[1:]]
        lists = [stream, *waiting]
        count = 0
        stream.write(b'{"abstracts": [')
        for row in rows:
            for where, item in zip(lists, row):
                if count:
                    where.write(b", ")
                where.write(_encode(item).encode("ascii"))
            count += 1
        for key, column in zip(KEYS[1:], waiting):
            stream.write(b'], "%s": [' % key.encode("ascii"))
            column.seek(0)
            shutil.copyfileobj(column, stream, 1 << 20)
        stream.write(b"]}")
    return count


_Items = Generator["str | list[str]", None, None]


def _column(stack: ExitStack, path: PathLike, name: str, key: str, sizes: list[int]) -> _Items:
    """The items of one list. The last list's cursor reads the file to its end and notes its size in `sizes`.

    Each cursor sees only the keys up to its own, and the last one all of them.
    """
    text = JsonText(cast(BinaryIO, stack.enter_context(open_input(path))), name)
    try:
        for number, each in enumerate(KEYS):
            text.demand("{" if not number else ",", f"the list {each}")
            if text.peek() != '"' or text.value() != each:
                raise text.fault(f"the key {each} expected")
            text.demand(":", "a colon")
            items = _items(text, each)
            if each == key:
                yield from items
                break
            for _ in items:
                pass
        if key == KEYS[-1]:
            text.demand("}", "the end of the object")
            if text.peek():
                raise text.fault("something stands behind the object")
            sizes.append(text.passed)
    except MalformedError as fault:
        raise InputError(fault.what, fault.where, NOT_THE_LAYOUT) from fault


def _items(text: JsonText, key: str) -> _Items:
    text.demand("[", f"the list {key}")
    number = 0
    while not text.take("]"):
        if number:
            text.demand(",", "a comma or the end of the list")
        item = text.value()
        if key != "entities_list":
            yield _whole(text, item, f"item {number} of {key} is no text")
        elif isinstance(item, list):
            what = f"an item of {key}[{number}] is no text"
            yield [_whole(text, each, what) for each in cast("list[Any]", item)]
        else:
            raise text.fault(f"item {number} of {key} is no list of texts")
        number += 1


def _whole(text: JsonText, value: Any, otherwise: str) -> str:
    """A text with ? for a surrogate without its other half. otherwise: the fault of what is no text."""
    if not isinstance(value, str):
        raise text.fault(otherwise)
    return value if value.isascii() else value.encode("utf-8", "replace").decode()
