"""What `decide` chose for each model on its development questions."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from anagnosis.datasets.decision import LABELS
from anagnosis.reports.report import Cell, Column, Report, Table
from anagnosis.training.deciding import Chosen


def chosen_report(rule: str, models: Sequence[Chosen]) -> Report:
    """A row for each model, and their means."""
    columns = (
        Column("model"),
        Column("questions", "count"),
        Column("temperature", "number"),
        *(Column(f"offset of {label}", "number") for label in LABELS),
        Column("plain macro-F1 (%)", "percent"),
        Column("macro-F1 (%)", "percent"),
        Column("plain accuracy (%)", "percent"),
        Column("accuracy (%)", "percent"),
    )
    rows = [(each.name, *_cells(each)) for each in models]
    if len(rows) > 1:
        rows.append(("mean", *map(_mean, zip(*(row[1:] for row in rows), strict=True))))
    table = Table(
        f"Rule {rule}, chosen on development questions",
        columns,
        tuple(rows),
        (
            "Log-probabilities are divided by the temperature, then each label's offset is added. What the rule "
            "reaches on the questions that it was chosen on flatters it.",
        ),
        zones=(len(models),) if len(models) > 1 else (),
    )
    return Report("Decisions", (table,))


def _cells(own: Chosen) -> tuple[Cell, ...]:
    added = tuple("never" if each == float("-inf") else each for each in own.offsets)
    if own.plain is None or own.ruled is None:
        return (None, own.temperature, *added, None, None, None, None)
    (before, right), (after, right_after) = own.plain, own.ruled
    return (own.questions, own.temperature, *added, before, after, right, right_after)


def _mean(cells: Sequence[Cell]) -> Cell:
    numbers = [float(each) for each in cells if isinstance(each, int | float)]
    return fmean(numbers) if len(numbers) == len(cells) else None
