"""What `calibrate` fitted for each run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anagnosis.reports.report import Cell, Kind, Report, Table, table
from anagnosis.training.calibration.sentences import CalibratedRun, Calibrations

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
_NOT_REACHED = "no probability has four in five: the best that keeps one in twenty"


def report(record: Calibrations) -> Report:
    """A row for each run, and one for each threshold."""
    tables = (part(record.runs) for part in (_sentences, _thresholds))
    return Report("Calibration", tuple(made for made in tables if made.rows))


def _sentences(found: Sequence[CalibratedRun]) -> Table:
    notes = (
        "Slope and intercept are of the log-odds. Errors and the loss after are of questions that the fit did not see "
        "(five folds). Left out: questions that the run was trained on.",
        "If calibrated: the binned error that perfect probabilities have by chance.",
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
            ("if calibrated", "number", lambda run: run.parameters.sentences.by_chance),
            ("loss before", "number", lambda run: run.parameters.before),
            ("loss after", "number", lambda run: run.parameters.after),
        ],
        [each for each in found if each.parameters.sentences is not None],
        notes=notes,
    )


def _thresholds(found: Sequence[CalibratedRun]) -> Table:
    """A row for each threshold."""
    return table(
        "Thresholds of highlights",
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
            (each.name, name, chosen, getattr(fit.thresholds, name), fit.sentences)
            for each in found
            if (fit := each.parameters.sentences) is not None
            for name, chosen in _WANTED.items()
        ],
        notes=(
            "Precision and recall of the sentences from that probability on. Measured on questions that the fit did "
            "not see; but thresholds are chosen there, so figures of few sentences are too high.",
        ),
    )
