"""SQLite's full-text search (FTS5) as a search engine, to stand beside ours in search_quality.py and search_speed.py.

As its manual advises: the tokenizer `porter unicode61`, bm25() for the order (k1 1.2, b .75, fixed), title and text in
one column, facts to filter by in a table beside it, write-ahead logging. A question is its words joined by OR, without
those of no meaning, as ours leaves them out.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from anagnosis.searching.analysis import meaningful

_WORD = re.compile(r"[^\W_]+")
Row = tuple[str, int, str, int, str, str]
"""Document, number of the passage, section, date as a number, title, text."""


class Fts5:
    """An engine in a folder, which is made where it is not there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._base = sqlite3.connect(folder / "search.sqlite", isolation_level=None)
        self._base.executescript(
            """PRAGMA journal_mode = wal;
            CREATE TABLE IF NOT EXISTS facts
                (id INTEGER PRIMARY KEY, document TEXT, number INTEGER, section TEXT, date INTEGER);
            CREATE INDEX IF NOT EXISTS of_document ON facts (document);
            CREATE VIRTUAL TABLE IF NOT EXISTS passages
                USING fts5 (content, tokenize = 'porter unicode61 remove_diacritics 2');"""
        )

    def add(self, rows: Iterable[Row]) -> None:
        """Passages; seen by others after `commit`."""
        if not self._base.in_transaction:
            self._base.execute("BEGIN")
        for *facts, title, text in rows:
            row = self._base.execute(
                "INSERT INTO facts (document, number, section, date) VALUES (?, ?, ?, ?)", facts
            ).lastrowid
            self._base.execute(
                "INSERT INTO passages (rowid, content) VALUES (?, ?)", (row, f"{title}\n{text}")
            )

    def has(self, document: str) -> bool:
        return bool(self._base.execute("SELECT 1 FROM facts WHERE document = ?", (document,)).fetchone())

    def commit(self) -> None:
        if self._base.in_transaction:
            self._base.execute("COMMIT")

    def search(
        self, question: str, limit: int, *, section: str = "", since: int = 0
    ) -> list[tuple[str, float, str]]:
        """(document, score, text) of the best passages."""
        words = dict.fromkeys(word.casefold() for word in _WORD.findall(meaningful(question)))
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        limits, given = "", [asked]
        if section:
            limits, given = f"{limits} AND section = ?", [*given, section]
        if since:
            limits, given = f"{limits} AND date >= ?", [*given, str(since)]
        # bm25() is negative, the best first.
        found = self._base.execute(
            f"""SELECT document, -bm25(passages), content FROM passages JOIN facts ON facts.id = passages.rowid
            WHERE passages MATCH ? {limits} ORDER BY bm25(passages) LIMIT ?"""
            if limits
            else """SELECT document, -rank, content FROM (SELECT rowid, rank, content FROM passages
            WHERE passages MATCH ? ORDER BY rank LIMIT ?) AS best JOIN facts ON facts.id = best.rowid""",
            (*given, limit),
        )
        return [(document, float(score), text) for document, score, text in found]

    def counts(self) -> list[tuple[str, int]]:
        """(document, how many passages) of all documents, whose texts are there too."""
        return self._base.execute(
            """SELECT document, count(content) FROM facts LEFT JOIN passages ON facts.id = passages.rowid
            GROUP BY document"""
        ).fetchall()

    def check(self) -> None:
        """Refused (sqlite3.DatabaseError) where the file or its text index is not sound."""
        (told,) = self._base.execute("PRAGMA quick_check").fetchone()
        if told != "ok":
            raise sqlite3.DatabaseError(told)
        self._base.execute("INSERT INTO passages (passages) VALUES ('integrity-check')")

    def close(self) -> None:
        self._base.close()
