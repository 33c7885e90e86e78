"""The shares of a user's labels, as tables and pictures."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.label_shares import LabelColumn, LabelShares
from anagnosis.evaluation.intervals import wilson
from anagnosis.reports.report import Block, Cell, Column, Estimate, Heading, Plot, Table, Text


def share_blocks(labels: LabelShares) -> Iterator[Block]:
    """A picture of each column with intervals, and its numbers (Figure 4 of CliCR)."""
    yield Heading("Labels of the file")
    yield Text(f"{labels.file}.")
    for column in labels.columns:
        if not column.instances:
            continue
        rows: list[tuple[Cell, ...]] = []
        for each in column.labels:
            share = each.instances / column.instances
            interval = wilson(share, column.instances)
            beside = [each.published] if column.published else []
            rows.append((each.label, Estimate(share, interval.low, interval.high), *beside, each.instances))
        published = [Column("published", "percent")] if column.published else []
        columns = (Column(column.name), Column("share", "percent"), *published, Column("instances", "count"))
        title = f"Labels: {column.name}"
        what = f"Of {column.instances:,} instances that have such a label, with 95 % intervals by instance."
        numbers = Table(title, columns, tuple(rows), (what, _mean(column)))
        yield Plot(title, what, "accuracy_with_intervals", numbers, repeated=True)
        yield numbers


def shares_table(column: LabelColumn) -> Table:
    """A column whose labels stand beside those of PubMedQA's Table 3, where it has them."""
    rows = tuple(
        (each.label, each.instances, each.share, *([each.published] if column.published else []))
        for each in column.labels
    )
    return Table(
        f"Table 3 of PubMedQA for these labels: {column.name}"
        if column.published
        else f"Labels: {column.name}",
        (
            Column(column.name),
            Column("instances", "count"),
            Column("share (%)", "percent"),
            *([Column("published (%)", "percent")] if column.published else []),
        ),
        rows,
        (f"Of {column.instances:,} instances that have this label.",),
    )


def _mean(column: LabelColumn) -> str:
    beside = "" if column.published_mean is None else f"; the paper: {column.published_mean:.2f}"
    rounded = " Published shares are rounded." if column.published else ""
    return f"Labels of an instance in the mean: {column.mean:.2f}{beside}.{rounded}"
