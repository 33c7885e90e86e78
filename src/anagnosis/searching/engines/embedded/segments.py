"""The files of an embedded index: meta.json names the segments of the last commit, and each segment has several files.

    ID.term ID.idx ID.pos ID.fieldnorm ID.fast    the inverted index
    ID.store                                      the papers
    ID.OPSTAMP.del                                one bit an entry, 0 for deleted ones
    .managed.json                                 names of files that tantivy deletes when no commit needs them

tantivy ends every file but meta.json with a footer with the CRC-32 of the rest, computed while it wrote the file:
{"version": …, "crc": 2769193101}, the footer's length and 1337, both uint32. tantivy itself never reads it again. We
verify every file before use, except the stores: a store is large and read a paper at a time, and each paper has a
checksum (fields.py). meta.json has none: schema and settings must be ours, and the number of entries that of the files.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

import msgspec

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.decoding import UNDECODABLE, decoding_faults
from anagnosis.io.files import write_bytes
from anagnosis.io.paths import open_file, read_file, reason_of
from anagnosis.searching.engines.embedded.fields import FIELDS
from anagnosis.searching.papers.records import AGAIN

META = "meta.json"
MANAGED = ".managed.json"
STORE = "store"
_DELETES = "del"
_COMPONENTS = ("term", "idx", "pos", "fieldnorm", "fast", STORE)
_SETTINGS = {"docstore_compression": "lz4", "docstore_blocksize": 65_536}
_SCHEMA = [{"name": name, **field} for name, field in FIELDS.items()]
_WRITTEN = re.compile(rf"{re.escape(META)}|[0-9a-f]{{32}}\.([0-9]+\.del|({'|'.join(_COMPONENTS)})(\.temp)?)")
_TRIES = 5  # attempts, while a writer replaces the commit
_DAMAGED = "is damaged, or another version's"
_FOOTER = re.compile(rb'(\{"version":\{[^{}]*\},"crc":([0-9]{1,10})\})(.{4})\x39\x05\0\0\Z', re.DOTALL)
_LONGEST_FOOTER = 4_096
_STORE_END = 28  # bytes
_CHUNK = 1 << 20
T = TypeVar("T")


class _Deletes(msgspec.Struct):
    num_deleted_docs: int
    opstamp: int


class Segment(msgspec.Struct):
    """A segment of meta.json. max_doc: number of entries, with deleted ones."""

    segment_id: str
    max_doc: Annotated[int, msgspec.Meta(ge=1)]
    deletes: _Deletes | None = None

    def files(self) -> dict[str, str]:
        """kind of file → its name."""
        ident = self.segment_id.replace("-", "")
        named = {one: f"{ident}.{one}" for one in _COMPONENTS}
        return named if self.deletes is None else {**named, _DELETES: f"{ident}.{self.deletes.opstamp}.del"}


class Meta(msgspec.Struct):
    """The contents of meta.json. opstamp: grows with every addition, deletion and commit."""

    index_settings: dict[str, Any]
    segments: list[Segment]
    schema: list[dict[str, Any]]
    opstamp: int

    @property
    def entries(self) -> int:
        """Number of entries of all segments, with deleted ones."""
        return sum(segment.max_doc for segment in self.segments)


def write_empty(folder: Path) -> None:
    """Write the files of an index without entries, as the library does, which cannot make all of our settings."""
    write_bytes(folder / MANAGED, msgspec.json.encode([META]))
    write_bytes(folder / META, msgspec.json.encode(Meta(_SETTINGS, [], _SCHEMA, 0)))


def read_meta(folder: Path) -> Meta:
    """Read meta.json. DamagedError: another program or version wrote it, or its numbers are impossible. OSError: no."""
    data = read_file(folder / META)
    with decoding_faults(folder / META, AGAIN, _DAMAGED, error=DamagedError):
        meta = msgspec.json.decode(data, type=Meta)
    if meta.schema != _SCHEMA or meta.index_settings != _SETTINGS:
        raise DamagedError(f"{_DAMAGED} (its fields are not ours)", str(folder / META), AGAIN)
    return meta


def make_list_anew(folder: Path) -> None:
    """Write the list of files that tantivy may delete from the folder, if it cannot be used, or names other files.

    OSError: it cannot be read, or not be written.
    """
    try:
        listed = msgspec.json.decode(read_file(folder / MANAGED), type=list[str])
        is_ours = all(map(_WRITTEN.fullmatch, listed))
    except (FileNotFoundError, *UNDECODABLE):
        is_ours = False
    if not is_ours:
        names = sorted(path.name for path in folder.iterdir() if _WRITTEN.fullmatch(path.name))
        write_bytes(folder / MANAGED, msgspec.json.encode(names))


class Segments:
    """The files of an index. Each is verified once, since files never change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._verified: set[str] = set()

    def read(self, commit: Callable[[], T]) -> tuple[T, Meta]:
        """Verify the last commit; return the result of `commit` and its meta.json.

        DamagedError: damaged or missing files. If another process replaces the commit meanwhile, the next one follows.
        """
        for _ in range(_TRIES):
            meta = read_meta(self.folder)
            try:
                for place, what in self.faults(meta):
                    raise DamagedError(what, str(self.folder / place), AGAIN)
                result = commit()
            except (ValueError, InputError):
                if read_meta(self.folder) == meta:
                    raise
                continue
            if read_meta(self.folder) == meta:
                return result, meta
        raise InputError("is changed faster than it can be read", str(self.folder), "try again later")

    def faults(self, meta: Meta, *, stores: bool = False) -> Iterator[tuple[str, str]]:
        """(file, its fault) for faulty files of a commit, without those verified before. stores: verify these too."""
        for segment in meta.segments:
            for kind, name in segment.files().items():
                only_end = kind == STORE and not stores
                if name not in self._verified:
                    if what := _fault(self.folder / name, only_end=only_end):
                        yield name, what
                    elif not only_end:
                        self._verified.add(name)


