"""Case reports in a report: sizes and types beside the published ones, and pictures of lengths."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.stored import check_stored

from anagnosis.datasets.case_report_statistics import CaseReportStatistics, LengthCount
from anagnosis.datasets.published_sets import published_sets
from anagnosis.reports.datasets.case_reports import ROWS, case_report_blocks

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
)


def test_sizes_and_types_stand_beside_the_published_ones_and_lengths_are_drawn() -> None:
    check_stored("case-reports", case_report_blocks(RECORD, published_sets()["clicr"]))
    alone = [*case_report_blocks(RECORD, None)]
    check_stored("case-reports-alone", alone)
    unknown = replace(published_sets()["clicr"], case_reports={})
    assert [*case_report_blocks(RECORD, unknown)] == alone


def test_every_published_figure_is_that_of_a_row() -> None:
    assert set(published_sets()["clicr"].case_reports) <= set(ROWS)
    assert set(ROWS) <= set(CaseReportStatistics.__dataclass_fields__)
