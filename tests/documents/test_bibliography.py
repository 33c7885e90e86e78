"""Authors, keywords and places in journals: the same facts from every format, and the rest counted."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.bibliography import (
    FACTS,
    LONGEST_PLACE,
    LONGEST_VALUE,
    MOST,
    REPAIRED,
    is_group,
    listed_people,
    name_parts,
    printed_name,
    signatories,
    split_values,
)
from anagnosis.documents.formats import medline, nbib
from anagnosis.documents.formats.jats import format as jats
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from anagnosis.documents.document import Document

SAMPLES = Path(__file__).parents[1] / "samples" / "bibliography"
READERS: dict[str, Callable[[BinaryIO, Repairs, str], Iterator[Document]]] = {
    "paper.xml": medline.read,
    "paper.nbib": nbib.read,
    "paper.nxml": jats.read_full_text,
}
PAPER = {
    "authors": "Nemo, Ana B Jr; O'Nobody-Ünal, X <Y>; Mononym",
    "corporate_authors": "Salt, Sea and Hiccups Study Group",
    "keywords": "hiccup; common salt",
    "volume": "3",
    "issue": "2",
    "pages": "1-7",
}


def read(name: str) -> tuple[Document, Repairs]:
    repairs = Repairs()
    (document,) = READERS[name](io.BytesIO((SAMPLES / name).read_bytes()), repairs, name)
    return document, repairs


@pytest.mark.parametrize("name", READERS)
def test_one_paper_has_the_same_facts_in_every_format(name: str) -> None:
    document, _ = read(name)
    assert {fact: document.facts[fact] for fact in FACTS if fact in document.facts} == PAPER


def test_initials_stand_where_there_is_no_full_name() -> None:
    authors = b"AU  - Hellinger FR Jr\nAU  - Van der Berg J-P\nAU  - Mononym\n"
    authors += b"FAU - Nemo, Ana\nAU  - Nemo A\nAU  - Bo B\n"
    record = b"PMID- 1\nTI  - T.\n" + authors
    (document,) = nbib.read(io.BytesIO(record), Repairs())
    assert document.facts["authors"] == "Hellinger, FR Jr; Van der Berg, J-P; Mononym; Nemo, Ana; Bo, B"


PERSON = "<contrib-group><contrib>{}</contrib></contrib-group>".format
OF_JATS = [
    (PERSON("<name><surname>Nemo</surname><given-names>Ana</given-names></name>"), "authors", "Nemo, Ana"),
    (
        PERSON("<string-name><given-names>Ana</given-names> <surname>Nemo</surname></string-name>"),
        *("authors", "Nemo, Ana"),
    ),
    (PERSON("<string-name>Ana Nemo</string-name>"), "authors", "Ana Nemo"),
    (
        PERSON("<name-alternatives><string-name>Ana Nemo</string-name></name-alternatives>"),
        *("authors", "Ana Nemo"),
    ),
    (
        PERSON(
            "<name-alternatives><name><surname>Nemo</surname></name><string-name>N.</string-name></name-alternatives>"
        ),
        *("authors", "Nemo"),
    ),
    (PERSON("<name-alternatives/>"), "authors", None),
    ("<fpage>12</fpage><lpage>19</lpage>", "pages", "12-19"),
    ("<fpage>12</fpage><lpage>12</lpage>", "pages", "12"),
    ("<fpage>12</fpage><lpage>19</lpage><page-range>12-14, 19</page-range>", "pages", "12-14, 19"),
    ("<elocation-id>e12</elocation-id>", "pages", "e12"),
    ("<elocation-id>10.1000/e12</elocation-id>", "pages", None),
    ("<product><fpage>12</fpage></product>", "pages", None),
]


@each_row(("inside", "fact", "expected"), OF_JATS)
def test_a_fact_of_jats_is_read_however_it_is_written(inside: str, fact: str, expected: str | None) -> None:
    ident = '<article-id pub-id-type="pmid">1</article-id>'
    article = f"<article><front><article-meta>{ident}{inside}</article-meta></front></article>"
    (document,) = jats.read(io.BytesIO(article.encode()), Repairs())
    assert document.facts.get(fact) == expected


def test_a_record_of_medline_without_fore_names_has_initials() -> None:
    author = "<Author><LastName>Nemo</LastName><Initials>AB</Initials></Author>"
    document = _citation(f"<AuthorList>{author}</AuthorList>")
    assert document.facts["authors"] == "Nemo, AB"


def _citation(inside: str, repairs: Repairs | None = None) -> Document:
    record = (
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T.</ArticleTitle>"
        f"{inside}</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
    )
    (document,) = medline.read(io.BytesIO(record.encode()), repairs or Repairs())
    return document


@pytest.mark.parametrize(
    ("name", "group"),
    [("Salt; Sea", "Salt;\u00a0Sea"), ("Salt ;Sea", "Salt ;Sea"), (";Salt; Sea;", "Salt;\u00a0Sea")],
)
def test_a_semicolon_divides_people_and_keywords_and_stays_in_the_name_of_a_group(
    name: str, group: str
) -> None:
    repairs = Repairs()
    keyword = f"</Article><KeywordList><Keyword>{name}</Keyword></KeywordList><Article>"
    people = f"<Author><LastName>{name}</LastName></Author><Author><CollectiveName>{name}</CollectiveName></Author>"
    facts = _citation(f"<AuthorList>{people}</AuthorList>{keyword}", repairs).facts
    assert (facts["authors"], facts["keywords"], facts["corporate_authors"]) == (
        "Salt; Sea",
        "Salt; Sea",
        group,
    )
    assert repairs.counts[REPAIRED] == 3


def test_groups_with_commas_and_semicolons_stay_one_name_among_people() -> None:
    groups = "Salt, Sea, and Soup;\u00a0Friends; Soup Group,"
    facts = {"authors": "Nemo, Ana; Plato", "corporate_authors": groups}
    names = signatories(facts)
    assert printed_name("Salt\u00a0Group,\u00a0Sea") == "Salt\u00a0Group, Sea"
    assert list(map(printed_name, names)) == [
        "Nemo, Ana",
        "Plato",
        "Salt, Sea, and Soup; Friends",
        "Soup Group",
    ]
    assert signatories({"authors": "; ".join(names)})[:2] == names[:2]
    assert split_values("; ".join(names)) == names
    assert list(map(is_group, names)) == [False, False, True, True]
    assert name_parts("Plato,") == ("Plato", "", "")


def test_a_name_or_a_place_that_is_too_long_is_left_out_and_counted() -> None:
    repairs = Repairs()
    person = "<Author><LastName>{}</LastName></Author>".format
    authors = f"<AuthorList>{person('A' * (LONGEST_VALUE + 1))}{person('B' * LONGEST_VALUE)}</AuthorList>"
    pages = f"<Pagination><MedlinePgn>{'1' * (LONGEST_PLACE + 1)}</MedlinePgn></Pagination>"
    facts = _citation(authors + pages, repairs).facts
    assert facts["authors"] == "B" * LONGEST_VALUE
    assert "pages" not in facts
    assert repairs.counts["value_left_out"] == 2


def test_pages_of_medline_may_be_written_as_the_first_and_the_last() -> None:
    pages = "<Pagination><StartPage>12</StartPage><EndPage>19</EndPage></Pagination>"
    assert _citation(pages).facts["pages"] == "12-19"


def test_beyond_so_many_authors_the_rest_is_counted() -> None:
    repairs = Repairs()
    record = b"PMID- 1\nTI  - T.\n" + b"FAU - A\n" * (MOST + 7)
    (document,) = nbib.read(io.BytesIO(record), repairs, "")
    assert document.facts["authors"].count("; ") + 1 == MOST
    assert repairs.counts["value_left_out"] == 7


LISTS = [
    ("Elia, Gabriella; Martella, Vito", ["Elia, Gabriella", "Martella, Vito"]),
    ("Liu WH; Guo SN", ["Liu, WH", "Guo, SN"]),
    ("Liu WH, Guo SN, ", ["Liu, WH", "Guo, SN"]),
    (
        "Keith G Heinzerling, Levon Demirdjian, Yingnian Wu",
        ["Keith G Heinzerling", "Levon Demirdjian", "Yingnian Wu"],
    ),
    ("van den Berg, Jan Peter", ["van den Berg, Jan Peter"]),
    ("van den Berg, Jan P", ["van den Berg, Jan P"]),
    ("Hellinger, Frank R, Jr", ["Hellinger, Frank R, Jr"]),
    ("van de Ven, Steffi EM; Pavlov, Kirill V.", ["van de Ven, Steffi EM", "Pavlov, Kirill V."]),
    ("Salt Study Group", ["Salt Study Group"]),
    ("O&apos;Neill, Ann; Bo, B", ["O'Neill, Ann", "Bo, B"]),
    (" ; ;", []),
    ("", []),
    (",", []),
]


@pytest.mark.parametrize(("names", "people"), LISTS)
def test_names_are_divided_where_people_end(names: str, people: list[str]) -> None:
    assert listed_people(names) == people


@given(st.text("ABab ,;-", max_size=60))
def test_any_text_gives_names_without_semicolons_and_blanks_around(names: str) -> None:
    people = listed_people(names)
    assert all(name and ";" not in name and name == " ".join(name.split()) for name in people)
    kept = [letter for letter in names if letter in "ABab-"]
    assert [letter for name in people for letter in name if letter in "ABab-"] == kept