def _fault(path: Path, *, only_end: bool) -> str:
    """What is wrong with a file, "" if it is sound. only_end: read no more than its footer."""
    try:
        with open_file(path) as stream:
            size = path.stat().st_size
            stream.seek(max(0, size - _LONGEST_FOOTER))
            footer = _FOOTER.search(stream.read())
            if footer is None or len(footer[1]) != int.from_bytes(footer[3], "little"):
                return "is damaged: its end is missing"
            expected, end = int(footer[2]), size - len(footer[0])
            if only_end and not _ends_in_blocks(stream, end):
                return "is damaged: its table of blocks is not where its end says"
            left, crc = 0 if only_end else end, expected if only_end else 0
            stream.seek(0)
            while left > 0 and (data := stream.read(min(left, _CHUNK))):
                crc, left = zlib.crc32(data, crc), left - len(data)
    except FileNotFoundError:
        return "is missing"
    except PermissionError:
        raise
    except OSError as fault:
        return f"cannot be read ({reason_of(fault)})"
    return "" if crc == expected else "is damaged: its checksum differs"


def _ends_in_blocks(stream: BinaryIO, end: int) -> bool:
    """Whether a store's table of blocks lies where its end says: for a wrong length the library ends the process.

    The table begins with a number of layers and the end of each behind these numbers, of seven bits a byte, the last
    byte of each with its eighth bit. Behind the table stand 28 bytes: a version, the place of the table, a compression.
    """
    stream.seek(max(0, end - _STORE_END))
    place = int.from_bytes(stream.read(12)[4:], "little")
    if place >= end:
        return False
    stream.seek(place)
    numbers, value, shift = list[int](), 0, 0
    for length, byte in enumerate(stream.read(_LONGEST_FOOTER), start=1):
        value, shift = value | (byte & 0x7F) << shift, shift + 7
        if byte & 0x80:
            numbers.append(value)
            value = shift = 0
            if len(numbers) > numbers[0]:
                ends = numbers[1:] or [0]
                return ends == sorted(ends) and place + length + ends[-1] == end - _STORE_END
    return False
