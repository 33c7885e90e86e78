"""Chapters of books in BITS, as NCBI's Bookshelf gives them: each is a paper, its journal is the book."""

from __future__ import annotations

import io

import pytest
from tests.truncated import up_to_the_break

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.detect import detect
from anagnosis.documents.formats.jats import format as jats
from anagnosis.documents.repairs import Repairs

BOOK = """<book-meta><book-id pub-id-type="publisher-id">teas</book-id>
<book-title-group><book-title>Teas of the World</book-title></book-title-group>
<pub-date><year>2019</year></pub-date><permissions><license xlink:href="http://creativecommons.org/licenses/by/4.0/"/>
</permissions></book-meta>"""
# As StatPearls: a chapter without PMID and abstract, whose dates are a history.
COLD_TEA = """<book-part id="article-7" book-part-type="chapter"><book-part-meta>
<title-group><title>Cold <italic>tea</italic></title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Ito</surname><given-names>Aya</given-names></name></contrib>
</contrib-group><pub-history><date date-type="updated"><year>2022</year></date>
<date date-type="created"><month>3</month><year>2020</year></date></pub-history></book-part-meta>
<body><sec><title>Etiology</title><p>It <ext-link xlink:href="http://x">cools</ext-link>.</p></sec></body>
<back><ref-list><ref><element-citation><pub-id pub-id-type="pmid">55</pub-id></element-citation></ref></ref-list></back>
</book-part>"""
# As GeneReviews: a PMID and an accession beside each other, an abstract, nested sections.
TEA_SYNDROME = """<book-part id="tea"><book-part-meta><book-part-id pub-id-type="pmid">20301295</book-part-id>
<book-part-id pub-id-type="publisher-id">tea-1</book-part-id>
<book-part-id book-part-id-type="pmcid">NBK1116</book-part-id><title-group><title>Tea syndrome</title></title-group>
<pub-date date-type="original"><year>2001</year></pub-date>
<abstract><sec><title>Clinical characteristics.</title><p>People drink tea.</p></sec></abstract>
<kwd-group><kwd>tea</kwd></kwd-group></book-part-meta>
<body><sec><title>Diagnosis</title><sec><title>Findings</title><p>A cup.</p></sec></sec></body></book-part>"""
WITH_ACCESSION = TEA_SYNDROME.replace('<book-part-id pub-id-type="pmid">20301295</book-part-id>', "")
WITH_NUMBER = COLD_TEA.replace('id="article-7"', 'id="7"')


def wrapped(chapter: str, book: str = BOOK) -> str:
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE book-part-wrapper SYSTEM "BITS.dtd">\n'
        '<book-part-wrapper xmlns:xlink="http://www.w3.org/1999/xlink" dtd-version="2.0"><collection-meta>'
        f"<title-group><title>All</title></title-group></collection-meta>{book}{chapter}</book-part-wrapper>"
    )


def read(text: str) -> tuple[list[Document], Repairs]:
    data, repairs = text.encode(), Repairs()
    assert detect(io.BufferedReader(io.BytesIO(data)), "book.nxml") == "jats"
    return up_to_the_break(jats.read_full_text(io.BytesIO(data), repairs, "book.nxml"), repairs), repairs


COLD = Document(
    "article-7",
    (Section("title", "Cold tea"), Section("body", "It cools.", "Etiology")),
    facts={
        "date": "2020-03",
        "year": "2020",
        "journal": "Teas of the World",
        "licence": "http://creativecommons.org/licenses/by/4.0/",
        "authors": "Ito, Aya",
        "references": "55",
    },
)
SYNDROME = Document(
    "20301295",
    (
        Section("title", "Tea syndrome"),
        Section("abstract", "People drink tea.", "Clinical characteristics"),
        Section("body", "A cup.", "Diagnosis › Findings"),
    ),
    facts={
        "date": "2001",
        "year": "2001",
        "journal": "Teas of the World",
        "keywords": "tea",
        "licence": "http://creativecommons.org/licenses/by/4.0/",
    },
)


@pytest.mark.parametrize(
    ("chapter", "expected"), [(COLD_TEA, COLD), (TEA_SYNDROME, SYNDROME)], ids=["no PMID", "PMID"]
)
def test_a_chapter_is_a_paper_of_its_book(chapter: str, expected: Document) -> None:
    (one,), repairs = read(wrapped(chapter))
    assert (one, repairs.refused) == (expected, 0)


@pytest.mark.parametrize(
    ("chapter", "expected"),
    [(WITH_ACCESSION, ("NBK1116", "")), (COLD_TEA, ("article-7", "")), (WITH_NUMBER, ("7", "other"))],
    ids=["accession", "name", "number"],
)
def test_without_pmid_a_chapter_has_the_id_of_its_book(chapter: str, expected: tuple[str, str]) -> None:
    (one,), _ = read(wrapped(chapter))
    assert (one.id, one.facts.get("id_of", "")) == expected


def test_each_chapter_of_a_whole_book_is_a_paper_and_a_part_ends_where_its_chapters_begin() -> None:
    part = '<book-part id="p1"><book-part-meta><title-group><title>Drinks</title></title-group></book-part-meta><body>'
    chapters = f"{part}{COLD_TEA}{TEA_SYNDROME}</body></book-part>"
    found, repairs = read(
        f'<book xmlns:xlink="http://www.w3.org/1999/xlink">{BOOK}<book-body>{chapters}</book-body></book>'
    )
    assert [one.id for one in found] == ["p1", "article-7", "20301295"]
    assert found[1:] == [COLD, SYNDROME]
    assert {one.facts["journal"] for one in found} == {"Teas of the World"}
    assert repairs.refused == 0


@pytest.mark.parametrize("book", ["", "<book-meta/>", "<book-meta><book-title-group>"])
def test_a_chapter_needs_nothing_of_its_book(book: str) -> None:
    (one,), _ = read(wrapped(COLD_TEA, book))
    assert (one.id, one.facts.get("journal"), one.sections) == ("article-7", None, COLD.sections)


def test_a_file_that_ends_inside_a_chapter_is_truncated() -> None:
    found, repairs = read(wrapped(COLD_TEA).partition("<back>")[0])
    assert [one.id for one in found] == ["article-7"]
    assert repairs.counts["truncated_file"] == 1


def test_another_book_is_no_book_of_ours() -> None:
    assert not jats.sniff(b"<book><title>DocBook</title></book>")
