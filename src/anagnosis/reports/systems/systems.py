"""What systems are worth on a dataset: BIOMRC's Table 3, Figure 3 and other break-downs, and what did not fit.

A system's files for several splits are one row, as in Table 3, and so are its runs; what nobody said of it (training
time, parameters) stays empty.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from anagnosis.datasets.folder.store import ALL
from anagnosis.datasets.splits import SPLITS
from anagnosis.evaluation.breakdown import LEAST, Breakdown, Slice
from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.scoring import Score
from anagnosis.evaluation.systems import Spread
from anagnosis.predictions import PROBLEMS, Problem
from anagnosis.predictions.notes import TrainingNote
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
UNFIT = Column("lines that do not fit")
SHORTEST_IN_HOURS = 600
SHORTEST_IN_MINUTES = 100
SPREAD_COLUMNS = (Column("runs", "count"), Column("deviation (points)", "percent"))
ORDERED = ("candidates", "passage tokens")  # factors whose groups have an order, so that a line may join them
_JOINED = f"Neighbouring groups are joined until each has {LEAST} instances."

FACTORS = {
    "candidates": "number of candidates",
    "entity type": "type of the answer",
    "passage tokens": "length of the passage",
    "familiarity": "whether training knew the answer",
}


@dataclass(frozen=True, slots=True)
class Training:
    """What Table 3 says of a system besides accuracy; None where nobody said. seconds: of one epoch.

    epochs and seconds of several runs are means. parameters: trainable ones in all; words, entities: those of word
    and of entity embeddings; None where runs differ.
    """

    epochs: float | None = None
    seconds: float | None = None
    parameters: int | None = None
    words: int | None = None
    entities: int | None = None

    @classmethod
    def of(cls, runs: Sequence[TrainingNote]) -> Training:
        """runs: the note of each, at least one."""
        return cls(
            _mean([run.epochs for run in runs]),
            _mean([run.seconds for run in runs]),
            _same([run.parameters for run in runs]),
            _same([run.words for run in runs]),
            _same([run.entities for run in runs]),
        )


@dataclass(frozen=True, slots=True)
class System:
    """A row of Table 3. scores: split → score. view: what it saw, None where nobody said."""

    name: str
    scores: Mapping[str, Score]
    training: Training = field(default_factory=Training)
    view: str | None = None


def systems(
    scores: Mapping[str, Sequence[Score]],
    training: Mapping[str, Sequence[Training | None]] | None = None,
    places: Mapping[str, Sequence[int]] | None = None,
    views: Mapping[str, Sequence[str | None]] | None = None,
) -> list[System]:
    """Rows from split → scores; names that occur twice in a split are numbered.

    Where there are several splits, a name without its split's is the system's: `base4-dev` and `base4-test` are
    `base4`. training: what is known of each score's system, in the same shape; a row shows the first of its splits'.
    places: by which the rows are ordered, in the same shape; without it they are in the order of the scores.
    views: what each saw, in the same shape; scores of two views are never one row.
    """
    rows: dict[str, dict[str, Score]] = {}
    trained: dict[str, Training] = {}
    first: dict[str, int] = {}
    saw: dict[str, str] = {}
    views_of_rows: dict[str, str] = {}
    for split, found in scores.items():
        seen: Counter[str] = Counter()
        known = (training or {}).get(split) or [None] * len(found)
        order = (places or {}).get(split) or [0] * len(found)
        seeing = (views or {}).get(split) or [None] * len(found)
        for score, own, place, view in zip(found, known, order, seeing, strict=True):
            name = _without(score.name, split) if len(scores) > 1 else score.name
            if view is not None and saw.setdefault(name, view) != view:
                name = f"{name} ({view})"
            seen[name] += 1
            name = name if seen[name] == 1 else f"{name} ({seen[name]})"
            rows.setdefault(name, {})[split] = score
            first[name] = min(place, first.get(name, place))
            if view is not None:
                views_of_rows.setdefault(name, view)
            if own is not None:
                trained.setdefault(name, own)
    return [
        System(name, rows[name], trained.get(name, Training()), views_of_rows.get(name))
        for name in sorted(rows, key=first.__getitem__)
    ]


def unfit(problems: Mapping[str, Problem], harmless: frozenset[str] = HARMLESS) -> str | None:
    """What of a system's lines did not fit, as its row shows it: `22 missing, 5 repeated`; None where all did."""
    told = [
        f"{problem.count:,} {name.replace('_', ' ')}"
        for name, problem in problems.items()
        if name not in harmless
    ]
    return ", ".join(told) or None


