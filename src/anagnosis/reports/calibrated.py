"""What `calibrate` fitted for each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anagnosis.reports.report import Column, Report, Table
from anagnosis.training.calibrating import Calibrated

if TYPE_CHECKING:
    from anagnosis.searching.names.ranking import Fitted


def calibrated_report(found: Sequence[Calibrated]) -> Report:
    """A row for each run, of readers of decisions and of sentences apart."""
    tables = [made for made in (_decisions(found), _sentences(found)) if made.rows]
    return Report("Calibration", tuple(tables))


def _decisions(found: Sequence[Calibrated]) -> Table:
    columns = (
        Column("run"),
        Column("fitted on"),
        Column("questions", "count"),
        Column("temperature", "number"),
        Column("loss before", "number"),
        Column("loss after", "number"),
    )
    rows = tuple(
        (
            each.run.folder.resolve().name,
            f"{each.kept.dataset}, {each.kept.split}",
            each.kept.questions,
            each.kept.temperature,
            each.kept.before,
            each.kept.after,
        )
        for each in found
        if each.kept.temperature is not None
    )
    notes = (
        "Log-probabilities are divided by the temperature. Loss: −log of the right answer's probability, a mean over "
        "the questions that it was fitted on; how well it fits others, `anagnosis score` tells of `anagnosis decide`.",
    )
    return Table("What was fitted for each run", columns, rows, notes)


def _sentences(found: Sequence[Calibrated]) -> Table:
    columns = (
        Column("run"),
        Column("fitted on"),
        Column("questions", "count"),
        Column("sentences", "count"),
        Column("slope", "number"),
        Column("intercept", "number"),
        Column("weak", "number"),
        Column("fair", "number"),
        Column("strong", "number"),
        Column("calibration error", "number"),
        Column("from", "number"),
        Column("to", "number"),
        Column("loss before", "number"),
        Column("loss after", "number"),
    )
    rows = tuple(
        (
            each.run.folder.resolve().name,
            f"{each.kept.dataset}, {each.kept.split}",
            each.kept.questions,
            *(own.sentences, own.slope, own.intercept, own.weak, own.fair, own.strong),
            *(own.error, own.low, own.high),
            each.kept.before,
            each.kept.after,
        )
        for each in found
        if (own := each.kept.sentences) is not None
    )
    notes = (
        "Slope and intercept are of the log-odds. Error, its 95 % interval and the loss after are of questions left "
        "out of the fit (five folds). Marks: fair has the best F1, weak keeps nine in ten sentences that hold the "
        "answer, from strong on four in five do where that can be had. A slope of 1 and an intercept of 0: no fit was "
        "better than the reader's own probabilities.",
    )
    return Table("What was fitted for each run", columns, rows, notes)


def fitted_report(made: Fitted) -> Report:
    """How names are ranked and judged."""
    rows = (
        ("fitted on", made.dataset),
        ("questions for the ranking", made.ranked),
        ("questions for the confidence", made.judged),
        ("weight of what the reader says", made.reading["share"]),
        ("a name belongs to a list from this confidence on", made.enough),
    )
    notes = (
        "The features of a name count 1 together; the reader's word is the logarithm of its probability.",
    )
    columns = (Column("what"), Column("value", "number"))
    return Report("Calibration", (Table("What was fitted for names", columns, rows, notes),))
