"""Systems that saw different views, each view in a part of its own, as BIOMRC's Table 3 has Settings A and B apart.

Scores from different views are not comparable: the input differs. So no table, picture or test holds systems of two
views. A system without a view stands in every part. Heuristics are such systems: they use what every view shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anagnosis.datasets.kinds.table import every_view
from anagnosis.evaluation.comparison import Comparison
from anagnosis.reports.report import Block, Heading, Listing, Plot, Report, Table, Text
from anagnosis.reports.systems.comparison import compare_report as compare_report_of_one
from anagnosis.reports.systems.comparison import (
    problem_blocks,
    ranked_problems,
    ranking,
    systems_blocks,
    systems_report,
)
from anagnosis.reports.systems.systems import System


@dataclass(frozen=True, slots=True)
class Part:
    """The systems of a view and those of no known view. split: what is compared on. comparison: None for one system."""

    view: str | None
    rows: Sequence[System]
    comparison: Comparison | None
    split: str


def parts_of(views: Iterable[str | None]) -> list[str | None]:
    """The parts that systems of these views need: one a view, a single one where no two differ; None: not known."""
    found = set(views)
    return [view for view in every_view() if view in found] or [None]


def report(
    title: str, facts: Listing, parts: Sequence[Part], *, unit: str, notes: Sequence[str] = ()
) -> Report:
    """`systems_report` of each part; what did not fit comes once, before the numbers. notes: on the training."""
    if len(parts) == 1:
        (part,) = parts
        return systems_report(
            title, facts, part.rows, part.comparison, split=part.split, unit=unit, notes=notes
        )
    rows = {row.name: row for part in parts for row in part.rows}
    blocks: list[Block] = [Heading("Dataset"), facts, Heading("Views")]
    blocks.append(Text(_told([(row.name, row.view) for row in rows.values()])))
    blocks += [*map(Text, notes), *problem_blocks(rows.values())]
    for part in parts:
        made = systems_blocks(part.rows, part.comparison, split=part.split, unit=unit)
        blocks += of_view(made, part.view)
    return Report(title, tuple(blocks))


def compare_report(
    title: str,
    facts: Listing,
    comparisons: Mapping[str | None, Comparison],
    systems: Sequence[tuple[str, str | None]],
    *,
    split: str,
    notes: Sequence[str] = (),
) -> Report:
    """The ranking and its tests in each view that has two systems.

    systems: the name and view of all, in order. split: compared on.
    """
    if len(parts_of(view for _, view in systems)) == 1:
        (comparison,) = comparisons.values()
        return compare_report_of_one(title, facts, comparison, split=split, notes=notes)
    blocks: list[Block] = [Heading("Dataset"), facts, Heading("Views"), Text(_told(systems))]
    blocks += map(Text, notes)
    for view, comparison in comparisons.items():
        blocks += of_view(ranked_problems(comparison, split), view)
        blocks += of_view(ranking(comparison), view)
    return Report(title, tuple(blocks))


def by_view(systems: Iterable[tuple[str, str | None]]) -> str:
    """The known ones among systems (name, view): `local: as, aoa; names: max`."""
    found = list(systems)
    each = {view: ", ".join(name for name, saw in found if saw == view) for view in every_view()}
    return "; ".join(f"{view}: {names}" for view, names in each.items() if names)


def of_view(blocks: Iterable[Block], view: str | None) -> Iterator[Block]:
    """The blocks with the view in their titles."""
    end = f", {view} view"
    for block in blocks:
        if isinstance(block, Heading):
            yield replace(block, text=block.text + end)
        elif isinstance(block, Table):
            yield replace(block, caption=block.caption + end)
        elif isinstance(block, Plot):
            data = replace(block.data, caption=block.data.caption + end)
            yield replace(block, title=block.title + end, data=data)
        else:
            yield block


def _told(systems: Sequence[tuple[str, str | None]]) -> str:
    """Which system stands in which part."""
    said = f"Systems are ranked and tested within a view only, and no column holds two views ({by_view(systems)})."
    unknown = ", ".join(name for name, view in systems if view is None)
    return f"{said} In every part, since their view is not known: {unknown}." if unknown else said
