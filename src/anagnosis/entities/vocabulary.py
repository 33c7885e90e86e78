"""A stored vocabulary: which names a concept has, and which concepts a name has, from a memory-mapped file.

    anagnosis vocabulary 1\\n
    SHA-256 of all that follows, in hexadecimal digits, and a line end
    header: JSON in one line, with the sizes of what follows, and where the concepts are from
    records: MessagePack, one a concept and one a name in lower case
    two tables of places (little-endian uint64): slots by the CRC-32 of an identifier or name, 0 for an empty slot

A look-up reads a slot or two and one record. The file is checked when it is opened, before anything in it is trusted.

Terms are read from a user's files, in any format of `TERM_FORMATS`, or from stored vocabularies.
"""

from __future__ import annotations

import hashlib
import io
import mmap
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from anagnosis.entities.concepts import NAME_RULES, Concept, Synonym, Term
from anagnosis.entities.formats import TERM_FORMATS
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import atomic_write, display_name, open_input
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike, naming_faults, open_file
from anagnosis.registry import find

FIRST_LINE = b"anagnosis vocabulary 1\n"
_ANY_VERSION = re.compile(rb"anagnosis vocabulary (\d+)\n")
HEAD = 64  # bytes from which `is_stored` recognises a file
_DIGEST = 65  # digits and the line end
_LONGEST_HEADER = 1 << 24
_LENGTH = 4  # bytes of a record's length, before it
_STORE = "give a file that `anagnosis terms FILE --out NAME` wrote"


def format_module(name: str) -> ModuleType:
    """The module of a vocabulary's format, by its name."""
    return find(TERM_FORMATS, name, "vocabulary format")


def detect(stream: io.BufferedReader, file: str) -> str:
    """The name of the format that recognises the stream's first bytes, which stay unread."""
    head = stream.peek(1 << 16)
    if not head.strip():
        raise InputError("the file is empty", file, "check how it was made")
    for name in TERM_FORMATS:
        if format_module(name).sniff(head):
            return name
    raise InputError(
        "no vocabulary format recognises its first bytes",
        f"{file}:1",
        f"give one of {', '.join(TERM_FORMATS)}; a table needs tabs and a header with id and name",
    )


def term_files(paths: Sequence[PathLike]) -> list[tuple[str, Path]]:
    """(name, path) of each file of terms, folders opened; InputError as of `input_files`."""
    endings = tuple(suffix for name in TERM_FORMATS for suffix in format_module(name).SUFFIXES)
    return input_files(paths, endings)


def terms(paths: Sequence[PathLike], counts: Counter[str], without: Sequence[str] = ()) -> Iterator[Term]:
    """The terms of files and folders, file by file. counts: gets what the formats leave out, by name.

    A stored vocabulary gives its concepts as terms, and adds what was left out when it was stored. without: rules of
    names that the caller does not apply. InputError: a vocabulary was stored with one of them.
    """
    for name, path in term_files(paths):
        with open_input(path) as stream:
            if is_stored(stream.peek(HEAD)[:HEAD]):
                yield from _stored(path, counts, without)
            else:
                yield from format_module(detect(stream, name)).read(stream, counts, name)


def _stored(path: Path, counts: Counter[str], without: Sequence[str]) -> Iterator[Term]:
    with Vocabulary(path) as vocabulary:
        applied = [rule for rule in without if rule in NAME_RULES and rule not in vocabulary.origin.without]
        if applied:
            raise InputError(
                f"{applied[0]} was applied when {display_name(path)} was stored",
                "--without",
                f"store it again with `anagnosis terms FILES --out NAME --without {applied[0]}`",
            )
        counts.update(vocabulary.origin.left_out)
        for concept in vocabulary.concepts():
            synonyms = tuple(Synonym(name) for name in concept.names if name != concept.name)
            yield Term(
                concept.identifier,
                concept.name,
                synonyms,
                concept.types,
                alternatives=concept.alternatives,
                tree_numbers=concept.tree_numbers,
            )


class Origin(msgspec.Struct, frozen=True):
    """Where the concepts of a vocabulary are from.

    files: (name, SHA-256 of its bytes as on disk) of each file of terms, in their order. without: rules of names that
    were not applied. left_out: names and terms that the formats and rules left out, by name.
    """

    files: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    left_out: dict[str, int] = {}


class _Header(msgspec.Struct, frozen=True):
    """records: bytes of records; concepts, names: their numbers; slots: of the tables of identifiers and of names."""

    records: int
    concepts: int
    names: int
    slots: tuple[int, int]
    origin: Origin


class _Name(msgspec.Struct, frozen=True, gc=False, array_like=True):
    name: str
    identifiers: tuple[str, ...]


_concept = msgspec.msgpack.Decoder(Concept)
_name = msgspec.msgpack.Decoder(_Name)


def folded(name: str) -> str:
    """A name as it is looked up: in lower case, with single blanks."""
    return " ".join(name.lower().split())


