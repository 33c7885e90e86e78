"""Entries: ids, keys, dates, what is left out and counted, and what costs an entry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.document import Section
from anagnosis.documents.libraries.entry import Entry, authors, entry, names, pmid_of
from anagnosis.documents.repairs import Repairs

NAMES = names(
    title="title",
    abstract="abstract",
    date="date year",
    doi="doi",
    journal="journal book",
    extra="note",
    keywords="word",
    types="type",
    language="language",
    volume="volume",
)


def made(*fields: tuple[str, str], key: str = "k", repairs: Repairs | None = None) -> Entry:
    (read,) = entry("ris", key, fields, NAMES, repairs or Repairs(), "lib.ris:1")
    return read


def counts(*fields: tuple[str, str]) -> dict[str, int]:
    repairs = Repairs()
    made(("title", "Salt"), *fields, repairs=repairs)
    return dict(repairs.counts)


@each_row(
    ("fields", "ident"),
    [
        ([("pmid", "PMID 1"), ("title", "x")], "ris-k"),
        ([("pmid", "027.0"), ("pmcid", "7"), ("doi", "10.1000/x")], "27"),
        ([("pmcid", "PMC7.2"), ("doi", "10.1000/x")], "PMC7"),
        ([("doi", "https://doi.org/10.1000/X.")], "10.1000/X"),
        ([("note", "doi: 10.1000/y\n\npmid: 5\nPMCID:PMC6")], "5"),
        ([("doi", "10.1000/x"), ("note", "DOI: 10.1000/y")], "10.1000/x"),
        ([("title", "Salt")], "ris-k"),
    ],
)
def test_the_id_is_pmid_else_pmcid_else_doi_else_the_key(fields: list[tuple[str, str]], ident: str) -> None:
    assert made(*fields).document.id == ident


def test_an_entry_without_key_gets_a_digest_that_differs_between_papers() -> None:
    salt, sea = made(("title", "Salt"), key=" "), made(("title", "Sea"), key="")
    assert salt == made(("title", "Salt"), key="\0")
    assert len(salt.key) == 12
    assert salt.key != sea.key
    assert salt.document.id == f"ris-{salt.key}"
    assert len(made(("title", "Salt"), key="a" * 999).key) == 200


def test_an_entry_with_nothing_is_counted_and_refuses_nothing() -> None:
    repairs = Repairs()
    assert entry("ris", "k", [("journal", "J"), ("title", " \0 ")], NAMES, repairs, "lib.ris:1") == []
    assert (repairs.refused, dict(repairs.counts)) == (0, {"entry_empty": 1})
    assert repairs.left_out == [
        ("lib.ris:1", "an entry without title, abstract, identifier and file, left out")
    ]
    assert entry("ris", "k", [], NAMES, repairs, "lib.ris:1", files=("a.pdf",)) != []


@each_row(
    ("dates", "date", "counted"),
    [
        (["2016/03/23/"], "2016-03-23", {}),
        (["2016-03-23"], "2016-03-23", {}),
        (["2016b"], "2016", {}),
        (["2016-03-23T10:00:00Z"], "2016-03-23", {}),
        (["Mar 23", "2016"], "2016-03-23", {}),
        (["23 Mar", "2016"], "2016-03-23", {}),
        (["2016", "2016/03//"], "2016-03", {}),
        (["2016/03/23", "2015"], "2016-03-23", {}),
        (["2016//"], "2016", {}),
        (["2016 Feb 31"], "2016-02", {"publication_day_impossible": 1}),
        (["soon"], "", {"date_unreadable": 1}),
        (["0000"], "", {"date_unreadable": 1}),
        ([], "", {}),
    ],
)
def test_the_most_exact_date_counts(dates: list[str], date: str, counted: dict[str, int]) -> None:
    repairs = Repairs()
    read = made(("title", "Salt"), *(("date", each) for each in dates), repairs=repairs)
    assert (read.document.facts.get("date", ""), read.document.facts.get("year", "")) == (date, date[:4])
    assert repairs.counts == counted


@each_row(
    ("field", "counted"),
    [
        (("price", "3 crowns"), {}),
        (("note", "PMID: 1\nbought in Rome"), {}),
        (("title", "a" * ((1 << 20) + 1)), {"field_left_out": 1}),
        (("volume", "1" * 101), {"value_left_out": 1}),
        (("word", "w" * 1001), {"value_left_out": 1}),
        (("tags", "t" * 1001), {"value_left_out": 1}),
        (("collections", "t" * 1001), {"value_left_out": 1}),
        (("word", "salt; sea"), {"semicolon_in_value": 1}),
        (("pmid", "none"), {"pmid_unreadable": 1}),
        (("pmcid", "none"), {"pmcid_unreadable": 1}),
        (("doi", "none"), {"doi_unreadable": 1}),
    ],
)
def test_what_is_not_kept_is_counted_by_name(field: tuple[str, str], counted: dict[str, int]) -> None:
    assert counts(field) == counted


def test_collections_above_each_other_do_not_multiply_a_name() -> None:
    facts = made(("title", "Salt"), ("collections", " > ".join("a" * 200_000))).document.facts
    assert len(facts["collections"].split("; ")) == 20


def test_titles_abstracts_and_facts_are_one_line_of_plain_text() -> None:
    read = made(
        ("title", "Salt\n in <i>vivo</i> &amp;\x00 \ud800sea"),
        ("abstract", "AIM: We.\r\nMETHODS: You."),
        ("word", "salt"),
        ("word", "a\tb"),
        ("type", "review"),
        ("type", "preprint"),
        ("type", "Review"),
        ("language", "eng"),
        ("language", "ger"),
    )
    assert read.document.sections == (
        Section("title", "Salt in vivo & sea"),
        Section("abstract", "We.", "AIM"),
        Section("abstract", "You.", "METHODS"),
    )
    assert read.document.facts == {
        "language": "eng; ger",
        "types": "Review; Preprint",
        "keywords": "salt; a b",
        "citation_key": "k",
        "preprint": "unnamed",
    }


@each_row(
    ("fields", "state"),
    [
        ([("retracted", "44")], {"retracted": "44"}),
        ([("title", "RETRACTED: Salt")], {"retracted": "unnamed"}),
        ([("note", "RETRACTED (33)")], {}),
    ],
)
def test_a_state_comes_from_marks_and_titles(fields: list[tuple[str, str]], state: dict[str, str]) -> None:
    facts = made(*fields, ("doi", "10.1000/x")).document.facts
    assert facts == {"doi": "10.1000/x", "citation_key": "k", **state}


@each_row(
    ("key", "fields", "known"),
    [
        ("Shi2024EXO", [], "Shi2024EXO"),
        ("DBLP:conf/nips/Doe17", [], "DBLP:conf/nips/Doe17"),
        ("DOE2018A", [], "DOE2018A"),
        ("doe-zinc-20180101", [], "doe-zinc-20180101"),
        *(
            (ident, [], "")
            for ident in ("27000083", "PMC7", "10.1000/x", "doi:10.1000/x", "ITEM-1", "7.2", "")
        ),
        *(
            (ident, [], "")
            for ident in ("http://zotero.org/users/1/items/ABCD2345", "1/ABCD2345", "ABCD2345")
        ),
        ("0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f", [], ""),
        ("bibtex-doe2018-0a1b2c3d", [], ""),
        ("ABCD2345", [("note", "tex.x: y\nCitation Key: doeZinc2018\nPMID: 7")], "doeZinc2018"),
        ("ABCD2345", [("note", "citation-key: doe18")], "doe18"),
        ("k", [("citation_key", "doe19")], "doe19"),
    ],
)
def test_the_citation_key_is_the_user_s(key: str, fields: list[tuple[str, str]], known: str) -> None:
    assert made(("title", "Salt"), *fields, key=key).document.facts.get("citation_key", "") == known


@each_row(
    ("name", "fact", "spelled"),
    [
        ("Hellinger, Frank R, Jr", "authors", "Hellinger, Frank R Jr"),
        ("Hellinger, Frank R", "authors", "Hellinger, Frank R"),
        ("Hellinger FR", "authors", "Hellinger, FR"),
        ("a, b, c, d", "authors", "a, b, c, d"),
        ("Doe A, Roe B, Loe C", "authors", "Doe, A; Roe, B; Loe, C"),
        ("Doe, Ann; Roe, Ben", "authors", "Doe, Ann; Roe, Ben"),
        ("van den Berg, Jan Peter", "authors", "van den Berg, Jan Peter"),
        ("Salt,, Sea, and Soup,", "corporate_authors", "Salt, Sea, and Soup"),
    ],
)
def test_authors_are_spelled_as_facts(name: str, fact: str, spelled: str) -> None:
    assert list(authors(name)) == [(fact, each) for each in spelled.split("; ")]


@pytest.mark.parametrize("databases", ["", "PubMed", "Ovid MEDLINE(R)", "NLM", "x Medline y"])
def test_an_accession_number_is_a_pmid_where_pubmed_is_named_or_nothing(databases: str) -> None:
    assert pmid_of("27000083", databases) == "27000083"
    assert pmid_of("L2", databases) == ""
    assert pmid_of("27000083", "Embase") == ""


TEXTS = st.text(max_size=40)


@given(st.lists(st.tuples(st.sampled_from([*NAMES, "other"]), TEXTS), max_size=8), TEXTS)
def test_whatever_fields_hold_an_entry_is_printable_and_has_an_id(
    fields: list[tuple[str, str]], key: str
) -> None:
    for read in entry("ris", key, fields, NAMES, Repairs(), "x"):
        assert read.key
        assert read.document.id
        texts = (read.document.text, read.key, *read.document.facts.values())
        assert "".join(texts).encode()
        assert not any(sign in text for text in texts for sign in "\0\x1b")