def systems_table(rows: Sequence[System], *, unit: str, notes: Sequence[str] = ()) -> Table:
    """Table 3. unit: "instance" or "document", which intervals stand there. notes: what else must be told of it."""
    splits = (*SPLITS, ALL) if any(ALL in row.scores for row in rows) else SPLITS
    unfitting = [_unfit(row) for row in rows]
    tells = any(unfitting)
    cells = [
        (
            row.name,
            *(_accuracy(row, split, unit) for split in splits),
            *([told] if tells else []),
            *_trained(row.training),
        )
        for row, told in zip(rows, unfitting, strict=True)
    ]
    measure = _measure(rows)
    methods = {_measured(score, unit).interval.method: None for row in rows for score in row.scores.values()}
    brackets = [f"In brackets: 95 % intervals ({', '.join(methods)})."] if methods else []
    return Table(
        f"{measure.name.capitalize()} of all systems",
        (
            Column("system"),
            *(_column(measure, split) for split in splits),
            *([UNFIT] if tells else []),
            Column("training time"),
            Column("parameters", "parameters"),
            Column("of words", "parameters"),
            Column("of entities", "parameters"),
        ),
        tuple(cells),
        (*brackets, *_deviations(rows), *notes),
        tuple(dict.fromkeys(score.signature for row in rows for score in row.scores.values())),
    )


def accuracy_plot(rows: Sequence[System], split: str, *, unit: str) -> Plot:
    """A point with its interval for each system."""
    scored = [(row.name, shown(_measured(row.scores[split], unit))) for row in rows if split in row.scores]
    measure = _measure(rows)
    title = f"{measure.name.capitalize()} on {split}"
    table = Table(title, (Column("system"), Column(measure.name, measure.unit)), tuple(scored))
    what = f"{len(scored)} system{'s' if len(scored) != 1 else ''}, with 95 % intervals."
    return Plot(title, what, "accuracy_with_intervals", table)


def breakdown_plots(rows: Sequence[System], split: str) -> Iterator[Plot | Text]:
    """A picture for each factor, several where there are many systems; a line of text for a factor of one group."""
    scored = [row for row in rows if split in row.scores]
    factors = scored[0].scores[split].breakdowns if scored else ()
    measure = _measure(scored)
    for place, factor in enumerate(factors):
        for start in range(0, len(scored) if len(factor.slices) > 1 else 0, LINES):
            some = scored[start : start + LINES]
            slices = {row.name: row.scores[split].breakdowns[place].slices for row in some}
            signatures = tuple(dict.fromkeys(row.scores[split].signature for row in some))
            part = f", systems {start + 1} to {start + len(some)}" if len(scored) > LINES else ""
            title = _title(measure, factor.factor) + part
            yield Plot(
                title,
                _described(factor.factor, split),
                "accuracy_by_candidates" if factor.factor in ORDERED else "accuracy_by_group",
                _grouped(factor.factor, slices, f"{title}, the numbers", signatures),
            )
    yield from (Text(_one_group(measure, factor), "note") for factor in factors if len(factor.slices) == 1)


def counts_table(rows: Sequence[System], split: str) -> Table:
    """How many instances and runs stand behind the accuracies, and how they were answered."""
    scored = [(row.name, row.scores[split]) for row in rows if split in row.scores]
    spreads = spread_cells([score.spread for _, score in scored])
    return Table(
        f"What was counted on {split}",
        (
            Column("system"),
            Column("instances", "count"),
            Column("documents", "count"),
            Column("answer withheld", "count"),
            Column("unanswered", "count"),
            Column("tied at the top", "count"),
            *SPREAD_COLUMNS,
        ),
        tuple(
            (name, s.instances, s.documents, s.withheld, s.unanswered, s.tied, *spread)
            for (name, s), spread in zip(scored, spreads, strict=True)
        ),
        (
            "Withheld ones are left out; unanswered ones are wrong.",
            *(["Unanswered and tied ones are of all runs together."] if any(spreads[0]) else []),
        )
        if scored
        else (),
    )


def spread_cells(spreads: Sequence[Spread]) -> list[tuple[Cell, Cell]]:
    """For SPREAD_COLUMNS: (runs, deviation of their accuracies) of each system; empty where all have one run."""
    if all(spread.deviation is None for spread in spreads):
        return [(None, None)] * len(spreads)
    return [(len(spread.accuracies), spread.deviation) for spread in spreads]


