"""The list of what papers conclude."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row
from tests.searching.engines.contract_trial import index_of

from anagnosis.documents.document import Document, Section
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.conclusions.listing import conclusions
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index

IMPROVES = "Does metformin improve oocyte maturation?"
# document → (title, conclusion, whether it is listed)
PAPERS = {
    "plain": ("Metformin and oocytes", "Metformin improved oocyte maturation.", True),
    "denied": ("Metformin and mice", "Metformin did not improve oocyte maturation.", True),
    "other-drug": ("Letrozole", "Letrozole improved oocyte maturation.", False),
}


def concluded(name: str, title: str, text: str, **facts: str) -> Document:
    return Document(name, (Section("title", title), Section("abstract", text, "CONCLUSIONS")), facts=facts)


OTHERS = [Document(f"else-{n}", (Section("abstract", f"Sheep ate hay {n}."),)) for n in range(20)]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    papers = [concluded(name, title, text) for name, (title, text, _) in PAPERS.items()]
    return index_of(tmp_path / "index", *papers, *OTHERS)


def test_each_paper_about_the_question_is_listed_with_its_conclusion(index: Index) -> None:
    read = index.read(IMPROVES)
    hits = highlighted(index, read.topic, index.search(read, Filters(), READ))
    listed = conclusions(index, read.topic, hits)
    assert {one.document: one.evidence and one.evidence.text for one in listed.papers} == {
        name: text for name, (_, text, is_listed) in PAPERS.items() if is_listed
    }


# question → document → (title, conclusion, its population if it is another one)
POPULATIONS = {
    "Does metformin improve glycaemic control in adults?": {
        "asked": ("Metformin in men", "Metformin improved glycaemic control.", ""),
        "children": ("Metformin in children", "Metformin improved glycaemic control.", "in children"),
        "rats": ("Metformin in rats", "Metformin improved glycaemic control.", "in rats"),
    },
    "Does metformin improve glycaemic control?": {
        "rats": ("Metformin in rats", "Metformin improved glycaemic control.", "in rats"),
        "tagged": ("Metformin", "Metformin improved glycaemic control.", "in mice"),
    },
}  # fmt: skip


@each_row(("question", "papers"), POPULATIONS.items())
def test_other_populations_are_named(
    tmp_path: Path, question: str, papers: dict[str, tuple[str, str, str]]
) -> None:
    facts = {"tagged": {"mesh": "Animals; Mice"}}
    written = [concluded(name, *own[:2], **facts.get(name, {})) for name, own in papers.items()]
    made = index_of(tmp_path / "index", *written, *OTHERS)
    read = made.read(question)
    hits = highlighted(made, read.topic, made.search(read, Filters(), READ))
    listed = conclusions(made, read.topic, hits).papers
    expected = {name: population for name, (_, _, population) in papers.items()}
    assert {one.document: one.population for one in listed} == expected
