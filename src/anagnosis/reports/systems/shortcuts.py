"""What can be had without reading: the part of a report on shortcuts."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.shortcuts import SHORTCUT_READERS
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.results import ScoredDataset
from anagnosis.evaluation.shortcuts import Shortcuts
from anagnosis.readers import paper_names
from anagnosis.reports.datasets.dataset import shortcut_table
from anagnosis.reports.report import Block, ColumnOf, Heading, table
from anagnosis.reports.systems.measured import measured_column, shown


def shortcut_blocks(found: Shortcuts, dataset: ScoredDataset) -> Iterator[Block]:
    """The structural card, and the readers by each measure."""
    called, looks_at = paper_names(dataset.name), SHORTCUT_READERS[dataset.kind]
    names = dict.fromkeys(name for reader in found.readers for name in reader.measures)

    def measured(name: str) -> ColumnOf:
        return measured_column(named(name)), lambda each: shown(each.measures.get(name))

    yield Heading("Shortcuts")
    if found.card:
        yield shortcut_table(found.card)
    yield table(
        f"Simple readers on {found.split}",
        [
            ("reader", lambda each: each.name),
            ("in the paper", lambda each: called.get(each.name, "")),
            ("input", lambda each: looks_at[each.name]),
            *map(measured, names),
            ("undefined because", lambda each: each.undefined),
        ],
        found.readers,
        notes=["Ties count by expectation. Readers that count are fitted on train alone."],
        signatures=[own.signature for each in found.readers for own in each.measures.values()],
    )