def problems(
    files: Iterable[tuple[str, str, Mapping[str, Problem]]], harmless: frozenset[str] = HARMLESS
) -> Iterator[Block]:
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
    yield Text(text, "warning" if totals.keys() - harmless else "plain")
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


def _unfit(row: System) -> str | None:
    """`unfit` of each split, which is named where the row has several."""
    told = {
        split: unfit(score.problems, harmless(bool(score.classes))) for split, score in row.scores.items()
    }
    if len(told) == 1:
        return next(iter(told.values()))
    return "; ".join(f"{split}: {text}" for split, text in told.items() if text) or None


def harmless(decides: bool) -> frozenset[str]:
    """The problems that need no warning: of decisions a rule need not take the most probable label."""
    return HARMLESS | frozenset({"answer_not_on_top"} if decides else ())


def _measure(rows: Sequence[System]) -> Measure:
    """The one measure of all scores; accuracy where there is none."""
    return named(next((score.measure for row in rows for score in row.scores.values()), "accuracy"))


def _column(measure: Measure, split: str) -> Column:
    unit = " (%)" if measure.unit == "percent" else ""
    return Column(
        f"{split} {measure.name}{unit}", measure.unit, "high" if measure.higher_is_better else "low"
    )


def _title(measure: Measure, factor: str) -> str:
    return f"{measure.name.capitalize()} by {FACTORS.get(factor, factor)}"


def _accuracy(row: System, split: str, unit: str) -> Estimate | None:
    return shown(_measured(row.scores[split], unit)) if split in row.scores else None


def _deviations(rows: Sequence[System]) -> Iterator[str]:
    """For each system of several runs: how many, and how far they are apart on each split."""
    for row in rows:
        told: list[str] = []
        runs = 1
        for split in (*SPLITS, ALL):
            spread = row.scores[split].spread if split in row.scores else None
            if spread is None or spread.deviation is None:
                continue
            count = len(spread.accuracies)
            points = f"{100 * spread.deviation:.1f} points on {split}"
            told.append(points if count == runs else f"{count} runs, deviation {points}")
            runs = count
        if told:
            yield f"{row.name}: credits averaged within each question over {', '.join(told)}."


def _trained(training: Training) -> tuple[Cell, ...]:
    time = None
    if training.epochs is not None and training.seconds is not None:
        time = f"{training.epochs:.0f} × {_epoch(training.seconds)}".replace(" ", "\u00a0")
    return (time, training.parameters, training.words, training.entities)


def _epoch(seconds: float) -> str:
    """The time of one epoch: hours as in the paper, where an epoch takes them."""
    if seconds >= SHORTEST_IN_HOURS:
        return f"{seconds / 3600:.2f} h"
    if seconds >= SHORTEST_IN_MINUTES:
        return f"{seconds / 60:.1f} min"
    return f"{seconds:.{0 if seconds >= 10 else 1 if seconds >= 1 else 2}f} s"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None


def _same(values: Sequence[int | None]) -> int | None:
    return values[0] if len(set(values)) == 1 else None


def _described(factor: str, split: str) -> str:
    """What a picture of a factor shows, and how its groups came about."""
    shown = f"On {split}, with 95 % intervals by instance, and how many instances each group has."
    return f"{shown} {_JOINED}" if factor in ORDERED else shown


def _one_group(measure: Measure, factor: Breakdown) -> str:
    (group,) = factor.slices
    joined = f" {_JOINED}" if factor.factor in ORDERED else ""
    title = _title(measure, factor.factor)
    return f"{title}: no picture, since all {group.estimate.n:,} instances are in one group, {group.label}.{joined}"


def _grouped(
    factor: str, slices: Mapping[str, Sequence[Slice]], caption: str, signatures: tuple[str, ...]
) -> Table:
    """Group, instances, and a column for each system; the groups are the same for all."""
    groups = next(iter(slices.values()))
    rows: list[tuple[Cell, ...]] = []
    for place, group in enumerate(groups):
        values = [shown(own[place].estimate) for own in slices.values()]
        rows.append((group.label, group.estimate.n, *values))
    columns = (Column(factor), Column("instances", "count"), *(Column(name, "percent") for name in slices))
    return Table(caption, columns, tuple(rows), signatures=signatures)


def _without(name: str, split: str) -> str:
    return re.sub(rf"[-_.]{split}(?=[-_.]|$)|^{split}[-_.]", "", name) or name
