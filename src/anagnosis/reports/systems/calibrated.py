"""What `calibrate` fitted for each run."""

from __future__ import annotations

from collections.abc import Mapping

from anagnosis.evaluation.calibration.scaling import Platt
from anagnosis.reports.report import Report, Table, table
from anagnosis.training.calibration.sentences import Calibrations
from anagnosis.training.runs.run import SentenceFit

_WANTED = {
    "weak": "keeps nine in ten",
    "fair": "best F1",
    "strong": "four in five hold it",
}
_NOT_REACHED = "no probability has four in five: the best that keeps one in twenty"


def report(record: Calibrations) -> Report:
    """A row for each run, and one for each threshold."""
    return Report("Calibration", (_fits(record.runs), _thresholds(record.runs)))


def _fits(found: Mapping[str, SentenceFit]) -> Table:
    notes = (
        "Slope and intercept are of the log-odds. Errors and the loss after are of questions that the fit did not see "
        "(five folds). Left out: questions that the run was trained on.",
        "If calibrated: the binned error that perfect probabilities have by chance.",
        *(
            f"{name}: no fit improved the reader's probabilities, which stay."
            for name, fit in found.items()
            if fit.platt == Platt()
        ),
    )
    return table(
        "Parameters fitted for each run",
        [
            ("run", "text", lambda of: of[0]),
            ("fitted on", "text", lambda of: f"{of[1].dataset}, {of[1].split}"),
            ("questions", "count", lambda of: of[1].questions),
            ("left out", "count", lambda of: of[1].left_out or None),
            ("sentences", "count", lambda of: of[1].sentences),
            ("slope", "number", lambda of: of[1].slope),
            ("intercept", "number", lambda of: of[1].intercept),
            ("binned error", "number", lambda of: of[1].error),
            ("if calibrated", "number", lambda of: of[1].by_chance),
            ("loss before", "number", lambda of: of[1].before),
            ("loss after", "number", lambda of: of[1].after),
        ],
        [*found.items()],
        notes=notes,
    )


def _thresholds(found: Mapping[str, SentenceFit]) -> Table:
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
            (run, name, chosen, getattr(fit.thresholds, name), fit.sentences)
            for run, fit in found.items()
            for name, chosen in _WANTED.items()
        ],
        notes=(
            "Precision and recall of the sentences from that probability on. Measured on questions that the fit did "
            "not see; but thresholds are chosen there, so figures of few sentences are too high.",
        ),
    )
