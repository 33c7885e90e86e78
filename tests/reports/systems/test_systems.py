from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.reports.conftest import Scored
from tests.rows import each_row

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.breakdown import Breakdown, Slice
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.systems import System, Training
from anagnosis.predictions.notes import TrainingNote
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.report import Block, Estimate, Plot, Report, Table, Text
from anagnosis.reports.systems.breakdowns import FACTORS, breakdown_blocks
from anagnosis.reports.systems.problems import problems
from anagnosis.reports.systems.results import system_blocks
from anagnosis.reports.systems.systems import LINES, counts_table, facts, rows_of, systems_table


def _scores(scored: Scored) -> list[Score]:
    train = Gold.of(scored.dataset, "train")
    return [
        score(
            scored.gold,
            replace(System.alone(each), view="global", place=place),
            protocol="expected",
            train=train,
        )
        for place, each in enumerate(scored.matched)
    ]


def _shown(blocks: list[Block]) -> str:
    return render(Report("R", tuple(blocks)), ".txt")


def test_the_table_has_all_columns_of_table_3(scored: Scored) -> None:
    table = systems_table(rows_of(_scores(scored)))
    assert [column.name for column in table.columns] == [
        "system", "train accuracy (%)", "dev accuracy (%)", "test accuracy (%)",
        "lines that do not fit", "training time", "parameters", "word embeddings", "entity embeddings",
    ]  # fmt: skip
    sound = systems_table(rows_of(_scores(scored)[:1]))
    assert "lines that do not fit" not in [column.name for column in sound.columns]


def test_what_nobody_said_is_empty(scored: Scored) -> None:
    (row, *_) = systems_table(rows_of(_scores(scored))).rows
    assert row[1:3] == (None, None)
    assert row[4:] == (None, None, None, None, None)


@each_row(
    ("seconds", "written"),
    [
        (3312.0, "18 × 0.92 h"),
        (2340.0, "18 × 0.65 h"),
        (600.0, "18 × 0.17 h"),
        (599.0, "18 × 10.0 min"),
        (100.0, "18 × 1.7 min"),
        (99.4, "18 × 99 s"),
        (41.2, "18 × 41 s"),
        (4.25, "18 × 4.2 s"),
        (0.364, "18 × 0.36 s"),
    ],
)
def test_training_is_written_as_the_paper_writes_it(seconds: float, written: str, scored: Scored) -> None:
    known = Training(18, seconds, 12_872_800, 12_690_000, 600)
    first, *others = _scores(scored)
    table = systems_table(rows_of([replace(first, training=known), *others]))
    assert table.rows[0][5:] == (written.replace(" ", "\u00a0"), 12_872_800, 12_690_000, 600)
    assert table.rows[1][5:] == (None, None, None, None)
    assert re.search(
        rf"^right .* {written} +12\.87M +12\.69M +600$", _shown([table]).replace("\u00a0", " "), re.M
    )


def test_the_training_of_several_runs_is_a_mean_and_sizes_that_differ_are_not_shown() -> None:
    notes = [
        TrainingNote(5, 10.0, 600, 60, 6),
        TrainingNote(6, 14.0, 600, 61, 6),
        TrainingNote(6, None, 600, 60, 6),
    ]
    assert Training.of(notes[:2]) == Training(5.5, 12.0, 600, None, 6)
    assert Training.of(notes[1:]) == Training(6.0, None, 600, None, 6)
    assert Training.of(notes[:1]) == Training(5, 10.0, 600, 60, 6)


def test_a_row_has_the_training_that_any_of_its_splits_tells(scored: Scored) -> None:
    (one, *_) = _scores(scored)
    known = Training(3, 1.0)
    rows = rows_of([replace(one, split="dev"), replace(one, training=known), one])
    assert [(row.name, row.training) for row in rows] == [("right", known), ("right (2)", Training())]


def test_several_runs_are_told_with_their_deviation(scored: Scored) -> None:
    right, often, *_ = scored.matched
    one = score(scored.gold, System.alone(right), protocol="expected")
    two = score(scored.gold, System("own", (right, often)), protocol="expected")
    rows = rows_of([replace(two, split="dev"), two, replace(one, place=1)])
    told = "own: credits averaged within each question over 2 runs, deviation {} points on dev, {} points on test."
    # 12 of 12 and 9 of 12: a quarter apart, by the square root of two
    assert two.estimate.runs == (1, 0.75)
    assert systems_table(rows).notes[1:] == (told.format("17.7", "17.7"),)
    counts = counts_table(rows, "test")
    assert [row[-2:] for row in counts.rows] == [(2, pytest.approx(0.1768, abs=1e-4)), (1, None)]
    assert "all runs together" in counts.notes[-1]
    alone = counts_table(rows_of([one]), "test")
    assert alone.rows[0][-2:] == (None, None)
    assert len(systems_table(rows_of([one])).notes) == 1


@pytest.mark.parametrize("unit", ["instance", "document"])
def test_the_interval_is_that_of_the_unit(unit: str, scored: Scored) -> None:
    own = score(scored.gold, System.alone(scored.matched[1]), protocol="expected", unit=unit)
    measured = own.measures["accuracy"]
    cell = systems_table(rows_of([own])).rows[0][3]
    assert cell == Estimate(measured.value, measured.interval.low, measured.interval.high)


def test_a_number_never_stands_without_its_signature(scored: Scored) -> None:
    scores = _scores(scored)
    assert systems_table(rows_of(scores)).signatures == (scores[0].signature,)


