"""Fitting an order on judged questions: it learns what tells the relevant ones, judged on what it did not see."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.newton import conditional_logit
from anagnosis.searching.fit import reranking_fitting as module
from anagnosis.searching.fit.reranking_fitting import FIRST, LEAST, Question, fit, folds
from anagnosis.searching.rank.ranking import ReadPassages
from anagnosis.searching.rank.reranking import FEATURES
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage

BEST = FEATURES.index("best")


def question(number: int, *, vectors: bool = False, document: str = "") -> Question:
    """Three passages; the relevant one stands last and has the best sentence, or the first number of its vector."""
    generator = np.random.default_rng(number)
    names = [f"{number}-{place}" for place in range(2)] + [document or f"{number}-2"]
    hits = [
        Hit(Passage(name, 0, "abstract", "", "", "text"), 3.0 - place) for place, name in enumerate(names)
    ]
    rows = [[0.0] * len(FEATURES) for _ in hits]
    products = generator.normal(0, 0.01, (3, 4)).astype(np.float32)
    if vectors:
        products[2, 0] += 0.2
    else:
        rows[2][BEST] = 0.5 + generator.random() / 2
    return Question.of(ReadPassages(hits, [], rows, products), {names[2]: 1, "elsewhere": 0})


def test_a_feature_of_relevant_passages_gets_a_weight() -> None:
    made = fit([question(number) for number in range(LEAST)], "", draws=200)
    assert made.before == pytest.approx(0.5)
    assert made.after == 1.0
    assert made.used == made.questions == LEAST
    assert made.weights.vector == ()
    assert max(made.weights.features) == made.weights.features[BEST] > 0
    assert made.pair.first == "reranked"
    assert made.pair.difference == pytest.approx(0.5)


def test_numbers_of_vectors_are_learned_where_they_are_wanted() -> None:
    questions = [question(number, vectors=True) for number in range(LEAST)]
    made = fit(questions, "digest", draws=200)
    assert made.after > 0.95
    assert np.argmax(made.weights.vector) == 0
    assert made.weights.encoder == "digest"
    without = fit(questions, "digest", vectors=False, draws=200)
    assert without.weights.vector == ()
    assert without.after == pytest.approx(without.before)


def test_the_same_questions_give_the_same_weights() -> None:
    questions = [question(number, vectors=True) for number in range(LEAST)]
    assert fit(questions, "digest", draws=50).weights == fit(questions, "digest", draws=50).weights


def test_too_few_questions_are_refused() -> None:
    none = replace(question(0), grades={"elsewhere": 1})
    with pytest.raises(InputError, match=f"only {LEAST - 1} questions"):
        fit([question(number) for number in range(LEAST - 1)] + [none], "")


@pytest.mark.parametrize(
    ("sizes", "what"),
    [
        ([60], "60 of 60 questions hang together .* give at least 60 more"),
        ([50, 3, 3, 2, 2], "50 of 60 questions hang together .* give at least 40 more"),
        ([26, 25], "26 of 51 questions hang together .* give at least 1 more"),
    ],
)
def test_questions_that_hang_together_are_refused(sizes: list[int], what: str) -> None:
    groups = [group for group, size in enumerate(sizes) for _ in range(size)]
    questions = [question(number, document=f"shared-{group}") for number, group in enumerate(groups)]
    with pytest.raises(InputError, match=what):
        fit(questions, "", draws=50)


def test_two_groups_of_one_size_are_judged_by_each_other() -> None:
    made = fit([question(number, document=f"shared-{number % 2}") for number in range(LEAST)], "", draws=50)
    assert made.after == 1.0
    assert made.used == LEAST


def test_parts_without_questions_are_left_out() -> None:
    assert folds([question(number, document="shared") for number in range(3)]) == [[0, 1, 2]]


def test_questions_with_a_relevant_document_in_common_lie_in_one_part() -> None:
    questions = [question(number, document=f"shared-{number % 7}") for number in range(70)]
    parts = folds(questions)
    assert sorted(number for part in parts for number in part) == list(range(70))
    for part in parts:
        assert len({number % 7 for number in part}) == len(part) // 10


def test_a_document_that_was_relevant_before_teaches_nothing_about_itself() -> None:
    """Five documents, each remembered by a number of its own: without common parts that would look like skill."""
    questions: list[Question] = []
    for number in range(LEAST):
        own = question(number, document=f"shared-{number % 5}")
        products = np.zeros((3, 5), np.float32)
        products[2, number % 5] = 1.0
        rows = [[0.0] * len(FEATURES) for _ in range(3)]
        questions.append(replace(own, rows=rows, products=products))
    made = fit(questions, "digest", draws=50)
    assert made.pair.first == FIRST or made.pair.verdict == "identical"
    assert made.after == pytest.approx(made.before)


def test_weights_are_of_questions_with_something_relevant() -> None:
    generator = np.random.default_rng(3)
    rows = [generator.normal(size=(size, 3)) for size in (2, 5, 1, 7)]
    targets = [(np.arange(len(own)) % 2 == 0).astype(np.float64) for own in rows]
    shares = [own / own.sum() for own in targets]
    expected = conditional_logit(rows, shares, 1.0)
    none = np.zeros(4)
    found = module._weights([*rows, generator.normal(size=(4, 3))], [*targets, none], range(5))
    assert found == pytest.approx(expected, abs=1e-6)
