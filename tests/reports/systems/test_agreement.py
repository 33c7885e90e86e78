from __future__ import annotations

import pytest
from tests.reports.conftest import Scored
from tests.rows import each_row

from anagnosis.evaluation.agreement import Agreement, agreement
from anagnosis.evaluation.systems import System
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.report import Estimate, Report, Table
from anagnosis.reports.systems.agreement import accuracy_table, people_table, report


@pytest.fixture(scope="module")
def found(scored: Scored) -> Agreement:
    return agreement(
        scored.gold,
        scored.people,
        [*map(System.alone, scored.matched[:2])],
        protocol="expected",
        seed=1,
        draws=200,
    )


def _report(found: Agreement) -> Report:
    return report(found)


def _table(report: Report, caption: str) -> Table:
    (table,) = (
        block for block in report.blocks if isinstance(block, Table) and block.caption.startswith(caption)
    )
    return table


def _value(cell: object) -> float:
    assert isinstance(cell, Estimate)
    return cell.value


def test_groups_stand_above_systems_as_in_table_4(found: Agreement) -> None:
    table = accuracy_table(found)
    assert [row[0] for row in table.rows] == ["experts (mean of 2)", "lay", "right", "often"]
    assert table.zones == (2,)


def test_a_group_is_the_mean_of_its_people_with_unanswered_wrong_and_left_out(found: Agreement) -> None:
    experts, lay, *_ = accuracy_table(found).rows
    # anna is right in 5 of 6; ben in 4 of 6, of 5 if the one he left is left out; cleo in 4 of 6 or of 5
    assert _value(experts[1]) == pytest.approx((5 / 6 + 4 / 6) / 2)
    assert _value(experts[2]) == pytest.approx((5 / 6 + 4 / 5) / 2)
    assert experts[3] == pytest.approx(1 / 12)
    assert _value(lay[1]) == pytest.approx(4 / 6)


def test_each_person_is_shown_with_the_time(found: Agreement) -> None:
    table = people_table(found)
    assert [column.name for column in table.columns][-1] == "median time"
    assert table.rows[1][:2] == ("ben", "experts")
    assert table.rows[1][-1] == 32.5


def test_kappa_stands_in_all_three_treatments_for_groups_of_two(found: Agreement) -> None:
    table = _table(_report(found), "Agreement of people")
    assert [column.name for column in table.columns][1:] == ["own label (%)", "left out (%)", "wrong (%)"]
    assert [row[0] for row in table.rows] == ["experts (mean of 2)"]
    assert _value(table.rows[0][2]) == 1.0


def test_a_kappa_shows_what_it_is_made_of(found: Agreement) -> None:
    table = _table(_report(found), "Kappa of each pair")
    assert len(table.rows) == 3


def test_nobody_to_agree_with_is_said(scored: Scored) -> None:
    alone = agreement(scored.gold, scored.people[:1], protocol="expected", seed=1, draws=50)
    assert "no group has two people" in render(_report(alone), ".txt").lower()


def test_what_nobody_was_asked_is_no_problem_of_a_person(found: Agreement) -> None:
    shown = render(_report(found), ".txt")
    assert "6 instances were asked of people, 6 of them have a gold answer" in shown
    assert "missing" not in shown


@each_row("suffix", RENDERERS)
def test_every_format_shows_it(suffix: str, found: Agreement) -> None:
    assert "experts" in render(_report(found), suffix)
