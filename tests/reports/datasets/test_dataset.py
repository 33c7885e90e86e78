from __future__ import annotations

from pathlib import Path

from tests.reports.cloze import dataset
from tests.reports.stored import check_stored

from anagnosis import api
from anagnosis.datasets.folder.receipt import DocumentCounts
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
