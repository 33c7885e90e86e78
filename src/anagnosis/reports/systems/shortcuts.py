"""What can be had without reading, and what systems have beyond it: the part of a report on shortcuts."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.shortcuts import Gain, Gains, Shortcuts
from anagnosis.reports.datasets.shortcuts import shortcut_table
from anagnosis.reports.report import Block, Cell, Column, Estimate, Heading, Plot, Table, Text
from anagnosis.reports.systems.measured import shown

# reader → (the paper's name, what it looks at)
READS = {
    "first-entity": ("BASE1", "the order of the passage"),
    "last-entity": ("BASE2", "the order of the passage"),
    "most-frequent-entity": ("BASE3", "how often the passage mentions an entity"),
    "most-frequent-unless-alone": ("BASE3+", "how often the passage mentions an entity"),
    "neighbour-overlap": ("BASE4", "words next to an entity and to the placeholder"),
    "question-words": ("", "the question alone, after counting in train"),
    "entity-prior": ("", "no text: how often an entity is the answer in train"),
    "best-position": ("", "no text: the answers' most common rank in train"),
}


def shortcut_blocks(found: Shortcuts) -> Iterator[Block]:
    """The structural card, the readers, each system's gain, the hard subset."""
    yield Heading("Shortcuts")
    yield shortcut_table(found.card)
    yield _readers_table(found)
    yield Text(
        f"Without reading, {_titled(found.best)} is most accurate. {found.hard:,} of {found.instances:,} instances are "
        "hard: none of these readers answers them better than chance."
    )


def gain_blocks(found: Shortcuts, gains: Gains) -> Iterator[Block]:
    """What the systems of a view have beyond the best of the readers."""
    yield _gains_plot(gains, found.best)
    yield _gains_table(gains, found)


def _readers_table(found: Shortcuts) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for reader in found.readers:
        alias, looks_at = READS[reader.name]
        accuracy = None if reader.accuracy is None else shown(reader.accuracy)
        rows.append((reader.name, alias, looks_at, accuracy, reader.undefined))
    columns = [Column("reader"), Column("in the paper"), Column("input")]
    columns.append(Column("accuracy (%)", "percent", "high"))
    if any(reader.undefined for reader in found.readers):
        columns.append(Column("undefined because"))
    note = "Ties count by expectation. Readers that count are fitted on train alone."
    cut = tuple(row[: len(columns)] for row in rows)
    return Table(
        f"Accuracy of simple readers on {found.split}", tuple(columns), cut, (note,), (found.signature,)
    )


def _gains_plot(gains: Gains, best: str) -> Plot:
    rows = tuple((gain.name, _difference(gain)) for gain in gains.systems)
    title = f"Gain over {_titled(best)}"
    return Plot(
        title,
        "Accuracy less that of the best shortcut reader, in percentage points, with 95 % intervals.",
        "difference_with_intervals",
        Table(f"{title}, the numbers", (Column("system"), Column("gain", "difference")), rows),
    )


def _gains_table(gains: Gains, found: Shortcuts) -> Table:
    columns = (
        Column("system"),
        Column("gain", "difference"),
        Column("p, two-tailed", "p"),
        Column("Holm", "p"),
        Column(f"on the {found.hard:,} hard ones (%)", "percent", "high"),
    )
    rows = tuple(
        (gain.name, _difference(gain), gain.p, gain.holm, gain.hard and shown(gain.hard))
        for gain in gains.systems
    )
    note = (
        f"Gain over {_titled(found.best)}. It was the best on these same instances, so gains are underestimated rather "
        "than overestimated. p by approximate randomisation, exact where all swaps can be enumerated; of systems of "
        "several runs the larger one of that and of a t-test over runs and questions. Holm: corrected for every pair "
        "of a system and a simple reader, since the best one was chosen here."
    )
    return Table("Gains of systems over the best simple reader", columns, rows, (note,), (gains.signature,))


def _titled(reader: str) -> str:
    alias = READS[reader][0]
    return f"{reader} ({alias})" if alias else reader


def _difference(gain: Gain) -> Estimate:
    return Estimate(gain.difference, gain.interval.low, gain.interval.high)
