"""Pairs as the tests leave them, made by hand, for tests of what is said of them.

group_pair("better", people=(2, 3))    # experts over lay people, each group of several
"""

from __future__ import annotations

from typing import Any

from anagnosis.evaluation.differences.over_runs import OverRuns
from anagnosis.evaluation.differences.paired import Randomisation, Verdict
from anagnosis.evaluation.group_comparison import GroupComparison, GroupPair
from anagnosis.evaluation.intervals import Estimate, Interval
from anagnosis.evaluation.tested_pairs import Pair

SWAPS = Randomisation("document", 30, 20, 0.011, 0.021, 500, 1)


def over(runs: tuple[int, int], p: float = 0.034) -> OverRuns:
    return OverRuns(runs, p, p)


def pair(verdict: Verdict, runs: OverRuns | None, **changes: Any) -> Pair:
    """experts over lay. Each number is another, so that no two can be taken for each other."""
    given: dict[str, Any] = {
        "first": "experts",
        "second": "lay",
        "difference": 0.15,
        "interval": Interval(0.04, 0.26, 0.95, "by hand"),
        "by_instance": SWAPS,
        "by_document": SWAPS,
        "mcnemar": None,
        "p_one_tailed": 0.011,
        "p_two_tailed": 0.021,
        "over_runs": runs,
        "models_alone": False,
        "p": 0.034,
        "holm_one_tailed": 0.015,
        "holm_two_tailed": 0.025,
        "holm": 0.045 if verdict == "better" else 0.068,
        "verdict": verdict,
    }
    return Pair(**given | changes)


def group_pair(verdict: Verdict, people: tuple[int, int], *, runs: int = 1, **changes: Any) -> GroupPair:
    """people: of both, 0 of a system, which has so many runs."""
    counts = (people[0] or runs, people[1] or runs)
    found = changes.pop("over_runs", None if max(counts) == 1 else over(counts))
    ends = Interval(0.5, 0.9, 0.95, "by hand")
    values = (Estimate(0.85, 30, 30.0, ends), Estimate(0.7, 30, 30.0, ends))
    return GroupPair(30, 20, values, people, pair(verdict, found, **changes))


def compared(*pairs: GroupPair, measure: str = "accuracy", **changes: Any) -> GroupComparison:
    given: dict[str, Any] = {"alpha": 0.05, "not_compared": (), "signature": f"signed|measure:{measure}"}
    return GroupComparison(measure=measure, pairs=pairs, **given | changes)
