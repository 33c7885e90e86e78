from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.reports.conftest import Scored
from tests.reports.stored import check_stored

from anagnosis.evaluation.agreement import agreement
from anagnosis.evaluation.comparison import Comparison, compare_every_pair
from anagnosis.evaluation.systems import System
from anagnosis.reports.report import Block, Estimate
from anagnosis.reports.systems.agreement import report, scores_table
from anagnosis.reports.systems.comparison import ranked_files, ranking, ranking_tests
from anagnosis.reports.systems.problems import problems


def compared(scored: Scored, systems: Sequence[System], unit: str = "document") -> Comparison:
    return compare_every_pair(scored.gold, systems, protocol="expected", unit=unit, seed=1, draws=200)


def ranked(comparison: Comparison, *, alone: bool = True) -> list[Block]:
    return [*ranking(comparison, alone=alone), *ranking_tests(comparison, alone=alone)]


def test_systems_stand_from_best_to_worst_with_every_test(scored: Scored) -> None:
    alone = [*map(System.alone, scored.matched)]
    comparison = compared(scored, alone)
    check_stored("ranking", (*problems(ranked_files(comparison)), *ranked(comparison)))
    right = alone[0]
    check_stored("ranking-of-two", ranked(compared(scored, [right, right], "instance"), alone=False))


@pytest.mark.parametrize("measure", ["accuracy", "bleu-2"])
def test_several_runs_have_their_tests_and_the_units_of_the_measure(measure: str, scored: Scored) -> None:
    right, often, tying, _ = scored.matched
    found = compared(scored, [System("own", (right, often)), System.alone(tying)])
    check_stored(f"ranking-of-runs-by-{measure}", ranked(replace(found, measure=measure)))


def test_people_stand_beside_systems_with_their_agreement(scored: Scored) -> None:
    systems = [*map(System.alone, scored.matched[:2])]
    found = agreement(scored.gold, scored.people, systems, protocol="expected", seed=1, draws=200)
    # anna is right in 5 of 6; ben in 4 of 6, of 5 if the one he left is left out
    cells = scores_table(found).rows[0]
    assert [cell.value for cell in cells if isinstance(cell, Estimate)] == [
        pytest.approx((5 / 6 + 4 / 6) / 2),
        pytest.approx((5 / 6 + 4 / 5) / 2),
    ]
    check_stored("agreement", report(found).whole)
    alone = agreement(scored.gold, scored.people[:1], protocol="expected", seed=1, draws=50)
    check_stored("agreement-of-one", report(alone).whole)
