"""Documents written as PubMed XML: what was read comes back, and what the format cannot hold is counted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.documents.formats.medline import format as medline
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import open_input

SAMPLES = Path(__file__).parents[3] / "samples"


def read(data: bytes) -> list[Document]:
    repairs = Repairs()
    documents = list(medline.read(io.BytesIO(data), repairs))
    assert repairs.refused == 0
    return documents


def written(documents: list[Document]) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = medline.write(documents, stream)
    return stream.getvalue(), losses


def test_the_carried_file_comes_back() -> None:
    documents = read((SAMPLES / "medline/citations.xml").read_bytes())
    data, losses = written(documents)
    assert losses == {}
    assert read(data) == documents


def test_what_is_written_has_the_order_of_the_dtd() -> None:
    data, _ = written(read((SAMPLES / "medline/citations.xml").read_bytes())[5:6])
    assert data.decode() == (
        '<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n  <PubmedArticle>\n    <MedlineCitation>\n'
        '      <PMID Version="1">90000006</PMID>\n      <Article>\n        <Journal>\n'
        "          <JournalIssue><PubDate><Year>2019</Year><Month>04</Month></PubDate></JournalIssue>\n"
        "          <Title>Soup</Title>\n        </Journal>\n"
        "        <ArticleTitle>Water cures everything.</ArticleTitle>\n        <Language>eng</Language>\n"
        "        <PublicationTypeList>\n          <PublicationType>Retracted Publication</PublicationType>\n"
        "        </PublicationTypeList>\n      </Article>\n      <CommentsCorrectionsList>\n"
        '        <CommentsCorrections RefType="RetractionIn"><PMID>90000007</PMID></CommentsCorrections>\n'
        '        <CommentsCorrections RefType="RetractionIn"><RefSource>Stew. 2020 Jan 2;3(1):4</RefSource>'
        "</CommentsCorrections>\n"
        '        <CommentsCorrections RefType="PartialRetractionIn"><PMID>90000903</PMID></CommentsCorrections>\n'
        '        <CommentsCorrections RefType="ExpressionOfConcernIn"><PMID>90000902</PMID></CommentsCorrections>\n'
        '        <CommentsCorrections RefType="ErratumIn"><RefSource>Soup. 2019;1:9</RefSource>'
        "</CommentsCorrections>\n"
        '        <CommentsCorrections RefType="UpdateIn"><PMID>90000904</PMID></CommentsCorrections>\n'
        "      </CommentsCorrectionsList>\n    </MedlineCitation>\n    <PubmedData>\n      <ReferenceList>\n"
        '        <Reference><ArticleIdList><ArticleId IdType="pubmed">90000905</ArticleId></ArticleIdList>'
        "</Reference>\n"
        "      </ReferenceList>\n    </PubmedData>\n  </PubmedArticle>\n</PubmedArticleSet>\n"
    )


def test_headings_are_written_with_their_qualifiers() -> None:
    headings = (
        Relation("mesh", ("D006606", "Hiccup", "", "*prevention & control", "physiopathology")),
        Relation("mesh", ("", "Water", "major")),
    )
    data, losses = written([Document("5", (Section("title", "T."),), relations=headings)])
    assert losses == {}
    inside = data.decode().partition("<MeshHeadingList>")[2].partition("</MeshHeadingList>")[0]
    assert [line.strip() for line in inside.strip().splitlines()] == [
        "<MeshHeading>",
        '<DescriptorName UI="D006606" MajorTopicYN="N">Hiccup</DescriptorName>',
        '<QualifierName MajorTopicYN="Y">prevention &amp; control</QualifierName>',
        '<QualifierName MajorTopicYN="N">physiopathology</QualifierName>',
        "</MeshHeading>",
        "<MeshHeading>",
        '<DescriptorName MajorTopicYN="Y">Water</DescriptorName>',
        "</MeshHeading>",
    ]


def test_what_the_format_cannot_hold_is_told_by_name() -> None:
    document = Document(
        "1",
        (Section("abstract", "Two  blanks.", "METHODS", "METHODS"), Section("body", "A\x0bB")),
        (Mention(((0, 3),), "Two", "Chemical", "D1"),),
        (Relation("CID", ("D1", "D2")),),
        {"license": "CC0", "mesh": "Soup"},
    )
    data, losses = written([document])
    assert losses == {
        "mention": 1,
        "relation": 1,
        "fact": 2,
        "title_added": 1,
        "section_text": 2,
        "section_label": 1,
    }
    assert read(data)[0].sections == (
        Section("title", ""),
        Section("abstract", "Two blanks.", "METHODS", "METHODS"),
        Section("abstract", "A B"),
    )


def test_sections_in_another_order_are_sorted_and_counted() -> None:
    other, late = Section("other abstract", "Anders.", "", "Publisher ger"), Section("abstract", "Late.")
    data, losses = written([Document("1", (Section("title", "A"), other, late))])
    assert losses == {"section_order": 1}
    assert read(data)[0].sections == (Section("title", "A"), late, other)


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    [
        "pubmed21n1298_excerpt.xml.gz",
        "pubmed20n0014_excerpt.xml.gz",
        "pubmedsample18n0001.xml.gz",
        "pubmedsample19n0001.xml.gz",
    ],
)
def test_real_files_come_back(shared: Path, name: str) -> None:
    with open_input(shared / "data/medline" / name) as stream:
        documents = list(medline.read(stream, Repairs()))
    data, losses = written(documents)
    assert losses == {}
    assert read(data) == documents
