"""What `decide` chose for each model on its development questions, and what `calibrate` fitted for each run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from anagnosis.datasets.folder.store import ALL
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.calibration.decision_rules import MACRO_F1
from anagnosis.evaluation.calibration.scaling import Platt
from anagnosis.reports.report import Cell, ColumnOf, Report, table
from anagnosis.training.calibration.decisions import TEMPERATURE, Decisions, ModelDecision
from anagnosis.training.calibration.sentences import Calibrations


def decisions_report(record: Decisions) -> Report:
    """A row for each model, and their means."""
    models = record.models

    def of_label(label: str) -> ColumnOf:
        def offset(model: ModelDecision) -> Cell:
            found = model.offsets[label]
            return "never" if found is None else found

        return f"offset of {label}", "number", offset

    made = table(
        f"Rule {record.rule}: {_chosen(record.rule, record.calibrate)}",
        [
            ("model", lambda model: model.name),
            ("questions", "count", lambda model: model.questions or None),
            ("temperature", "number", lambda model: model.temperature),
            *map(of_label, LABELS),
        ],
        models,
        notes=_notes(models, record.split),
    )
    if len(models) > 1:
        means = map(_mean, zip(*(row[1:] for row in made.rows), strict=True))
        made = replace(made, rows=(*made.rows, ("mean", *means)), zones=(len(models),))
    return Report("Decisions", (made,))


def _chosen(rule: str, calibrate: str) -> str:
    what = " and ".join(["temperature"] * (calibrate == TEMPERATURE) + ["offsets"] * (rule == MACRO_F1))
    return f"{what} chosen on development questions" if what else "nothing was chosen"


def _notes(models: Sequence[ModelDecision], split: str) -> Iterator[str]:
    yield "Log-probabilities are divided by the temperature, then each label's offset is added."
    if split in ("train", ALL):
        yield "Models were trained on some of these questions, so their answers to those are no test."
    elif split == "dev" and any(model.questions for model in models):
        yield "Temperature and rule were chosen on these questions, so the answers are no test."


def _mean(cells: Sequence[Cell]) -> Cell:
    numbers = [float(each) for each in cells if isinstance(each, int | float)]
    return fmean(numbers) if len(numbers) == len(cells) else None


_WANTED = {
    "weak": "keeps nine in ten",
    "fair": "best F1",
    "strong": "four in five hold it",
}
_NOT_REACHED = "no probability has four in five: the best that keeps one in twenty"


def fits_report(record: Calibrations) -> Report:
    """A row for each run, and one for each threshold."""
    runs = record.runs
    unchanged = [name for name, fit in runs.items() if fit.platt == Platt()]
    fits = table(
        "Parameters fitted for each run",
        [
            ("run", lambda of: of[0]),
            ("fitted on", lambda of: f"{of[1].dataset}, {of[1].split}"),
            ("questions", "count", lambda of: of[1].questions),
            ("left out", "count", lambda of: of[1].left_out or None),
            ("sentences", "count", lambda of: of[1].sentences),
            ("slope", "number", lambda of: of[1].slope),
            ("intercept", "number", lambda of: of[1].intercept),
            ("loss before", "number", lambda of: of[1].before),
            ("loss after", "number", lambda of: of[1].after),
        ],
        runs.items(),
        notes=(
            "Slope and intercept are of the log-odds. The loss after is of questions that the fit did not see (five "
            "folds). Left out: questions that the run was trained on.",
            *(f"{name}: no fit improved the reader's probabilities, which stay." for name in unchanged),
        ),
    )
    thresholds = table(
        "Thresholds of highlights",
        [
            ("run", lambda of: of[0]),
            ("strength", lambda of: of[1]),
            ("from probability", "number", lambda of: of[3].least),
            ("precision (%)", "percent", lambda of: of[3].precision),
            ("recall (%)", "percent", lambda of: of[3].recall),
            ("sentences", "count", lambda of: of[3].sentences),
            ("chosen on", "count", lambda of: of[4]),
            ("chosen as", lambda of: of[2] if of[3].reached else _NOT_REACHED),
        ],
        [
            (run, name, chosen, getattr(fit.thresholds, name), fit.sentences)
            for run, fit in runs.items()
            for name, chosen in _WANTED.items()
        ],
        notes=(
            "Precision and recall of the sentences from that probability on. Measured on questions that the fit did "
            "not see; but thresholds are chosen there, so figures of few sentences are too high.",
        ),
    )
    return Report("Calibration", (fits, thresholds))
