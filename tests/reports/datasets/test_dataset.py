from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.golds import run_of
from tests.reports.cloze import dataset
from tests.reports.stored import check_stored

from anagnosis import api
from anagnosis.datasets.folder.receipt import DocumentCounts
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.dataset_statistics import GivenAnswer, given_answers
from anagnosis.predictions import OUTSIDE, UNANSWERED, Matched
from anagnosis.reports import render


def test_a_dataset_is_shown_with_its_sizes_its_funnels_its_shortcuts_and_what_was_refused(
    tmp_path: Path,
) -> None:
    opened = dataset(tmp_path / "mine", refusals=12)
    report = api.report(api.show(opened))
    check_stored("dataset", report.whole)
    assert str(tmp_path) not in render(report, ".html")
    tiny = api.report(api.show(opened, beside="tiny")).whole
    check_stored("dataset-beside-tiny", tiny[:1])


def test_an_imported_dataset_has_no_funnel_of_documents(tmp_path: Path) -> None:
    imported = dataset(tmp_path / "theirs", documents=DocumentCounts())
    assert "Documents" not in render(api.report(api.show(imported)), ".txt")


def test_answers_are_taken_from_predictions_by_row(tmp_path: Path) -> None:
    gold = Gold.of(dataset(tmp_path / "mine"), "train")

    def matched(name: str, choice: int, annotator: str | None = None, group: str | None = None) -> Matched:
        has_line = np.array([True, name != "absent"])
        return run_of([9, choice], name, annotator=annotator, group=group, has_line=has_line)

    people = [matched("p", UNANSWERED, "anna", "experts"), matched("q", OUTSIDE, "ben")]
    found = given_answers([matched("base4", 2), *people, matched("absent", UNANSWERED)], gold, 1)
    assert found == (
        GivenAnswer("base4", "systems", 2),
        GivenAnswer("anna", "experts", None),
        GivenAnswer("ben", "people", None, "no candidate of this instance"),
        GivenAnswer("absent", "systems", None, "no line"),
    )
