"""What `show` shows of decisions."""

from __future__ import annotations

from pathlib import Path

from tests.decisions import rows, written

from anagnosis import api
from anagnosis.datasets.pubmedqa.statistics import Statistics
from anagnosis.reports.datasets.kinds.decision import decisions_report
from anagnosis.reports.report import Plot


def test_topics_that_are_as_frequent_stand_by_name(tmp_path: Path) -> None:
    dataset = api.import_dataset(written(tmp_path / "l.json", rows()), tmp_path / "built", layout="pubmedqa")
    counted = Statistics(instances=3)
    for topic in ("Zinc", "Tea", "Tea", *(f"Topic {number:02}" for number in reversed(range(30))), "Air"):
        counted.topics[topic] += 1
    (plot,) = (
        block
        for block in decisions_report(dataset, {"L": counted}, "words", {}).blocks
        if isinstance(block, Plot) and "topics" in block.title
    )
    shown = [row[0] for row in plot.data.rows]
    assert shown[:4] == ["Tea", "Air", "Topic 00", "Topic 01"]
    assert "Zinc" not in shown
