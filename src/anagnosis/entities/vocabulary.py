"""A stored vocabulary: which names a concept has, and which concepts a name has, from an SQLite database.

    concept      number, and the Concept as MessagePack, in the order in which they were stored
    identifier   an identifier, of a term merged into the concept too, and the concept's number
    name         a name in the form in which it is looked up, and the numbers of the concepts that have it
    origin       an Origin as JSON

Behind the database stand the 64 hexadecimal digits of its SHA-256, which we verify when we open it.

Terms are read from a user's files, in any format of `TERM_FORMATS`, or from stored vocabularies.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import ModuleType

import msgspec

from anagnosis.entities.concepts import Concept, Synonym, Term
from anagnosis.entities.formats import TERM_FORMATS
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.files import STANDARD_INPUT, atomic_write, display_name, open_input, sha256
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike, naming_faults, open_file
from anagnosis.registry import find

_HEAD = 100  # bytes from which a file is known
_DIGITS = 64  # of the digest
_APPLICATION, _VERSION = 0x414E4756, 1  # in the header of the database
_MAPPED = 1 << 30  # bytes that a look-up need not copy
_SCHEMA = f"""
    PRAGMA application_id = {_APPLICATION};
    PRAGMA user_version = {_VERSION};
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -65536;
    CREATE TABLE concept (number INTEGER PRIMARY KEY, record BLOB);
    CREATE TABLE identifier (identifier TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
    CREATE TABLE name (form TEXT, number INTEGER, PRIMARY KEY (form, number)) WITHOUT ROWID;
    CREATE TABLE origin (record BLOB);
    BEGIN;
"""
_STORE = "give a file that `anagnosis terms FILE --out NAME` wrote"


class TermSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of terms. sha256: of its bytes as on disk, "" of standard input.

    without: rules of names that were not applied when it was stored.
    """

    name: str
    sha256: str
    without: tuple[str, ...] = ()


def source_of_terms(name: str, path: Path) -> TermSource:
    """The source that a file of terms, or a stored vocabulary, is. InputError: it cannot be read."""
    if str(path) == STANDARD_INPUT:
        return TermSource(name, "")
    if not is_stored(path):
        return TermSource(name, sha256(path))
    with Vocabulary(path) as vocabulary:
        return TermSource(name, sha256(path), vocabulary.origin.without)


def format_module(name: str) -> ModuleType:
    """The module of a vocabulary's format, by its name."""
    return find(TERM_FORMATS, name, "vocabulary format")


def detect(stream: io.BufferedReader, file: str) -> str:
    """The name of the format that recognises the stream's first bytes, which stay unread."""
    head = stream.peek(1 << 16)
    if not head.strip():
        raise InputError("the file is empty", file, "check how it was made")
    if found := next((name for name in TERM_FORMATS if format_module(name).sniff(head)), ""):
        return found
    remedy = f"give one of {', '.join(TERM_FORMATS)}; a table needs tabs and a header with id and name"
    raise InputError("no vocabulary format recognises its first bytes", f"{file}:1", remedy)


def term_files(paths: Sequence[PathLike]) -> list[tuple[str, Path]]:
    """(name, path) of each file of terms, folders opened; InputError as of `input_files`."""
    endings = tuple(suffix for name in TERM_FORMATS for suffix in format_module(name).SUFFIXES)
    return input_files(paths, endings)


def terms(paths: Sequence[PathLike], counts: Counter[str]) -> Iterator[Term]:
    """The terms of files and folders, file by file. counts: gets what the formats leave out, by name.

    A stored vocabulary gives its concepts as terms, and adds what was left out when it was stored.
    """
    for name, path in term_files(paths):
        with open_input(path) as stream:  # once, since it may be a pipe
            if not _is_stored(stream.peek(_HEAD)[:_HEAD]):
                yield from format_module(detect(stream, name)).read(stream, counts, name)
                continue
        with Vocabulary(path) as vocabulary:
            counts.update(vocabulary.origin.left_out)
            for concept in vocabulary.concepts():
                yield Term(
                    concept.identifier,
                    concept.name,
                    tuple(Synonym(name) for name in concept.names if name != concept.name),
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


_concept = msgspec.msgpack.Decoder(Concept)


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

    concepts: of distinct identifiers. key: the form under which a name is looked up, in lower case; names with the key
    "" cannot be looked up.
    """
    alternatives: list[tuple[str, int]] = []
    full = naming_faults(path, "free some space or choose another place", "writing", also=(sqlite3.Error,))
    with full, tempfile.TemporaryDirectory(prefix="anagnosis-") as scratch:
        file = Path(scratch, "vocabulary")
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            database.executescript(_SCHEMA)
            for number, concept in enumerate(concepts):
                record = msgspec.msgpack.encode(concept)
                database.execute("INSERT INTO concept VALUES (?, ?)", (number, record))
                database.execute("INSERT INTO identifier VALUES (?, ?)", (concept.identifier, number))
                forms = {form: number for name in concept.names if (form := key(name))}
                database.executemany("INSERT INTO name VALUES (?, ?)", forms.items())
                alternatives += [(other, number) for other in concept.alternatives]
            database.executemany("INSERT OR IGNORE INTO identifier VALUES (?, ?)", alternatives)
            database.execute("INSERT INTO origin VALUES (?)", (msgspec.json.encode(origin or Origin()),))
            database.execute("COMMIT")
        with file.open("rb") as source, atomic_write(path) as stream:
            shutil.copyfileobj(source, stream)
            source.seek(0)
            stream.write(hashlib.file_digest(source, "sha256").hexdigest().encode())


def is_stored(path: PathLike) -> bool:
    """Whether a file is a stored vocabulary, of any version."""
    with open_input(path) as stream:
        return _is_stored(stream.peek(_HEAD)[:_HEAD])


def _is_stored(head: bytes) -> bool:
    return head.startswith(b"SQLite format 3\0") and head[68:72] == _APPLICATION.to_bytes(4, "big")


class Vocabulary:
    """A stored vocabulary, open for look-ups until `close`; usable as a context manager.

    origin: where its concepts are from. digest: SHA-256 of the database, in hexadecimal digits. InputError: the file is
    no stored vocabulary, another version wrote it, or it cannot be read. DamagedError: it changed after it was written.
    """

    def __init__(self, path: PathLike) -> None:
        name = display_name(path)
        again = "store the vocabulary again"
        with naming_faults(name, "check the path", also=(ValueError,)), open_file(path) as stream:
            head = stream.read(_HEAD)
            if not _is_stored(head):
                raise InputError("is no stored vocabulary", name, _STORE)
            if int.from_bytes(head[60:64], "big") != _VERSION:
                raise InputError("another version of anagnosis stored it", name, again)
            left, sha256 = stream.seek(0, io.SEEK_END) - _DIGITS, hashlib.sha256()
            stream.seek(0)
            while left > 0 and (data := stream.read(min(left, 1 << 20))):
                sha256.update(data)
                left -= len(data)
            if stream.read() != sha256.hexdigest().encode():
                raise DamagedError("the file has changed since it was written", name, again)
        self.digest = sha256.hexdigest()
        where = f"{Path(path).resolve().as_uri()}?mode=ro&immutable=1"
        # A server looks up in several threads; SQLite makes them take turns.
        self._database = sqlite3.connect(where, uri=True, check_same_thread=False)
        self._database.execute(f"PRAGMA mmap_size = {_MAPPED}")
        (origin,) = self._database.execute("SELECT record FROM origin").fetchone()
        self.origin = msgspec.json.decode(origin, type=Origin)

    def __enter__(self) -> Vocabulary:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the file; no look-up may follow."""
        self._database.close()

    @property
    def concept_count(self) -> int:
        """The number of concepts."""
        return self._database.execute("SELECT count(*) FROM concept").fetchone()[0]

    @property
    def name_count(self) -> int:
        """The number of distinct forms under which the concepts' names are looked up."""
        return self._database.execute("SELECT count(DISTINCT form) FROM name").fetchone()[0]

    def concepts(self) -> Iterator[Concept]:
        """All concepts, in the order in which they were stored."""
        for (record,) in self._database.execute("SELECT record FROM concept ORDER BY number"):
            yield _concept.decode(record)

    def term(self, identifier: str) -> Concept | None:
        """The concept with this identifier, else the first that has it as another one; None if there is none."""
        found = "SELECT record FROM identifier JOIN concept USING (number) WHERE identifier = ?"
        row = self._database.execute(found, (identifier,)).fetchone()
        return _concept.decode(row[0]) if row else None

    def names(self, identifier: str) -> tuple[str, ...]:
        """The names of a concept, the preferred one first; () where it is unknown."""
        concept = self.term(identifier)
        return concept.names if concept is not None else ()

    def named(self, name: str) -> list[Concept]:
        """The concepts that have this name, in any case, in the vocabulary's order.

        name: in a vocabulary that was stored with another key, the key of the name.
        """
        found = "SELECT record FROM name JOIN concept USING (number) WHERE form = ? ORDER BY number"
        return [_concept.decode(record) for (record,) in self._database.execute(found, (folded(name),))]
