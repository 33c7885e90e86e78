"""EndNote's XML: styled text, files of the library's folder, and a fault that ends the file."""

from __future__ import annotations

import io

import pytest
from tests.documents.libraries.library_files import PLACE, RECORD, TITLE, library, styled
from tests.documents.libraries.reading import facts, read
from tests.rows import each_row

from anagnosis.documents.document import Section
from anagnosis.documents.libraries import endnote
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import TruncatedError


def test_a_record_becomes_an_entry_with_all_its_facts() -> None:
    (entry,), repairs = read("endnote", library(RECORD), "folder/my.lib.xml")
    assert (entry.key, entry.document.id) == ("7", "27000083")
    assert entry.files == ("/papers/my.lib.Data/PDF/0123/a b.pdf",)
    assert entry.document.sections == (
        Section("title", "Salt in vivo & sea α"),
        Section("abstract", "We.", "METHODS"),
    )
    assert entry.document.facts == {
        **PLACE,
        "journal": "Journal of Salt",
        "language": "eng",
        "types": "Journal Article",
        "authors": "Hellinger, Frank R Jr; Nemo, Ana",
        "corporate_authors": "Salt, Sea Group",
        "keywords": "salt; sea",
        "pages": "817-820",
    }
    assert repairs.counts == {
        "named_entity_resolved": 1,
        "path_outside_library": 1,
    }


def test_an_accession_number_of_another_database_is_no_pmid() -> None:
    other = "<remote-database-name>Embase</remote-database-name>"
    (entry,), repairs = read("endnote", library(TITLE + styled("accession-num", "2001") + other))
    assert entry.document.id.startswith("endnote-")
    assert repairs.counts == {}


def test_raised_text_is_a_style() -> None:
    title = (
        '<titles><title><style face="normal">10</style><style face="superscript">5</style></title></titles>'
    )
    (entry,), _ = read("endnote", library(title))
    assert entry.document.title == "10⁵"


def test_text_without_styles_is_read() -> None:
    bare = "<titles><title>Salt</title></titles><custom2>other</custom2><periodical><abbr-1>J S</abbr-1></periodical>"
    assert facts("endnote", library(bare)) == {"journal": "J S"}


@each_row(
    ("broken", "line"),
    [
        ("<titles><title>Salt</titles>", "lib.xml:3: malformed XML: Opening and ending tag mismatch"),
        (f"{TITLE}&unknown;", "lib.xml:3: the entity &unknown; is not defined"),
        ("\x01", "lib.xml:3: malformed XML"),
    ],
)
def test_a_broken_record_ends_its_file(broken: str, line: str) -> None:
    first, last = (f"<rec-number>{n}</rec-number>{TITLE}" for n in (1, 9))
    reading = endnote.entries(io.BytesIO(library(first, broken, last).encode()), Repairs(), "lib.xml")
    assert next(reading).key == "1"
    with pytest.raises(TruncatedError, match=line):
        next(reading)
