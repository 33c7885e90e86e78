"""Zotero's folder: a database, zotero.sqlite, and attached files in storage/KEY/.

    items, itemTypes, libraries        an item a paper, note, attachment or annotation; of the user, a group or a feed
    itemData, fields, itemDataValues   its fields: a row a value
    itemCreators, itemTags, collectionItems, itemAttachments, itemNotes, itemAnnotations, deletedItems, retractedItems

A paper has the tags of its attachments too, and what the user wrote: notes, which are HTML, and comments of
annotations. What annotations mark is the paper's own text.

Zotero locks its database while it runs, so we read a copy, which SQLite repairs with the copied journal or write-ahead
log (never with the -shm file, which describes memory of another process). Nothing is written to the folder, and no
address is opened. Source: zotero/zotero, resource/schema/userdata.sql and chrome/content/zotero/xpcom/data/item.js.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from anagnosis.documents.bibliography import LONGEST_VALUE, person
from anagnosis.documents.document import HEADING_PATH
from anagnosis.documents.libraries.entry import LONGEST_FIELD, Entry, entry, names
from anagnosis.documents.libraries.files import PDF, attached, outside_library
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import UNNAMED
from anagnosis.errors import InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import display_name
from anagnosis.io.paths import open_file, reason_of

KIND = "zotero"
DATABASE = "zotero.sqlite"
OLDEST, NEWEST = 120, 129
"""Versions of the schema: Zotero 6 to 9, and the source of late 2026."""
LARGEST = 8 << 30
"""Bytes of the database."""
_LONGEST_VALUE = 16 << 20  # bytes of a cell
_TRIES, _PAUSE = 5, 0.2  # seconds
_ROUND = 10_000  # steps of SQLite
# That a database may take, and bytes for which a larger one may take one more.
_ROUNDS, _BYTES_A_ROUND = 10_000, 100
_SMALLEST = 512  # bytes of a page of SQLite
_COPIED = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-journal")
_KEY = re.compile(r"[A-Z0-9]{8}")
_STORAGE = "storage:"
_LINKED_FILE, _LINKED_URL = 2, 3  # linkMode
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)\b.*")  # "2020-05-00 May 2020"
_NAMES = names(
    abstract="abstractNote",
    journal="publicationTitle proceedingsTitle bookTitle",
    doi="DOI",
    pmid="PMID",
    pmcid="PMCID",
    citation_key="citationKey",
)
_TYPES = {"journalArticle": "Journal Article", "preprint": "Preprint", "dataset": "Dataset"}
_ITEMS = """
SELECT itemID, items.key, items.libraryID, libraries.type, dateAdded, typeName,
itemID IN (SELECT itemID FROM retractedItems) FROM items
LEFT JOIN itemTypes USING (itemTypeID) LEFT JOIN libraries ON libraries.libraryID = items.libraryID
LEFT JOIN itemAttachments USING (itemID)
WHERE itemID NOT IN (SELECT itemID FROM deletedItems) AND parentItemID IS NULL AND libraries.type IS NOT 'feed'
AND ifnull(typeName, '') NOT IN ('note', 'annotation') ORDER BY itemID
"""
# What SQLite would sort is short; a field of an item stands once, in the order of its key.
_FIELDS = """
SELECT fieldName, substr(value, 1, ?) FROM itemData
LEFT JOIN fields USING (fieldID) JOIN itemDataValues USING (valueID) WHERE itemID = ?
"""
_CREATORS = f"""
SELECT substr(firstName, 1, {LONGEST_VALUE + 1}), substr(lastName, 1, {LONGEST_VALUE + 1}), fieldMode FROM itemCreators
JOIN creators USING (creatorID) LEFT JOIN creatorTypes USING (creatorTypeID)
WHERE itemID = ? AND creatorType = 'author' ORDER BY orderIndex
"""
_THERE = "itemID NOT IN (SELECT itemID FROM deletedItems)"
_PARTS = f"(SELECT ?1 UNION ALL SELECT itemID FROM itemAttachments WHERE parentItemID = ?1 AND {_THERE})"
_TAGS = f"""
SELECT DISTINCT substr(name, 1, {LONGEST_VALUE + 1}) FROM itemTags JOIN tags USING (tagID) WHERE itemID IN {_PARTS}
ORDER BY 1
"""
_NOTES = f"""
SELECT 'note', 'itemNotes', itemID FROM itemNotes
WHERE (parentItemID = ?1 OR itemID IN {_PARTS}) AND {_THERE} UNION ALL
SELECT 'comment', 'itemAnnotations', itemID FROM itemAnnotations WHERE parentItemID IN {_PARTS} AND {_THERE}
"""
_NOTE = "SELECT substr({}, 1, ?) FROM {} WHERE itemID = ? LIMIT 1"
_OF_NO_PAPER = f"""
SELECT count(*) FROM itemNotes
WHERE parentItemID IS NULL AND itemID NOT IN (SELECT itemID FROM itemAttachments) AND {_THERE}
"""
_HTML = re.compile(
    r"""<!--[^<>]*-->|</?([a-z]+[1-6]?)(?:\s+[\w:-]+=(?:"[^"<>]*"|'[^'<>]*'))*\s*/?>""", re.IGNORECASE
)
_IN_A_LINE = frozenset(str.split("a b big code del em font i ins mark q s small span strike strong tt u"))
_COLLECTIONS = f"""
WITH RECURSIVE paths(number, path) AS (
SELECT collectionID, collectionName FROM collections
WHERE parentCollectionID IS NULL AND collectionID NOT IN ({{0}})
UNION ALL SELECT collectionID, path || '{HEADING_PATH}' || collectionName FROM collections
JOIN paths ON parentCollectionID = number WHERE collectionID NOT IN ({{0}})
) SELECT number, path FROM paths
"""
_IN_COLLECTIONS = "SELECT collectionID FROM collectionItems WHERE itemID = ? ORDER BY collectionID"
_ATTACHMENTS = """
SELECT key, linkMode, contentType, path FROM itemAttachments JOIN items USING (itemID)
WHERE itemID NOT IN (SELECT itemID FROM deletedItems) AND {} = ? ORDER BY itemID
"""


