"""Systems of several runs, against sums made by hand on three questions.

What measures share is computed once for a run, and goes with it.
"""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from tests import golds
from tests.golds import Row, gold_of, plain
from tests.phase_a_figures import matched_pairs

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import RelevantItems
from anagnosis.evaluation.comparison import Comparison, compare_every_pair, words
from anagnosis.evaluation.differences import paired
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.scoring import score, scored_rows
from anagnosis.evaluation.signature import parsed
from anagnosis.evaluation.systems import System, distinct_names, kept_with_run
from anagnosis.predictions import UNANSWERED, Matched, Problem
from anagnosis.reports.report import Table
from anagnosis.reports.systems.comparison import ranking

# Two questions of one document and one of another.
THREE = [Row("1:0", ["a", "b"]), Row("1:5", ["a", "b"]), Row("2:0", ["a", "b", "c"])]


def run_of(*right: int, missing: tuple[int, ...] = (), tied: tuple[int, ...] = ()) -> Matched:
    """right: 1 or 0 for each question. missing: questions without a line. tied: how many share the top, gold too."""
    n = len(right)
    choice = np.where(np.array(right) == 1, 0, 1).astype(np.int32)
    choice[list(missing)] = UNANSWERED
    has_line = np.array([place not in missing for place in range(n)])
    problems = {"missing": Problem(len(missing), ("1:5",))} if missing else {}
    return golds.run_of(
        choice,
        has_line=has_line,
        tied=np.array(tied or [0] * n, np.int32),
        on_top=np.array([bool(tied)] * n),
        problems=problems,
    )


OWN = System("own", (run_of(1, 0, 1), run_of(1, 1, 0)))
OTHER = System("other", (run_of(0, 1, 0),))


def credits_of(gold: Gold, system: System, protocol: str) -> list[float]:
    """The means over the runs, of the instances that count."""
    return measure_runs(gold, system, named("accuracy"), protocol, scored_rows(gold)).mean.tolist()


@pytest.fixture
def gold() -> Gold:
    return gold_of(THREE)


def compared(gold: Gold, *systems: System, unit: str = "instance") -> Comparison:
    return compare_every_pair(gold, systems, protocol="expected", unit=unit, seed=3, draws=400)


def test_credits_are_averaged_within_each_question_first(gold: Gold) -> None:
    credits = np.array([1, 0.5, 0.5])
    assert credits_of(gold, OWN, "expected") == credits.tolist()
    found = score(gold, OWN, protocol="expected")
    assert found.estimate.interval == estimate(credits, np.array([0, 0, 1])).interval
    alone = score(gold, OWN, protocol="expected", unit="instance").estimate
    assert alone.interval == estimate(credits).interval
    assert {part.label: part.measures["accuracy"].value for part in found.breakdowns[0].slices} == {
        "2–3": 2 / 3
    }


def test_the_tests_are_those_of_the_averages(gold: Gold) -> None:
    (pair,) = compared(gold, OTHER, OWN).against_next
    assert (pair.first, pair.second, pair.difference) == ("own", "other", pytest.approx(1 / 3))
    # Differences 1, -1/2, 1/2: of the sums ±2 ±1 ±1 three of eight are at least 2, six by size.
    assert (pair.p_one_tailed, pair.p_two_tailed) == pytest.approx((3 / 8, 6 / 8), abs=0.06)
    # By document 1/2 and 1/2: of ±1 ±1 one of four is at least 2, two by size.
    (whole,) = compared(gold, OTHER, OWN, unit="document").against_next
    assert (whole.p_one_tailed, whole.p_two_tailed) == pytest.approx((1 / 4, 2 / 4), abs=0.06)
    ours, theirs = np.array([1, 0.5, 0.5]), np.array([0, 1, 0.0])
    assert pair.interval == paired.bootstrap(ours, theirs, seed=3, draws=400)


def test_the_runs_are_told_with_the_deviation_of_their_accuracies(gold: Gold) -> None:
    three = System("own", (*OWN.runs, run_of(0, 0, 0)))
    found = score(gold, three, protocol="expected").estimate
    assert found.runs == (pytest.approx(2 / 3), pytest.approx(2 / 3), 0)
    # 2/3, 2/3, 0: squares of 2/9, 2/9, 4/9 by two
    assert found.deviation == pytest.approx((24 / 81 / 2) ** 0.5)
    assert score(gold, OTHER, protocol="expected").estimate.deviation is None
    ranking = compared(gold, OTHER, three).ranking
    assert {ranked.name: len(ranked.estimate.runs) for ranked in ranking} == {"own": 3, "other": 1}


def test_the_signature_tells_the_number_of_runs_where_there_are_several(gold: Gold) -> None:
    assert parsed(score(gold, OWN, protocol="expected").signature)["runs"] == "2"
    assert "runs" not in parsed(score(gold, OTHER, protocol="expected").signature)
    assert parsed(compared(gold, OTHER, OWN).signature)["runs"] == "2,1"
    assert "runs" not in compared(gold, OTHER, OTHER).signature


def several(deviation: int, right: int, seed: int) -> System:
    """Three runs on 400 questions: so many right, and so many fewer and more."""
    random = np.random.default_rng(seed)
    order = random.permutation(400)
    rights = (right - deviation, right, right + deviation)
    return System(f"of {right}", tuple(run_of(*np.isin(np.arange(400), order[:count])) for count in rights))


