from __future__ import annotations

from dataclasses import replace

import pytest
from tests.evaluation.made_pairs import compared, group_pair, over
from tests.reports.conftest import Scored
from tests.reports.stored import check_stored

from anagnosis.evaluation.agreement import agreement
from anagnosis.evaluation.group_comparison import GroupComparison
from anagnosis.evaluation.systems import System
from anagnosis.reports.report import Block, Estimate, Table
from anagnosis.reports.systems.agreement import accuracy_table, report


def test_people_stand_beside_systems_with_their_agreement(scored: Scored) -> None:
    systems = [*map(System.alone, scored.matched[:2])]
    found = agreement(scored.gold, scored.people, systems, protocol="expected", seed=1, draws=200)
    # anna is right in 5 of 6; ben in 4 of 6, of 5 if the one he left is left out
    cells = accuracy_table(found).rows[0]
    assert [cell.value for cell in cells if isinstance(cell, Estimate)] == [
        pytest.approx((5 / 6 + 4 / 6) / 2),
        pytest.approx((5 / 6 + 4 / 5) / 2),
    ]
    check_stored("agreement", report(found).whole)
    alone = agreement(scored.gold, scored.people[:1], protocol="expected", seed=1, draws=50)
    check_stored("agreement-of-one", report(alone).whole)


def compared_blocks(scored: Scored, *comparisons: GroupComparison) -> list[Block]:
    """Of a report on these comparisons, and no other block."""
    found = agreement(scored.gold, scored.people[:1], protocol="expected", seed=1, draws=50)
    without = report(found).whole
    return [block for block in report(replace(found, comparisons=comparisons)).whole if block not in without]


def test_groups_and_systems_are_compared_by_each_measure(scored: Scored) -> None:
    better, same = (
        group_pair("better", (2, 3)),
        group_pair("identical", (1, 1), first="lay", second="net (2)"),
    )
    left_open, apart = group_pair("tied", (1, 0), first="lay", second="net"), (("a", "b"), ("a", "c"))
    blocks = compared_blocks(
        scored,
        compared(better, left_open, same, alpha=0.03),
        compared(not_compared=apart, measure="bleu-2"),
        compared(better, measure="f1", not_compared=apart[:1]),
    )
    check_stored("groups", blocks)


@pytest.mark.parametrize(("people", "notes"), [((1, 0), 2), ((0, 1), 2), ((2, 0), 1), ((1, 2), 1)])
def test_one_person_beside_runs_of_a_system_is_told_apart(
    scored: Scored, people: tuple[int, int], notes: int
) -> None:
    pairs = group_pair("better", (2, 3)), group_pair("tied", people, over_runs=over((1, 3)))
    blocks = compared_blocks(scored, compared(*pairs))
    (table,) = (block for block in blocks if isinstance(block, Table))
    assert len(table.notes) == notes
