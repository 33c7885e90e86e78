"""The table of a dataset's structural shortcuts: what can be had without reading."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.shortcuts import Shortcut, ShortcutCount
from anagnosis.reports.datasets.dataset import first, share
from anagnosis.reports.report import Cell, Column, Table

SHOWN_IDS = 1


def shortcut_table(shortcuts: Sequence[Shortcut]) -> Table:
    """A line for each structural shortcut, its share of the instances in each split."""
    splits = list(dict.fromkeys(split for shortcut in shortcuts for split in shortcut.by_split))
    rows: list[tuple[Cell, ...]] = []
    for shortcut in shortcuts:
        in_splits = [shortcut.by_split.get(split, ShortcutCount()) for split in splits]
        shares = [share(count.instances, count.of) for count in in_splits]
        counts = (shortcut.instances, shortcut.of, shortcut.share)
        rows.append((shortcut.name, shortcut.meaning, *counts, *shares, first(shortcut.ids, SHOWN_IDS)))
    return Table(
        "Structural shortcuts",
        (
            Column("shortcut"),
            Column("what it means"),
            Column("instances", "count"),
            Column("of", "count"),
            Column("share (%)", "percent"),
            *(Column(f"{split} (%)", "percent") for split in splits),
            Column("first ids"),
        ),
        tuple(rows),
    )
