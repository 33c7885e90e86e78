"""What `show` shows of decisions."""

from __future__ import annotations

from collections import Counter

from anagnosis.datasets.pubmedqa.statistics import DecisionStatistics, Sums
from anagnosis.reports.datasets.kinds.decision import statistics_blocks
from anagnosis.reports.report import Plot


def test_topics_that_are_as_frequent_stand_by_name() -> None:
    topics = Counter(["Zinc", "Tea", "Tea", *(f"Topic {number:02}" for number in reversed(range(30))), "Air"])
    counted = Sums(Counter(instances=3), topics=topics)
    record = DecisionStatistics({"L": counted.statistics("L")}, "words", {})
    (plot,) = (block for block in statistics_blocks(record) if isinstance(block, Plot))
    shown = [row[0] for row in plot.data.rows]
    assert (shown[:4], "Zinc" in shown) == (["Tea", "Air", "Topic 00", "Topic 01"], False)