def is_library(folder: Path) -> bool:
    """Whether a folder is Zotero's, with a database."""
    try:
        with open_file(folder / DATABASE) as stream:
            return len(head := stream.read(_SMALLEST)) == _SMALLEST and head.startswith(b"SQLite format 3\0")
    except OSError:
        return False


def entries(folder: Path, repairs: Repairs) -> Iterator[Entry]:
    """The entry of each item, and of each PDF file without one, in memory bounded by an item and the collections.

    InputError: the database cannot be copied or is damaged, or its schema is not one of OLDEST to NEWEST.
    """
    where = display_name(folder / DATABASE)
    with tempfile.TemporaryDirectory(prefix="anagnosis-") as place:
        database = sqlite3.connect(_copied(folder, Path(place), where))
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        # Without keys, or with a view, a small database could compute without end.
        rounds = iter(range(_ROUNDS + (Path(place) / DATABASE).stat().st_size // _BYTES_A_ROUND))
        database.set_progress_handler(lambda: next(rounds, None) is None, _ROUND)
        database.text_factory = lambda data: data.decode(errors="replace")
        remedy = "start Zotero once, or restore zotero.sqlite.bak"
        try:
            with decoding_faults(where, remedy, "a damaged Zotero database", also=(sqlite3.Error,)):
                _refuse_other(database, where)
                yield from _entries(database, folder, where, repairs)
        finally:
            database.close()


def _copied(folder: Path, place: Path, where: str) -> Path:
    """A copy of the database with its journal or log, all of one moment."""

    def state() -> dict[str, tuple[int, int]]:
        """(size, time of the last change) of each file that exists."""
        stats = {name: (folder / name).stat() for name in _COPIED if (folder / name).exists()}
        return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in stats.items()}

    for _ in range(_TRIES):
        try:
            before = state()
            if sum(size for size, _ in before.values()) > LARGEST:
                what = f"larger than {LARGEST >> 30} GiB"
                raise InputError(what, where, "export the library (CSL JSON or RIS)")
            for old in place.iterdir():
                old.unlink()
            for name in before:
                with open_file(folder / name) as source, (place / name).open("wb") as copy:
                    shutil.copyfileobj(source, copy)
            if state() == before:
                return place / DATABASE
        except FileNotFoundError:
            pass  # a journal that Zotero has just deleted
        except OSError as fault:
            what = f"cannot be copied: {reason_of(fault)}"
            raise InputError(what, where, "check it and the disk") from fault
        time.sleep(_PAUSE)
    raise InputError("Zotero is writing to its database", where, "try again, or close Zotero first")


def _refuse_other(database: sqlite3.Connection, where: str) -> None:
    """Raise an error for a database that is damaged, or of versions that we do not know."""
    database.executescript("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")
    (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)
    row = database.execute("SELECT version FROM version WHERE schema = 'userdata'").fetchone()
    version = row[0] if row else None
    if not isinstance(version, int) or not OLDEST <= version <= NEWEST:
        what = f"the schema {version} of this Zotero is not one of {OLDEST} to {NEWEST}"
        remedy = "export the library from Zotero (as Better BibTeX, CSL JSON or RIS) and index that file"
        raise InputError(what, where, remedy)


def _entries(database: sqlite3.Connection, folder: Path, where: str, repairs: Repairs) -> Iterator[Entry]:
    collections = _collections(database, repairs, where)
    repairs.count("note_without_paper", *database.execute(_OF_NO_PAPER).fetchone())
    for item, given, library, library_type, added, kind, is_retracted in database.execute(_ITEMS):
        key = _words(given) if library_type == "user" else f"{library}/{_words(given)}"
        at = f"{where}, item {key}"
        is_alone = kind == "attachment"
        attached = database.execute(_ATTACHMENTS.format("itemID" if is_alone else "parentItemID"), (item,))
        paths = (path for row in attached for path in _pdf_files(*row, folder=folder, repairs=repairs, at=at))
        files = tuple(dict.fromkeys(paths))
        if is_alone and not files:
            notes = _notes(database, item, repairs)
            repairs.count("note_without_paper", sum(bool(note.strip()) for _, note in notes))
            continue
        # A file's own title is "PDF"; Windows' paths know both signs between folders.
        first = (
            ("title", PureWindowsPath(files[0]).stem)
            if is_alone
            else ("types", _TYPES.get(kind, _words(kind)))
        )
        within = database.execute(_IN_COLLECTIONS, (item,))
        fields = chain(
            [first, ("added", _words(added)), ("retracted", UNNAMED * is_retracted)],
            _fields(database, item),
            _notes(database, item, repairs),
            (("collections", collections[each]) for (each,) in within if each in collections),
        )
        yield from entry(KIND, key, fields, _NAMES, repairs, at, files=files)


def _fields(database: sqlite3.Connection, item: int) -> Iterator[tuple[str, str]]:
    """(name in _NAMES, value) of an item's fields, authors and tags."""
    for name, value in database.execute(_FIELDS, (LONGEST_FIELD + 1, item)):
        words = _words(value)
        if name == "date" and (date := _DATE.fullmatch(words)):
            words = "-".join(part for part in date.groups() if part != "00")
        yield _words(name), words
    for fore, last, mode in database.execute(_CREATORS, (item,)):
        if mode == 1:  # a name that is not divided
            yield "corporate_authors", _words(last)
        else:
            yield "authors", person(_words(last), _words(fore))
    yield from (("tags", _words(name)) for (name,) in database.execute(_TAGS, (item,)))


def _notes(database: sqlite3.Connection, item: int, repairs: Repairs) -> Iterator[tuple[str, str]]:
    """("user_notes", text) of each note and comment."""
    for column, table, number in database.execute(_NOTES, (item,)):
        try:
            row = database.execute(_NOTE.format(column, table), (LONGEST_FIELD + 1, number)).fetchone()
        except sqlite3.DataError:  # longer than _LONGEST_VALUE, as pictures are
            repairs.count("field_left_out")
            continue
        note = _words(row[0]) if row else ""
        # One that is too long stays so, and is counted.
        yield "user_notes", note if len(note) > LONGEST_FIELD else _HTML.sub(_between, note)


def _between(tag: re.Match[str]) -> str:
    """What stands for a tag of a note. What is raised and lowered is read as in titles."""
    name = (tag[1] or "").lower()
    return tag[0] if name in ("sub", "sup") else "" if name in _IN_A_LINE else "\n"


def _collections(database: sqlite3.Connection, repairs: Repairs, where: str) -> dict[int, str]:
    """The path of each collection, "Diet › Salt", without those in the bin."""
    has_bin = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'deletedCollections'").fetchone()
    in_bin = "SELECT collectionID FROM deletedCollections" if has_bin else "0"
    paths: dict[int, str] = {}
    for number, path in database.execute(_COLLECTIONS.format(in_bin)):
        paths[number] = _words(path)
        repairs.take_room(len(paths[number]), where)
    return paths


def _words(value: Any) -> str:
    """A value of the database as text; "" for none and for bytes."""
    return "" if value is None or isinstance(value, bytes) else str(value)


def _pdf_files(
    given: Any, mode: Any, kind: Any, stated: Any, *, folder: Path, repairs: Repairs, at: str
) -> Iterator[str]:
    """The path of an attached PDF file, if it leads out of no folder as it is written.

    Counted: attachment_not_pdf, linked_file_left_out, and the names of `attached`.
    """
    key, path = _words(given), _words(stated)
    name = path.removeprefix(_STORAGE)
    if mode == _LINKED_URL:
        return
    if _words(kind).lower() != "application/pdf" and not path.lower().endswith(PDF):
        repairs.count("attachment_not_pdf")
    elif mode == _LINKED_FILE and path.startswith("attachments:"):
        repairs.count("linked_file_left_out")
    elif mode == _LINKED_FILE:
        yield from attached([(path, "pdf")], folder, "", repairs, at)
    elif not _KEY.fullmatch(key) or {"..", "/"}.intersection(PurePosixPath(name).parts):
        outside_library(path, repairs, at)
    else:
        yield str(folder / "storage" / key / name)
