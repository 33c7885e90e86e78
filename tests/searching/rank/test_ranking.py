"""Papers in the order of their best passages, and two rankings in one, by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from anagnosis.documents.document import Document, Section
from anagnosis.searching.engines import Scored
from anagnosis.searching.filters import Filters
from anagnosis.searching.papers.bm25 import CONTENT, Rarity
from anagnosis.searching.papers.records import StoredPaper, record_of
from anagnosis.searching.queries.tree import Query, Word
from anagnosis.searching.rank.ranking import SCORED, ranked_papers, weighted
from anagnosis.searching.records.hits import Hit

RARITY = Rarity(100, 200, 6_000, {(CONTENT, "tea"): 10})
TEA = Query((Word("tea"),))


def found(*texts: str, dates: Sequence[str] = ()) -> list[Scored]:
    """Papers "0", "1", …, each with an abstract and a second text behind "|", scored by the engine 100, 99, …"""
    papers = list[Scored]()
    for number, text in enumerate(texts):
        abstract, _, body = text.partition("|")
        sections = Section("abstract", abstract), Section("methods", body)
        facts = {"date": dates[number]} if dates else {}
        record = record_of(Document(str(number), sections, facts=facts), "jats", 1)
        papers.append(Scored(100.0 - number, StoredPaper(str(number), (record,))))
    return papers


def places(papers: list[list[Hit]]) -> list[list[str]]:
    return [[hit.passage.id for hit in hits] for hits in papers]


def test_the_best_passage_decides_and_others_with_a_word_follow() -> None:
    papers = found("Coffee.|Tea.", "Tea and tea.|Tea for two, with some milk in it.", "Coffee.|")
    assert places(ranked_papers(papers, RARITY, TEA, Filters())) == [["1#0", "1#1"], ["0#1"], ["2#0"]]


def test_equal_scores_come_by_name_and_number() -> None:
    for papers in (there := found("Tea.|Tea.", "Tea.")), there[::-1]:
        assert places(ranked_papers(papers, RARITY, TEA, Filters())) == [["0#0", "0#1"], ["1#0"]]


def test_a_list_by_date_keeps_its_order_and_sorts_papers_of_one_day_by_score() -> None:
    papers = found("Tea and coffee.", "Tea and tea.", dates=("2021", "2020"))
    assert places(ranked_papers(papers, RARITY, TEA, Filters(), reorder=False)) == [["0#0"], ["1#0"]]
    papers = found("Tea and coffee.", "Tea and tea.")
    assert places(ranked_papers(papers, RARITY, TEA, Filters(), reorder=False)) == [["1#0"], ["0#0"]]


def test_a_section_leaves_out_papers_without_the_words_there_and_looks_behind_the_first() -> None:
    papers = found(*["Tea.|Coffee."] * (SCORED + 5), "Coffee.|Tea.")
    assert places(ranked_papers(papers, RARITY, TEA, Filters(sections=("methods",)))) == [[f"{SCORED + 5}#1"]]


def test_conditions_alone_show_all_passages() -> None:
    assert places(ranked_papers(found("Tea.|Coffee."), RARITY, Query(), Filters())) == [["0#0", "0#1"]]


def test_papers_behind_the_first_follow_them_in_the_engine_s_order() -> None:
    papers = ranked_papers(
        found(*["Tea."] * SCORED, "Tea and tea.|Tea.", "Tea tea tea."), RARITY, TEA, Filters()
    )
    assert places(papers)[SCORED:] == [[f"{SCORED}#0"], [f"{SCORED + 1}#0"]]
    scores = [hits[0].score for hits in papers]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0


def test_a_weighted_sum_is_of_shares_of_the_best() -> None:
    found = weighted({"a": 8.0, "b": 2.0}, {"b": 0.5, "c": 0.2, "d": -0.5})
    assert found == pytest.approx(
        {
            "a": 0.7 * 0.5 / 1.5 + 0.3,  # no vector: as the worst that has one
            "b": 0.7 + 0.3 * 0.25,
            "c": 0.7 * 1.2 / 1.5,
            "d": 0.7 * 0.5 / 1.5,
        }
    )


def test_one_ranking_alone_keeps_its_order() -> None:
    assert weighted({}, {"a": 0.9, "b": 0.1})["a"] == pytest.approx(0.7)
    words = weighted({"a": 3.0, "b": 1.0}, {})
    assert words["a"] > words["b"]
    assert weighted({}, {}) == {}
    assert weighted({"a": 0.0}, {"a": -1.0}) == {"a": 0.0}
