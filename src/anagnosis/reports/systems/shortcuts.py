"""What can be had without reading, and what systems have beyond it: the part of a report on shortcuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anagnosis.datasets.shortcuts import SHORTCUT_READERS
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.results import ScoredDataset
from anagnosis.evaluation.shortcuts import Gains, MeasuredShortcuts, Shortcuts
from anagnosis.readers import paper_names
from anagnosis.reports.datasets.dataset import shortcut_table
from anagnosis.reports.report import Block, Column, Heading, Plot, Table, Text
from anagnosis.reports.systems.measured import cell_kind, gain_kind, measured_column, shown, within


def shortcut_blocks(found: Shortcuts, dataset: ScoredDataset) -> Iterator[Block]:
    """The structural card, the readers by each measure, each system's gain, the hard subset."""
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
        yield Text(f"Without reading, {_titled(by.best, called)} {best}.{hard}")
        hard = ""


def gain_blocks(
    found: Shortcuts, dataset: ScoredDataset, by: MeasuredShortcuts, measure: str, gains: Gains
) -> Iterator[Block]:
    """What the systems of a view have beyond the best of the readers, by one measure."""
    judged_by, several = named(measure), len(found.measures) > 1
    best = _titled(by.best, paper_names(dataset.name))
    yield _gains_plot(gains, best, judged_by, several=several)
    yield _gains_table(gains, found, best, judged_by, several=several)


def _readers_table(
    split: str,
    by: MeasuredShortcuts,
    measure: Measure,
    looks_at: Mapping[str, str],
    called: Mapping[str, str],
) -> Table:
    """looks_at: reader → what it looks at. called: reader → its name in the paper."""
    columns = [Column("reader"), Column("in the paper"), Column("input"), measured_column(measure)]
    if any(reader.undefined for reader in by.readers):
        columns.append(Column("undefined because"))
    rows = tuple(
        (each.name, called.get(each.name, ""), looks_at[each.name], shown(each.score), each.undefined)[
            : len(columns)
        ]
        for each in by.readers
    )
    note = "Ties count by expectation. Readers that count are fitted on train alone."
    if measure.name != "accuracy":
        note = "Readers that count answers are fitted on train alone."
    return Table(
        f"{measure.heading} of simple readers on {split}", tuple(columns), rows, (note,), (by.signature,)
    )


def _gains_plot(gains: Gains, best: str, measure: Measure, *, several: bool) -> Plot:
    rows = tuple((gain.name, within(gain.difference, gain.interval)) for gain in gains.systems)
    title = f"Gain over {best}{_by(measure, several)}"
    points = ", in percentage points" if cell_kind(measure) == "percent" else ""
    return Plot(
        title,
        f"{measure.heading} less that of the best shortcut reader{points}, with 95 % intervals.",
        "difference_with_intervals",
        Table(f"{title}, the numbers", (Column("system"), Column("gain", gain_kind(measure))), rows),
    )


def _gains_table(gains: Gains, found: Shortcuts, best: str, measure: Measure, *, several: bool) -> Table:
    value = measured_column(measure)
    columns = (
        Column("system"),
        Column("gain", gain_kind(measure)),
        Column("p, two-tailed", "p"),
        Column(
            f"on the {found.hard:,} hard ones{' (%)' if value.kind == 'percent' else ''}",
            value.kind,
            value.best,
        ),
    )
    rows = tuple(
        (gain.name, within(gain.difference, gain.interval), gain.p, shown(gain.hard))
        for gain in gains.systems
    )
    note = (
        f"Gain over {best}. It was the best on these same instances, so gains are underestimated rather "
        "than overestimated. p by approximate randomisation, of systems of several runs the larger one of that and of "
        "a t-test over runs and questions; uncorrected."
    )
    title = f"Gains of systems over the best simple reader{_by(measure, several)}"
    return Table(title, columns, rows, (note,), (gains.signature,))


def _by(measure: Measure, several: bool) -> str:
    """The end of a title where a report has several measures."""
    return f" by {measure.called}" if several else ""


def _titled(reader: str, called: Mapping[str, str]) -> str:
    return f"{reader} ({called[reader]})" if reader in called else reader
