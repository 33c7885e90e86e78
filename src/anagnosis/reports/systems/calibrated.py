"""What `calibrate` fitted for each run, and what `decide` chose for each model on its development questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from anagnosis.datasets.folder.store import ALL
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.calibration.decision_rules import MACRO_F1
from anagnosis.reports.report import Block, Cell, Column, Kind, Report, Table, table
from anagnosis.training.calibration.decisions import TEMPERATURE, Decisions, ModelDecision
from anagnosis.training.calibration.run_calibration import CalibratedRun, Calibrations

if TYPE_CHECKING:
    from anagnosis.evaluation.calibration.highlight_thresholds import Thresholds
    from anagnosis.training.calibration.over_collection import OverCollection

_FITTED: tuple[tuple[str, Kind, Callable[[CalibratedRun], Cell]], ...] = (
    ("run", "text", lambda run: run.name),
    ("fitted on", "text", lambda run: f"{run.parameters.dataset}, {run.parameters.split}"),
    ("questions", "count", lambda run: run.parameters.questions),
)
_WANTED = {
    "weak": "keeps nine in ten",
    "fair": "best F1",
    "strong": "four in five hold it",
}
_ERRORS = (
    "Binned error: with what chance adds to it; calibration error: without, from and to its 95 % interval. p, "
    "calibrated: the chance of such a binned error if the probabilities were perfect."
)
_NOT_REACHED = "no probability has four in five: the best that keeps one in twenty"


def report(record: Calibrations) -> Report:
    """A row for each run, of readers of decisions and of sentences apart; then what was fitted for all together."""
    runs = record.runs
    blocks: list[Block] = [
        made for made in (_decisions(runs), _sentences(runs), _thresholds(runs)) if made.rows
    ]
    if record.over_collection is not None:
        blocks += [_over(record.over_collection), _thresholds_over(record.over_collection)]
    return Report("Calibration", tuple(blocks))


def _decisions(found: Sequence[CalibratedRun]) -> Table:
    return table(
        "Parameters fitted for each run",
        [
            *_FITTED,
            ("temperature", "number", lambda run: run.parameters.temperature),
            ("loss before", "number", lambda run: run.parameters.before),
            ("loss after", "number", lambda run: run.parameters.after),
        ],
        [each for each in found if each.parameters.temperature is not None],
        notes=(
            "Log-probabilities are divided by the temperature. Loss: −log of the right answer's probability, a mean "
            "over the questions that it was fitted on; for other questions, `anagnosis score` the files of `anagnosis "
            "decide`.",
        ),
    )


def _sentences(found: Sequence[CalibratedRun]) -> Table:
    notes = (
        "Slope and intercept are of the log-odds. Errors and the loss after are of questions that the fit did not see "
        "(five folds). Left out: questions that the run was trained on.",
        _ERRORS,
        *(
            f"{each.name}: no fit improved the reader's probabilities, which stay."
            for each in found
            if each.parameters.sentences is not None and each.parameters.sentences.is_identity
        ),
    )
    return table(
        "Parameters fitted for each run",
        [
            *_FITTED,
            ("left out", "count", lambda run: run.parameters.sentences.left_out or None),
            ("sentences", "count", lambda run: run.parameters.sentences.sentences),
            ("slope", "number", lambda run: run.parameters.sentences.slope),
            ("intercept", "number", lambda run: run.parameters.sentences.intercept),
            ("binned error", "number", lambda run: run.parameters.sentences.error),
            ("calibration error", "number", lambda run: run.parameters.sentences.debiased),
            ("from", "number", lambda run: run.parameters.sentences.low),
            ("to", "number", lambda run: run.parameters.sentences.high),
            ("p, calibrated", "p", lambda run: run.parameters.sentences.p),
            ("loss before", "number", lambda run: run.parameters.before),
            ("loss after", "number", lambda run: run.parameters.after),
        ],
        [each for each in found if each.parameters.sentences is not None],
        notes=notes,
    )


def _thresholds(found: Sequence[CalibratedRun]) -> Table:
    every = [
        (each.name, fit.thresholds, fit.sentences)
        for each in found
        if (fit := each.parameters.sentences) is not None
    ]
    return _worth("Thresholds of highlights", every, _WANTED)


def _over(made: OverCollection) -> Table:
    off = made.error
    rows = (
        ("questions asked", made.questions),
        ("of which none of the documents is in the index, so not asked", made.absent),
        ("that the runs were trained on, so not asked", made.left_out),
        ("documents of the index", made.documents),
        ("ranked", made.ranking),
        ("passages read of each question, at most", made.read),
        ("sentences read", made.sentences),
        ("of which hold the answer", made.gold),
        *((f"weight of {name}", weight) for name, weight in made.weights.items()),
        ("binned error", off.error),
        ("of a perfect forecaster", off.by_chance),
        ("calibration error", off.debiased),
        ("from", off.low),
        ("to", off.high),
        ("p, calibrated", off.p),
    )
    notes = (
        "A sentence's probability is the logistic function of its reader's log-odds, of the best overlap of words in "
        "its passage, of the logarithm of 1 + the passage's rank, and of 1. Errors are of highlighted sentences, "
        "on questions that the fit did not see (five folds). Unjudged sentences count as wrong.",
        _ERRORS,
    )
    return Table("Over the collection", (Column("what"), Column("value", "number")), rows, notes)


def _thresholds_over(made: OverCollection) -> Table:
    wanted = {**_WANTED, "weak": "keeps three in four"}
    return _worth(
        "Thresholds of highlights over the collection", [("all", made.thresholds, made.sentences)], wanted
    )


def _worth(title: str, every: Sequence[tuple[str, Thresholds, int]], wanted: Mapping[str, str]) -> Table:
    """A row for each threshold. every: run, thresholds, and on how many sentences they were chosen."""
    return table(
        title,
        [
            ("run", "text", lambda of: of[0]),
            ("strength", "text", lambda of: of[1]),
            ("from probability", "number", lambda of: of[3].least),
            ("precision (%)", "percent", lambda of: of[3].precision),
            ("recall (%)", "percent", lambda of: of[3].recall),
            ("sentences", "count", lambda of: of[3].sentences),
            ("chosen on", "count", lambda of: of[4]),
            ("chosen as", "text", lambda of: of[2] if of[3].reached else _NOT_REACHED),
        ],
        [
            (run, name, chosen, threshold, sentences)
            for run, found, sentences in every
            for (name, chosen), threshold in zip(
                wanted.items(), (found.weak, found.fair, found.strong), strict=True
            )
        ],
        notes=(
            "Precision and recall of the sentences from that probability on. Measured on questions that the fit did "
            "not see; but thresholds are chosen there, so figures of few sentences are too high.",
        ),
    )


def decisions_report(record: Decisions) -> Report:
    """A row for each model, and their means."""
    models, rule = record.models, record.rule
    columns = (
        Column("model"),
        Column("questions", "count"),
        Column("temperature", "number"),
        *(Column(f"offset of {label}", "number") for label in LABELS),
        Column("plain macro-F1 (%)", "percent"),
        Column("macro-F1 (%)", "percent"),
        Column("plain accuracy (%)", "percent"),
        Column("accuracy (%)", "percent"),
    )
    rows = [(each.name, *_cells(each)) for each in models]
    if len(rows) > 1:
        rows.append(("mean", *map(_mean, zip(*(row[1:] for row in rows), strict=True))))
    table = Table(
        f"Rule {rule}: {_chosen(rule, record.calibrate)}",
        columns,
        tuple(rows),
        tuple(_notes(rule, models, record.split)),
        zones=(len(models),) if len(models) > 1 else (),
    )
    return Report("Decisions", (table,))


def _chosen(rule: str, calibrate: str) -> str:
    what = " and ".join(["temperature"] * (calibrate == TEMPERATURE) + ["offsets"] * (rule == MACRO_F1))
    return f"{what} chosen on development questions" if what else "nothing was chosen"


def _notes(rule: str, models: Sequence[ModelDecision], split: str) -> Iterator[str]:
    yield "Log-probabilities are divided by the temperature, then each label's offset is added." + (
        " Its scores on the questions that it was chosen on are too high." if rule == MACRO_F1 else ""
    )
    if split in ("train", ALL):
        yield "Models were trained on some of these questions, so their answers to those are no test."
    elif split == "dev" and any(model.questions for model in models):
        yield "Temperature and rule were chosen on these questions, so the answers are no test."


def _cells(model: ModelDecision) -> tuple[Cell, ...]:
    offsets = tuple("never" if offset is None else offset for offset in model.offsets.values())
    if model.plain is None or model.ruled is None:
        return (None, model.temperature, *offsets, None, None, None, None)
    macro_f1 = model.plain.macro_f1, model.ruled.macro_f1
    accuracy = model.plain.accuracy, model.ruled.accuracy
    return (model.questions, model.temperature, *offsets, *macro_f1, *accuracy)


def _mean(cells: Sequence[Cell]) -> Cell:
    numbers = [float(each) for each in cells if isinstance(each, int | float)]
    return fmean(numbers) if len(numbers) == len(cells) else None
