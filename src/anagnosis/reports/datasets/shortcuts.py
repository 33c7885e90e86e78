"""What can be had without reading, and what a system has beyond it.

Simple readers are run on the split: the basic baselines of BIOMRC (section 3.1), and three that only count over
the train part, never over what they are tested on: the words of the question alone, how often an entity is the
answer, and the rank at which the answer most often stands. A system's gain is its accuracy less that of the best
of them. The hard subset is what none of them points at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.shortcuts import Shortcut, card
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.over_runs import covariance_of_means, larger_p, over_runs
from anagnosis.evaluation.differences.paired import Codes, bootstrap, randomisation
from anagnosis.evaluation.differences.ranked_pairs import corrected
from anagnosis.evaluation.exact_sums import mean_credits
from anagnosis.evaluation.intervals import Floats, estimate
from anagnosis.evaluation.scoring import scored_rows, signature
from anagnosis.progress import Progress
from anagnosis.readers.predict import Reader, make_reader
from anagnosis.readers.ties import credit
from anagnosis.reports.datasets.kinds.cloze import shortcut_table
from anagnosis.reports.report import Block, Cell, Column, Estimate, Heading, Plot, Report, Table, Text
from anagnosis.reports.systems.systems import shown
from anagnosis.reports.systems.views import of_view

if TYPE_CHECKING:
    import numpy.typing as npt

# reader → (the paper's name, what it looks at)
READS = {
    "first-entity": ("BASE1", "the order of the passage"),
    "last-entity": ("BASE2", "the order of the passage"),
    "most-frequent-entity": ("BASE3", "how often an entity stands in the passage"),
    "most-frequent-unless-alone": ("BASE3+", "how often an entity stands in the passage"),
    "neighbour-overlap": ("BASE4", "words next to an entity and to the placeholder"),
    "question-words": ("", "the question alone, after counting in train"),
    "entity-prior": ("", "no text: how often an entity is the answer in train"),
    "best-position": ("", "no text: the answers' most common rank in train"),
}


@dataclass(frozen=True, slots=True, eq=False)
class ShortcutReader:
    """credits: float64 [m] of the instances with a gold answer, shared at ties; None where it is undefined, and why."""

    name: str
    credits: Floats | None
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Gain:
    """A system beside the best shortcut reader. p: two-tailed, by randomisation, of several runs the larger one of that
    and of the test over runs; holm: corrected for all pairs of a system and a reader, since the best was chosen here.

    hard: its accuracy on the hard subset, None where that is empty.
    """

    name: str
    difference: Estimate
    p: float
    holm: float
    hard: Estimate | None


def shortcut_readers(dataset: Dataset, split: str, *, view: str = "global") -> list[ShortcutReader]:
    """All of READS on a split, in one pass over it. view: "local" leaves those undefined that need identity."""
    view = "local" if dataset.numbering == "local" else view
    ready: dict[str, Reader] = {}
    undefined: dict[str, str] = {}
    for name in READS:
        try:
            ready[name] = make_reader(name, view=view, training=lambda: _train_part(dataset, split))
        except InputError as fault:
            undefined[name] = fault.what
    credits = _credits(dataset, split, ready)
    return [ShortcutReader(name, credits.get(name), undefined.get(name, "")) for name in READS]


def hard_subset(gold: Gold, readers: Sequence[ShortcutReader]) -> npt.NDArray[np.bool_]:
    """bool [m]: the instances with a gold answer that no reader points at.

    A reader points at the answer if it gives it more credit than blind choice would: a tie of all candidates, as of
    an entity prior that knows none of them, points at nothing.
    """
    blind = 1 / np.diff(gold.starts)[scored_rows(gold)]
    known = [reader.credits for reader in readers if reader.credits is not None]
    return np.all([credits <= blind * (1 + 1e-9) for credits in known], axis=0)


def hard_ids(gold: Gold, readers: Sequence[ShortcutReader]) -> list[str]:
    """The ids of the hard subset, in the order of the split."""
    rows = scored_rows(gold)[hard_subset(gold, readers)].tolist()
    return [gold.ids.between(row, row + 1)[0] for row in rows]


def gains(
    gold: Gold,
    readers: Sequence[ShortcutReader],
    systems: Mapping[str, Floats],
    *,
    unit: str,
    seed: int,
    draws: int,
) -> list[Gain]:
    """systems: name → credits of its runs, float64 [runs, m]. unit: what is swapped, "instance" or "document"."""
    best = best_reader(readers)
    assert best.credits is not None
    hard = hard_subset(gold, readers)
    documents = gold.document[scored_rows(gold)] if unit == "document" else None
    p_values = {
        (name, reader.name): _p_value(runs, reader.credits, documents, draws, seed)
        for name, runs in systems.items()
        for reader in readers
        if reader.credits is not None
    }
    holm = corrected(p_values)
    found: list[Gain] = []
    for name, runs in systems.items():
        credits, pair = mean_credits(runs), (name, best.name)
        interval = bootstrap(credits, best.credits, documents, draws=draws, seed=seed)
        difference = Estimate(float(credits.mean() - best.credits.mean()), interval.low, interval.high)
        own = estimate(credits[hard], None if documents is None else documents[hard]) if hard.any() else None
        found.append(Gain(name, difference, p_values[pair], holm[pair], None if own is None else shown(own)))
    return found


def _p_value(runs: Floats, reader: Floats, documents: Codes | None, draws: int, seed: int) -> float:
    """Two-tailed. A reader that is not trained has the same credits in every run."""
    swaps = randomisation(mean_credits(runs), reader, documents, draws=draws, seed=seed)
    if len(runs) == 1:
        return swaps.p_two_tailed
    every = np.vstack([runs, reader])
    *values, own = every.mean(axis=1)
    over = over_runs(
        np.array(values),
        np.array([own]),
        covariance_of_means(every, documents),
        swaps.units,
        fixed=(False, True),
    )
    return larger_p(swaps.p_two_tailed, over)


def best_reader(readers: Sequence[ShortcutReader]) -> ShortcutReader:
    """The one with the highest accuracy, the first of several; BASE1 to BASE4 are always defined."""
    defined = [(float(one.credits.mean()), one) for one in readers if one.credits is not None]
    return max(defined, key=lambda scored: scored[0])[1]


def with_shortcuts(
    report: Report,
    dataset: Dataset,
    gold: Gold,
    systems: Mapping[str | None, Mapping[str, Floats]],
    *,
    protocol: str,
    unit: str,
    seed: int,
    draws: int,
    view: str | None = None,
) -> Report:
    """The report with the section on shortcuts at its end.

    gold: of the split; systems: the view of a part → name → credits of its runs on it.
    view: that of the simple readers.
    """
    found = card({split: store.instances(dataset, split) for split in dataset.rows})
    readers = shortcut_readers(dataset, gold.split, view=view or "global")
    blocks = list(
        shortcut_blocks(
            found, gold, readers, {}, protocol=protocol, unit=unit, seed=seed, draws=draws, view=view
        )
    )
    rows = len(scored_rows(gold))
    for saw, own in systems.items():
        if not own:
            continue
        settings = [("draws", str(draws)), ("unit", unit)]
        if saw != view:
            settings.append(("shortcuts", view or "global"))
        signed = signature(gold, n=rows, protocol=protocol, view=saw, seed=seed, settings=tuple(settings))
        gained = gain_blocks(gold, readers, own, str(signed), unit=unit, seed=seed, draws=draws)
        blocks += gained if saw is None or len(systems) == 1 else of_view(gained, saw)
    return Report(report.title, (*report.blocks, *blocks))


def shortcut_blocks(
    shortcuts: Sequence[Shortcut],
    gold: Gold,
    readers: Sequence[ShortcutReader],
    systems: Mapping[str, Floats],
    *,
    unit: str,
    seed: int,
    draws: int,
    protocol: str,
    view: str | None = None,
) -> Iterator[Block]:
    """The section of a report: the structural card, the readers, each system's gain, the hard subset.

    protocol: of the systems' credits; the readers' ties always stand by their expectation.
    """
    settings = (("draws", str(draws)), ("unit", unit))
    rows = len(scored_rows(gold))
    signed = str(signature(gold, n=rows, protocol=protocol, view=view, seed=seed, settings=settings))
    hard = int(hard_subset(gold, readers).sum())
    yield Heading("Shortcuts")
    yield shortcut_table(shortcuts)
    yield _readers_table(gold, readers, unit, signed)
    yield Text(
        f"Without reading, {_titled(best_reader(readers).name)} reaches most. {hard:,} of {rows:,} instances are "
        "hard: none of these readers points at their answer more than blind choice would."
    )
    if systems:
        yield from gain_blocks(gold, readers, systems, signed, unit=unit, seed=seed, draws=draws)


def gain_blocks(
    gold: Gold,
    readers: Sequence[ShortcutReader],
    systems: Mapping[str, Floats],
    signed: str,
    *,
    unit: str,
    seed: int,
    draws: int,
) -> Iterator[Block]:
    """What systems have beyond the best of the readers. signed: the signature of these numbers."""
    best, hard = best_reader(readers), int(hard_subset(gold, readers).sum())
    found = gains(gold, readers, systems, unit=unit, seed=seed, draws=draws)
    yield _gains_plot(found, best)
    yield _gains_table(found, best, hard, signed)


def _readers_table(gold: Gold, readers: Sequence[ShortcutReader], unit: str, signed: str) -> Table:
    documents = gold.document[scored_rows(gold)] if unit == "document" else None
    rows: list[tuple[Cell, ...]] = []
    for reader in readers:
        alias, looks_at = READS[reader.name]
        accuracy = None if reader.credits is None else shown(estimate(reader.credits, documents))
        rows.append((reader.name, alias, looks_at, accuracy, reader.undefined))
    columns = [Column("reader"), Column("in the paper"), Column("what it looks at")]
    columns.append(Column("accuracy (%)", "percent", "high"))
    if any(reader.undefined for reader in readers):
        columns.append(Column("undefined because"))
    note = "Ties by their expectation. Those that count are fitted on train alone."
    cut = tuple(row[: len(columns)] for row in rows)
    return Table(f"What simple readers reach on {gold.split}", tuple(columns), cut, (note,), (signed,))


def _gains_plot(found: Sequence[Gain], best: ShortcutReader) -> Plot:
    rows = tuple((gain.name, gain.difference) for gain in found)
    title = f"Gain over {_titled(best.name)}"
    return Plot(
        title,
        "Accuracy less that of the best shortcut reader, in percentage points, with 95 % intervals.",
        "difference_with_intervals",
        Table(f"{title}, the numbers", (Column("system"), Column("gain", "difference")), rows),
    )


def _gains_table(found: Sequence[Gain], best: ShortcutReader, hard: int, signed: str) -> Table:
    columns = (
        Column("system"),
        Column("gain", "difference"),
        Column("p, two-tailed", "p"),
        Column("Holm", "p"),
        Column(f"on the {hard:,} hard ones (%)", "percent", "high"),
    )
    rows = tuple((gain.name, gain.difference, gain.p, gain.holm, gain.hard) for gain in found)
    note = (
        f"Gain over {_titled(best.name)}. It was the best on these same instances, so a gain is rather said too small "
        "than too large. p by approximate randomisation, exact where all swaps can be gone through; of systems of "
        "several runs the larger one of that and of a t-test over runs and questions. Holm: corrected for every pair "
        "of a system and a simple reader, since the best one was chosen here."
    )
    return Table("What systems have beyond that", columns, rows, (note,), (signed,))


def _titled(reader: str) -> str:
    alias = READS[reader][0]
    return f"{reader} ({alias})" if alias else reader


def _credits(dataset: Dataset, split: str, ready: Mapping[str, Reader]) -> dict[str, Floats]:
    found: dict[str, list[float]] = {name: [] for name in ready}
    with Progress(f"shortcuts on {split}", dataset.size(split), "instances") as progress:
        for instance in store.instances(dataset, split):
            if instance.answer is not None:
                for name, score in ready.items():
                    found[name].append(credit(list(score(instance)), instance.answer))
            progress.advance()
    return {name: np.array(credits, np.float64) for name, credits in found.items()}


def _train_part(dataset: Dataset, split: str) -> Iterator[ClozeInstance]:
    if "train" not in dataset.rows:
        raise InputError("the dataset has no train part to count in", str(dataset.folder))
    if split == "train":
        raise InputError("it would be tested on what it was fitted on", "split train")
    return store.instances(dataset, "train")
