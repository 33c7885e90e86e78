"""The dates of papers, from a table or from papers, never more exact than the source."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.documents.date_table import read_dates
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SAMPLES = Path(__file__).parents[1] / "samples" / "dates"


def test_citations_give_their_dates_and_what_they_lack_is_counted() -> None:
    repairs = Repairs()
    assert read_dates(SAMPLES / "citations.xml", repairs) == {
        "900001": "1998-12-05",
        "900002": "1998-12",
        "900003": "1976",
        "900004": "2011-07",
        "900005": "2001-02",
    }
    assert repairs.counts == {
        "citation_repeated": 1,
        "citation_without_date": 1,
        "publication_day_impossible": 1,
    }


@each_row("version", ["\u00b2", "9" * 5000, "-1", ""])
def test_a_version_that_is_none_is_the_first(tmp_path: Path, version: str) -> None:
    date = "<Article><Journal><JournalIssue><PubDate><Year>{}</Year></PubDate></JournalIssue></Journal></Article>"
    citation = f"<MedlineCitation><PMID Version='{{}}'>1</PMID>{date}</MedlineCitation>"
    citations = citation.format(2, 2002) + citation.format(version, 2001)
    (tmp_path / "a.xml").write_text(f"<PubmedArticleSet>{citations}</PubmedArticleSet>")
    assert read_dates(tmp_path / "a.xml") == {"1": "2002"}


def test_citations_of_a_pipe_give_their_dates() -> None:
    reading, writing = os.pipe()
    os.write(writing, (SAMPLES / "citations.xml").read_bytes())
    os.close(writing)
    try:
        assert read_dates(f"/dev/fd/{reading}")["900003"] == "1976"
    finally:
        os.close(reading)


TABLES = {
    "table.tsv": {"900001": "2016-03-23", "900002": "2016-03", "900003": "2016"},
    "quoted-windows.csv": {"900001": "2016-03-23", "900002": "2016-03"},
    "header-only.csv": {},
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_gives_its_dates(name: str) -> None:
    assert read_dates(SAMPLES / name) == TABLES[name]


# sample → the line that the user gets, from its beginning
WRONG = {
    "not-iso.csv": "not-iso.csv:2: '23/03/2016' is not a date; write YYYY",
    "impossible-day.csv": "impossible-day.csv:1: '2016-02-30' is not a date",
    "three-columns.tsv": "three-columns.tsv:1: not an id and a date",
    "two-dates.csv": "two-dates.csv:2: 900001 has two dates, 2016 and 2017",
    "truncated.xml": "truncated.xml:1: malformed XML",
    "no-citation.xml": "no-citation.xml: no paper in this file",
    "citation-without-pmid.xml": "citation-without-pmid.xml:2: a citation without PMID",
    "absent.csv": "absent.csv: no such file",
}


@each_row("name", WRONG)
def test_a_file_that_is_wrong_is_refused_with_its_line(name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_dates(SAMPLES / name)
    assert str(caught.value).startswith(WRONG[name])


def test_an_empty_file_and_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "dates.csv"
    path.write_bytes(b"")
    with pytest.raises(InputError, match="the file is empty"):
        read_dates(path)
    path.write_bytes(b"1,2016\n1," + b"9" * 999)
    with pytest.raises(InputError, match=r"csv:2: '9{60}\u2026' is not a date"):
        read_dates(path)
    path.write_bytes(b"900001,2016\nna\xefve,2016\n")
    with pytest.raises(InputError, match=r"dates\.csv:2: not UTF-8"):
        read_dates(path)


def test_a_byte_order_mark_is_no_part_of_the_first_id(tmp_path: Path) -> None:
    (tmp_path / "dates.csv").write_bytes(b"\xef\xbb\xbf17,2020\n18,2021-03\n")
    assert read_dates(tmp_path / "dates.csv", Repairs()) == {"17": "2020", "18": "2021-03"}
