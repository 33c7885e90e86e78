"""The kinds of libraries: each recognises its files, none takes another's or a format's."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.formats.samples import SAMPLES, sample
from tests.documents.libraries.library_files import (
    HEAD,
    ITEM,
    RECORD,
    ROW,
    SCOPUS_HEAD,
    SCOPUS_ROW,
    WOS_END,
    WOS_HEAD,
    WOS_RECORD,
    library,
    styled,
)
from tests.documents.libraries.reading import read
from tests.rows import each_row
from tests.searching.citing.references import REFERENCES, WHOLE

from anagnosis.documents import library_reading
from anagnosis.documents.bibliography import signatories
from anagnosis.documents.document import Section
from anagnosis.documents.formats import FORMATS, PRINTED
from anagnosis.documents.formats.detect import format_module
from anagnosis.documents.libraries import LIBRARIES
from anagnosis.documents.libraries.entry import Entry
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import unescaped
from anagnosis.errors import InputError
from anagnosis.registry import load
from anagnosis.searching.citing.formats import export_format
from anagnosis.searching.citing.reference import Reference

FILES = {
    "bibtex": "".join(export_format("bibtex").lines([WHOLE])),
    "ris": "".join(export_format("ris").lines([WHOLE])),
    "csl-json": json.dumps([ITEM]),
    "endnote": library(RECORD),
    "pubmed-csv": HEAD + ROW,
    "scopus-csv": SCOPUS_HEAD + SCOPUS_ROW,
    "web-of-science": WOS_HEAD + WOS_RECORD + WOS_END,
}
BOM = "\ufeff"
OWN_EXPORT = {
    "date": "2016-03-23",
    "year": "2016",
    "journal": WHOLE.journal,
    "language": "eng",
    "doi": WHOLE.doi,
    "pmcid": "PMC7",
    "types": "Journal Article",
    "authors": "Hellinger, Frank R Jr; van der Bergé, J-P",
    "corporate_authors": "Salt and Sea Study Group",
    "keywords": "salt; sea; Humans",
    "volume": "12",
    "issue": "Suppl 1",
    "pages": "817-820",
}


def exported(kind: str, papers: list[Reference]) -> tuple[list[Entry], Repairs]:
    """What our export of papers is read as."""
    return read(
        kind, "".join(export_format(kind).lines(papers)) or {"bibtex": "@comment{}", "ris": "ER  - \n"}[kind]
    )


@pytest.mark.parametrize(
    ("kind", "key", "own"),
    [
        ("bibtex", "hellinger2016-27000083", {"citation_key": "hellinger2016-27000083"}),
        ("ris", WHOLE.id, {}),
    ],
)
def test_our_own_export_reads_back(kind: str, key: str, own: dict[str, str]) -> None:
    (entry,), repairs = exported(kind, [WHOLE])
    assert (entry.key, entry.document.id, repairs.counts) == (key, WHOLE.pmid, {})
    assert entry.document.sections == (
        Section("title", WHOLE.title),
        Section("abstract", "We asked.", "METHODS"),
        Section("abstract", "=1+1", "RESULTS"),
    )
    assert signatories(entry.document.facts) == list(WHOLE.authors)
    assert entry.document.facts == {**OWN_EXPORT, **own}


@pytest.mark.parametrize("kind", ["bibtex", "ris"])
@given(papers=st.lists(REFERENCES, max_size=3))
def test_whatever_we_export_reads_back(kind: str, papers: list[Reference]) -> None:
    entries, repairs = exported(kind, papers)
    assert len(entries) + repairs.counts["entry_empty"] == len(papers)
    assert not repairs.refused
    assert not repairs.counts["ris_end_added"]
    wanted = [unescaped(one.title) for one in papers]
    assert [entry.document.title for entry in entries if entry.document.title] == list(filter(None, wanted))


def sniffed(data: bytes) -> list[str]:
    """The kinds that recognise these bytes."""
    return [kind for kind in LIBRARIES if kind != "zotero" and load(LIBRARIES[kind]).sniff(data)]


def test_each_kind_has_a_file_here() -> None:
    assert {*FILES, "zotero"} == LIBRARIES.keys()


@pytest.mark.parametrize("kind", FILES)
def test_a_library_is_recognised_by_its_own_reader_and_by_no_format(kind: str) -> None:
    for text in (FILES[kind], BOM + FILES[kind], FILES[kind].replace("\n", "\r\n")):
        assert sniffed(text.encode()) == [kind]
        assert not [name for name in (*FORMATS, *PRINTED) if format_module(name).sniff(text.encode())]


@pytest.mark.parametrize(
    "kind", [kind for kind in FILES if kind != "csl-json"]
)  # its items are decoded one by one
def test_another_encoding_is_one_line(kind: str) -> None:
    data = FILES[kind].replace("Salt", "M\u00fcller").encode("cp1252")
    with pytest.raises(InputError) as fault:
        read(kind, data, "lib.x")
    assert re.match(r"lib\.x(:\d+)?: .*(UTF-8|not well-formed)", str(fault.value))
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("kind", FILES)
def test_a_library_has_room_for_its_values_and_no_more(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_reading, "ROOM", 100)
    path = tmp_path / f"lib.{kind}"
    path.write_text(FILES[kind])
    (entry,) = library_reading.Library(kind, "lib", path).entries(Repairs())
    assert entry.document.title
    long = FILES[kind].replace("Salt", "Salt " * 20_000).replace("Does", "Does " * 20_000)
    path.with_suffix(".gz").write_bytes(gzip.compress(long.encode()))
    with pytest.raises(InputError, match="its values would become more than"):
        list(library_reading.Library(kind, "lib", path.with_suffix(".gz")).entries(Repairs()))


@pytest.mark.parametrize("name", SAMPLES)
def test_no_file_of_a_format_is_taken_for_a_library(name: str) -> None:
    one = sample(name)
    for data in (one.whole, one.same_id, one.bomb, one.also):
        assert sniffed(data) == []


@each_row(
    ("text", "kinds"),
    [
        ("", []),
        ("   \n", []),
        ("x @article{a, title = {x}}", []),
        ("% Encoding: UTF-8\n\n@Article{a,", ["bibtex"]),
        ("@comment{x}", ["bibtex"]),
        ("@article (a,", ["bibtex"]),
        ("Automatically generated by Mendeley Desktop 1.19\nAny changes\n\n@article{a,", ["bibtex"]),
        ("% " + " \n% " * 5000 + "x", []),
        ("Provider: X\nDatabase: Y\n\nTY  - JOUR\n", ["ris"]),
        ("TY  - JOUR\n", ["ris"]),
        ("PMID- 27000083\nTI  - TY  - JOUR\n", []),
        ('[{"id": 1, "type": "article-journal"}]', ["csl-json"]),
        ('[{"title": "x", "type" : "book"', ["csl-json"]),
        ('[{"type": "posted-content"}, {"type": "journal-article"}]', ["csl-json"]),
        ('[{"type": "journal-article"}]', ["csl-json"]),
        ('{"id": 1, "type": "article-journal"}', []),
        ('[{"id": 1, "type": "questions"}]', []),
        ('[{"id": 1, "passages": [{"infons": {"type": "report"}}]}]', []),
        ('[{"id": 1, "type": "book", "title": "of \\"passages\\": one"}]', ["csl-json"]),
        ('[{"id": 1, "type": "book", "keyword": "documents"}]', ["csl-json"]),
        ('[["type": "book"]]', []),
        ("<xml><records><record>", ["endnote"]),
        ('<?xml version="1.0"?><!-- x --><xml><records><record>', ["endnote"]),
        ("<xml><other>", []),
        ("<PubmedArticleSet><PubmedArticle><record>", []),
        ("<records><record>", []),
        ("PMID,Title,Authors,Citation,Journal/Book\r\n", ["pubmed-csv"]),
        ("cord_uid,Title,Authors,PMID\n", []),
        ("PMID,Title\n1,x\n", []),
        ("\ufeffAuthors,Author(s) ID,Title,Year,Source title,EID\r\n", ["scopus-csv"]),
        ("authors,title,year,source title\n", []),
        ("FN Thomson Reuters Web of Knowledge\r\nVR 1.0\r\nPT J", ["web-of-science"]),
        ("\ufeff\ufeffFN x\nVR 1.0\n", ["web-of-science"]),
        ("FN x\nPT J\nVR 1.0\n", []),
    ],
)
def test_first_bytes_decide(text: str, kinds: list[str]) -> None:
    assert sniffed(text.encode()) == kinds


RECORDS = {
    "bibtex": ["", *(f"@misc{{k{n}, title = {{Paper {n}}}}}\n" for n in range(3)), ""],
    "ris": ["", *(f"TY  - JOUR\r\nTI  - Paper {n}\r\nER  - \r\n\r\n" for n in range(3)), ""],
    "csl-json": [
        "[",
        ",".join(f'{{"id": "k{n}", "type": "book", "title": "Paper {n}"}}' for n in range(3)),
        "]",
    ],
    "endnote": [library(*(f"<titles>{styled('title', f'Paper {n}')}</titles>" for n in range(3)))],
    "pubmed-csv": [HEAD, *(ROW.replace("27000083", f"{n}7") for n in range(3)), ""],
    "scopus-csv": [SCOPUS_HEAD, *(SCOPUS_ROW.replace("27000083", f"{n}7") for n in range(2)), ""],
    "web-of-science": [WOS_HEAD, *(f"PT J\nTI Paper {n}\nER\n\n" for n in range(3)), WOS_END],
}


@pytest.mark.parametrize("kind", RECORDS)
def test_a_file_cut_anywhere_but_behind_a_record_is_not_whole(kind: str) -> None:
    whole = "".join(RECORDS[kind])
    ends = {len("".join(RECORDS[kind][:at]).rstrip()) for at in range(1, len(RECORDS[kind]) + 1)}
    for cut in range(len(whole)):
        if not sniffed(whole[:cut].encode()):
            continue
        try:
            _, repairs = read(kind, whole[:cut])
        except InputError:
            continue
        assert repairs.refused or len(whole[:cut].rstrip()) in ends, whole[:cut]


def test_the_page_names_every_kind_and_every_counter() -> None:
    root = Path(__file__).resolve().parents[3]
    page = (root / "docs/libraries.md").read_text("utf-8")
    places = ("src/anagnosis/documents/libraries/*.py", "src/anagnosis/documents/library_reading.py")
    source = "".join(path.read_text("utf-8") for place in places for path in root.glob(place))
    counters = re.findall(r'repairs\.count\(\s*"([a-z_.]+)"', source)
    assert len(counters) > 14
    assert not [name for name in (*LIBRARIES, *counters) if f"`{name}`" not in page]
