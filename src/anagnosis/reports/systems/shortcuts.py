"""What can be had without reading, and systems on what cannot: the part of a report on shortcuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anagnosis.datasets.shortcuts import SHORTCUT_READERS
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.results import ScoredDataset
from anagnosis.evaluation.shortcuts import MeasuredShortcuts, OnHard, Shortcuts
from anagnosis.readers import paper_names
from anagnosis.reports.datasets.dataset import shortcut_table
from anagnosis.reports.report import Block, Heading, Table, Text, table
from anagnosis.reports.systems.measured import measured_column, shown


def shortcut_blocks(found: Shortcuts, dataset: ScoredDataset) -> Iterator[Block]:
    """The structural card, the readers by each measure, how many instances are hard."""
    called = paper_names(dataset.name)
    yield Heading("Shortcuts")
    if found.card:
        yield shortcut_table(found.card)
    hard = (
        f" {found.hard:,} of {found.instances:,} instances are hard: none of these readers answers them better than "
        "chance."
    )
    for name, by in found.measures.items():
        measure = named(name)
        yield _readers_table(found.split, by, measure, SHORTCUT_READERS[dataset.kind], called)
        best = "is most accurate" if name == "accuracy" else f"has the best {measure.called}"
        reader = f"{by.best} ({called[by.best]})" if by.best in called else by.best
        yield Text(f"Without reading, {reader} {best}.{hard}")
        hard = ""


def hard_table(found: Shortcuts, measure: str, on_hard: OnHard) -> Table:
    """The systems of a view on the hard subset, by one measure."""
    return table(
        f"{named(measure).heading} on the {found.hard:,} hard instances",
        [("system", lambda of: of[0]), (measured_column(named(measure)), lambda of: shown(of[1]))],
        on_hard.systems.items(),
        signatures=(on_hard.signature,),
    )


def _readers_table(
    split: str,
    by: MeasuredShortcuts,
    measure: Measure,
    looks_at: Mapping[str, str],
    called: Mapping[str, str],
) -> Table:
    """looks_at: reader → what it looks at. called: reader → its name in the paper."""
    note = "Readers that count answers are fitted on train alone."
    if measure.name == "accuracy":
        note = "Ties count by expectation. Readers that count are fitted on train alone."
    return table(
        f"{measure.heading} of simple readers on {split}",
        [
            ("reader", lambda each: each.name),
            ("in the paper", lambda each: called.get(each.name, "")),
            ("input", lambda each: looks_at[each.name]),
            (measured_column(measure), lambda each: shown(each.score)),
            ("undefined because", lambda each: each.undefined),
        ],
        by.readers,
        notes=[note],
        signatures=[by.signature],
    )
