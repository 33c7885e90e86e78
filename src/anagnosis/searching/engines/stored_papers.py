"""What callers read of papers that an engine has stored. What was cut lately stays in memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from anagnosis.searching.engines import Engine
from anagnosis.searching.papers.bm25 import CONTENT, stems_in
from anagnosis.searching.papers.joined import ShownPaper, shown
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.records.passage import Paper, Passage

_REMEMBERED = 400  # papers; those of one question are read several times
PassageKey = tuple[str, int]  # a paper, and the number of a passage in it


shown_paper = lru_cache(_REMEMBERED)(shown)


@lru_cache(_REMEMBERED)
def words_of_passages(stored: StoredPaper) -> list[list[str]]:
    """The words of a paper's passages (bm25.stems_in)."""
    return stems_in(shown_paper(stored).passages)


def stored_paper(engine: Engine, name: str) -> ShownPaper | None:
    """The paper of a name; None without one."""
    (stored,) = engine.papers([name])
    return None if stored is None else shown_paper(stored)


def stored_passages(engine: Engine, name: str) -> list[Passage]:
    """The passages of a paper in order; [] without such a paper."""
    paper = stored_paper(engine, name)
    return [] if paper is None else paper.passages


def passages_of(engine: Engine, places: Sequence[PassageKey]) -> list[Passage | None]:
    """The passages at these places; None for each that does not exist."""
    names = [*dict.fromkeys(name for name, _ in places)]
    papers = zip(names, engine.papers(names), strict=True)
    there = {name: shown_paper(stored).passages for name, stored in papers if stored is not None}
    return [next(iter(there.get(name, [])[number : number + 1]), None) for name, number in places]


def papers_of(engine: Engine, names: Sequence[str]) -> list[Paper | None]:
    """The facts of these papers; None for each that does not exist."""
    return [None if stored is None else shown_paper(stored).paper for stored in engine.papers(names)]


def frequency(engine: Engine, words: Sequence[str]) -> list[float]:
    """About how many passages have each of some words."""
    rarity = engine.rarity(words)
    return [rarity.passages_with(CONTENT, word) for word in words]
