"""What systems are worth on a dataset: BIOMRC's Table 3, Figure 3 and other break-downs, and what did not fit.

A system's files for several splits are one row, as in Table 3; what nobody said of it (training time, parameters)
stays empty.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from anagnosis.datasets.instance import SPLITS
from anagnosis.evaluation.breakdown import Slice
from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.scoring import Score
from anagnosis.predictions import PROBLEMS, Problem
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    Estimate,
    Heading,
    Item,
    Listing,
    Plot,
    Run,
    Table,
    Text,
)

LINES = 6  # systems in one picture; more are told apart with difficulty
SHOWN_EXAMPLES = 3
HARMLESS = frozenset({"from_name", "from_number"})  # ways to write an answer; counted, and read as meant
ORDERED = ("candidates", "passage tokens")  # factors whose groups have an order, so that a line may join them

TITLES = {
    "candidates": "Accuracy by number of candidates",
    "entity type": "Accuracy by type of the answer",
    "passage tokens": "Accuracy by length of the passage",
    "familiarity": "Accuracy by whether training knew the answer",
}


@dataclass(frozen=True, slots=True)
class Training:
    """What Table 3 says of a system besides accuracy; None where nobody said. seconds: of one epoch.

    parameters: trainable ones in all; words, entities: those of word and of entity embeddings.
    """

    epochs: int | None = None
    seconds: float | None = None
    parameters: int | None = None
    words: int | None = None
    entities: int | None = None


@dataclass(frozen=True, slots=True)
class System:
    """A row of Table 3. scores: split → score."""

    name: str
    scores: Mapping[str, Score]
    training: Training = field(default_factory=Training)


def systems(
    scores: Mapping[str, Sequence[Score]], training: Mapping[str, Training] | None = None
) -> list[System]:
    """Rows from split → scores, in their order; names that occur twice in a split are numbered.

    Where there are several splits, a name without its split's is the system's: `base4-dev` and `base4-test` are
    `base4`. training: name → what is known.
    """
    rows: dict[str, dict[str, Score]] = {}
    for split, found in scores.items():
        seen: Counter[str] = Counter()
        for score in found:
            name = score.name if score.annotator is None else score.annotator
            name = _without(name, split) if len(scores) > 1 else name
            seen[name] += 1
            rows.setdefault(name if seen[name] == 1 else f"{name} ({seen[name]})", {})[split] = score
    known = training or {}
    return [System(name, own, known.get(name, Training())) for name, own in rows.items()]


def systems_table(rows: Sequence[System], *, unit: str) -> Table:
    """Table 3. unit: "instance" or "document", which intervals stand there."""
    cells = [
        (row.name, *(_accuracy(row, split, unit) for split in SPLITS), *_trained(row.training))
        for row in rows
    ]
    methods = {_measured(score, unit).interval.method: None for row in rows for score in row.scores.values()}
    return Table(
        "Accuracy of all systems",
        (
            Column("system"),
            *(Column(f"{split} accuracy (%)", "percent", "high") for split in SPLITS),
            Column("training time"),
            Column("parameters", "count"),
            Column("of words", "count"),
            Column("of entities", "count"),
        ),
        tuple(cells),
        (f"In brackets: 95 % intervals ({', '.join(methods)}).",) if methods else (),
        tuple(dict.fromkeys(score.signature for row in rows for score in row.scores.values())),
    )


def accuracy_plot(rows: Sequence[System], split: str, *, unit: str) -> Plot:
    """A point with its interval for each system."""
    scored = [(row.name, shown(_measured(row.scores[split], unit))) for row in rows if split in row.scores]
    table = Table(f"Accuracy on {split}", (Column("system"), Column("accuracy", "percent")), tuple(scored))
    what = f"{len(scored)} system{'s' if len(scored) != 1 else ''}, with 95 % intervals."
    return Plot(f"Accuracy on {split}", what, "accuracy_with_intervals", table)


def breakdown_plots(rows: Sequence[System], split: str) -> Iterator[Plot]:
    """A picture for each factor, several where there are many systems."""
    scored = [row for row in rows if split in row.scores]
    factors = scored[0].scores[split].breakdowns if scored else ()
    for place, factor in enumerate(factors):
        for start in range(0, len(scored), LINES):
            some = scored[start : start + LINES]
            slices = {row.name: row.scores[split].breakdowns[place].slices for row in some}
            signatures = tuple(dict.fromkeys(row.scores[split].signature for row in some))
            part = f", systems {start + 1} to {start + len(some)}" if len(scored) > LINES else ""
            title = TITLES.get(factor.factor, f"Accuracy by {factor.factor}") + part
            yield Plot(
                title,
                f"On {split}, with 95 % intervals by instance, and how many instances each group has.",
                "accuracy_by_candidates" if factor.factor in ORDERED else "accuracy_by_group",
                _grouped(factor.factor, slices, f"{title}, the numbers", signatures),
            )


def counts_table(rows: Sequence[System], split: str) -> Table:
    """How many instances stand behind the accuracies, and how they were answered."""
    scored = [(row.name, row.scores[split]) for row in rows if split in row.scores]
    return Table(
        f"What was counted on {split}",
        (
            Column("system"),
            Column("instances", "count"),
            Column("documents", "count"),
            Column("answer withheld", "count"),
            Column("unanswered", "count"),
            Column("tied at the top", "count"),
        ),
        tuple((name, s.instances, s.documents, s.withheld, s.unanswered, s.tied) for name, s in scored),
        ("Withheld ones are left out; unanswered ones are wrong.",),
    )


def problems(files: Iterable[tuple[str, str, Mapping[str, Problem]]]) -> Iterator[Block]:
    """What of the predictions did not fit the dataset, by name; also that all fits is said. files: (who, split, …)."""
    found = [
        (who, split, name, problem.count, PROBLEMS.get(name, ""), ", ".join(problem.first[:SHOWN_EXAMPLES]))
        for who, split, own in files
        for name, problem in own.items()
    ]
    yield Heading("What did not fit")
    if not found:
        yield Text("Nothing: every line of every file fits the dataset.")
        return
    totals: dict[str, int] = {}
    for _, _, name, count, *_ in found:
        totals[name] = totals.get(name, 0) + count
    text = "; ".join(f"{name} {count:,}" for name, count in totals.items()) + "."
    yield Text(text, "warning" if totals.keys() - HARMLESS else "plain")
    columns = (Column("who"), Column("split"), Column("problem"), Column("times", "count"))
    yield Table(
        "Problems of the files", (*columns, Column("what it means"), Column("the first")), tuple(found)
    )


def facts(
    dataset_name: str, rows: Mapping[str, int], fingerprints: Mapping[str, str], **settings: str
) -> Listing:
    """What the numbers are of: the dataset, its splits with instances and fingerprint, and the settings."""
    items = [Item("dataset", (Run(dataset_name),))]
    for split, count in rows.items():
        known = f", fingerprint {fingerprints[split]}" if split in fingerprints else ""
        items.append(Item(split, (Run(f"{count:,} instances{known}"),)))
    items += [Item(name.replace("_", " "), (Run(value),)) for name, value in settings.items() if value]
    return Listing(tuple(items))


def shown(measured: Measured) -> Estimate:
    """A measured value and its interval as a report shows them."""
    return Estimate(measured.value, measured.interval.low, measured.interval.high)


def _measured(score: Score, unit: str) -> Measured:
    return score.by_document if unit == "document" else score.estimate


def _accuracy(row: System, split: str, unit: str) -> Estimate | None:
    return shown(_measured(row.scores[split], unit)) if split in row.scores else None


def _trained(training: Training) -> tuple[Cell, ...]:
    time = None
    if training.epochs is not None and training.seconds is not None:
        time = f"{training.epochs} × {training.seconds / 3600:.2f} h".replace(" ", "\u00a0")
    return (time, training.parameters, training.words, training.entities)


def _grouped(
    factor: str, slices: Mapping[str, Sequence[Slice]], caption: str, signatures: tuple[str, ...]
) -> Table:
    """Group, instances, and a column for each system; the groups are the same for all."""
    groups = next(iter(slices.values()))
    numbers = factor == "candidates"
    rows: list[tuple[Cell, ...]] = []
    for place, group in enumerate(groups):
        values = [shown(own[place].estimate) for own in slices.values()]
        rows.append((int(group.label) if numbers else group.label, group.estimate.n, *values))
    first = Column(factor, "count" if numbers else "text")
    columns = (first, Column("instances", "count"), *(Column(name, "percent") for name in slices))
    return Table(caption, columns, tuple(rows), signatures=signatures)


def _without(name: str, split: str) -> str:
    return re.sub(rf"[-_.]{split}(?=[-_.]|$)|^{split}[-_.]", "", name) or name
