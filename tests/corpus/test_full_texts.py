"""The bundled full texts and terms: what the readers get from them, and that the terms are those of MeSH."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from tests.corpus.test_citations_read import real_texts, told_by

from anagnosis import api
from anagnosis.api.annotating import Annotated
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs
from anagnosis.entities.concepts import Concept, concepts
from anagnosis.entities.name_rules import DEFAULT
from anagnosis.entities.vocabulary_files import terms
from anagnosis.language.nupunkt_sentences import split

MESH = ("mesh_descriptors.tsv.gz", "mesh_supplementary_chemicals_sample.tsv.gz")


@pytest.fixture(scope="module")
def articles() -> list[Document]:
    return list(api.read(carried("jats"), full_text=True))


@pytest.fixture(scope="module")
def bundled() -> dict[str, Concept]:
    read = concepts(terms([carried("terms-tsv")], Counter()), DEFAULT, Counter())
    return {concept.identifier: concept for concept in read}


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Annotated, Path]:
    out = tmp_path_factory.mktemp("annotated") / "papers.jsonl"
    done = api.annotate([carried("jats")], out, terms=[carried("terms-tsv")], full_text=True, workers=1)
    return done, out


@pytest.fixture(scope="module")
def built(annotated: tuple[Annotated, Path]) -> Dataset:
    return api.build(
        "bioread", [annotated[1]], annotated[1].with_name("built"), recipe="bioread-demo", workers=1
    )


def test_the_dataset_says_what_its_entities_are_made_of(
    annotated: tuple[Annotated, Path], built: Dataset
) -> None:
    (source,) = annotated[0].origin.terms
    assert source.sha256 == hashlib.sha256(carried("terms-tsv").read_bytes()).hexdigest()
    of_papers = {"terms": [{"name": carried("terms-tsv").name, "sha256": source.sha256}]}
    assert built.receipt.choices["annotated"] == {"papers.jsonl": of_papers}


def test_the_articles_exercise_the_reader(articles: list[Document]) -> None:
    repairs = Repairs()
    assert list(api.read(carried("jats"), full_text=True, repairs=repairs)) == articles
    assert (len(articles), repairs.refused) == (12, 0)
    assert dict(repairs.counts) == {"reference_left_out": 20}
    labels = Counter(section.label for article in articles for section in article.sections)
    assert labels == {
        "title": 12,
        "abstract": 24,
        "body": 73,
        "figure": 12,
        "table": 2,
        "table_cells": 2,
        "box": 1,
        "supplementary": 1,
        "back": 2,
    }
    assert articles[0].facts["subjects"] == "Research article; Endocrinology; Primary care"
    assert articles[0].sections[6].title == "Methods › People"


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
    bundled: dict[str, Concept], annotated: tuple[Annotated, Path]
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


def test_annotating_and_building_give_these_numbers(
    annotated: tuple[Annotated, Path], built: Dataset
) -> None:
    done, _ = annotated
    assert (done.documents, done.concepts, done.mentions) == (12, 300, 1662)
    assert done.counts == {"defined_short_forms": 18}
    instances = {split: list(store.instances(built, split)) for split in ("train", "dev", "test")}
    assert {split: len(of_split) for split, of_split in instances.items()} == {
        "train": 411,
        "dev": 188,
        "test": 197,
    }
    per_article = Counter(instance.document for split in instances.values() for instance in split)
    assert len(per_article) == 12
    assert min(per_article.values()) >= 40


def test_the_terms_are_those_of_mesh(bundled: dict[str, Concept], shared: Path) -> None:
    """Identifier, preferred name and type; synonyms stand there too, or a term of the Disease Ontology refers there."""
    folder = shared / "data" / "vocabularies"
    mesh = {
        c.identifier: c
        for c in concepts(terms([folder / file for file in MESH], Counter()), DEFAULT, Counter())
    }
    referring: dict[str, set[str]] = {}
    for term in terms([folder / "doid.tsv.gz"], Counter()):
        for reference in term.references:
            referring.setdefault(reference, set()).add(term.name)
    for identifier, concept in bundled.items():
        theirs = mesh[identifier.removeprefix("MESH:")]
        assert (concept.name, concept.types) == (theirs.name, theirs.types[:1])
        assert {*concept.names} <= {*theirs.names, *referring.get(identifier, ())}, identifier


def test_the_articles_are_ours(articles: list[Document]) -> None:
    root = pytest.importorskip("lxml.etree").parse(str(carried("jats")))
    assert (root.getroot().tag, root.docinfo.doctype) == ("articles", "")
    assert [article.id for article in articles] == [f"PMC{99100000 + number}" for number in range(1, 13)]
    assert {article.facts["doi"].split("/")[0] for article in articles} == {"10.5555"}
    assert {article.facts["journal"] for article in articles} == {"Journal of Invented Full Texts"}


def test_no_title_or_sentence_is_that_of_a_real_paper(shared: Path, articles: list[Document]) -> None:
    ours = {said for article in articles for section in article.sections for said in told_by(section.text)}
    assert len(ours) > 700
    texts = real_texts(shared / "data")
    with gzip.open(shared / "data/e3c/cases.jsonl.gz", "rt", encoding="utf-8") as cases:
        texts += [json.loads(case)["text"] for case in cases]
    for paper in api.read(shared / "data/jats/mixed.tar.xz", full_text=True):
        texts += [section.text for section in paper.sections]
    assert ours.isdisjoint(said for text in texts for said in told_by(text))
