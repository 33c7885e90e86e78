"""From documents to decisions: each rule drops what it names, versions and deletions count, the same bytes any way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import VIEWS, DecisionInstance, posed
from anagnosis.datasets.pubmedqa.build import version_read
from anagnosis.documents.document import Document, Relation, Section
from anagnosis.documents.formats import jsonl
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SECTIONS = (
    Section("abstract", "Nobody knows.", "BACKGROUND", "BACKGROUND"),
    Section("abstract", "We asked forty people.", "METHODS", "METHODS"),
    Section("abstract", "Most of them agreed.", "RESULTS", "RESULTS"),
    Section("abstract", "It seems so.", "CONCLUSIONS", "CONCLUSIONS"),
)
ASKS = "Does a walk before breakfast ease back pain?"
STATES = "A walk before breakfast does not ease back pain."


def document(number: int, title: str, sections: Iterable[Section] = SECTIONS, **facts: str) -> Document:
    given = {"version": "1", "date": "2020-05", "year": "2020", "language": "eng", "mesh": "Humans; Walking"}
    held = {name: value for name, value in {**given, **facts}.items() if value}
    mesh = tuple(Relation("mesh", (f"D{at}", name, "")) for at, name in enumerate(given["mesh"].split("; ")))
    return Document(str(number), (Section("title", title), *sections), relations=mesh, facts=held)


def written(path: Path, documents: Iterable[Document]) -> Path:
    with path.open("wb") as stream:
        jsonl.write(documents, stream)
    return path


def built(folder: Path, *documents: Document, **settings: Any) -> store.Dataset:
    source = written(folder / "citations.jsonl", documents)
    return api.build("pubmedqa", [source], folder / "built", settings=settings, workers=1)


def test_a_title_that_asks_is_unlabelled_and_one_that_states_is_labelled_by_rule(tmp_path: Path) -> None:
    dataset = built(tmp_path, document(1, ASKS), document(2, STATES))
    asked, made = store.instances(dataset, store.ALL, of=DecisionInstance)
    assert (asked.subset, asked.question, asked.label) == ("U", ASKS, None)
    assert (made.subset, made.question, made.label) == ("A", ASKS, "no")
    assert (asked.title, made.title) == (None, STATES)
    assert STATES not in str([posed(made, view) for view in VIEWS])
    assert [(section.label, section.text) for section in asked.context] == [
        (section.title, section.text) for section in SECTIONS[:3]
    ]
    assert (asked.long_answer, asked.mesh, asked.year, asked.date) == (
        "It seems so.",
        ("Humans", "Walking"),
        "2020",
        "2020-05",
    )


def test_the_newest_version_wins_wherever_it_stands_and_a_deletion_counts(tmp_path: Path) -> None:
    gone = Document("3", (), facts={"deleted": "yes"})
    dataset = built(
        tmp_path,
        document(1, f"{ASKS} Second", version="2"),
        document(1, ASKS),
        document(2, ASKS),
        document(2, f"{ASKS} Later"),
        document(3, ASKS),
        gone,
    )
    receipt = dataset.receipt
    assert [instance.question for instance in store.instances(dataset, store.ALL)] == [
        f"{ASKS} Second",
        f"{ASKS} Later",
    ]
    assert receipt.documents.dropped == {"deleted_citation": 1, "superseded_citation": 2}
    assert receipt.repairs["deleted_pmid"] == 1


def test_a_newer_version_that_a_rule_drops_takes_the_older_one_with_it(tmp_path: Path) -> None:
    given = (
        document(1, ASKS),
        document(1, ASKS, [Section("abstract", "One block of text.")], version="2"),
        document(2, ASKS),
    )
    counts = built(tmp_path, *given).receipt.documents
    assert counts.dropped == {"unstructured": 1, "superseded_citation": 1}


def test_splits_by_date_take_the_documents_own_dates(tmp_path: Path) -> None:
    found = [
        document(number, ASKS, date=str(2000 + number), year=str(2000 + number)) for number in range(1, 11)
    ]
    weights = {"train": 8, "dev": 1, "test": 1}
    dataset = built(tmp_path, *reversed(found), split="date", split_weights=weights)
    assert [i.date for i in store.instances(dataset, "test")] == ["2010"]
    assert dataset.receipt.choices["last_date"] == "2010"


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"questions": False, "statements": False}, "neither questions nor statements are wanted"),
        ({"since": "2020-13"}, "since"),
    ],
)
def test_choices_that_cannot_be(tmp_path: Path, settings: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError, match=what):
        built(tmp_path, document(1, ASKS), **settings)


@pytest.mark.parametrize(
    ("facts", "version"),
    [
        ({}, 1),
        ({"version": "3"}, 3),
        ({"version": "0"}, 1),
        ({"version": "v2"}, 1),
        ({"version": "9" * 40}, 1),
        ({"deleted": "yes", "version": "3"}, 0),
    ],
)
def test_what_is_no_version_of_a_paper_is_its_first(facts: dict[str, str], version: int) -> None:
    assert version_read(Document("1", (), facts=facts)) == version
