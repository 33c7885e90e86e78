"""The same predictions as each harness would count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anagnosis.evaluation.harnesses import Under
from anagnosis.reports.report import Cell, Column, Report, Table
from anagnosis.reports.systems.systems import shown

_COLUMNS = (
    Column("system"),
    Column("harness"),
    Column("of"),
    Column("questions"),
    Column("is to read"),
    Column("accuracy (%)", "percent"),
    Column("macro-F1 (%)", "percent"),
    Column("no label", "number"),
    Column("remarks"),
)


def report(name: str, found: Mapping[str, Sequence[Under]], views: Mapping[str, str | None]) -> Report:
    """name: the dataset's. found: system → what it is under each. views: system → what it read, None where unknown."""
    rows = [row for system, own in found.items() for row in _rows(system, own, views[system])]
    notes = (
        "A number says nothing beside one of another harness.",
        "no label: answers that are none; MIRAGE counts them as yes, the others as wrong.",
        "In brackets: 95 % intervals by question.",
    )
    return Report(f"{name} as others ask it", (Table("Under each harness", _COLUMNS, tuple(rows), notes),))


def _rows(system: str, found: Sequence[Under], view: str | None) -> Iterator[tuple[Cell, ...]]:
    for one in found:
        harness = one.harness
        yield (
            system,
            harness.name,
            harness.who,
            f"{one.questions:,}: {harness.called}",
            " or ".join(harness.views),
            shown(one.accuracy) if one.accuracy else None,
            shown(one.macro_f1) if one.macro_f1 else None,
            one.unread if one.accuracy else None,
            "; ".join(_remarks(one, view)),
        )


def _remarks(one: Under, view: str | None) -> Iterator[str]:
    if not one.questions:
        yield "no such question here"
    elif one.missing:
        yield f"no line for {one.missing:,} of them"
    elif view is not None and view not in one.harness.views:
        yield f"read otherwise: {view}"
