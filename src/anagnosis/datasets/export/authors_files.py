"""The authors' files that a layout reads and writes: which files, their JSON, and the output.

A layout's own file makes an instance of a row, and a row of an instance.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec

from anagnosis.datasets.export.layouts import LayoutFaults, split_of
from anagnosis.datasets.folder.receipt import Input
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.io.whole import JSON_FAULTS, decoded_json, strict_json, whole
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.archives import Opened, open_each
from anagnosis.io.files import STANDARD_INPUT, open_output, sha256
from anagnosis.io.input_files import input_files, refuse_repeated
from anagnosis.io.paths import PathLike

JSON = (".json",)
OTHER_LAYOUT = "check the file, or name another dataset's --layout"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class AuthorsFiles:
    """The files that a user gave. named: (name in messages, path). endings: of files in folders and archives."""

    named: list[tuple[str, Path]]
    endings: tuple[str, ...]

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files with their checksums, for a receipt."""
        return tuple(Input(name, file.stat().st_size, sha256(file)) for name, file in self.named)

    def opened(self, found: LayoutFaults) -> Generator[Opened]:
        """Every file and every member of an archive, one after the other. found: counts the members left out."""

        def left_out(fault: str, where: str, why: str) -> None:
            found.note(where, fault, why)

        for name, path in self.named:
            with closing(open_each(path, self.endings, name=name, on_left_out=left_out)) as each:
                yield from each

    def of_splits(self, split: str | None) -> dict[str, AuthorsFiles]:
        """Split → its files, by their names, or all of the split that is named."""
        found: dict[str, list[tuple[str, Path]]] = {}
        for name, file in self.named:
            found.setdefault(split or split_of(name), []).append((name, file))
        return {each: AuthorsFiles(found[each], self.endings) for each in SPLITS if each in found}


def authors_files(
    path: PathLike | Sequence[PathLike], endings: tuple[str, ...], *, split: str | None = None
) -> AuthorsFiles:
    """The files at `path`, or at several; a folder gives those with an ending.

    InputError: standard input, no such split, a file that is given twice, and what `input_files` refuses.
    """
    if split is not None and split not in SPLITS:
        raise unknown_name("split", split, SPLITS, "option split")
    given: Sequence[PathLike] = (path,) if isinstance(path, PathLike) else path
    if any(str(each) == STANDARD_INPUT for each in given):
        raise InputError("the layout cannot be read from standard input", "-", "name the file")
    named = input_files(given, endings)
    refuse_repeated(named)
    return AuthorsFiles(named, endings)


def refuse_setting(setting: str | None, layout: str) -> None:
    """InputError: a setting, of a layout that has none."""
    if setting is not None:
        raise InputError(f"the layout {layout} has no settings", "--setting", "leave it away")


@contextmanager
def output(folder: PathLike, name: str, *, compress: bool) -> Generator[tuple[Path, BinaryIO]]:
    """(path, stream) of a file that is there once it is complete. compress: with gzip, as NAME.gz."""
    path = Path(folder) / (f"{name}.gz" if compress else name)
    with open_output(path) as stream:
        yield path, stream


def made_id(passage: str, question: str, seen: Counter[bytes]) -> tuple[str, str]:
    """(id, document) of a cloze instance whose file names neither: a hash of the passage, and where the question asks.

    seen: how often each id was made; a further instance with an id gets its number behind it.
    """
    document = f"text:{hashlib.sha256(passage.encode()).hexdigest()[:16]}"
    ident = f"{document}:{question.index(PLACEHOLDER)}"
    seen[digest := hashlib.sha256(ident.encode()).digest()[:8]] += 1
    return ident if seen[digest] == 1 else f"{ident}-{seen[digest]}", document


class _Key(str):
    __slots__ = ()


def members(data: bytes | memoryview, name: str) -> dict[str, msgspec.Raw]:
    """Key → JSON of the object that a file is. InputError: something else, or a key that stands twice."""
    keys: list[str] = []

    def met(kind: type[str], key: str) -> str:
        keys.append(key)
        return kind(key)

    found = decoded_json(data, name, dict[_Key, msgspec.Raw], met)
    if len(keys) > len(found):
        [(key, _)] = Counter(keys).most_common(1)
        raise InputError(f"the key {key!r} stands twice", name, OTHER_LAYOUT)
    return found


def listed(stream: BinaryIO, name: str, key: str) -> Iterator[tuple[int, bytes]]:
    """(line, JSON) of every value of the list under a key of the object that a file is."""
    data = whole(stream, name)
    found = members(data, name)
    if key not in found:
        raise InputError(f"the object holds no {key}", name, OTHER_LAYOUT)
    return in_lines(data, decoded_json(found[key], name, list[msgspec.Raw]))


def in_lines(data: bytes, values: Iterable[msgspec.Raw]) -> Iterator[tuple[int, bytes]]:
    """(line where it begins, JSON) of the values. values: pieces of `data`, in order."""
    at = end = 0
    line = 1
    for value in map(bytes, values):
        start = data.index(value, end)
        line += data.count(b"\n", at, start)
        at, end = start, start + len(value)
        yield line, value


def converted(
    make: Callable[[Any], _T], json: bytes, where: str, fault: str, found: LayoutFaults
) -> _T | None:
    """What `make` makes of a value; None, and counted as `fault`, where it cannot, or where a key stands twice."""
    try:
        return make(strict_json(json))
    except JSON_FAULTS as why:
        return found.refuse(where, fault, str(why))


def json_lines(
    lines: Iterable[bytes], name: str, of: type[_T], fault: str, found: LayoutFaults
) -> Iterator[tuple[str, _T]]:
    """("name:line", row) of every line. TruncatedError: the file ends inside a line."""
    for number, line in enumerate(lines, 1):
        where = f"{name}:{number}"
        if not line.endswith(b"\n"):
            decoded_json(line, where, msgspec.Raw)
        if line.strip():
            row = converted(partial(msgspec.convert, type=of), line, where, fault, found)
            if row is not None:
                yield where, row
