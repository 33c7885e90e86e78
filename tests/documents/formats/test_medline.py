"""MEDLINE and PubMed XML: what is read of every element, every fault told by name and line, and real files' counts."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis.documents.bibliography import COUNTED
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import medline
from anagnosis.documents.repairs import Repairs

SAMPLES = Path(__file__).parents[2] / "samples" / "medline"
CITATIONS = (SAMPLES / "citations.xml").read_bytes()


def read(data: bytes, name: str = "ours.xml") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return up_to_the_break(medline.read(io.BytesIO(data), repairs, name), repairs), repairs


def others(repairs: Repairs) -> dict[str, int]:
    """The counts but for what test_bibliography.py is about."""
    return {name: count for name, count in repairs.counts.items() if name not in COUNTED}


def record(pmid: str, title: str = "A title.", more: str = "") -> bytes:
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="1">{pmid}</PMID>'
        f"<Article><ArticleTitle>{title}</ArticleTitle></Article>{more}</MedlineCitation></PubmedArticle>\n"
    ).encode()


def citation_set(*records: bytes) -> bytes:
    return b"<PubmedArticleSet>\n" + b"".join(records) + b"</PubmedArticleSet>\n"


@pytest.fixture(scope="module")
def carried() -> dict[str, Document]:
    """The documents of the carried file, of two with one id the last."""
    return {document.id: document for document in read(CITATIONS)[0]}


def test_a_citation_is_read_as_it_stands(carried: dict[str, Document]) -> None:
    assert carried["90000001"] == Document(
        "90000001",
        (
            Section("title", "Does a glass of water before bed shorten hiccups?"),
            Section("abstract", "Hiccups at night are a nuisance.", "BACKGROUND", "BACKGROUND"),
            Section("abstract", "We gave 40 people a glass of water, or none.", "METHODS", "METHODS"),
            Section("abstract", "Hiccups lasted 3 min and 9 min.", "RESULTS", "RESULTS"),
            Section("abstract", "A glass of water shortened hiccups.", "Conclusions", "UNASSIGNED"),
            Section("abstract", "The glasses were not of one size.", "LIMITATIONS", "CONCLUSIONS"),
        ),
        facts={
            "version": "1",
            "date": "2021-02-04",
            "year": "2021",
            "journal": "The journal of invented medicine : JIM",
            "language": "eng",
            "doi": "10.1000/jim.2021.1",
            "pmcid": "PMC9000001",
            "types": "Journal Article; Randomized Controlled Trial",
            "mesh": "Hiccup; Water; Humans",
            "authors": "Nemo, A",
            "keywords": "bedtime",
            "volume": "10",
            "pages": "1-7",
        },
    )


def test_everything_of_the_carried_file_is_read_left_out_or_counted() -> None:
    documents, repairs = read(CITATIONS, "citations.xml")
    assert [document.id for document in documents] == [
        *("90000001", "90000002", "90000003", "90000004", "90000005", "90000006", "90000007", "90000008"),
        *("90000009", "90000010", "90000012", "90000010", "90000013", "90000014"),
    ]
    assert others(repairs) == {
        "citation_without_date": 2,
        "publication_day_impossible": 1,
        "abstract_text_empty": 1,
        "book_left_out": 1,
        "pmid_from_article_ids": 1,
        "deleted_citation_without_pmid": 1,
    }
    assert repairs.refused == 0
    assert repairs.refusals == [("citations.xml:228", "PMID 90000011 is a book, left out")]


def test_markup_and_formulas_leave_their_text(carried: dict[str, Document]) -> None:
    title, abstract = carried["90000002"].sections
    assert title.text == "H2O and Bacillus imaginarius at x=10³ cells per ml⁻¹ – an in\u2009vitro study."
    assert abstract.text == "Background It grew at 37 °C (P < .05) & died at 70 °C."


# id → what must be among its facts, or what must not (None)
FACTS: dict[str, dict[str, str | None]] = {
    "90000002": {"date": "1998-12", "year": "1998", "doi": "10.1000/soup.2", "pmcid": "PMC9000002"},
    "90000003": {
        "date": "1976",
        "journal": "Z Nicht",
        "language": "ger; eng",
    },
    "90000004": {"date": "2021-02"},
    "90000006": {
        "retracted": "90000007; Stew. 2020 Jan 2;3(1):4",
        "expression_of_concern": "90000902",
        "partly_retracted": "90000903",
        "erratum": "Soup. 2019;1:9",
    },
    "90000005": {"date": None, "year": None},
    "90000007": {
        "types": "Retraction of Publication",
        "retraction_notice": "90000006",
        **dict.fromkeys(["retracted", "erratum", "expression_of_concern"]),
    },
    "90000008": {
        "version": None,
        "date": "1998-11",
        "types": "Journal Article",
        "mesh": "Soup",
        "erratum_notice": "90000907",
    },
    "90000010": {"version": "2", "date": "2024"},
    "90000012": {"doi": "10.1000/ncbi"},
    "90000013": {"deleted": "yes"},
}


@each_row("ident", FACTS)
def test_facts_are_those_of_the_elements(carried: dict[str, Document], ident: str) -> None:
    facts = carried[ident].facts
    assert {name: facts.get(name) for name in FACTS[ident]} == FACTS[ident]
    assert carried["90000013"].sections == ()


def test_other_abstracts_stand_apart_with_type_and_language(carried: dict[str, Document]) -> None:
    assert carried["90000003"].sections[1:] == (
        Section("other abstract", "Suppe wird getrunken oder gegessen.", "ZIEL", "Publisher ger"),
        Section("other abstract", "Beides kommt vor.", "ERGEBNIS", "Publisher ger"),
        Section("other abstract", "Soup can be both.", "", "plain-language-summary eng"),
        Section("other abstract", "A note without language.", "", "AAMC"),
    )


def test_unlabelled_and_empty_parts_keep_what_they_have(carried: dict[str, Document]) -> None:
    assert carried["90000005"].sections[1:] == (
        Section("abstract", "An introduction without a label."),
        Section("abstract", "Cells took it up.", "RESULT", "RESULTS"),
        Section("abstract", "", "CONCLUSION", "CONCLUSIONS"),
    )


def test_a_record_in_another_order_is_read_whole() -> None:
    data = (
        b"<PubmedArticle><PubmedData><ArticleIdList><ArticleId IdType='pmc'>PMC1</ArticleId></ArticleIdList>"
        b"</PubmedData><MedlineCitation><MeshHeadingList><MeshHeading><DescriptorName>Soup</DescriptorName>"
        b"</MeshHeading></MeshHeadingList><Article><Abstract><AbstractText>Text.</AbstractText></Abstract>"
        b"<AuthorList></AuthorList><ArticleTitle>Title.</ArticleTitle></Article><PMID>1</PMID></MedlineCitation>"
        b"</PubmedArticle>"
    )
    (document,), _ = read(data)
    assert (document.id, document.text) == ("1", "Title.\nText.")
    assert document.facts == {"pmcid": "PMC1", "mesh": "Soup"}


CITATION = record("5")[len(b"<PubmedArticle>") : -len(b"</PubmedArticle>\n")]
# root → a file of one citation
ROOTS = {
    "PubmedArticleSet": citation_set(record("5")),
    "PubMedArticleSet": b"<PubMedArticleSet><PubMedArticle>"
    + CITATION
    + b"</PubMedArticle></PubMedArticleSet>",
    "MedlineCitationSet": b"<MedlineCitationSet>" + CITATION + b"</MedlineCitationSet>",
    "PubmedArticle": b"<?xml version='1.0'?>\n<PubmedArticle>" + CITATION + b"</PubmedArticle>",
    "MedlineCitation": CITATION.replace(
        b"<MedlineCitation>", b'<MedlineCitation\n Owner="NLM" Status="MEDLINE">'
    ),
}


@each_row("root", ROOTS)
def test_a_citation_is_found_under_every_root(root: str) -> None:
    documents, repairs = read(ROOTS[root])
    assert [(document.id, document.title) for document in documents] == [("5", "A title.")]
    assert repairs.refusals == []
    assert medline.sniff(ROOTS[root])


@pytest.mark.parametrize("cut", [0, 70])
def test_a_citation_without_pmid_is_refused_by_its_line_and_the_end_of_a_cut_file_told(cut: int) -> None:
    data = (SAMPLES / "citation-without-pmid.xml").read_bytes().rstrip()
    documents, repairs = read(data[: len(data) - cut])
    assert [document.id for document in documents] == ["91000001", "91000003"][: 1 if cut else 2]
    assert repairs.refusals[0] == ("ours.xml:4", "a citation without PMID")
    assert (repairs.refused, repairs.counts["truncated_file"]) == (1, bool(cut))


def _peak(records: int) -> int:
    stream = io.BufferedReader(io.BytesIO(citation_set(*[record("1", "x" * 20_000)] * records)))
    tracemalloc.start()
    try:
        assert sum(1 for _ in medline.read(stream, Repairs())) == records
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_file() -> None:
    _peak(1)  # loads what is loaded once
    assert _peak(1_200) < 1.1 * _peak(300)


def identified(ids: str, article: str = "", *, pmid: str = "<PMID>1</PMID>", more: str = "") -> Document:
    cited = "<ArticleIdList><ArticleId IdType='doi'>10.1/cited</ArticleId></ArticleIdList>"
    data = (
        f"<PubmedArticle><MedlineCitation>{pmid}<Article><ArticleTitle>T.</ArticleTitle>{article}</Article>{more}"
        f"</MedlineCitation><PubmedData><ReferenceList><Reference>{cited}</Reference></ReferenceList>"
        f"<ArticleIdList>{ids}</ArticleIdList></PubmedData></PubmedArticle>"
    )
    (document,), _ = read(citation_set(data.encode()))
    return document


def test_of_several_article_ids_of_a_kind_the_first_wins() -> None:
    pairs = (("doi", "10.1/first", "10.1/second"), ("pmc", "PMC1.4", "PMC2"), ("pubmed", "11", "12"))
    ids = "".join(
        f'<ArticleId IdType="{kind}">{value}</ArticleId>' for kind, *both in pairs for value in both
    )
    document = identified(ids, pmid="")
    assert (document.id, document.facts["doi"], document.facts["pmcid"]) == ("11", "10.1/first", "PMC1")


def test_an_article_id_without_a_kind_is_a_pmid_and_one_without_words_gives_way() -> None:
    assert identified("<ArticleId>11</ArticleId>", pmid="").id == "11"
    location = '<ELocationID EIdType="doi">10.1/location</ELocationID>'
    other = '<OtherID Source="NLM">PMC7</OtherID>'
    empty = identified('<ArticleId IdType="doi"/><ArticleId IdType="pmc"/>', location, more=other)
    assert (empty.facts["doi"], empty.facts["pmcid"]) == ("10.1/location", "PMC7")
    ids = '<ArticleId IdType="doi">10.1/id</ArticleId><ArticleId IdType="pmc">PMC1</ArticleId>'
    both = identified(ids, location, more=other)
    assert (both.facts["doi"], both.facts["pmcid"]) == ("10.1/id", "PMC1")
    assert both.id == "1"
