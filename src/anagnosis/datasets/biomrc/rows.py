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
from typing import BinaryIO, NamedTuple, cast

import ijson

from anagnosis.errors import InputError
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike

KEYS = ("abstracts", "titles", "entities_list", "answers")
NOT_THE_LAYOUT = (
    f"the layout is one object with the lists {', '.join(KEYS)}; name another dataset's with --layout"
)

_BLOCK = 1 << 18
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
        otherwise(f"{sizes[0]} bytes of JSON, json.dumps would write {written}")


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
        for key, held in zip(KEYS[1:], waiting):
            stream.write(b'], "%s": [' % key.encode("ascii"))
            held.seek(0)
            shutil.copyfileobj(held, stream, 1 << 20)
        stream.write(b"]}")
    return count


_Event = tuple[str, object]
_Items = Generator["str | list[str]", None, None]


def _column(stack: ExitStack, path: PathLike, name: str, key: str, sizes: list[int]) -> _Items:
    """The items of one list. The last list's cursor reads the file to its end and notes its size in `sizes`.

    Each cursor sees only the keys up to its own, and the last one all of them.
    """
    stream = _Counted(stack.enter_context(open_input(path)))
    # For a number of more digits than Python reads the library gives an event and a fault at once, a SystemError.
    faults = (ijson.JSONError, ijson.IncompleteJSONError, ValueError, SystemError)
    events = cast("Iterator[_Event]", ijson.basic_parse(stream, buf_size=_BLOCK))  # pyright: ignore[reportAttributeAccessIssue]  (ijson chooses its backend when imported)
    try:
        yield from _list_of(events, name, key)
        if key == KEYS[-1]:
            _expect(events, ("end_map", None), name)
            for _ in events:
                pass
            sizes.append(stream.size)
    except faults as fault:
        reason = fault.args[0] if fault.args else ""
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        message = " ".join(reason.partition("\n")[0].split())
        raise InputError(f"no JSON ({message})", name, NOT_THE_LAYOUT) from fault


def _list_of(events: Iterator[_Event], name: str, wanted: str) -> _Items:
    _expect(events, ("start_map", None), name)
    for key in KEYS:
        _expect(events, ("map_key", key), name)
        _expect(events, ("start_array", None), name)
        if key == wanted:
            yield from _lists(events, name, key) if key == "entities_list" else _texts(events, name, key)
            return
        depth = 1
        for event, _ in events:
            if event == "start_array":
                depth += 1
            elif event == "end_array":
                depth -= 1
                if not depth:
                    break


def _texts(events: Iterator[_Event], name: str, key: str) -> Generator[str, None, None]:
    number = 0
    for event, value in events:
        if event == "string":
            yield cast(str, value)
            number += 1
        elif event == "end_array":
            return
        else:
            raise InputError(f"item {number} of {key} is no text", name, NOT_THE_LAYOUT)


def _lists(events: Iterator[_Event], name: str, key: str) -> Generator[list[str], None, None]:
    number = 0
    for event, _ in events:
        if event == "start_array":
            yield list(_texts(events, name, f"{key}[{number}]"))
            number += 1
        elif event == "end_array":
            return
        else:
            raise InputError(f"item {number} of {key} is no list of texts", name, NOT_THE_LAYOUT)


def _expect(events: Iterator[_Event], wanted: _Event, name: str) -> None:
    found = next(events, ("the end", None))
    if found != wanted:
        what = f"key {found[1]!r}" if found[0] == "map_key" else found[0].replace("_", " ")
        need = f"key {wanted[1]!r}" if wanted[0] == "map_key" else wanted[0].replace("_", " ")
        raise InputError(f"found {what} where {need} belongs", name, NOT_THE_LAYOUT)


class _Counted:
    """A stream that counts the bytes it gave."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.size += len(data)
        return data
