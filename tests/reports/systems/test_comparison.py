from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.reports.conftest import Scored
from tests.rows import each_row

from anagnosis.evaluation.comparison import Comparison, compare_every_pair
from anagnosis.evaluation.scoring import score
from anagnosis.evaluation.systems import System
from anagnosis.predictions import Matched
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.report import Block, Estimate, Listing, Plot, Report, Table, item
from anagnosis.reports.systems.comparison import ranked_problems, ranking
from anagnosis.reports.systems.results import system_blocks
from anagnosis.reports.systems.systems import rows_of


def _comparison(scored: Scored, systems: Sequence[Matched], unit: str = "document") -> Comparison:
    alone = [System.alone(each) for each in systems]
    return compare_every_pair(
        scored.gold, alone, protocol="expected", unit=unit, seed=1, draws=200
    ).comparison


def _table(blocks: list[Block], caption: str) -> Table:
    tables = [block.data if isinstance(block, Plot) else block for block in blocks]
    (found,) = (block for block in tables if isinstance(block, Table) and block.caption == caption)
    return found


def test_systems_stand_from_best_to_worst_with_the_verdict_to_the_next(scored: Scored) -> None:
    blocks = list(ranking(_comparison(scored, scored.matched)))
    table = _table(blocks, "Ranking")
    assert [(row[0], row[1]) for row in table.rows] == [
        ("right", 1),
        ("often", 2),
        ("tying", 3),
        ("faulty", 3),
    ]
    assert table.rows[-1][-1] is None


def test_the_verdicts_are_said_in_words(scored: Scored) -> None:
    right, *_ = scored.matched
    (verdicts,) = (
        block for block in ranking(_comparison(scored, [right, right])) if isinstance(block, Listing)
    )
    said = "right and right (2) are tied: no question was answered better by either."
    assert verdicts.items == (item("1 and 2", said),)


def test_a_difference_never_stands_without_its_interval_and_test(scored: Scored) -> None:
    blocks = list(ranking(_comparison(scored, scored.matched)))
    table = _table(blocks, "Each beside the next best")
    assert [column.kind for column in table.columns] == ["text", "difference", "p", "p", "p", "p", "text"]
    for row in table.rows:
        assert isinstance(row[1], Estimate)
        assert all(isinstance(p, float) for p in row[2:6])


def test_the_first_stands_beside_each_other_only_if_there_are_three(scored: Scored) -> None:
    captions = [
        block.caption
        for block in ranking(_comparison(scored, scored.matched[:2]))
        if isinstance(block, Table)
    ]
    assert "The first beside each other system" not in captions
    blocks = list(ranking(_comparison(scored, scored.matched[:3])))
    pairs = [row[0] for row in _table(blocks, "The first beside each other system").rows]
    assert pairs == ["right over often", "right over tying"]


def test_every_pair_is_once_among_the_other_tests(scored: Scored) -> None:
    blocks = list(ranking(_comparison(scored, scored.matched[:3])))
    pairs = [row[0] for row in _table(blocks, "Other tests of the same pairs").rows]
    assert pairs == ["right over often", "often over tying", "right over tying"]


@pytest.mark.parametrize(("unit", "other"), [("document", "p by instance"), ("instance", "p by document")])
def test_the_other_unit_stands_beside(unit: str, other: str, scored: Scored) -> None:
    table = _table(
        list(ranking(_comparison(scored, scored.matched[:2], unit))), "Other tests of the same pairs"
    )
    assert table.columns[1].name == other


def test_shared_credit_has_no_mcnemar(scored: Scored) -> None:
    right, often, tying, _ = scored.matched
    rows = _table(
        list(ranking(_comparison(scored, [right, often, tying]))), "Other tests of the same pairs"
    ).rows
    assert rows[0][2:4] == (3, 0)
    assert rows[1][2:6] == (None, None, None, None)


def test_runs_and_their_deviation_stand_in_the_ranking_where_there_are_several(scored: Scored) -> None:
    right, often, tying, _ = scored.matched
    found = compare_every_pair(
        scored.gold,
        [System("own", (right, often)), System.alone(tying)],
        protocol="expected",
        unit="document",
        seed=1,
        draws=200,
    ).comparison
    table = _table(list(ranking(found)), "Ranking")
    assert [column.name for column in table.columns][3:5] == ["runs", "deviation (points)"]
    assert [(row[0], *row[3:5]) for row in table.rows] == [
        ("own", 2, pytest.approx(0.1768, abs=1e-4)),
        ("tying", 1, None),
    ]
    assert "averaged within each question" in table.notes[0]
    alone = _table(list(ranking(_comparison(scored, scored.matched))), "Ranking")
    assert {row[4:6] for row in alone.rows} == {(None, None)}
    assert alone.notes == ()


def test_every_table_with_numbers_is_signed(scored: Scored) -> None:
    comparison = _comparison(scored, scored.matched)
    tables = [block for block in ranking(comparison) if isinstance(block, Table)]
    assert all(table.signatures == (comparison.signature,) for table in tables)


@each_row("suffix", RENDERERS)
def test_every_format_shows_both_reports_the_same_twice(suffix: str, scored: Scored) -> None:
    def shown() -> list[str]:
        comparison = _comparison(scored, scored.matched)
        scores = [score(scored.gold, System.alone(each), protocol="expected") for each in scored.matched]
        whole = system_blocks(rows_of(scores), ranking(comparison), "test")
        alone = (*ranked_problems(comparison), *ranking(comparison))
        return [render(Report("R", tuple(blocks)), suffix) for blocks in (whole, alone)]

    assert shown() == shown()
    assert all("often" in text for text in shown())


def test_differences_of_a_measure_that_is_no_percentage_have_no_points(scored: Scored) -> None:
    several = System("two", (scored.matched[0], scored.matched[1]))
    systems = [several, System.alone(scored.matched[2])]
    found = compare_every_pair(
        scored.gold, systems, protocol="expected", unit="document", seed=1, draws=200
    ).comparison
    notes = {
        measure: [
            note
            for block in ranking(replace(found, measure=measure))
            if isinstance(block, Table)
            for note in block.notes
        ]
        for measure in ("accuracy", "bleu-2")
    }
    smallest = {
        measure: [note for note in own if "the smallest true difference" in note]
        for measure, own in notes.items()
    }
    assert len(smallest["accuracy"]) == len(smallest["bleu-2"]) == 2
    for note in smallest["accuracy"]:
        assert "the smallest true difference, in percentage points, that" in note
    for note in smallest["bleu-2"]:
        assert "the smallest true difference that" in note
    assert "empty where that is over 100." in smallest["accuracy"][0]
    assert "empty where that is over 1." in smallest["bleu-2"][0]
    kinds = [
        _table([*ranking(replace(found, measure=measure))], "Differences to the next best, the numbers")
        .columns[1]
        .kind
        for measure in ("accuracy", "bleu-2")
    ]
    assert kinds == ["difference", "gain"]
