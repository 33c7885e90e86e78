"""What is read of the carried citations' odd elements, and that the citations are ours."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from anagnosis.corpus import carried
from anagnosis.documents.document import Document
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


class TestThatItIsOurs:
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
