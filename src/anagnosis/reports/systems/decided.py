"""What `decide` chose for each model on its development questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from anagnosis.datasets.folder.store import ALL
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.calibration.decision_rules import MACRO_F1
from anagnosis.reports.report import Cell, Column, Report, Table
from anagnosis.training.calibration.decisions import TEMPERATURE, Decisions, ModelDecision


def report(record: Decisions) -> Report:
    """A row for each model, and their means."""
    models, rule = record.models, record.rule
    columns = (
        Column("model"),
        Column("questions", "count"),
        Column("temperature", "number"),
        *(Column(f"offset of {label}", "number") for label in LABELS),
    )
    rows = [(each.name, *_cells(each)) for each in models]
    if len(rows) > 1:
        rows.append(("mean", *map(_mean, zip(*(row[1:] for row in rows), strict=True))))
    table = Table(
        f"Rule {rule}: {_chosen(rule, record.calibrate)}",
        columns,
        tuple(rows),
        tuple(_notes(models, record.split)),
        zones=(len(models),) if len(models) > 1 else (),
    )
    return Report("Decisions", (table,))


def _chosen(rule: str, calibrate: str) -> str:
    what = " and ".join(["temperature"] * (calibrate == TEMPERATURE) + ["offsets"] * (rule == MACRO_F1))
    return f"{what} chosen on development questions" if what else "nothing was chosen"


def _notes(models: Sequence[ModelDecision], split: str) -> Iterator[str]:
    yield "Log-probabilities are divided by the temperature, then each label's offset is added."
    if split in ("train", ALL):
        yield "Models were trained on some of these questions, so their answers to those are no test."
    elif split == "dev" and any(model.questions for model in models):
        yield "Temperature and rule were chosen on these questions, so the answers are no test."


def _cells(model: ModelDecision) -> tuple[Cell, ...]:
    offsets = tuple("never" if offset is None else offset for offset in model.offsets.values())
    return (model.questions or None, model.temperature, *offsets)


def _mean(cells: Sequence[Cell]) -> Cell:
    numbers = [float(each) for each in cells if isinstance(each, int | float)]
    return fmean(numbers) if len(numbers) == len(cells) else None
