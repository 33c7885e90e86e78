"""What `calibrate` fitted for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from anagnosis.reports.report import Block, Cell, Column, Report, Table
from anagnosis.training.calibration.run_calibration import CalibratedRun, Calibrations

if TYPE_CHECKING:
    from anagnosis.evaluation.calibration.thresholds import Thresholds
    from anagnosis.training.calibration.over_collection import OverCollection

_FITTED = (Column("run"), Column("fitted on"), Column("questions", "count"))
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
    columns = (
        *_FITTED,
        Column("temperature", "number"),
        Column("loss before", "number"),
        Column("loss after", "number"),
    )
    rows = tuple(
        (
            *_fitted(each),
            each.parameters.temperature,
            each.parameters.before,
            each.parameters.after,
        )
        for each in found
        if each.parameters.temperature is not None
    )
    notes = (
        "Log-probabilities are divided by the temperature. Loss: −log of the right answer's probability, a mean over "
        "the questions that it was fitted on; for other questions, `anagnosis score` the files of `anagnosis decide`.",
    )
    return Table("Parameters fitted for each run", columns, rows, notes)


def _sentences(found: Sequence[CalibratedRun]) -> Table:
    columns = (
        *_FITTED,
        Column("left out", "count"),
        Column("sentences", "count"),
        Column("slope", "number"),
        Column("intercept", "number"),
        Column("binned error", "number"),
        Column("calibration error", "number"),
        Column("from", "number"),
        Column("to", "number"),
        Column("p, calibrated", "p"),
        Column("loss before", "number"),
        Column("loss after", "number"),
    )
    rows = tuple(
        (
            *_fitted(each),
            own.left_out or None,
            *(own.sentences, own.slope, own.intercept, own.error),
            *(own.debiased, own.low, own.high, own.p),
            each.parameters.before,
            each.parameters.after,
        )
        for each in found
        if (own := each.parameters.sentences) is not None
    )
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
    return Table("Parameters fitted for each run", columns, rows, notes)


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
    """A row for each threshold. every: run, marks, and on how many sentences they were chosen."""
    columns = (
        Column("run"),
        Column("strength"),
        Column("from probability", "number"),
        Column("precision (%)", "percent"),
        Column("recall (%)", "percent"),
        Column("sentences", "count"),
        Column("chosen on", "count"),
        Column("chosen as"),
    )
    rows = tuple(
        (
            run,
            name,
            threshold.least,
            threshold.precision,
            threshold.recall,
            threshold.sentences,
            sentences,
            chosen if threshold.reached else _NOT_REACHED,
        )
        for run, marks, sentences in every
        for (name, chosen), threshold in zip(
            wanted.items(), (marks.weak, marks.fair, marks.strong), strict=True
        )
    )
    notes = (
        "Precision and recall of the sentences from that probability on. Measured on questions that the fit did not "
        "see; but thresholds are chosen there, so figures of few sentences are too high.",
    )
    return Table(title, columns, rows, notes)


def _fitted(each: CalibratedRun) -> tuple[Cell, ...]:
    """The cells of _FITTED."""
    kept = each.parameters
    return each.name, f"{kept.dataset}, {kept.split}", kept.questions