@each_row(
    ("names", "rows"),
    [
        ({"dev": ["base4-dev"], "test": ["base4-test"]}, {"base4": ["dev", "test"]}),
        ({"dev": ["dev.base4"], "test": ["base4"]}, {"base4": ["dev", "test"]}),
        ({"dev": ["base4_dev_n3"], "test": ["base4_n3"]}, {"base4_n3": ["dev", "test"]}),
        ({"dev": ["dev"], "test": ["test"]}, {"dev": ["dev"], "test": ["test"]}),
        ({"dev": ["a"], "test": ["b"]}, {"a": ["dev"], "b": ["test"]}),
        ({"test": ["base4-test", "contest"]}, {"base4-test": ["test"], "contest": ["test"]}),
        ({"test": ["a", "a"]}, {"a": ["test"], "a (2)": ["test"]}),
    ],
)
def test_the_files_of_a_system_for_several_splits_are_one_row(
    names: dict[str, list[str]], rows: dict[str, list[str]], scored: Scored
) -> None:
    (any_score, *_) = _scores(scored)
    given = [replace(any_score, name=name, split=split) for split, own in names.items() for name in own]
    assert {row.name: list(row.scores) for row in rows_of(given)} == rows


def test_a_breakdown_has_its_histogram_and_a_column_a_system(scored: Scored) -> None:
    blocks = list(breakdown_blocks(rows_of(_scores(scored)), "test"))
    plots = {plot.data.columns[0].name: plot for plot in blocks if isinstance(plot, Plot)}
    assert set(plots) == {"entity type"}
    by_type = plots["entity type"]
    assert by_type.drawing == "accuracy_by_group"
    assert [column.name for column in by_type.data.columns[1:]] == [
        "instances",
        "right",
        "often",
        "tying",
        "faulty",
    ]
    assert {row[0]: row[1] for row in by_type.data.rows} == {"disease": 9, "species": 3}
    joined = "Neighbouring groups are joined until each has 20 instances."
    assert [block.text for block in blocks if isinstance(block, Text)] == [
        f"Accuracy by number of candidates: no picture, since all 12 instances are in one group, 4. {joined}",
        f"Accuracy by length of the passage: no picture, since all 12 instances are in one group, 0–49. {joined}",
        f"Accuracy by {FACTORS['familiarity']}: no picture, since all 12 instances are in one group, answer in train.",
    ]


def test_a_picture_says_that_neighbouring_groups_were_joined(scored: Scored) -> None:
    own = {"accuracy": estimate(np.ones(20))}
    groups = tuple(Slice(label, 20, 0.5, own, {}) for label in ("2–4", "5"))
    score = replace(_scores(scored)[0], breakdowns=(Breakdown("candidates", groups),))
    (plot,) = breakdown_blocks(rows_of([score]), "test")
    assert isinstance(plot, Plot)
    assert plot.drawing == "accuracy_by_candidates"
    assert plot.description.endswith("Neighbouring groups are joined until each has 20 instances.")
    assert [row[:2] for row in plot.data.rows] == [("2–4", 20), ("5", 20)]


def test_many_systems_are_shown_in_several_pictures(scored: Scored) -> None:
    many = _scores(scored) * 4
    blocks = breakdown_blocks(rows_of(many), "test")
    plots = [plot for plot in blocks if isinstance(plot, Plot) and "type" in plot.title]
    assert [len(plot.data.columns) - 2 for plot in plots] == [LINES, LINES, len(many) - 2 * LINES]
    assert len({plot.title for plot in plots}) == 3


def test_ties_and_silence_are_counted(scored: Scored) -> None:
    rows = {row[0]: row[1:6] for row in counts_table(rows_of(_scores(scored)), "test").rows}
    assert rows["tying"] == (12, 6, 0, 0, 12)
    assert rows["faulty"] == (12, 6, 0, 2, 0)


def test_what_does_not_fit_is_counted_named_and_explained(scored: Scored) -> None:
    rows = rows_of(_scores(scored))
    blocks = list(problems((row.name, "test", row.scores["test"].problems) for row in rows))
    (warning,) = (block for block in blocks if isinstance(block, Text))
    assert warning == Text("missing 2; repeated 1; contradictory 1.", "warning")
    (table,) = (block for block in blocks if isinstance(block, Table))
    assert [row[:4] for row in table.rows] == [
        ("faulty", "test", "missing", 2),
        ("faulty", "test", "repeated", 1),
        ("faulty", "test", "contradictory", 1),
    ]
    assert "unanswered, which is wrong, or left out" in str(table.rows[0][4])


def test_that_everything_fits_is_said() -> None:
    assert "Nothing" in _shown(list(problems([("a", "test", {})])))


def test_facts_name_the_dataset_its_splits_and_settings() -> None:
    shown = _shown(
        [facts("biomrc", {"train": 2760, "test": 246}, {"test": "af3a"}, view="", unit="document")]
    )
    assert "dataset: biomrc" in shown
    assert "train: 2,760 instances\n" in shown
    assert "test: 246 instances, fingerprint af3a" in shown
    assert "unit: document" in shown
    assert "view" not in shown


@each_row("suffix", RENDERERS)
def test_one_system_alone_is_a_report_without_a_ranking(suffix: str, scored: Scored) -> None:
    rows = rows_of(_scores(scored)[:1])
    report = Report("R", (facts("d", {}, {}), *system_blocks(rows, (), "test")))
    assert not any("better" in getattr(block, "text", "") for block in report.blocks)
    assert any(isinstance(block, Plot) for block in report.blocks)
    assert "100.00" in render(report, suffix) or suffix in (".csv", ".json")
