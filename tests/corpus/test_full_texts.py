"""The bundled full texts and terms: what the readers get from them, and that no text is a real paper's."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.api.annotating import AnnotatedDocuments
from anagnosis.corpus import carried
from anagnosis.documents.document import Document
from anagnosis.documents.formats.medline import format as medline
from anagnosis.documents.repairs import Repairs
from anagnosis.entities.concepts import NAME_RULES, Concept, concepts
from anagnosis.entities.vocabulary import terms
from anagnosis.io.files import open_input
from anagnosis.language.nupunkt_sentences import split


@pytest.fixture(scope="module")
def articles() -> list[Document]:
    return list(api.read(carried("jats"), full_text=True))


@pytest.fixture(scope="module")
def bundled() -> dict[str, Concept]:
    read = concepts(terms([carried("terms-tsv")], Counter()), NAME_RULES, Counter())
    return {concept.identifier: concept for concept in read}


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> tuple[AnnotatedDocuments, Path]:
    out = tmp_path_factory.mktemp("annotated") / "papers.jsonl"
    done = api.annotate([carried("jats")], out, terms=[carried("terms-tsv")], full_text=True, workers=1)
    return done, out


def test_every_article_has_windows_and_four_are_case_reports(articles: list[Document]) -> None:
    for article in articles:
        body = "\n".join(section.text for section in article.sections if section.label == "body")
        assert sum(len(split(line)) for line in body.splitlines()) >= 40, article.id
    reports = [article for article in articles if article.facts["types"] == "Case Reports"]
    assert len(reports) == 4
    for report in reports:
        last = report.sections[-1]
        assert last.title == "Learning points"
        assert len(last.text.splitlines()) == 4
        assert "Case presentation" in [section.title for section in report.sections]


def test_every_term_stands_in_a_bundled_text(
    bundled: dict[str, Concept], annotated: tuple[AnnotatedDocuments, Path]
) -> None:
    assert len(bundled) == 300
    mentioned = {
        mention.identifier
        for document in (*api.read(annotated[1]), *api.read(carried()))
        for mention in document.mentions
    }
    assert bundled.keys() - mentioned == set()


def test_no_name_belongs_to_two_terms(bundled: dict[str, Concept]) -> None:
    names = Counter(name for concept in bundled.values() for name in {n.lower() for n in concept.names})
    assert [name for name, count in names.items() if count > 1] == []


def test_the_terms_agree_with_the_tagged_abstracts(bundled: dict[str, Concept]) -> None:
    """A bundled name that a person marked in an abstract has the identifier of its term."""
    by_name = {name.lower(): concept.identifier for concept in bundled.values() for name in concept.names}
    marked = [
        (mention.text, mention.identifier)
        for document in api.read(carried())
        for mention in document.mentions
        if mention.text.lower() in by_name and mention.identifier.startswith("MESH:")
    ]
    assert len(marked) > 500
    other = {(text.lower(), identifier) for text, identifier in marked if by_name[text.lower()] != identifier}
    # A sense that the name alone does not show.
    assert other == {("depression", "MESH:D003866"), ("hypersensitivity", "MESH:D004342")}


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
    with gzip.open(data / "e3c/cases.jsonl.gz", "rt", encoding="utf-8") as cases:
        texts += [json.loads(case)["text"] for case in cases]
    papers = api.read(data / "jats/mixed.tar.xz", full_text=True)
    return [*texts, *(section.text for paper in papers for section in paper.sections)]


def test_no_title_or_sentence_is_that_of_a_real_paper(shared: Path, articles: list[Document]) -> None:
    bundled = (*articles, *api.read(carried("medline")))
    ours = {said for document in bundled for section in document.sections for said in told_by(section.text)}
    assert len(ours) > 700
    assert ours.isdisjoint(said for text in real_texts(shared / "data") for said in told_by(text))
