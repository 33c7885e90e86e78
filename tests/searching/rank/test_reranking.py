"""Reading the best passages once more: features worked out by hand, the order by weights, and errors."""

from __future__ import annotations

import json

import pytest
from tests.searching.engines.contract_trial import PAPERS

from anagnosis.errors import InputError
from anagnosis.io.checksums import write_checked_json
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.asked import read_query
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import Query, Word
from anagnosis.searching.rank import ranking
from anagnosis.searching.rank.ranking import RERANKED, by_reading
from anagnosis.searching.rank.reranking import (
    BY_WORDS,
    FEATURES,
    FILE,
    RerankingWeights,
    features,
    load_weights,
    value,
)
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import words_of


def seen(index: Index, question: str, passage: Passage, *, score: float = 2.0) -> dict[str, float]:
    (row,) = features(index.engine, question, [(passage, score)], [0.25])
    return dict(zip(FEATURES, row, strict=True))


def test_features_of_a_passage_worked_out_by_hand(index: Index) -> None:
    passage = Passage(
        "9", 0, "abstract", "", "Sleep", "Cold tea was given to 40 adults. Sleep was not longer."
    )
    found = seen(index, "cold tea and sleep in 40 people", passage)
    words = index.engine.frequency(words_of("cold tea sleep 40 people"))
    assert words[3:] == [0, 0]  # nobody has them, so they weigh most and alike
    assert found["first"] == 1.0
    assert found["cosine"] == 0.25
    assert found["numbers"] == 1.0
    # cold-tea, tea-sleep, sleep-40, 40-people: the first alone.
    assert found["pairs"] == 0.25
    # All but "people"; the first sentence lacks "sleep" too, which weighs something.
    assert 0.5 < found["best"] < found["whole"] < 1.0


@pytest.mark.parametrize("question", ["", "?", "the", "12"])
def test_a_question_of_nothing_has_features_between_nought_and_one(index: Index, question: str) -> None:
    passage = Passage("9", 0, "abstract", "", "", "Nothing of it.")
    found = seen(index, question, passage, score=0.0)
    assert all(0.0 <= feature <= 1.0 for feature in found.values())


def test_an_index_without_vectors_is_read_after_its_words(index: Index) -> None:
    question = "does cold tea change sleep"
    first = index.engine.search(words_query(question), Filters(), 10)
    again = index.search(question, ranking=RERANKED)
    assert {hit.passage.id for hit in first} == {hit.passage.id for hit in again}
    assert [hit.score for hit in again] == sorted((hit.score for hit in again), reverse=True)
    rows = features(index.engine, question, [(hit.passage, hit.score) for hit in first], [0.0] * len(first))
    best = max(range(len(rows)), key=lambda number: value(BY_WORDS, rows[number]))
    assert again[0].passage == first[best].passage
    assert [ident for ident, _ in index.documents(question, 2, ranking=RERANKED)] == list(
        dict.fromkeys(hit.passage.document for hit in again)
    )[:2]


def test_fewer_asked_for_are_the_first_of_more(index: Index) -> None:
    every = index.search("sleep and tea", ranking=RERANKED, limit=10)
    assert len(every) > 2
    for limit in range(len(every)):
        assert index.search("sleep and tea", ranking=RERANKED, limit=limit) == every[:limit]


def test_filters_hold(index: Index) -> None:
    found = index.search("sleep", Filters(documents=("4",)), ranking=RERANKED)
    assert {hit.passage.document for hit in found} == {"4"}


def test_what_is_not_read_comes_after_as_it_was(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    first = index.engine.search(Query((Word("sleep"), Word("tea"))), Filters(), 10)
    monkeypatch.setattr(ranking, "READ", 2)
    found = by_reading(index.engine, None, read_query("sleep tea"), Filters(), 10, BY_WORDS)
    assert {hit.passage.id for hit in found[:2]} == {hit.passage.id for hit in first[:2]}
    assert found[2:] == first[2:]
    assert found[1].score >= found[2].score


def test_weights_in_the_index_make_the_order(index: Index) -> None:
    question = "tea and walk and sleep"
    upside_down = RerankingWeights((-1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    write_checked_json(index.folder / FILE, upside_down)
    first = index.engine.search(words_query(question), Filters(), 10)
    assert len({hit.score for hit in first}) == len(first) > 2
    found = index.search(question, ranking=RERANKED)
    assert [hit.passage.id for hit in found] == [hit.passage.id for hit in reversed(first)]


@pytest.mark.parametrize(
    ("kept", "encoder", "told"),
    [
        ('{"features": [1,1,1,1,1,1], "encoder": "abc"}', "abd", "fitted on other vectors"),
        (
            '{"features": [1,1,1,1,1,1], "encoder": "abc"}',
            "",
            "fitted with vectors, which are not here or need torch",
        ),
        ('{"features": [1,1,1,1,1,1]}', "abc", "fitted on a ranking by words alone"),
        ('{"features": [1,1]}', "", "made by another version"),
        (
            '{"features": [1,1,1,1,1,1], "vector": [1], "encoder": "abc"}',
            "abc",
            "of 1 numbers of a vector, which has 8 here",
        ),
        ('{"features": [1,1,1,1,1,1], "vector": [1]}', "", "of 1 numbers of a vector"),
        ('{"features": "many"}', "", "fit them again"),
    ],
)
def test_weights_that_do_not_fit_are_refused(index: Index, kept: str, encoder: str, told: str) -> None:
    write_checked_json(index.folder / FILE, json.loads(kept))
    with pytest.raises(InputError) as fault:
        load_weights(index.folder, encoder, 8 if encoder else 0)
    assert told in str(fault.value)
    assert "fit-reranking" in str(fault.value)


def test_weights_that_do_not_fit_are_refused_as_the_ranking_is_chosen(
    index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    from anagnosis.cli import run

    write_checked_json(index.folder / FILE, RerankingWeights((1,) * 6, encoder="abc"))
    assert index.ranking() == "lexical"
    with pytest.raises(InputError, match="fitted with vectors"):
        index.ranking(RERANKED)
    for command in "search", "ask":
        assert run([command, str(index.folder), "tea", "--ranking", "reranked"]) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert "fitted with vectors, which are not here or need torch; fit them again" in told


def test_every_paper_is_found_in_any_ranking(index: Index) -> None:
    for paper in PAPERS:
        assert paper.id in dict(index.documents(paper.title, 10, ranking=RERANKED))
