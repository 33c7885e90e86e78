"""The bundled full texts and terms: what the readers get from them, and that the terms are those of MeSH."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from tests.corpus.test_citations_read import real_texts, told_by

from anagnosis import api
from anagnosis.api.annotating import AnnotatedDocuments
from anagnosis.corpus import carried
from anagnosis.documents.document import Document
from anagnosis.entities.concepts import NAME_RULES, Concept, concepts
from anagnosis.entities.vocabulary_files import terms
from anagnosis.language.nupunkt_sentences import split

MESH = ("mesh_descriptors.tsv.gz", "mesh_supplementary_chemicals_sample.tsv.gz")


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
    reports = [article for article in articles if article.facts["types"] == "case-report"]
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


def test_the_terms_are_those_of_mesh(bundled: dict[str, Concept], shared: Path) -> None:
    """Identifier, preferred name and type; synonyms stand there too, or a term of the Disease Ontology refers there."""
    folder = shared / "data" / "vocabularies"
    mesh = {
        c.identifier: c
        for c in concepts(terms([folder / file for file in MESH], Counter()), NAME_RULES, Counter())
    }
    referring: dict[str, set[str]] = {}
    for term in terms([folder / "doid.tsv.gz"], Counter()):
        for reference in term.references:
            referring.setdefault(reference, set()).add(term.name)
    for identifier, concept in bundled.items():
        theirs = mesh[identifier.removeprefix("MESH:")]
        assert (concept.name, concept.types) == (theirs.name, theirs.types[:1])
        assert {*concept.names} <= {*theirs.names, *referring.get(identifier, ())}, identifier


def test_no_title_or_sentence_is_that_of_a_real_paper(shared: Path, articles: list[Document]) -> None:
    ours = {said for article in articles for section in article.sections for said in told_by(section.text)}
    assert len(ours) > 700
    texts = real_texts(shared / "data")
    with gzip.open(shared / "data/e3c/cases.jsonl.gz", "rt", encoding="utf-8") as cases:
        texts += [json.loads(case)["text"] for case in cases]
    for paper in api.read(shared / "data/jats/mixed.tar.xz", full_text=True):
        texts += [section.text for section in paper.sections]
    assert ours.isdisjoint(said for text in texts for said in told_by(text))
