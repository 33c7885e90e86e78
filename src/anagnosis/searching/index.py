"""An index: a folder with an engine's files, and index.json, which names the engine and how passages were made.

A document is known by its id and told apart by a hash of what it says: what is there unchanged is not done again, what
has changed takes the other's place. An older version (a MEDLINE citation's, a PMC article's) never takes a newer one's
place, and an abstract alone never that of a full text.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, cast

import msgspec

from anagnosis.documents.document import Document
from anagnosis.errors import InputError, unknown_name
from anagnosis.files import read_json, write_json
from anagnosis.searching.engines import ENGINES, Counts, Engine, Filters, Hit
from anagnosis.searching.passages import LONGEST, Passage, passages

FILE = "index.json"
FORMAT = 1
EMBEDDED = "embedded"
# Passages between commits, some twenty seconds of work, which a killed process loses; each makes files to be merged.
_COMMIT = 200_000
_WRITE = 5_000  # passages that wait in memory
_FULL = frozenset(("body", "figure", "table"))
# Of an engine's passages so many more are asked for than documents are wanted.
_PASSAGES = 5


class Settings(msgspec.Struct, frozen=True):
    """What index.json says. longest: characters of a passage."""

    format: int = FORMAT
    engine: str = EMBEDDED
    longest: int = LONGEST


class _Waiting(NamedTuple):
    """A document that is not written yet. stored: the mark of what is there, None where nothing is."""

    passages: list[Passage]
    mark: str
    stored: str | None


class Index:
    """An open index.

    Documents wait in memory for a while, so that of one id that comes again soon only the last is written.
    """

    def __init__(self, folder: Path, engine: Engine) -> None:
        self.folder, self.engine = folder, engine
        self._waiting: dict[str, _Waiting] = {}
        self._written: dict[str, str | None] = {}
        self._passages = self._uncommitted = 0

    def add(self, document: Document, counts: Counter[str]) -> None:
        """Take a document in, or leave it as it is.

        Counted: added, replaced, unchanged, older_version, fuller_text_kept, without_text.
        """
        found = passages(document)
        if not found:
            counts["without_text"] += 1
            return
        waiting = self._waiting.get(document.id)
        stored = waiting.stored if waiting else self._stored(document.id)
        mark, there = _mark(document), waiting.mark if waiting else stored
        if there is not None and (why := _stays(there, mark)):
            counts[why] += 1
            return
        counts["added" if there is None else "replaced"] += 1
        self._waiting[document.id] = _Waiting(found, mark, stored)
        self._passages += len(found)
        if self._uncommitted + self._passages >= _COMMIT:
            self.commit()
        elif self._passages >= _WRITE:
            self._write()

    def delete(self, ids: Iterable[str], counts: Counter[str]) -> None:
        """Take documents out. Counted: deleted, not_there."""
        for ident in ids:
            waiting = self._waiting.pop(ident, None)
            stored = waiting.stored if waiting else self._stored(ident)
            counts["deleted" if waiting or stored else "not_there"] += 1
            if stored is not None:
                self.engine.delete(ident)
                self._written[ident] = None
                self._uncommitted += 1

    def commit(self) -> None:
        """Make everything seen and safe."""
        self._write()
        if self._uncommitted:
            self.engine.commit()
        self._written.clear()
        self._uncommitted = 0

    def _write(self) -> None:
        for ident, (found, mark, stored) in self._waiting.items():
            if mark == stored:
                continue
            if stored is not None:
                self.engine.delete(ident)
            self.engine.add(found, mark)
            self._written[ident] = mark
            self._uncommitted += len(found)
        self._waiting.clear()
        self._passages = 0

    def _stored(self, ident: str) -> str | None:
        """The mark of what is there, or has been written since the last commit."""
        return self._written[ident] if ident in self._written else self.engine.mark(ident)

    def close(self) -> None:
        """Let others write; what was not committed is lost."""
        self.engine.close()

    def search(self, question: str, filters: Filters | None = None, limit: int = 10) -> list[Hit]:
        """The best passages, by falling score."""
        return self.engine.search(question, filters or Filters(), limit)

    def documents(self, question: str, limit: int, filters: Filters | None = None) -> list[tuple[str, float]]:
        """(id, score) of the best documents, each by its best passage."""
        best: dict[str, float] = {}
        asked = limit
        while len(best) < limit:
            hits = self.search(question, filters, asked)
            for hit in hits:
                best.setdefault(hit.passage.document, hit.score)
            if len(hits) < asked:
                break
            asked *= _PASSAGES
        return list(best.items())[:limit]

    def document(self, ident: str) -> list[Passage]:
        """The passages of a document; refused where there is none."""
        if found := self.engine.document(ident):
            return found
        raise InputError(f"no document {ident!r}", str(self.folder), "check its id")

    def count(self) -> Counts:
        """Documents and passages."""
        return self.engine.count()


def create_index(folder: Path, engine: str = EMBEDDED) -> Index:
    """An index in a new or empty folder."""
    module = _engine(engine)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("holds other files", str(folder), "choose an empty or new folder for --out")
    made = module.create(folder / engine)
    write_json(folder / FILE, Settings(engine=engine))
    return Index(folder, made)


def open_index(folder: Path) -> Index:
    """One that is there."""
    path = folder / FILE
    if not path.is_file():
        raise InputError("no index here", str(folder), "make one with `anagnosis index`")
    settings = read_json(path, Settings, "make the index again")
    if settings.format != FORMAT or settings.longest != LONGEST:
        raise InputError("was made by another version", str(folder), "make the index again")
    return Index(folder, _engine(settings.engine).open(folder / settings.engine))


class _Module:
    """What an engine's module has."""

    def create(self, folder: Path) -> Engine: ...  # pyright: ignore[reportReturnType]
    def open(self, folder: Path) -> Engine: ...  # pyright: ignore[reportReturnType]


def _engine(name: str) -> _Module:
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES)
    return cast(_Module, import_module(ENGINES[name]))


def _mark(document: Document) -> str:
    """version, whether there is a full text, and the hash of all that is kept."""
    told = msgspec.msgpack.encode([document.sections, sorted(document.facts.items())])
    version = document.facts.get("version", "")
    full = any(section.label in _FULL for section in document.sections)
    return f"{int(version) if version.isdecimal() else 0}:{int(full)}:{hashlib.sha256(told).hexdigest()}"


def _stays(there: str, mark: str) -> str:
    """Why what is there stays; "" where the other takes its place."""
    if there == mark:
        return "unchanged"
    (version, full, _), (new_version, new_full, _) = there.split(":"), mark.split(":")
    if full > new_full:
        return "fuller_text_kept"
    return "older_version" if full == new_full and int(version) > int(new_version) else ""
