"""What is read of the carried citations' odd elements, and that the citations are ours."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.medline import format as medline
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import open_input

CITATIONS = carried("medline")


def read(data: bytes) -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return list(medline.read(io.BytesIO(data), repairs, CITATIONS.name)), repairs


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return read(CITATIONS.read_bytes())[0]


@pytest.fixture(scope="module")
def by_id(documents: list[Document]) -> dict[str, Document]:
    return {document.id: document for document in documents}


class TestWhatIsRead:
    @each_row(
        ("ident", "facts"),
        [
            ("99000001", {"date": "2021-02-04", "doi": "10.5555/anagnosis.0001", "pmcid": "PMC99000001"}),
            ("99000010", {"date": "2007"}),
            ("99000018", {"title_form": "bracketed", "language": "ger; eng"}),
            ("99000018", {"vernacular_title": "Beeinflusst die Höhe des Krankenhausbetts nächtliche Stürze?"}),
            ("99000019", {"expression_of_concern": "99000086", "erratum": "Ann Imag Med. 2005 Feb;12(2):9"}),
            ("99000020", {"retracted": "99000085", "types": "Journal Article; Retracted Publication"}),
            ("99000032", {"date": "1998-12", "year": "1998"}),
            ("99000039", {"doi": "10.5555/anagnosis.0039", "pmcid": "PMC99000039"}),
            ("99000041", {"date": "1994-07"}),
            ("99000045", {"erratum": "99000087"}),
            ("99000050", {"date": "2021-02"}),
            ("99000080", {"date": "1987-11", "erratum": "Utop Public Health 1988;3:7", "mesh": "Bicycling"}),
            ("99000081", {"journal": "Arch Supposed Physiol", "pmcid": "PMC99000081"}),
            ("99000082", {"doi": "10.5555/anagnosis.0082", "date": "2013-12"}),
            ("99000085", {"notice_of": "99000020"}),
            ("99000086", {"notice_of": "99000019"}),
            ("99000087", {"notice_of": "99000045"}),
            ("99000088", {"deleted": "yes"}),
        ],
    )  # fmt: skip
    def test_facts_of_odd_elements(
        self, by_id: dict[str, Document], ident: str, facts: dict[str, str]
    ) -> None:
        found = by_id[ident].facts
        assert {name: found.get(name) for name in facts} == facts

    @each_row(
        ("ident", "text"),
        [
            ("99000017", "drill – and"),
            (
                "99000017",
                "(n\u2009=\u2009640) filled in a scale of dental fear while they waited. Staff voted",
            ),
            ("99000017", "(P < .40 & no trend by age). Among the 88 most fearful"),
            ("99000017", "1.3 points (P < .05). By"),
            ("99000022", "H2S and CH3SH make the breath smell. Some lactobacilli take them up in vitro."),
            ("99000022", "H2S fell by 41 ng mL-1 with the strain"),
            (
                "99000038",
                "two girths g1, g2 and the height h between them as V=h12π(g12+g1g2+g22). Sixty-four",
            ),
            ("99000061", "An introduction without a label."),
        ],
    )
    def test_markup_formulas_and_references_leave_their_text(
        self, by_id: dict[str, Document], ident: str, text: str
    ) -> None:
        assert text in " ".join(section.text for section in by_id[ident].sections)

    def test_other_abstracts_stand_apart(self, by_id: dict[str, Document]) -> None:
        assert [
            (section.title, section.category)
            for section in by_id["99000018"].sections
            if section.label == "other abstract"
        ] == [
            ("HINTERGRUND", "Publisher ger"),
            ("SCHLUSSFOLGERUNG", "Publisher ger"),
            ("", "plain-language-summary eng"),
        ]

    def test_a_label_without_text_is_kept(self, by_id: dict[str, Document]) -> None:
        assert by_id["99000061"].sections[-1] == Section("abstract", "", "CONCLUSIONS", "CONCLUSIONS")

    def test_written_and_read_again_they_are_the_same(self, documents: list[Document]) -> None:
        stream = io.BytesIO()
        assert medline.write(documents, stream) == {}
        again, repairs = read(stream.getvalue())
        assert again == documents
        assert repairs.refused == 0


class TestThatItIsOurs:
    def test_the_file_is_sound_and_fetches_nothing(self) -> None:
        etree = pytest.importorskip("lxml.etree")
        tree = etree.parse(str(CITATIONS))
        assert (tree.getroot().tag, tree.docinfo.doctype) == ("PubmedArticleSet", "")

    def test_numbers_are_beyond_those_that_pubmed_gives(self, documents: list[Document]) -> None:
        assert {document.id for document in documents} == {
            str(99000000 + number) for number in range(1, 89) if number not in (83, 84)
        }
        assert {fact.split("/")[0] for each in documents for fact in [each.facts.get("doi", "10.5555/")]} == {
            "10.5555"
        }

    def test_headings_are_those_of_the_vocabulary(self, shared: Path, documents: list[Document]) -> None:
        with gzip.open(shared / "data/vocabularies/mesh_descriptors.tsv.gz", "rt", encoding="utf-8") as rows:
            names = dict(row.split("\t")[:2] for row in rows)
        used = {relation.arguments[:2] for each in documents for relation in each.relations}
        assert {ident for ident, name in used if ident and names.get(ident) != name} == set()

    def test_no_title_or_sentence_is_that_of_a_real_paper(
        self, shared: Path, documents: list[Document]
    ) -> None:
        ours = {told for each in documents for section in each.sections for told in told_by(section.text)}
        assert ours.isdisjoint(told for text in real_texts(shared / "data") for told in told_by(text))


def told_by(text: str) -> set[str]:
    """What its sentences say, each by itself, and the whole."""
    pieces = [text.lower(), *text.lower().split(". ")]
    return {said for piece in pieces if len(said := piece.strip(" .?[]")) > 30}


def real_texts(data: Path) -> list[str]:
    texts: list[str] = []
    abstracts = data / "structured_abstracts/structured_abstracts.jsonl.gz"
    with gzip.open(abstracts, "rt", encoding="utf-8") as lines:
        for paper in map(json.loads, lines):
            texts += [paper["title"], *(section["text"] for section in paper["sections"])]
    for path in sorted((data / "medline").glob("*.xml.gz")):
        with open_input(path) as stream:
            texts += [s.text for d in medline.read(stream, Repairs()) for s in d.sections]
    with gzip.open(data / "pubmedqa/ori_pqal.json.gz") as stream:
        for question in json.load(stream).values():
            texts += [question["QUESTION"], *question["CONTEXTS"], question["LONG_ANSWER"]]
    return texts
