"""Zotero's folder: which items are entries, which files are theirs, and that the database is read as it is."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import BinaryIO

import pytest
from tests.documents.libraries.zotero_folders import ZoteroFolder
from tests.rows import each_row

from anagnosis.documents.document import Section
from anagnosis.documents.libraries import zotero
from anagnosis.documents.libraries.entry import Entry
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError


def read(folder: Path) -> tuple[list[Entry], Repairs]:
    repairs = Repairs()
    return list(zotero.entries(folder, repairs)), repairs


@pytest.mark.parametrize("version", [120, 121, 129])
def test_an_item_becomes_an_entry_with_all_its_facts(tmp_path: Path, version: int) -> None:
    made = ZoteroFolder(tmp_path, version)
    item = made.item(
        title="Salt <i>in vivo</i>",
        abstractNote="METHODS: We asked.\nRESULTS: They did.",
        publicationTitle="J Salt",
        date="2020-05-00 May 2020",
        volume=12,  # Zotero stores numbers as such
        issue="3",
        pages="817-820",
        DOI="https://doi.org/10.1000/Salt",
        ISSN="1756-1833",
        language="en",
        extra="PMID: 27000083\nPMCID: PMC7\nCitation Key: hellinger2020",
        url="https://example.org",
    )
    made.author(item, "Hellinger", "Frank R")
    made.author(item, "Editor", "Ed", kind=2)
    made.author(item, "Salt; Sea Group", mode=1)
    made.author(item, "Nemo", "Ana")
    made.tag(item, "salt")
    made.tag(item, "sea; deep")
    diet = made.collection("Diet", None)
    made.collection("Salt", diet, item)
    attached = made.attach(item)
    made.run("INSERT INTO retractedItems (itemID, data) VALUES (?, '{}')", item)
    (entry,), repairs = read(tmp_path)
    assert entry.key == made.key(item)
    assert entry.files == (made.stored(attached),)
    assert entry.document.id == "27000083"
    assert entry.document.sections == (
        Section("title", "Salt in vivo"),
        Section("abstract", "We asked.", "METHODS"),
        Section("abstract", "They did.", "RESULTS"),
    )
    assert entry.document.facts == {
        "date": "2020-05",
        "year": "2020",
        "journal": "J Salt",
        "language": "en",
        "doi": "10.1000/Salt",
        "pmcid": "PMC7",
        "types": "Journal Article",
        "retracted": "unnamed",
        "authors": "Hellinger, Frank R; Nemo, Ana",
        "corporate_authors": "Salt;\u00a0Sea Group",
        "tags": "salt; sea;\u00a0deep",
        "collections": "Diet; Diet › Salt",
        "volume": "12",
        "issue": "3",
        "pages": "817-820",
        "added": "2024-05-06",
        "citation_key": "hellinger2020",
    }
    assert repairs.counts == {
        "semicolon_in_value": 2,
    }


def test_fields_of_zotero_7_and_the_order_of_creators(tmp_path: Path) -> None:
    made = ZoteroFolder(tmp_path)
    item = made.item("preprint", title="Sea", PMID="0123", PMCID="7", date="0000-00-00 n.d.", extra="PMID: 9")
    made.author(item, "Second")
    made.author(item, "First")
    made.run("UPDATE itemCreators SET orderIndex = 1 - orderIndex")
    (entry,), repairs = read(tmp_path)
    assert entry.document.id == "123"
    assert entry.document.facts == {
        "pmcid": "PMC7",
        "types": "Preprint",
        "preprint": "unnamed",
        "authors": "First; Second",
        "added": "2024-05-06",
    }
    assert repairs.counts == {"date_unreadable": 1}


@pytest.mark.parametrize("journal", ["DELETE", "WAL", "PERSIST", "TRUNCATE"])
def test_a_database_that_is_open_and_locked_is_read_with_its_journal(tmp_path: Path, journal: str) -> None:
    made = ZoteroFolder(tmp_path, journal=journal)
    made.item(title="Salt")
    made.database.close()
    hold = (
        "import sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "database.execute('PRAGMA locking_mode = EXCLUSIVE')\n"
        "database.execute('PRAGMA wal_autocheckpoint = 0')\n"
        "database.execute('PRAGMA cache_spill = 1'); database.execute('PRAGMA cache_size = 5')\n"
        "database.execute(\"UPDATE itemDataValues SET value = 'Sea'\")\n"
        "database.execute('BEGIN EXCLUSIVE')\n"
        "database.execute(\"UPDATE itemDataValues SET value = 'unfinished'\")\n"
        "database.executemany('INSERT INTO tags (name) VALUES (?)', ((f'{n:0900}',) for n in range(99)))\n"
        "print('held', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path / zotero.DATABASE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert len(files) > 1
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            sqlite3.connect(f"file:{tmp_path / zotero.DATABASE}?mode=ro", timeout=0, uri=True).execute(
                "SELECT * FROM items"
            )
        (entry,), _ = read(tmp_path)
        assert files == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        holder.kill()
    # What another process has committed is read, what it has only begun is not.
    assert entry.document.title == "Sea"


def test_a_database_that_changes_while_it_is_copied_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ZoteroFolder(tmp_path)
    made.item(title="Salt")
    copy, changes = shutil.copyfileobj, [2]
    monkeypatch.setattr(zotero, "_PAUSE", 0)

    def change_meanwhile(one: BinaryIO, other: BinaryIO) -> None:
        copy(one, other)
        if changes[0]:
            changes[0] -= 1
            made.item(title=f"Sea {changes[0]}")

    monkeypatch.setattr(shutil, "copyfileobj", change_meanwhile)
    entries, _ = read(tmp_path)
    assert len(entries) == 3
    changes[0] = 99
    with pytest.raises(InputError, match=r"zotero\.sqlite: Zotero is writing to its database; try again"):
        read(tmp_path)


def _repeat_collections(folder: Path) -> None:
    columns = "collectionID, collectionName, parentCollectionID"
    script = f"DROP TABLE collections; CREATE TABLE collections ({columns});"
    rows = "INSERT INTO collections VALUES (1, NULL, NULL), (1, NULL, 1)"
    sqlite3.connect(folder / zotero.DATABASE).executescript(script + rows)


def _overwrite(folder: Path) -> None:
    path = folder / zotero.DATABASE
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)


@each_row(
    ("version", "spoil", "error"),
    [
        (119, None, "the schema 119 .* is not one of 120 to 129; export the library from Zotero"),
        (130, None, "the schema 130 .* Better BibTeX, CSL JSON or RIS"),
        (129, _repeat_collections, r"a damaged Zotero database \(interrupted\); start Zotero once"),
        (129, _overwrite, "a damaged Zotero database .*; start Zotero once"),
        (
            129,
            lambda folder: os.mkfifo(folder / "zotero.sqlite-wal"),
            "cannot be copied: is no regular file",
        ),
    ],
)
def test_a_database_that_cannot_be_read_is_one_line(
    tmp_path: Path, version: int, spoil: object, error: str
) -> None:
    made = ZoteroFolder(tmp_path, version)
    made.item(title="Salt")
    made.database.close()
    if callable(spoil):
        spoil(tmp_path)
    with pytest.raises(InputError, match=error) as fault:
        read(tmp_path)
    assert fault.value.where.endswith("zotero.sqlite")


def _repeated(table: str, columns: str, row: str) -> str:
    """Statements that give an item a row, whatever its table demands, 3,000 times."""
    return (
        f"DROP TABLE {table}; CREATE TABLE {table} ({columns}); WITH RECURSIVE n(i) AS "
        f"(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO {table} SELECT {row} FROM n;"
    )


@each_row(
    "script",
    [
        "INSERT INTO itemDataValues VALUES (99, :long);"
        + _repeated("itemData", "itemID, fieldID, valueID", "1, 1, 99"),
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) "
        "INSERT INTO collections SELECT i, substr(:long, 1, 90000), nullif(i - 1, 0) FROM n;",
    ],
    ids=["values", "collections"],
)  # fmt: skip
def test_rows_do_not_become_more_than_there_is_room_for(tmp_path: Path, script: str) -> None:
    made = ZoteroFolder(tmp_path)
    made.item(title="Salt")
    made.database.executescript(script.replace(":long", "replace(hex(zeroblob(50000)), '00', 'word ')"))
    made.database.close()
    tracemalloc.start()
    with pytest.raises(InputError, match=r"zotero\.sqlite.*: its values would become more than 64 MiB"):
        read(tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 192 << 20


def test_a_database_over_the_limit_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ZoteroFolder(tmp_path).item(title="Salt")
    monkeypatch.setattr(zotero, "LARGEST", (tmp_path / zotero.DATABASE).stat().st_size - 1)
    with pytest.raises(InputError, match="larger than"):
        read(tmp_path)


def test_what_is_no_paper_is_counted_by_name(tmp_path: Path) -> None:
    made = ZoteroFolder(tmp_path)
    kept = made.item(title="Kept")
    deleted = made.item(title="Deleted")
    made.run("INSERT INTO deletedItems VALUES (?)", deleted)
    made.attach(deleted)
    gone = made.attach(kept, "storage:gone.pdf")
    made.run("INSERT INTO deletedItems VALUES (?)", gone)
    made.item("note")
    made.item("annotation")
    note = made.item("note")
    made.run("INSERT INTO deletedItems VALUES (?)", note)
    made.item(title="Of a feed", library=6)
    made.attach(kept, "storage:page.html", kind="text/html", mode=1)
    made.attach(kept, None, kind="application/pdf", mode=3)
    made.attach(kept, "https://example.org", kind="text/html", mode=3)
    made.attach(None, "storage:alone.html", kind="text/html")
    (entry,), repairs = read(tmp_path)
    assert (entry.document.title, entry.files) == ("Kept", ())
    assert repairs.counts == {
        "attachment_not_pdf": 2,
    }
    assert not repairs.refused


def test_items_of_groups_and_the_same_paper_twice(tmp_path: Path) -> None:
    made = ZoteroFolder(tmp_path)
    mine, theirs = (made.item(title="Salt", DOI="10.1000/salt", library=library) for library in (1, 5))
    attached = made.attach(theirs, library=5)
    bare = made.item(title="Sea", library=5)
    entries, repairs = read(tmp_path)
    assert [(each.key, each.document.id, each.files) for each in entries] == [
        (made.key(mine), "10.1000/salt", ()),
        (f"5/{made.key(theirs)}", "10.1000/salt", (made.stored(attached),)),
        (f"5/{made.key(bare)}", f"zotero-5/{made.key(bare)}", ()),
    ]
    assert not repairs.counts


def test_a_file_without_an_item_is_an_entry(tmp_path: Path) -> None:
    made = ZoteroFolder(tmp_path)
    stored = made.attach(None, "storage:Doe 2017.pdf")
    made.run("INSERT INTO fields VALUES (1, 'title'), (2, 'url')")
    made.run("INSERT INTO itemDataValues VALUES (1, 'PDF'), (2, 'https://example.org')")
    made.run("INSERT INTO itemData VALUES (?, 1, 1), (?, 2, 2)", stored, stored)
    linked = made.attach(None, "C:\\papers\\Roe 2018.PDF", mode=2, kind="")
    missing = made.attach(None, "storage:Poe.pdf", exists=False)
    made.collection("Unread", None, stored)
    entries, repairs = read(tmp_path)
    assert [(each.key, each.document.title, each.document.text, each.files) for each in entries] == [
        (made.key(stored), "Doe 2017", "Doe 2017", (made.stored(stored, "Doe 2017.pdf"),)),
        (made.key(linked), "Roe 2018", "Roe 2018", ("C:\\papers\\Roe 2018.PDF",)),
        (made.key(missing), "Poe", "Poe", (made.stored(missing, "Poe.pdf"),)),
    ]
    assert entries[0].document.facts == {"collections": "Unread", "added": "2024-05-06"}
    assert repairs.counts == {}


@each_row(
    ("path", "mode", "files", "counted"),
    [
        ("storage:a.pdf", 0, ["{storage}/a.pdf"], {}),
        ("storage:missing.pdf", 0, ["{storage}/missing.pdf"], {}),
        ("storage:../BBBBBBBB/a.pdf", 0, [], {"path_outside_library": 1}),
        ("storage:../../secret.pdf", 0, [], {"path_outside_library": 1}),
        ("storage:{outside}/secret.pdf", 0, [], {"path_outside_library": 1}),
        ("storage:www.salt.pdf", 0, ["{storage}/www.salt.pdf"], {}),
        (None, 0, ["{storage}"], {}),
        ("{outside}/secret.pdf", 2, ["{outside}/secret.pdf"], {}),
        ("attachments:sub/b.pdf", 2, [], {"linked_file_left_out": 1}),
        ("https://example.org/a.pdf", 3, [], {}),
        ("https://example.org/a.pdf", 2, [], {}),
        ("storage:a.pdf", 4, ["{storage}/a.pdf"], {}),
    ],
)
def test_files_lie_where_they_may(
    tmp_path: Path, path: str | None, mode: int, files: list[str], counted: dict[str, int]
) -> None:
    made = ZoteroFolder(tmp_path / "zotero")
    outside = tmp_path / "outside"
    item = made.item(title="Salt")
    attachment = made.attach(item, path and path.format(outside=outside), mode=mode, exists=False)
    storage = made.folder / "storage" / made.key(attachment)
    (entry,), repairs = read(made.folder)
    assert entry.files == tuple(file.format(storage=storage, outside=outside) for file in files)
    assert repairs.counts == counted
    assert len(repairs.left_out) == counted.get("path_outside_library", 0)


@each_row("key", ["../disk", "/", "", "aaaaaaaa", "AAAAAAAAA"])
def test_a_key_that_is_none_leads_to_no_file(tmp_path: Path, key: str) -> None:
    made = ZoteroFolder(tmp_path / "zotero")
    attachment = made.attach(made.item(title="Salt"), exists=False)
    made.run("UPDATE items SET key = ? WHERE itemID = ?", key, attachment)
    (entry,), repairs = read(made.folder)
    assert (entry.files, repairs.counts) == ((), {"path_outside_library": 1})


def test_collections_in_the_bin_and_circles_of_collections_are_no_paths(tmp_path: Path) -> None:
    made = ZoteroFolder(tmp_path)
    item = made.item(title="Salt")
    bin_ = made.collection("Bin", None, item)
    made.collection("In the bin", bin_, item)
    circle = made.collection("Circle", None, item)
    made.run("UPDATE collections SET parentCollectionID = ? WHERE collectionID = ?", circle, circle)
    made.run("INSERT INTO deletedCollections VALUES (?)", bin_)
    good = made.collection("Good", None, item)
    made.run("INSERT INTO deletedCollections VALUES (?)", made.collection("Bad", good, item))
    (entry,), _ = read(tmp_path)
    assert entry.document.facts["collections"] == "Good"
    made.run("DROP TABLE deletedCollections")  # Zotero 6 has none
    (entry,), _ = read(tmp_path)
    assert entry.document.facts["collections"] == "Bin; Bin › In the bin; Good; Good › Bad"


def test_values_of_other_types_and_long_ones_cost_only_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ZoteroFolder(tmp_path)
    item = made.item(
        title="Salt", abstractNote=b"\xff\xfe", volume=12, publicationTitle="a" * 101, pages=None
    )
    made.note(item, "<p>a</p>" * 13)
    made.run("UPDATE itemDataValues SET value = CAST(x'53ff00' AS TEXT) WHERE value = 'Salt'")
    made.run("INSERT INTO itemData SELECT 1, 99, valueID FROM itemDataValues WHERE value = 12")
    monkeypatch.setattr("anagnosis.documents.libraries.entry.LONGEST_FIELD", 100)
    monkeypatch.setattr(zotero, "LONGEST_FIELD", 100)
    (entry,), repairs = read(tmp_path)
    assert entry.document.sections == (Section("title", "S\ufffd"),)
    assert entry.document.facts["volume"] == "12"
    assert "journal" not in entry.document.facts
    assert repairs.counts == {"field_left_out": 2}
    monkeypatch.setattr(zotero, "_LONGEST_VALUE", 1000)
    made.note(item, "<img>" * 1001)
    (entry,), repairs = read(tmp_path)
    assert entry.document.title == "S\ufffd"
    assert repairs.counts == {"field_left_out": 3}


def test_the_copy_is_gone_when_reading_ends_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ZoteroFolder(tmp_path / "zotero")
    made.item(title="Salt")
    made.item(title="Sea")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    reading = zotero.entries(made.folder, Repairs())
    next(reading)
    assert list(temporary.iterdir())
    del reading
    assert not list(temporary.iterdir())


def test_notes_comments_and_tags_of_attachments_are_the_paper_s(tmp_path: Path) -> None:
    made = ZoteroFolder(tmp_path)
    item = made.item(title="Salt", abstractNote="We asked.")
    attached, gone = made.attach(item), made.attach(item)
    made.note(
        item,
        '<div data-schema-version="9"><p>Check the <strong>dose</strong> of H<sub>2</sub>O &amp; p &lt; 0.05.</p>\n'
        '<blockquote><p><span class="highlight" data-annotation="%7B%22a%22%3A1%7D">“Ten answered”</span></p>'
        '</blockquote><ul>\n<li>Ask Ana</li><li>See <a href="https://example.org">this</a></li></ul></div>'
        "<!-- pasted --><P style='color: red'>And <DEL>that</DEL></P>",
    )
    made.annotation(attached, "a<b and c>d")
    made.annotation(attached, None)
    made.annotation(gone, "in the bin")
    deleted = made.note(item, "thrown away")
    made.run("INSERT INTO deletedItems VALUES (?), (?)", gone, deleted)
    made.run("INSERT INTO itemNotes VALUES (?, NULL, '<p>of the file</p>', '')", attached)
    made.note(None, "of no paper")
    made.annotation(made.attach(None), "mine")
    made.annotation(made.attach(None, kind="text/html", path="storage:a.html"), "of no PDF file")
    for tagged, tag in ((item, "sea"), (attached, "to read"), (attached, "sea"), (gone, "lost")):
        made.tag(tagged, tag)
    (entry, file), repairs = read(tmp_path)
    assert file.document.text == "a\nUser's notes\nmine"
    *_, abstract, notes = entry.document.sections
    assert abstract.text == "We asked."
    assert (notes.label, notes.title) == ("note", "User's notes")
    assert sorted(notes.text.split("\n")) == sorted(
        [
            "Check the dose of H2O & p < 0.05.",
            "“Ten answered”",
            "Ask Ana",
            "See this",
            "And that",
            "of the file",
            "a<b and c>d",
        ]
    )
    assert entry.document.facts["tags"] == "sea; to read"
    assert repairs.counts == {"note_without_paper": 2, "attachment_not_pdf": 1}


def test_only_a_folder_with_a_database_is_a_library(tmp_path: Path) -> None:
    assert not zotero.is_library(tmp_path)
    for contents in (b"", b"SQLite format 3\0", b"another file" * 100):
        (tmp_path / zotero.DATABASE).write_bytes(contents)
        assert not zotero.is_library(tmp_path)
    (tmp_path / zotero.DATABASE).write_bytes(b"SQLite format 3\0" + bytes(600))
    assert zotero.is_library(tmp_path)
    with pytest.raises(InputError, match=r"zotero\.sqlite: a damaged"):
        read(tmp_path)
