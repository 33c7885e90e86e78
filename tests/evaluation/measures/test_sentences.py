"""Measures of sentences: by counting pairs, for the degenerate ones, their draws of questions and their tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence_sets import evidence, predictions, stored
from tests.predictions.matched import match

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.comparison import Comparison, compare_every_pair
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.measures.sentences import auc
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.systems import System

SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0])


NAMES = ("auc", "best_sentence")


def scored(gold: Gold, system: System) -> Score:
    return score(gold, system, protocol="sentences", measures=NAMES)


def compared(gold: Gold, *systems: System, measure: str = "auc", draws: int = 200) -> Comparison:
    options = {"protocol": "sentences", "unit": "document", "seed": 0, "draws": draws}
    return compare_every_pair(gold, systems, measure=measure, **options)


def values(found: Score) -> list[float]:
    return [found.measures[name].value for name in NAMES]


def pairs(scores: Sequence[float], held: Sequence[bool]) -> float | None:
    won = [
        (one > other) + (one == other) / 2
        for one, is_held in zip(scores, held, strict=True)
        for other, other_held in zip(scores, held, strict=True)
        if is_held and not other_held
    ]
    return sum(won) / len(won) if won else None


@given(st.lists(st.tuples(SCORES, st.booleans()), max_size=12))
def test_auc_is_the_share_of_pairs_that_are_won(rows: list[tuple[float, bool]]) -> None:
    scores, held = [score for score, _ in rows], [one for _, one in rows]
    found = auc(np.array(scores, float), np.array(held, bool))
    assert found == (None if pairs(scores, held) is None else pytest.approx(pairs(scores, held)))


@given(st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=12), st.randoms())
def test_the_order_of_sentences_changes_no_digit(rows: list[tuple[float, bool]], random: object) -> None:
    mixed = sorted(rows, key=lambda _: random.random())
    values = [
        auc(np.array([s for s, _ in each], float), np.array([h for _, h in each], bool))
        for each in (rows, mixed)
    ]
    assert values[0] == values[1]


def made(
    folder: Path, rows: Sequence[tuple[str, str, Sequence[float] | None]], name: str = "p", question: str = ""
) -> tuple[Gold, System]:
    """rows: id, held signs, scores (None: no line). question: of all, if it is one."""
    dataset = stored(folder / "built", test=[evidence(ident, held, question) for ident, held, _ in rows])
    gold = Gold.of(dataset, "test")
    scores = {ident: own for ident, _, own in rows if own is not None}
    return gold, System(name, (match(predictions(folder / f"{name}.jsonl", scores), gold),))


def test_figures_by_hand(tmp_path: Path) -> None:
    gold, system = made(
        tmp_path,
        [
            ("a", "+--", [3, 1, 5]),
            ("b", "-+", [0, 2]),
            ("c", "++", [4, 4]),
            ("d", "-", [9]),
            ("e", "-+", [2, 2]),
        ],
    )
    expected = {"auc": [0.5, 1.0, None, None, 0.5], "best_sentence": [0, 1, 1, None, 0]}
    for name, each in expected.items():
        values_, judged = named(name).of_instances(gold, system.runs[0], "sentences")
        assert [value if own else None for value, own in zip(values_.tolist(), judged)] == each
    found = scored(gold, system)
    assert values(found) == pytest.approx([2 / 3, 2 / 4])
    assert [found.measures[name].n for name in NAMES] == [3, 4]
    assert (found.instances, found.documents, found.unanswered) == (5, 5, 0)


def test_what_has_no_score_ranks_below_all(tmp_path: Path) -> None:
    gold, system = made(tmp_path, [("a", "+-", None), ("b", "+-", [-5, -9]), ("c", "+-", [-1])])
    found = scored(gold, system)
    assert found.unanswered == 1
    assert values(found) == pytest.approx([2.5 / 3, 2 / 3])


def test_predictions_without_any_scores_leave_everything_unanswered(tmp_path: Path) -> None:
    gold, system = made(tmp_path, [("a", "+-", [1, 0]), ("b", "-+", None)])
    mute = System("mute", (replace(system.runs[0], scores=None),))
    assert values(scored(gold, mute)) == [0.5, 0.0]


def test_two_questions_that_are_one_stand_or_fall_together(tmp_path: Path) -> None:
    rows = [(str(number), "+-", [number % 2, 1 - number % 2]) for number in range(20)]
    apart, whole = (
        scored(*made(tmp_path / name, rows, question=question)).measures["auc"]
        for name, question in (("apart", ""), ("whole", "One?"))
    )
    assert apart.value == whole.value == 0.5
    assert apart.interval.low < 0.4 < 0.6 < apart.interval.high
    assert whole.interval.low < 0.1 < 0.9 < whole.interval.high, "one question says little"


@pytest.mark.parametrize("measure", ["auc", "best_sentence"])
def test_a_system_is_no_better_than_itself_and_better_than_its_opposite(tmp_path: Path, measure: str) -> None:
    rows = [(str(n), "+-", [1.0, 0.0]) for n in range(12)]
    gold, good = made(tmp_path, [*rows, ("x", "--", [0.2, 0.1])])
    reversed_ = [*((ident, held, [0.0, 1.0]) for ident, held, _ in rows), ("x", "--", [0.2, 0.1])]
    _, bad = made(tmp_path / "bad", reversed_, "q")
    (same,) = compared(gold, good, good, measure=measure).against_next
    assert (same.difference, same.p, same.verdict) == (0, 1, "identical")
    (apart,) = compared(gold, good, bad, measure=measure, draws=199).against_next
    assert apart.first == "p"
    assert apart.difference > 0.5
    # Of 12 questions that differ alike 2 of 2^12 swaps are as far apart.
    assert 1 / 200 <= apart.p <= 3 / 200


def test_sentences_of_one_kind_have_a_best_one_alone(tmp_path: Path) -> None:
    rows = [(str(n), "++" if n else "+", [1.0, 0.5][: 2 if n else 1]) for n in range(5)]
    gold, one = made(tmp_path, rows)
    assert compared(gold, one, one, measure="best_sentence").against_next[0].difference == 0
    with pytest.raises(InputError, match="cannot judge any instance"):
        compared(gold, one, one, measure="auc")


def test_a_split_of_which_nothing_is_known_is_refused(tmp_path: Path) -> None:
    gold, system = made(tmp_path, [("a", "?-", [1, 0])])
    with pytest.raises(InputError, match="no sentence is said to hold an answer"):
        scored(gold, system)
