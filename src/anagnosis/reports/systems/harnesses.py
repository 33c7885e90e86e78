"""The same predictions as each harness would count them."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.harnesses import HARNESSES, Harness, Harnesses, SystemUnder, Under
from anagnosis.reports.report import Cell, Column, Report, Table
from anagnosis.reports.systems.measured import shown

_COLUMNS = (
    Column("system"),
    Column("harness"),
    Column("used by"),
    Column("questions"),
    Column("required view"),
    Column("accuracy (%)", "percent"),
    Column("macro-F1 (%)", "percent"),
    Column("no label", "number"),
    Column("remarks"),
)


def report(found: Harnesses) -> Report:
    """One row a system and harness."""
    rows = [row for system in found.systems for row in _rows(system)]
    notes = (
        "Scores under different harnesses are not comparable.",
        "no label: answers that are not labels; MIRAGE counts them as yes, the others as wrong.",
        "In brackets: 95 % intervals by question.",
    )
    return Report(
        f"{found.dataset} under other programs' protocols",
        (Table("Scores under each harness", _COLUMNS, tuple(rows), notes),),
    )


def _rows(system: SystemUnder) -> Iterator[tuple[Cell, ...]]:
    for name, one in system.harnesses.items():
        harness = HARNESSES[name]
        yield (
            system.name,
            name,
            harness.who,
            f"{one.questions:,}: {harness.called}",
            " or ".join(harness.views),
            shown(one.accuracy) if one.accuracy else None,
            shown(one.macro_f1) if one.macro_f1 else None,
            one.unread if one.accuracy else None,
            "; ".join(_remarks(one, harness, system.view)),
        )


def _remarks(one: Under, harness: Harness, view: str | None) -> Iterator[str]:
    if not one.questions:
        yield "the dataset has none of its questions"
    elif one.missing:
        yield f"no line for {one.missing:,} of them"
    elif view is not None and view not in harness.views:
        yield f"read another view: {view}"
