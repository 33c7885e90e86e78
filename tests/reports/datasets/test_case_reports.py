"""Case reports in a report: sizes and types beside the published ones, and pictures of lengths and specialties."""

from __future__ import annotations

from dataclasses import replace

from anagnosis.datasets.case_report_statistics import CaseReportStatistics, LengthCount, SpecialtyCount
from anagnosis.datasets.clicr.layout import tables
from anagnosis.reports.datasets.case_reports import COUNTED, ROWS, SHARED, case_report_blocks
from anagnosis.reports.report import Heading, Plot, Table

RECORD = CaseReportStatistics(
    reports=2,
    queries=8,
    tokens=300,
    tokens_by_report=150.0,
    tokens_by_query=175.0,
    word_types=90,
    entity_types=12,
    distinct_answers=7,
    distinct_names=20,
    other_names=1.5,
    hidden_in_passage=0.25,
    in_passage=0.5,
    in_any_passage=0.75,
    answer_types={"test": 6, "": 2},
    answer_lengths=(LengthCount(1, 1, 6), LengthCount(10, None, 2)),
    passage_lengths=(LengthCount(100, 149, 1), LengthCount(1_000, None, 1)),
    specialties=(SpecialtyCount("urology", 1),),
)


def test_figures_stand_beside_the_published_ones() -> None:
    _, sizes, types, *_ = case_report_blocks(RECORD, tables()["clicr"])
    assert isinstance(sizes, Table)
    assert [column.name for column in sizes.columns] == ["", "here", "CliCR"]
    rows = {row[0]: row[1:] for row in sizes.rows}
    assert rows["reports"] == (2, 11_846)
    assert rows["mean tokens of a passage, by report"] == (150.0, None)
    assert rows["mean tokens of a passage, by query"] == (175.0, 1_466)
    assert rows["answers that are entities of the passage (%)"] == (25.0, None)
    assert rows["the same, with other names (%)"] == (50.0, 59.0)
    assert isinstance(types, Table)
    assert types.rows == (
        ("problem", 0, 0.0, 0.67),
        ("treatment", 0, 0.0, 0.22),
        ("test", 6, 0.75, 0.11),
        ("unknown", 2, 0.25, None),
    )


def test_without_a_published_set_the_dataset_stands_alone() -> None:
    for beside in (None, replace(tables()["clicr"], case_reports={})):
        _, sizes, types, *_ = case_report_blocks(RECORD, beside)
        assert isinstance(sizes, Table)
        assert isinstance(types, Table)
        assert [column.name for column in sizes.columns] == ["", "here"]
        assert sizes.notes == (COUNTED, SHARED)
        assert types.rows == (("test", 6, 0.75), ("unknown", 2, 0.25))


def test_lengths_and_specialties_are_drawn_as_shares() -> None:
    plots = [block for block in case_report_blocks(RECORD, None) if isinstance(block, Plot)]
    assert [plot.title for plot in plots] == [
        "Lengths of passages",
        "Lengths of answers",
        "Medical specialties",
    ]
    assert plots[0].data.rows == (("100–149", 1, 0.5), ("1,000 or more", 1, 0.5))
    assert plots[1].data.rows == (("1", 6, 0.75), ("10 or more", 2, 0.25))
    assert plots[2].data.rows == (("urology", 1, 0.5),)
    without = list(case_report_blocks(replace(RECORD, specialties=()), None))
    assert sum(isinstance(block, Plot) for block in without) == 2
    assert isinstance(without[0], Heading)


def test_every_published_figure_is_that_of_a_row() -> None:
    assert set(tables()["clicr"].case_reports) <= set(ROWS)
    assert set(ROWS) <= set(CaseReportStatistics.__dataclass_fields__)
