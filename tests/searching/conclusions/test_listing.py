"""The list of what papers conclude, with a reader that supports whatever the guard allows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.searching.conclusions.papers import paper

from anagnosis.documents.document import Document, Section
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.conclusions.listing import conclusions, meant_here
from anagnosis.searching.conclusions.stance import FORMAT, StanceReader, StanceWeights
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.conclusions import NOT_EARNED, SUPPORTS, UNCLEAR, StanceFigures
from anagnosis.searching.records.expansion import Equivalent

FIGURES = StanceFigures(200, 0.6, 0.9, 0.84, 0.94, 0.5, 0.7, 0.72, "invented questions", "2026-01-02")
ALWAYS = StanceReader(StanceWeights(FORMAT, {"": 9.0}, 0.7, (), FIGURES))
IMPROVES = "Does metformin improve oocyte maturation?"
# document → (title, conclusion, stance)
PAPERS = {
    "plain": ("Metformin and oocytes", "Metformin improved oocyte maturation.", SUPPORTS),
    "denied": ("Metformin and mice", "Metformin did not improve oocyte maturation.", UNCLEAR),
    "other-drug": ("Letrozole", "Letrozole improved oocyte maturation.", None),
}


@pytest.fixture
def index(tmp_path: Path) -> Index:
    made = create_index(tmp_path / "index")
    for name, (title, text, _) in PAPERS.items():
        sections = (Section("title", title), Section("abstract", text, "CONCLUSIONS"))
        made.add(Document(name, sections), Counter())
    for number in range(20):
        made.add(Document(f"else-{number}", (Section("abstract", f"Sheep ate hay {number}."),)), Counter())
    made.commit()
    return made


def test_each_paper_about_the_question_has_its_stance(index: Index) -> None:
    read = index.read(IMPROVES)
    hits = highlighted(index, read.topic, index.search(read, Filters(), READ))
    listed = conclusions(index, read.topic, hits, ALWAYS)
    assert {one.document: one.stance for one in listed.papers} == {
        name: stance for name, (_, _, stance) in PAPERS.items() if stance is not None
    }
    assert listed.figures == FIGURES


def test_a_reader_that_fails_over_a_collection_gives_no_stance_unless_it_is_measured(index: Index) -> None:
    failed = StanceReader(replace(ALWAYS.fitted, over_collection=replace(FIGURES, decided=0.4)))
    read = index.read(IMPROVES)
    hits = highlighted(index, read.topic, index.search(read, Filters(), READ))
    listed = conclusions(index, read.topic, hits, failed)
    assert (listed.off, listed.figures, {one.stance for one in listed.papers}) == (NOT_EARNED, None, {None})
    measured = conclusions(index, read.topic, hits, failed, unearned=True)
    assert {one.stance for one in measured.papers} == {SUPPORTS, UNCLEAR}


def test_an_abbreviation_that_a_paper_defines_as_something_else_is_no_name_of_the_question() -> None:
    same = [Equivalent(frozenset({"dexamethason"}), (("dex",), ("decadron",)))]
    other = paper(("METHODS", "We gave dexmedetomidine (DEX) to all."))
    assert meant_here(same, other) == [Equivalent(frozenset({"dexamethason"}), (("decadron",),))]
    assert meant_here(same, paper(("METHODS", "We gave dexamethasone (DEX)."))) == same
    assert meant_here(same, paper(("METHODS", "We gave DEX."))) == same
    assert meant_here([Equivalent(frozenset({"dexamethason"}), (("dex",),))], other) == []
    assert meant_here([], other) == []
