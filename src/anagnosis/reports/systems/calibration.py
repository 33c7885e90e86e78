"""What `decide` chose for each model on its development questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from anagnosis.datasets.folder.store import ALL
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.calibration.decision_rules import MACRO_F1
from anagnosis.reports.report import Cell, ColumnOf, Report, table
from anagnosis.training.calibration.decisions import TEMPERATURE, Decisions, ModelDecision


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
