"""The authors' files that a layout reads and writes: which files, their members, their JSON and the output.

A layout's own file says what a row is: it makes an instance of a row, and a row of an instance.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar, cast

import msgspec

from anagnosis.datasets.export.layouts import LayoutFaults, split_of
from anagnosis.datasets.folder.receipt import Input
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.io.json_stream import JsonText
from anagnosis.documents.io.malformed import FETCH_AGAIN, is_cut
from anagnosis.errors import InputError, TruncatedError, unknown_name
from anagnosis.io.archives import Opened, open_each
from anagnosis.io.files import STANDARD_INPUT, atomic_write, sha256
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike
from anagnosis.wording import reworded

JSON = (".json",)
LONGEST_LINE = 16 << 20
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

    def opened(self, findings: LayoutFaults | None = None) -> Generator[Opened]:
        """Every file and every member of an archive, one after the other.

        findings: None where another pass has counted what the files have.
        """

        def note(fault: str, where: str, why: str) -> None:
            if findings is not None:
                findings.note(where, fault, why)

        for name, path in self.named:

            def marked(mark: str, name: str = name) -> None:
                note("byte_order_mark", name, f"{mark}; read as UTF-8 without")

            with closing(open_each(path, self.endings, name=name, on_mark=marked, on_left_out=note)) as each:
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

    InputError: standard input, since a layout is read several times; no such split; and what `input_files` refuses.
    """
    if split is not None and split not in SPLITS:
        raise unknown_name("split", split, SPLITS, "option split")
    given: Sequence[PathLike] = (path,) if isinstance(path, PathLike) else path
    if any(str(each) == STANDARD_INPUT for each in given):
        raise InputError(
            "the layout cannot be read from standard input: it is read several times", "-", "name the file"
        )
    return AuthorsFiles(input_files(given, endings), endings)


def refuse_repeated(files: AuthorsFiles) -> None:
    """InputError: two of the paths are one file."""
    seen = set[Path]()
    for name, file in files.named:
        if (whole := file.resolve()) in seen:
            raise InputError("the same file is given twice", name, "give each file once")
        seen.add(whole)


def refuse_setting(setting: str | None, layout: str) -> None:
    """InputError: a setting, of a layout that has none."""
    if setting is not None:
        raise InputError(f"the layout {layout} has no settings", "--setting", "leave it away")


def with_dev(split: str, dev_share: float) -> tuple[str, ...]:
    """The splits that files of one split make. InputError: a share for dev of another split than train."""
    if dev_share and split != "train":
        raise InputError("a share for dev is taken of train", "--dev-share", "add --split train")
    return (split, "dev") if dev_share else (split,)


@contextmanager
def output(path: Path, *, compress: bool) -> Generator[BinaryIO]:
    """A file that is there once it is complete. compress: with gzip; the name does not change."""
    with ExitStack() as stack:
        stream = stack.enter_context(atomic_write(path))
        if compress:
            stream = cast(BinaryIO, stack.enter_context(gzip.GzipFile("", "wb", fileobj=stream, mtime=0)))
        yield stream


def packed_name(name: str, *, compress: bool) -> str:
    """The name of a file that may be compressed."""
    return f"{name}.gz" if compress else name


def converted(
    make: Callable[[Any], _T], value: Any, where: str, fault: str, findings: LayoutFaults, about: str = ""
) -> _T | None:
    """What `make` makes of a value; None, and counted as `fault` or half_a_character, where it cannot be stored.

    about: what the message begins with.
    """
    try:
        found = make(value)
        msgspec.json.encode(found).decode()  # a surrogate without its other half cannot be stored
    except msgspec.ValidationError as why:
        return findings.refuse(where, fault, f"{about}{reworded(why)}")
    except UnicodeError:
        return findings.refuse(where, "half_a_character", f"{about}a surrogate without its other half")
    return found


def json_lines(
    opened: Opened,
    of: type[_T],
    fault: str,
    findings: LayoutFaults,
    *,
    count: Callable[[str, str, str], None] | None = None,
) -> Iterator[tuple[str, _T]]:
    """("name:line", row) of every line.

    fault: of a line of another shape, which `count` counts (default: as refused).

    InputError: a line longer than LONGEST_LINE. TruncatedError: the file ends inside a line.
    """
    number = 0
    while line := opened.stream.readline(LONGEST_LINE + 1):
        number += 1
        where = f"{opened.name}:{number}"
        if len(line) > LONGEST_LINE:
            raise InputError(f"a line longer than {LONGEST_LINE >> 20} MiB", where, "check the file")
        if not line.strip():
            continue
        try:
            yield where, msgspec.json.decode(line, type=of)
        except msgspec.ValidationError as wrong:
            (count or findings.refuse)(where, fault, reworded(wrong))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
            if is_cut(wrong) and not line.endswith(b"\n"):
                raise TruncatedError("the file ends inside a line", where, FETCH_AGAIN) from wrong
            findings.refuse(where, "not_json", reworded(wrong))


class Framing(msgspec.Struct, frozen=True):
    """The text of a JSON file before, between and behind the values of its list."""

    before: str
    between: str
    behind: str


class Listed(NamedTuple):
    """A value of a list, on the line where it begins, with its JSON text."""

    line: int
    value: Any
    text: str


class JsonList:
    """The list under a key of the object that a file is, read value by value, once.

    other_keys: of the object, with their values, None for a list or an object, whose text `framing` leaves out.
    uneven: whether the text between two values differs.
    """

    def __init__(self, stream: BufferedReader | BinaryIO, name: str, key: str) -> None:
        self._text = JsonText(cast(BinaryIO, stream), name)
        self._name = name
        self._text.kept = []
        self._key = key
        self._parts = ["", "", ""]
        self.other_keys: list[tuple[str, Any]] = []
        self.uneven = False

    def values(self) -> Iterator[Listed]:
        """Every value, in memory bounded by one."""
        text, key = self._text, self._key
        text.demand("{", f"an object that holds {key}")
        found = False
        while not text.take("}"):
            if self.other_keys or found:
                text.demand(",", "a comma or the end of the object")
            if text.peek() not in ('"', ""):
                raise text.fault("a key in quotation marks expected")
            name = text.value()
            text.demand(":", "a colon")
            if name != key or found:
                if text.peek() in "[{":
                    text.kept = None
                value = text.value()
                self.other_keys.append((name, value if text.kept is not None else None))
                continue
            found = True
            yield from self._listed()
        if not found:
            where = f"{self._name}:{text.line}"
            raise InputError(f"the object holds no {key}", where, OTHER_LAYOUT)
        if text.peek():
            raise text.fault("something stands behind the object")
        self._parts[2] = self._passed()

    def framing(self) -> Framing:
        """The text around the values, once all are read."""
        return Framing(*self._parts)

    def _listed(self) -> Iterator[Listed]:
        text = self._text
        text.demand("[", f"a list of {self._key}")
        count = 0
        while not text.take("]"):
            if count:
                text.demand(",", "a comma or the end of the list")
            text.peek()
            passed = self._passed()
            if count < 2:
                self._parts[count] = passed
            elif passed != self._parts[1]:
                self.uneven = True
            count += 1
            yield Listed(text.line, *text.spelled_value())

    def _passed(self) -> str:
        """What the cursor passed since the last value of the list."""
        if self._text.kept is None:
            return ""
        passed = "".join(self._text.kept)
        self._text.kept.clear()
        return passed
