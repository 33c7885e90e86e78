"""Zotero's folders for tests, with the tables that the reader uses as userdata.sql has them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from anagnosis.documents.libraries.zotero import DATABASE

SCHEMA = """
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, dateAdded TIMESTAMP NOT NULL,
    libraryID INT NOT NULL, key TEXT NOT NULL, UNIQUE (libraryID, key));
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, path TEXT);
CREATE INDEX itemAttachments_parentItemID ON itemAttachments(parentItemID);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE INDEX itemNotes_parentItemID ON itemNotes(parentItemID);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT NOT NULL, type INT NOT NULL, authorName TEXT,
    text TEXT, comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT NOT NULL, position TEXT NOT NULL,
    isExternal INT NOT NULL);
CREATE INDEX itemAnnotations_parentItemID ON itemAnnotations(parentItemID);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE INDEX itemCreators_itemID ON itemCreators(itemID);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT, PRIMARY KEY (itemID, tagID));
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT, parentCollectionID INT);
CREATE TABLE deletedCollections (collectionID INTEGER PRIMARY KEY);
CREATE TABLE collectionItems (collectionID INT, itemID INT, PRIMARY KEY (collectionID, itemID));
CREATE INDEX collectionItems_itemID ON collectionItems(itemID);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY);
CREATE TABLE retractedItems (itemID INTEGER PRIMARY KEY, data TEXT, flag INT DEFAULT 0);
INSERT INTO libraries VALUES (1, 'user'), (5, 'group'), (6, 'feed');
INSERT INTO creatorTypes VALUES (1, 'author'), (2, 'editor');
"""
_KEYS = "ABCDEFGHIJKLMNPQRSTUVWXYZ"


class ZoteroFolder:
    """A folder that a test fills. database: a connection to it that commits each statement."""

    def __init__(self, folder: Path, version: int = 129, *, journal: str = "DELETE") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.database = sqlite3.connect(folder / DATABASE, isolation_level=None)
        self.database.execute(f"PRAGMA journal_mode = {journal}")
        self.database.executescript("PRAGMA synchronous = OFF;" + SCHEMA)
        self.run("INSERT INTO version VALUES ('userdata', ?)", version)

    def run(self, query: str, *values: Any) -> int:
        """The number of the row that a statement adds."""
        return self.database.execute(query, values).lastrowid or 0

    def item(self, kind: str = "journalArticle", *, library: int = 1, **fields: Any) -> int:
        """Add an item with the key "AAAAAAAA" plus its number; returns its number."""
        number = self.run(
            "INSERT INTO items (itemTypeID, dateAdded, libraryID, key) VALUES (?, ?, ?, ?)",
            self._named("itemTypes", "itemTypeID", "typeName", kind),
            "2024-05-06 07:08:09",
            library,
            str(self.database.execute("SELECT random()").fetchone()),
        )
        self.run("UPDATE items SET key = ? WHERE itemID = ?", self.key(number), number)
        for name, value in fields.items():
            self.run(
                "INSERT INTO itemData VALUES (?, ?, ?)",
                number,
                self._named("fields", "fieldID", "fieldName", name),
                self._named("itemDataValues", "valueID", "value", value),
            )
        return number

    def key(self, item: int) -> str:
        """ "AAAAAAB2" for the 27th item."""
        return "A" * 6 + _KEYS[item // len(_KEYS)] + _KEYS[item % len(_KEYS)]

    def attach(
        self,
        parent: int | None,
        path: str | None = "storage:a.pdf",
        *,
        mode: int = 1,
        kind: str = "application/pdf",
        exists: bool = True,
        library: int = 1,
    ) -> int:
        """Add an attachment, with its file in the storage; returns its number."""
        number = self.item("attachment", library=library)
        self.run("INSERT INTO itemAttachments VALUES (?, ?, ?, ?, ?)", number, parent, mode, kind, path)
        if exists and path and path.startswith("storage:"):
            home = self.folder / "storage" / self.key(number)
            home.mkdir(parents=True)
            (home / path.removeprefix("storage:")).write_bytes(b"%PDF-1.4")
        return number

    def stored(self, attachment: int, name: str = "a.pdf") -> str:
        """The path of an attachment's file."""
        return str(self.folder / "storage" / self.key(attachment) / name)

    def author(self, item: int, last: str, first: str = "", *, kind: int = 1, mode: int = 0) -> None:
        """Add a creator behind the others."""
        (place,) = self.database.execute(
            "SELECT count(*) FROM itemCreators WHERE itemID = ?", (item,)
        ).fetchone()
        creator = self.run("INSERT INTO creators VALUES (NULL, ?, ?, ?)", first, last, mode)
        self.run("INSERT INTO itemCreators VALUES (?, ?, ?, ?)", item, creator, kind, place)

    def note(self, parent: int | None, text: str) -> int:
        """Add a note; returns its number."""
        number = self.item("note")
        self.run("INSERT INTO itemNotes VALUES (?, ?, ?, 'title')", number, parent, text)
        return number

    def annotation(self, attachment: int, comment: str | None) -> int:
        """Add a highlight with a comment; returns its number."""
        number = self.item("annotation")
        values = (number, attachment, 1, None, "marked words", comment, "#ffd400", "1", "00000|1", "{}", 0)
        self.run(f"INSERT INTO itemAnnotations VALUES ({', '.join('?' * len(values))})", *values)
        return number

    def tag(self, item: int, name: str) -> None:
        self.run("INSERT INTO itemTags VALUES (?, ?, 0)", item, self._named("tags", "tagID", "name", name))

    def collection(self, name: str, parent: int | None, *items: int) -> int:
        number = self.run("INSERT INTO collections VALUES (NULL, ?, ?)", name, parent)
        for item in items:
            self.run("INSERT INTO collectionItems VALUES (?, ?)", number, item)
        return number

    def _named(self, table: str, number: str, name: str, value: Any) -> int:
        """The number of a row with this name, which is added where it lacks."""
        row = self.database.execute(f"SELECT {number} FROM {table} WHERE {name} = ?", (value,)).fetchone()
        return row[0] if row else self.run(f"INSERT INTO {table} ({name}) VALUES (?)", value)
