"""Counts over hundreds of papers equal those over a list of all matching passages."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.searching.engines.matching import count_facets

from anagnosis.searching.engines import Engine
from anagnosis.searching.engines import embedded as module
from anagnosis.searching.engines.embedded import paper_numbers
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import Query, Word
from anagnosis.searching.records.hits import Counts, Facets, Matches
from anagnosis.searching.records.passage import Passage

_WORDS = ("tea", "sleep", "salt", "fever", "walk", "milk")
_SECTIONS = ("title", "abstract", "results", "other")
_PAPERS = 300


def paper(draw: random.Random, ident: str) -> list[Passage]:
    facts = {
        "date": draw.choice(("2019", "2020-03", "2021-05-06", "")),
        "journal": draw.choice(("Journal of Tea", "Salt", "Fever Letters", "")),
        "types": draw.choice(("Review", "Trial; Review", "Letter", "")),
    }
    facts = {name: value for name, value in facts.items() if value}
    return [
        Passage(ident, number, draw.choice(_SECTIONS), "", "", " ".join(draw.sample(_WORDS, 2)), facts)
        for number in range(draw.choice((1, 1, 2, 5)))
    ]


def fill(engine: Engine, draw: random.Random) -> None:
    """Papers in three commits, of which some are replaced or deleted."""
    for number in range(_PAPERS):
        engine.add(paper(draw, str(number)), "m")
    engine.commit()
    for number in draw.sample(range(_PAPERS), 60):
        engine.delete(str(number))
        if number % 2:
            engine.add(paper(draw, str(number)), "m")
    engine.commit()
    engine.close()
    engine.begin()  # a writer that does not know the last slot
    for number in range(_PAPERS, _PAPERS + 50):
        engine.add(paper(draw, str(number)), "m")
    engine.commit()


def listed(engine: Engine, word: str, filters: Filters) -> Facets:
    """The counts, from a list of all matching passages."""
    return count_facets([hit.passage for hit in engine.search(words_query(word), filters, 10_000)], 10)


@pytest.mark.parametrize(("at_once", "most_slots"), [(60_000, 4), (1, 4), (60_000, 1), (1, 1)])
def test_counts_are_those_of_a_list_of_all_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int, most_slots: int
) -> None:
    monkeypatch.setattr(paper_numbers, "_BUCKETS", at_once)
    monkeypatch.setattr(paper_numbers, "_MOST_SLOTS", most_slots)
    engine: Engine = module.create(tmp_path / "engine")
    fill(engine, random.Random(7))
    for word in _WORDS:
        for filters in (Filters(), Filters(since="2020"), Filters(sections=("results",))):
            expected = listed(engine, word, filters)
            assert engine.facets(words_query(word), filters, 10) == expected
            assert engine.facets(words_query(word), filters, 0).matches == expected.matches
    assert sum(facet.papers for facet in listed(engine, "tea", Filters()).years) > 20
    engine.close()


@pytest.mark.parametrize("written", [1, 9])
def test_numbers_of_entries_stay_low_however_often_papers_are_written(tmp_path: Path, written: int) -> None:
    engine = module.create(tmp_path / "engine")
    for time in range(written):
        for number in range(40):
            text = "tea" if number % 2 else "salt"
            engine.delete(str(number))
            engine.add([Passage(str(number), 0, "abstract", "", "", f"{text} {time}")], "m")
        engine.commit()
    numbers = getattr(engine, "_commit")()._numbers  # noqa: B009 (private)
    assert numbers.size == numbers.count == 40
    assert numbers.entries(numbers.queries.every()).tolist() == list(range(40))
    last = str(written - 1)
    assert engine.facets(words_query("tea"), Filters(), 0).matches == Matches(20, 20)
    without = Query((Word("tea"),), (Word(last),), (Word("salt"),))
    assert engine.facets(without, Filters(), 0).matches == Matches(20, 20)
    assert len(engine.search(without, Filters(), 100)) == 20
    engine.close()


class Interleaved:
    """An index of the library, where another thread opens a later commit just after a searcher was given."""

    def __init__(self, index: Any, number: int, then: Callable[[], object]) -> None:
        self._index, self._left, self._then = index, number, then

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def searcher(self) -> Any:
        searcher = self._index.searcher()
        self._left -= 1
        if not self._left:
            self._then()
        return searcher


@pytest.mark.parametrize("number", [1, 2])
def test_counts_are_of_the_last_commit_though_another_thread_opened_it_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    tea = words_query("tea")
    writer: Engine = module.create(tmp_path / "engine")
    writer.add([Passage("1", 0, "abstract", "", "", "tea")], "m")
    writer.commit()
    reader = module.open(tmp_path / "engine")

    def commit() -> None:
        writer.add([Passage("2", 0, "abstract", "", "", "tea")], "m")
        writer.commit()
        assert reader.committed().counts == Counts(2, 2)

    index = Interleaved(getattr(reader, "_index"), number, commit)  # noqa: B009 (private)
    monkeypatch.setattr(reader, "_index", index)
    assert reader.facets(tea, Filters(), 0).matches in (Matches(1, 1), Matches(2, 2))
    assert reader.facets(tea, Filters(), 0).matches == Matches(2, 2)
    writer.close()
    reader.close()