def store(
    concepts: Iterable[Concept],
    path: PathLike,
    origin: Origin | None = None,
    key: Callable[[str], str] = folded,
) -> None:
    """Write a vocabulary; equal concepts in equal order, of equal origin, give equal bytes.

    key: the form under which a name is looked up, in lower case; names with the key "" cannot be looked up.
    """
    records = bytearray(b"\0")  # so that no record lies at 0, which means an empty slot
    places: tuple[dict[str, int], dict[str, int]] = ({}, {})
    names: dict[str, dict[str, None]] = {}
    alternatives: dict[str, int] = {}
    for concept in concepts:
        place = places[0][concept.identifier] = _append(records, concept)
        for other in concept.alternatives:
            alternatives.setdefault(other, place)
        for name in concept.names:
            if form := key(name):
                names.setdefault(form, {})[concept.identifier] = None
    count = len(places[0])
    for identifier, place in alternatives.items():
        places[0].setdefault(identifier, place)
    for name, identifiers in names.items():
        places[1][name] = _append(records, _Name(name, tuple(identifiers)))
    records += b"\0" * (-len(records) % 8)
    tables = [_table(of) for of in places]
    header = _Header(
        len(records),
        count,
        len(places[1]),
        (len(tables[0]), len(tables[1])),
        origin or Origin(),
    )
    parts = (msgspec.json.encode(header) + b"\n", records, *(table.tobytes() for table in tables))
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    with atomic_write(path) as stream:
        stream.write(FIRST_LINE + digest.hexdigest().encode() + b"\n")
        for part in parts:
            stream.write(part)


def is_stored(head: bytes) -> bool:
    """Whether these first bytes are a stored vocabulary's, of any version."""
    return _ANY_VERSION.match(head) is not None


class Vocabulary:
    """A stored vocabulary, open for look-ups until `close`; usable as a context manager.

    concept_count, name_count: of the concepts, and of the distinct forms under which their names are looked up.
    origin: where they are from. digest: SHA-256 of all that follows it in the file, in hexadecimal digits.
    InputError: the file is no stored vocabulary, another version wrote it, or it cannot be read. DamagedError: it
    changed after it was written.
    """

    def __init__(self, path: PathLike) -> None:
        name = display_name(path)
        with naming_faults(name, "check the path", also=(ValueError,)), open_file(path) as stream:
            first = stream.read(len(FIRST_LINE))
            if first != FIRST_LINE and is_stored(first):
                raise InputError("another version of anagnosis stored it", name, "store the vocabulary again")
            if first != FIRST_LINE:
                raise InputError("is no stored vocabulary", name, _STORE)
            digest = stream.readline(_DIGEST)
            line = stream.readline(_LONGEST_HEADER)
            self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        with memoryview(self._map)[len(FIRST_LINE) + len(digest) :] as rest:
            if hashlib.sha256(rest).hexdigest().encode() + b"\n" != digest:
                raise DamagedError(
                    "the file has changed since it was written", name, "store the vocabulary again"
                )
        with decoding_faults(name, "store the vocabulary again", error=DamagedError):
            header = msgspec.json.decode(line, type=_Header)
        self.digest = digest.decode().rstrip("\n")
        self._begin = len(FIRST_LINE) + len(digest) + len(line)
        self.concept_count, self.name_count, self.origin = header.concepts, header.names, header.origin
        tables = self._begin + header.records
        self._identifiers = np.frombuffer(self._map, "<u8", header.slots[0], tables)
        self._names = np.frombuffer(self._map, "<u8", header.slots[1], tables + 8 * header.slots[0])

    def __enter__(self) -> Vocabulary:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the file; no look-up may follow."""
        del self._identifiers, self._names
        self._map.close()

    def concepts(self) -> Iterator[Concept]:
        """All concepts, in the order in which they were stored."""
        for place in np.unique(self._identifiers[self._identifiers > 0]).tolist():
            yield _concept.decode(self._record(place))

    def term(self, identifier: str) -> Concept | None:
        """The concept with this identifier, else the first that has it as another one; None if there is none."""
        other = None
        for record in self._records(self._identifiers, identifier):
            concept = _concept.decode(record)
            if concept.identifier == identifier:
                return concept
            if other is None and identifier in concept.alternatives:
                other = concept
        return other

    def names(self, identifier: str) -> tuple[str, ...]:
        """The names of a concept, the preferred one first; () where it is unknown."""
        concept = self.term(identifier)
        return concept.names if concept is not None else ()

    def identifiers(self, name: str) -> tuple[str, ...]:
        """The concepts that have this name, in any case, in the vocabulary's order.

        name: in a vocabulary that was stored with another key, the key of the name.
        """
        wanted = folded(name)
        for record in self._records(self._names, wanted):
            decoded = _name.decode(record)
            if decoded.name == wanted:
                return decoded.identifiers
        return ()

    def _records(self, table: Any, key: str) -> Iterable[bytes]:
        """The records in the slots for a key, up to an empty slot."""
        size = len(table)
        slot = zlib.crc32(key.encode()) % size
        while place := int(table[slot]):
            yield self._record(place)
            slot = (slot + 1) % size

    def _record(self, place: int) -> bytes:
        start = self._begin + place
        length = int.from_bytes(self._map[start : start + _LENGTH], "little")
        return self._map[start + _LENGTH : start + _LENGTH + length]


def _append(records: bytearray, record: object) -> int:
    place = len(records)
    encoded = msgspec.msgpack.encode(record)
    records += len(encoded).to_bytes(_LENGTH, "little") + encoded
    return place


def _table(places: Mapping[str, int]) -> Any:
    """Slots [2 × keys + 1] of places, with linear probing."""
    table = np.zeros(2 * len(places) + 1, "<u8")
    for key, place in places.items():
        slot = zlib.crc32(key.encode()) % len(table)
        while table[slot]:
            slot = (slot + 1) % len(table)
        table[slot] = place
    return table
