"""Scores of systems on a dataset, as tables and plots: BIOMRC's Table 3, all measures of a split, language models.

A system's files for several splits are one row, as in Table 3, and so are its runs; what nobody said of it (training
time, parameters) stays empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from anagnosis.datasets.folder.store import ALL
from anagnosis.datasets.splits import SPLITS
from anagnosis.evaluation.classes import Majority
from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.scoring import Score
from anagnosis.evaluation.systems import Training
from anagnosis.predictions.notes import ModelNote
from anagnosis.reports.report import Block, Column, ColumnOf, Heading, Listing, Plot, Table, listing, table
from anagnosis.reports.systems.measured import (
    cell_kind,
    measured_column,
    method_of,
    shown,
    signed,
    spread,
)
from anagnosis.reports.systems.problems import harmless, unfit
from anagnosis.wording import counted

LINES = 6  # systems in one picture; more are hard to distinguish
UNFIT = Column("lines that do not fit")
RUNS = "Credits of several runs are averaged within each instance."
REPLIES = (
    "Not asked: instances for which no prompt is; they count as wrong in the measures of their type. Time: of all "
    "calls, one after another. Unparsed, refused and truncated replies give no answer. Outside the prompt: answers "
    "that none of its texts contains."
)
SHORTEST_IN_HOURS, SHORTEST_IN_MINUTES = 600, 100  # seconds


@dataclass(frozen=True, slots=True)
class Row:
    """A row of Table 3. scores: split → score. view: what it saw, None where nobody said."""

    name: str
    scores: Mapping[str, Score]
    training: Training = field(default_factory=Training)
    view: str | None = None


def rows_of(scores: Iterable[Score]) -> list[Row]:
    """Rows in the order in which the systems were given; names that occur twice in a split are numbered.

    Where there are several splits, a name without its split's is the system's: `base4-dev` and `base4-test` are
    `base4`. A row shows the first training that is known. Scores of two views are never one row.
    """
    found = list(scores)
    several = len({score.split for score in found}) > 1
    rows: dict[str, dict[str, Score]] = {}
    saw: dict[str, str] = {}
    for score in found:
        of_split = rf"[-_.]{score.split}(?=[-_.]|$)|^{score.split}[-_.]" if several else r"(?!)"
        name = re.sub(of_split, "", score.name) or score.name
        if score.view is not None and saw.setdefault(name, score.view) != score.view:
            name = f"{name} ({score.view})"
        copies = [name, *(f"{name} ({number})" for number in range(2, len(found) + 1))]
        name = next(copy for copy in copies if score.split not in rows.get(copy, {}))
        rows.setdefault(name, {})[score.split] = score

    def row(name: str) -> Row:
        own = rows[name]
        training = next((score.training for score in own.values() if score.training), Training())
        return Row(name, own, training, next((score.view for score in own.values() if score.view), None))

    return [row(name) for name in sorted(rows, key=lambda name: min(of.place for of in rows[name].values()))]


def on_split(rows: Iterable[Row], split: str) -> list[tuple[str, Score]]:
    """The name and the score of each row that has one there."""
    return [(row.name, row.scores[split]) for row in rows if split in row.scores]


def in_parts(scored: Sequence[Any]) -> Iterator[tuple[Sequence[Any], str]]:
    """The systems of each picture, and the end of its title where there are several."""
    for start in range(0, len(scored), LINES):
        some = scored[start : start + LINES]
        yield some, f", systems {start + 1} to {start + len(some)}" if len(scored) > LINES else ""


def systems_table(rows: Sequence[Row], *, notes: Sequence[str] = ()) -> Table:
    """Table 3, by the first measure. notes: what else must be reported of it."""
    splits = (*SPLITS, ALL) if any(ALL in row.scores for row in rows) else SPLITS
    measure = measures_of(rows)[0]
    scores = [score for row in rows for score in row.scores.values()]
    methods = dict.fromkeys(method_of(score.estimate) for score in scores)
    averaged = [RUNS] if any(len(score.estimate.runs) > 1 for score in scores) else []
    brackets = [f"In brackets: 95 % intervals ({', '.join(methods)})."] if methods else []

    def of_split(split: str) -> ColumnOf:
        column = measured_column(measure, f"{split} ")
        return column, lambda row: shown(row.scores[split].estimate) if split in row.scores else None

    return table(
        f"{measure.heading} of all systems",
        [
            ("system", lambda row: row.name),
            *map(of_split, splits),
            *([(UNFIT, _unfit)] if any(map(_unfit, rows)) else []),
            ("training time", lambda row: _time(row.training)),
            ("parameters", "parameters", lambda row: row.training.parameters),
        ],
        rows,
        notes=(*brackets, *averaged, *notes),
        signatures=signed((row.name, score.signature) for row in rows for score in row.scores.values()),
    )


def measures_table(rows: Sequence[Row], split: str) -> Iterator[Table]:
    """All measures of a split, where there are several; of labels with what the commonest one is worth."""
    measures, scored = measures_of(rows), on_split(rows, split)
    if len(measures) < 2 or not scored:
        return

    first = scored[0][1]
    methods = dict.fromkeys(
        f"{each.called}: {method_of(first.measures[each.name])}, n {first.measures[each.name].n:,}"
        for each in measures
    )
    caption = f"{', '.join(each.heading for each in measures[:-1])} and {measures[-1].called} on {split}"
    made = by_measures(caption, "system", measures, scored, notes=[f"95 % intervals ({'; '.join(methods)})."])
    if (level := first.majority) is not None:
        row = (majority_name(level), *(level.of(each.name) for each in measures))
        note = majority_note(level, [(name, score.measures.get("accuracy")) for name, score in scored])
        made = replace(made, rows=(*made.rows, row), notes=(*made.notes, note))
    yield made


def by_measures(
    caption: str,
    who: str,
    measures: Sequence[Measure],
    scored: Sequence[tuple[str, Score]],
    more: Sequence[ColumnOf] = (),
    **notes: Iterable[Any],
) -> Table:
    """A row a system with all measures. notes: and zones, as `table` takes them."""

    def measured(measure: Measure) -> ColumnOf:
        return measured_column(measure), lambda of: shown(of[1].measures[measure.name])

    signatures = signed((name, own.signature) for name, score in scored for own in score.measures.values())
    columns: list[ColumnOf] = [(who, lambda of: of[0]), *map(measured, measures), *more]
    return table(caption, columns, scored, signatures=signatures, **notes)


def majority_name(level: Majority) -> str:
    """The row of the commonest label."""
    return f"majority ({level.label})"


def majority_note(level: Majority, accuracies: Sequence[tuple[str, Measured | None]]) -> str:
    """accuracies: (name, accuracy) of each system beside it."""
    low = ", ".join(name for name, own in accuracies if own is not None and own.value <= level.accuracy)
    return (
        f"{majority_name(level)}: the commonest label here for every instance. "
        f"Not above it in accuracy: {low or 'no system'}."
    )


def measures_plot(rows: Sequence[Row], split: str) -> Plot:
    """A point with its interval for each system, by the first measure: a picture of `systems_table`."""
    scored, measure = on_split(rows, split), measures_of(rows)[0]
    title = f"{measure.heading} on {split}"
    columns: list[ColumnOf] = [
        ("system", lambda of: of[0]),
        (measure.called, cell_kind(measure), lambda of: shown(of[1].estimate)),
    ]
    what = f"{counted(len(scored), 'system')}, with 95 % intervals."
    return Plot(title, what, "accuracy_with_intervals", table(title, columns, scored), repeated=True)


def counts_table(rows: Sequence[Row], split: str) -> Table:
    """How many instances and runs stand behind the accuracies, and how they were answered."""
    scored = on_split(rows, split)
    runs = spread(lambda of: of[1].estimate, scored)
    notes = ["Withheld ones are left out; unanswered ones are wrong."] if scored else []
    if runs:
        notes.append("Unanswered and tied ones are of all runs together; changed: not all runs answer alike.")
    return table(
        f"Counts on {split}",
        [
            ("system", lambda of: of[0]),
            ("instances", "count", lambda of: of[1].instances),
            ("documents", "count", lambda of: of[1].documents),
            ("answer withheld", "count", lambda of: of[1].withheld),
            ("unanswered", "count", lambda of: of[1].unanswered),
            ("tied at the top", "count", lambda of: of[1].tied),
            *runs,
            ("answers changed (%)", "percent", lambda of: shown(of[1].changed)),
        ],
        scored,
        notes=notes,
    )


def models_blocks(models: Mapping[str, tuple[ModelNote, ...]]) -> Iterator[Block]:
    """Two tables with a row for every run of a language model; nothing where there is none."""
    runs = [(name, note) for name, notes in models.items() for note in notes]
    named: list[ColumnOf] = [("system", lambda of: of[0]), ("seed", "count", lambda of: of[1].seed)]
    asked: list[ColumnOf] = [
        ("model", lambda of: of[1].model),
        ("served as", lambda of: ", ".join(of[1].spent.models)),
        ("prompt", lambda of: ", ".join(of[1].prompts)),
        ("context", lambda of: of[1].context),
        ("examples", lambda of: of[1].asked["examples"]),
        ("temperature", lambda of: of[1].asked["temperature"]),
        ("cut-off", lambda of: of[1].cut_off),
    ]
    replies: list[ColumnOf] = [
        ("not asked", "count", lambda of: of[1].unasked),
        ("calls", "count", lambda of: of[1].spent.calls),
        ("tokens read", "count", lambda of: of[1].spent.read),
        ("tokens written", "count", lambda of: of[1].spent.written),
        ("time", "seconds", lambda of: of[1].spent.seconds),
        ("cost", "fraction", lambda of: "-" if of[1].spent.cost is None else of[1].spent.cost),
        ("unparsed", "count", lambda of: of[1].unparsed),
        ("refused", "count", lambda of: of[1].refused),
        ("truncated", "count", lambda of: of[1].truncated),
        ("answers", "count", lambda of: of[1].answers),
        (
            "outside the prompt (%)",
            "percent",
            lambda of: of[1].outside / of[1].answers if of[1].answers else None,
        ),
    ]
    if runs:
        yield Heading("Language models")
        yield table("Prompts of language models", [*named, *asked], runs)
        yield table("Replies of language models", [*named, *replies], runs, notes=[REPLIES])


def facts(
    dataset_name: str, rows: Mapping[str, int], fingerprints: Mapping[str, str], **settings: str
) -> Listing:
    """What the numbers are of: the dataset, its splits with instances and fingerprint, and the settings."""
    known = {split: f", fingerprint {fingerprint}" for split, fingerprint in fingerprints.items()}
    splits = [(split, f"{count:,} instances{known.get(split, '')}") for split, count in rows.items()]
    named = [(name.replace("_", " "), value) for name, value in settings.items()]
    return listing([("dataset", dataset_name), *splits, *named])


def _unfit(row: Row) -> str | None:
    """`unfit` of each split, which is named where the row has several."""
    texts = {
        split: unfit(score.problems, harmless(bool(score.classes))) for split, score in row.scores.items()
    }
    if len(texts) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"{split}: {text}" for split, text in texts.items() if text) or None


def measures_of(rows: Iterable[Row]) -> list[Measure]:
    """The measures of all scores; accuracy where there is none."""
    score = next((score for row in rows for score in row.scores.values()), None)
    return [named(name) for name in (score.measures if score else ("accuracy",))]


def _time(training: Training) -> str | None:
    if training.epochs is None or training.seconds is None:
        return None
    return f"{training.epochs:.0f} × {_epoch(training.seconds)}".replace(" ", "\u00a0")


def _epoch(seconds: float) -> str:
    """The time of one epoch: hours as in the paper, where an epoch takes them."""
    if seconds >= SHORTEST_IN_HOURS:
        return f"{seconds / 3600:.2f} h"
    if seconds >= SHORTEST_IN_MINUTES:
        return f"{seconds / 60:.1f} min"
    return f"{seconds:.{0 if seconds >= 10 else 1 if seconds >= 1 else 2}f} s"
