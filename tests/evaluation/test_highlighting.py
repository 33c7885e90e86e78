"""AUC and the best sentence: by counting pairs, for the degenerate ones, and their draws of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind
from tests.evidence_sets import evidence, predictions, stored

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.ranked_pairs import holm
from anagnosis.evaluation.highlighting import differences, highlighting
from anagnosis.evaluation.measures.auc import auc
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.systems import System
from anagnosis.predictions import match

SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0])


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
    mixed = sorted(rows, key=lambda _: random.random())  # type: ignore[attr-defined]
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
        tmp_path, [("a", "+--", [3, 1, 5]), ("b", "-+", [0, 2]), ("c", "++", [4, 4]), ("d", "-", [9])]
    )
    expected = {"auc": [0.5, 1.0, np.nan, np.nan], "best_sentence": [0, 1, 1, np.nan]}
    for name, values in expected.items():
        given = named(name).of_instances(gold, system.runs[0], "sentences")
        assert given.tolist() == pytest.approx(values, nan_ok=True)
    found = highlighting(gold, system)
    # Held: 3, 2, 4, 4; not: 1, 5, 0, 9
    assert found.pooled.value == pytest.approx(8 / 16)
    assert (found.pooled.n, found.mean.n, found.best.n) == (8, 2, 3)
    assert (found.mean.value, found.best.value) == pytest.approx((0.75, 2 / 3))
    assert (found.questions, found.unanswered) == (4, 0)


def test_of_equal_best_sentences_the_first_is_taken(tmp_path: Path) -> None:
    gold, system = made(tmp_path, [("a", "+-", [1, 1]), ("b", "-+", [1, 1])])
    assert highlighting(gold, system).best.value == 0.5
    assert highlighting(gold, system).mean.value == 0.5


def test_what_has_no_score_ranks_below_all(tmp_path: Path) -> None:
    gold, system = made(tmp_path, [("a", "+-", None), ("b", "+-", [-5, -9]), ("c", "+-", [-1])])
    found = highlighting(gold, system)
    assert found.unanswered == 1
    assert (found.mean.value, found.best.value) == pytest.approx((2.5 / 3, 2 / 3))
    # Held: none, -5, -1; not: none, -9, none
    assert found.pooled.value == pytest.approx((0.5 + 0 + 0.5 + 3 + 3) / 9)


def test_predictions_without_any_scores_leave_everything_unanswered(tmp_path: Path) -> None:
    gold, system = made(tmp_path, [("a", "+-", [1, 0]), ("b", "-+", None)])
    mute = System("mute", (replace(system.runs[0], scores=None),))
    found = highlighting(gold, mute)
    assert found.unanswered == 2
    assert (found.pooled.value, found.mean.value, found.best.value) == (0.5, 0.5, 0.0)


def test_two_questions_that_are_one_stand_or_fall_together(tmp_path: Path) -> None:
    rows = [(str(number), "+-", [number % 2, 1 - number % 2]) for number in range(20)]
    apart = highlighting(*made(tmp_path / "apart", rows))
    whole = highlighting(*made(tmp_path / "whole", rows, question="One?"))
    assert apart.mean.value == whole.mean.value == 0.5
    assert apart.mean.interval is not None
    assert whole.mean.interval is not None
    assert apart.mean.interval.low < 0.4 < 0.6 < apart.mean.interval.high
    assert (whole.mean.interval.low, whole.mean.interval.high) == (0.5, 0.5)


def test_draws_are_the_same_each_time_and_hold_the_value(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    rows = [(str(n), "+---", (random.random(4) + np.array([0.3, 0, 0, 0])).tolist()) for n in range(40)]
    gold, system = made(tmp_path, rows)
    first = highlighting(gold, system, draws=500, seed=3)
    assert first == highlighting(gold, system, draws=500, seed=3)
    assert first != highlighting(gold, system, draws=500, seed=4)
    for figure in (first.pooled, first.mean, first.best):
        assert figure.value is not None
        assert figure.interval is not None
        assert figure.interval.low < figure.value < figure.interval.high


def test_a_pooled_draw_counts_a_question_as_often_as_it_is_drawn(tmp_path: Path) -> None:
    """The bootstrap of the pooled AUC by repeating sentences, beside weighing them."""
    random = np.random.default_rng(0)
    rows = [(str(n), "+--", random.integers(0, 4, 3).astype(float).tolist()) for n in range(6)]
    gold, system = made(tmp_path, rows)
    found = highlighting(gold, system, draws=50, seed=0, level=0.5)
    counts = np.random.default_rng(0).multinomial(6, np.full(6, 1 / 6), 50)
    places = {ident: place for place, ident in enumerate(np.unique(gold.document).tolist())}
    drawn: list[float] = []
    for row in counts:
        repeated = [
            (score, place == 0)
            for number, (_, _, scores) in enumerate(rows)
            for _ in range(row[places[int(gold.document[number])]])
            for place, score in enumerate(scores)
        ]
        drawn.append(pairs([s for s, _ in repeated], [h for _, h in repeated]) or 0.0)
    assert found.pooled.interval is not None
    ordered = sorted(drawn)
    assert found.pooled.interval.low == pytest.approx(ordered[12])
    assert found.pooled.interval.high == pytest.approx(ordered[37])


def test_runs_are_averaged(tmp_path: Path) -> None:
    gold, one = made(tmp_path, [("a", "+-", [1, 0]), ("b", "+-", [1, 0])])
    _, two = made(tmp_path / "two", [("a", "+-", [0, 1]), ("b", "+-", [1, 0])])
    both = highlighting(gold, System("both", one.runs + two.runs))
    assert (both.mean.value, both.best.value) == (0.75, 0.75)


def test_a_system_is_no_better_than_itself_and_better_than_its_opposite(tmp_path: Path) -> None:
    rows = [(str(n), "+-", [1.0, 0.0]) for n in range(12)]
    gold, good = made(tmp_path, rows)
    _, bad = made(tmp_path / "bad", [(ident, held, [0.0, 1.0]) for ident, held, _ in rows], "q")
    (same,) = differences(gold, [good, good], draws=100)
    assert (same.mean.value, same.p["mean"]) == (0, 1)
    (apart,) = differences(gold, [good, bad], draws=199)
    assert apart.mean.value == apart.pooled.value == apart.best.value == 1
    assert apart.p == {name: pytest.approx(0.01) for name in ("pooled", "mean", "best")}


def test_a_difference_of_sentences_of_one_kind_is_that_of_the_best_alone(tmp_path: Path) -> None:
    rows = [(str(n), "++" if n else "+", [1.0, 0.5][: 2 if n else 1]) for n in range(5)]
    gold, one = made(tmp_path, rows)
    (found,) = differences(gold, [one, one], draws=50)
    assert [figure.value for figure in (found.pooled, found.mean, found.best)] == [None, None, 0]
    assert (found.pooled.n, found.mean.n, found.best.n) == (9, 0, 5)
    assert [*found.p] == ["best"]


def test_a_split_of_which_nothing_is_known_is_refused(tmp_path: Path) -> None:
    gold, system = made(tmp_path, [("a", "?-", [1, 0])])
    with pytest.raises(InputError, match="no sentence is said to hold an answer"):
        highlighting(gold, system)


def test_a_split_with_one_kind_only_has_no_auc(tmp_path: Path) -> None:
    found = highlighting(*made(tmp_path, [("a", "++", [1, 0])]))
    assert (found.pooled.value, found.pooled.interval, found.mean.value, found.best.value) == (
        None,
        None,
        None,
        1,
    )


def test_several_runs_are_tested_over_runs_and_all_pairs_are_corrected_for(tmp_path: Path) -> None:
    """Runs that scatter from 33 to 100 % say little of other runs, whatever they are beside."""

    def run(right: int, name: str) -> tuple[Gold, System]:
        rows = [(str(n), "+-", [1.0, 0.0] if n < right else [0.0, 1.0]) for n in range(30)]
        return made(tmp_path / name, rows, name)

    gold, _ = run(30, "gold")
    first, second, low = (
        System(name, tuple(run(right, f"{name}{place}")[1].runs[0] for place, right in enumerate(rights)))
        for name, rights in (("first", (30, 28, 10)), ("second", (12, 10, 8)), ("low", (2, 1, 0)))
    )
    (pair,) = differences(gold, [first, second], draws=400)
    assert pair.p["mean"] == pytest.approx(
        ttest_ind([30 / 30, 28 / 30, 10 / 30], [12 / 30, 10 / 30, 8 / 30], equal_var=False).pvalue, abs=0.02
    )
    assert pair.holm == pair.p
    three = differences(gold, [first, second, low], draws=400)
    assert [(each.first, each.second) for each in three] == [
        ("first", "second"),
        ("first", "low"),
        ("second", "low"),
    ]
    for name in ("pooled", "mean", "best"):
        p_values = [each.p[name] for each in three]
        assert [each.holm[name] for each in three] == pytest.approx(holm(p_values))
