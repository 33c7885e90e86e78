"""The phases of trainings: what each was trained on and began with, what it reached, and what the paper has."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anagnosis.recipes import load as recipes
from anagnosis.reports.report import Cell, Column, Report, Table

if TYPE_CHECKING:
    from anagnosis.training.runs.phase_folder import PhaseRecord, Phases, PhaseScore, PhasesOfRuns

_SHOWN = 8  # digits of a checksum
_REACHED = (
    Column("run"),
    Column("phase"),
    Column("equation"),
    Column("evaluated on"),
    Column("questions"),
    Column("accuracy (%)", "percent"),
    Column("deviation (points)", "number"),
    Column("macro-F1 (%)", "percent"),
    Column("deviation (points)", "number"),
    Column("majority (%)", "percent"),
    Column("its macro-F1 (%)", "percent"),
    Column("paper: accuracy", "number"),
    Column("paper: macro-F1", "number"),
)
_TRAINED = (
    Column("run"),
    Column("phase"),
    Column("trained on"),
    Column("view"),
    Column("instances"),
    Column("began with"),
    Column("weights"),
    Column("pseudo-labels kept, of those answered"),
)


def report(found: PhasesOfRuns) -> Report:
    """One row a phase; of several folds the means."""
    rows = [(name, phases, phase) for name, phases in found.runs.items() for phase in phases.phases]
    notes = [
        "Phases trained on people's labels are evaluated on the test part, others on their development part.",
        "Macro-F1 is the mean over the labels that occur, as the authors' program has it.",
    ]
    if any(len(phase.weights) > 1 for _, _, phase in rows):
        notes.append(
            "Of several folds: means, and the standard deviation of the folds. They share the test part."
        )
    return Report(
        "Phases",
        (
            Table(
                "Scores of each phase (Tables 5 to 8)",
                _REACHED,
                tuple(_reached(*row) for row in rows),
                tuple(notes),
            ),
            Table("Training data of each phase", _TRAINED, tuple(_trained(*row) for row in rows)),
        ),
    )


def _reached(name: str, phases: Phases, phase: PhaseRecord) -> tuple[Cell, ...]:
    own = phase.reached
    accuracy, macro_f1 = _published(phases, phase)

    def mean(of: Callable[[PhaseScore], float]) -> float | None:
        return statistics.fmean(map(of, own)) if own else None

    def deviation(of: Callable[[PhaseScore], float]) -> float | None:
        return 100 * statistics.stdev(map(of, own)) if len(own) > 1 else None

    return (
        name,
        phase.phase,
        phase.equation or "–",
        own[0].part if own else "–",
        _range([one.rows for one in own]),
        mean(lambda one: one.accuracy),
        deviation(lambda one: one.accuracy),
        mean(lambda one: one.macro_f1),
        deviation(lambda one: one.macro_f1),
        mean(lambda one: one.majority_accuracy),
        mean(lambda one: one.majority_macro_f1),
        accuracy,
        macro_f1,
    )


def _trained(name: str, phases: Phases, phase: PhaseRecord) -> tuple[Cell, ...]:
    return (
        name,
        phase.phase,
        " + ".join(f"PQA-{subset}" for subset in phase.subsets) or "–",
        phase.view,
        _range(phase.trained_on),
        _sums(phase.began),
        _sums(phase.weights),
        "; ".join(_counts(phase.pseudo_labels)) or "–",
    )


def _published(phases: Phases, phase: PhaseRecord) -> tuple[float | None, float | None]:
    """The paper's cell, from the recipe: under the phase's name, of the last phase under the schedule's."""
    if phases.recipe not in recipes.names():
        return None, None
    table: Any = recipes.load(phases.recipe).get(recipes.EXPECTED, {})
    table = table.get(phases.schedule if phase is phases.phases[-1] else phase.phase, {})
    table = table.get("with_auxiliary" if phases.auxiliary else "without_auxiliary", table)
    return table.get("accuracy"), table.get("macro_f1")


def _counts(found: Sequence[Mapping[str, Mapping[str, int]]]) -> Iterator[str]:
    """Of each label, over the folds."""
    for label in found[0]["kept"] if found else ():
        kept, answered = ([one[what][label] for one in found] for what in ("kept", "answered"))
        yield f"{label} {_range(kept)} of {_range(answered)}"


def _range(numbers: Sequence[int]) -> str:
    if not numbers:
        return "–"
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _sums(checksums: Sequence[str | None]) -> str:
    """The first digits of the first one, and how many others there are."""
    first = checksums[0][:_SHOWN] if checksums[0] else "untrained"
    others = len(set(checksums)) - 1
    return f"{first} and {others} more" if others else first