def test_what_these_runs_show_and_others_may_not_is_tied_and_says_so() -> None:
    found = compared(plain(400), several(60, 240, 1), several(60, 180, 1))
    (pair,) = found.against_next
    assert pair.holm_two_tailed < 0.003 < 0.05 < pair.over_runs.p == pair.p == pair.holm
    assert pair.verdict == "tied"
    assert words(pair, found) == (
        "of 240 and of 180 are not shown to differ: these runs of of 240 are better, but other runs may not be "
        f"(p {pair.p:.2g} over runs, {pair.p:.2g} corrected)"
    )
    assert "these runs of" not in words(pair, replace(found, alpha=0.0))


def test_runs_that_scatter_little_show_that_a_recipe_is_better() -> None:
    found = compared(plain(400), several(4, 240, 1), several(4, 180, 1))
    (pair,) = found.against_next
    assert pair.over_runs.p < pair.p_two_tailed == 1 / 401
    assert (
        words(pair, found)
        == "of 240 is better than of 180, over other runs and other instances (3 runs and 3 runs)"
    )


def test_what_a_verdict_holds_for_depends_on_whether_readers_are_trained() -> None:
    gold, high, low = plain(400), several(0, 240, 1), several(0, 180, 1)
    one, other = replace(high, runs=high.runs[:1]), replace(low, runs=low.runs[:1])
    fixed = [replace(own, untrained=True) for own in (one, other)]
    said = {
        name: words(found.against_next[0], found)
        for name, found in (
            ("trained", compared(gold, one, other)),
            ("one is", compared(gold, one, fixed[1])),
            ("neither", compared(gold, *fixed)),
        )
    }
    alone = "of 240 is better than of 180: these two models, not their recipes (no second run)"
    assert said == {"trained": alone, "one is": alone, "neither": "of 240 is better than of 180"}
    scattered = several(30, 240, 1)
    beside = [compared(gold, scattered, own).against_next[0].over_runs for own in (other, fixed[1])]
    assert all(beside)
    unknown, known = (own.p for own in beside if own)
    assert known < unknown


def test_an_untrained_reader_is_a_single_system_without_runs() -> None:
    several_runs, one = several(4, 240, 1), several(0, 180, 1)
    found = compared(plain(400), several_runs, replace(one, runs=one.runs[:1], untrained=True))
    assert [len(own.estimate.runs) for own in found.ranking] == [3, 0]
    said = words(found.against_next[0], found)
    assert said.endswith("over other runs and other instances (3 runs and one untrained system)")
    (ranked, *_) = [block for block in ranking(found) if isinstance(block, Table)]
    place = [column.name for column in ranked.columns].index("runs")
    assert [row[place] for row in ranked.rows] == [3, None]


def test_folds_are_tested_as_folds_and_signed(gold: Gold) -> None:
    ours, theirs = several(8, 240, 1), several(8, 200, 2)
    folds = [replace(own, folds=True) for own in (ours, theirs)]
    (alone,), (together,) = (compared(plain(400), *own).against_next for own in ([ours, theirs], folds))
    assert together.over_runs.p < alone.over_runs.p  # the folds' differences are all equal
    assert parsed(compared(plain(400), *folds).signature)["folds"] == "3,3"
    assert "folds" not in compared(plain(400), ours, theirs).signature


def test_a_run_with_missing_lines_is_wrong_there_and_is_named(gold: Gold) -> None:
    silent = System("own", (run_of(1, 1, 1), run_of(1, 1, 1, missing=(1, 2))))
    assert credits_of(gold, silent, "answer") == [1, 0.5, 0.5]
    found = score(gold, silent, protocol="answer")
    assert found.unanswered == 2
    assert found.problems == {"missing": Problem(2, ("1:5 (run 2)",))}
    both = System("own", (silent.runs[1], silent.runs[1]))
    assert score(gold, both, protocol="answer").problems == {
        "missing": Problem(4, ("1:5 (run 1)", "1:5 (run 2)"))
    }


def test_ties_are_counted_over_all_runs(gold: Gold) -> None:
    tying = System("own", (run_of(1, 1, 1, tied=(2, 1, 3)), run_of(0, 0, 0)))
    assert credits_of(gold, tying, "expected") == [1 / 4, 1 / 2, 1 / 6]
    assert score(gold, tying, protocol="expected").tied == 2


def test_a_file_alone_is_called_as_its_lines_say_and_equal_names_are_numbered() -> None:
    alone = System.alone(run_of(1))
    ann = System.alone(replace(run_of(1), annotator="ann"))
    assert distinct_names([alone, ann, alone]) == ["run", "ann", "run (2)"]


class _Value:
    pass


def test_it_is_computed_once_for_each_gold_side_run_and_names_and_goes_with_the_run() -> None:
    @kept_with_run
    def value(gold: Gold, run: Matched, protocol: str) -> _Value:
        return _Value()

    gold, run = matched_pairs([(RelevantItems(), RelevantItems())])
    first = value(gold, run, "a")
    assert value(gold, run, "a") is first
    assert first not in (
        value(gold, run, "b"),
        value(gold, replace(run), "a"),
        value(replace(gold), run, "a"),
    )
    left = weakref.ref(first)
    del first
    gc.collect()
    assert left() is not None
    del run
    gc.collect()
    assert left() is None
