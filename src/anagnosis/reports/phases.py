"""The phases of a training: what each was trained on, which weights it began with, and what it reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anagnosis.reports.report import Cell, Column, Report, Table

if TYPE_CHECKING:
    from anagnosis.training.run import Phases

_SHOWN = 8  # digits of a checksum
_COLUMNS = (
    Column("phase"),
    Column("equation"),
    Column("trained on"),
    Column("view"),
    Column("instances", "number"),
    Column("began with"),
    Column("weights"),
    Column("judged on"),
    Column("questions", "number"),
    Column("accuracy (%)", "percent"),
    Column("macro-F1 (%)", "percent"),
    Column("majority (%)", "percent"),
    Column("its macro-F1 (%)", "percent"),
)


def report(found: Phases) -> Report:
    """One row a phase; of several folds the means."""
    runs = max(len(phase["weights"]) for phase in found.phases)
    notes = [
        "Where people's labels were learned, judged on the test part; else on the phase's own development part.",
        "Macro-F1 is the mean over the labels that occur, as the authors' program has it.",
    ]
    if runs > 1:
        notes.append(f"Means over {runs} folds where a phase depends on the fold.")
    table = Table(f"The schedule {found.schedule}", _COLUMNS, tuple(map(_row, found.phases)), tuple(notes))
    return Report(f"The phases of {found.schedule}", (table,))


def _row(phase: Mapping[str, Any]) -> tuple[Cell, ...]:
    return (
        phase["phase"],
        phase["equation"] or "–",
        " + ".join(f"PQA-{subset}" for subset in phase["subsets"]),
        phase["view"],
        _mean(phase["trained_on"]),
        _sums(phase["began"]),
        _sums(phase["weights"]),
        phase.get("judged_on", "–"),
        _mean(phase.get("rows", [])),
        phase.get("accuracy"),
        phase.get("macro_f1"),
        phase.get("majority_accuracy"),
        phase.get("majority_macro_f1"),
    )


def _mean(numbers: Sequence[int]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def _sums(checksums: Sequence[str | None]) -> str:
    """The first digits of the first one, and how many others there are."""
    first = checksums[0][:_SHOWN] if checksums[0] else "untrained"
    others = len(set(checksums)) - 1
    return f"{first} and {others} more" if others else first
