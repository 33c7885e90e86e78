"""The phases of trainings: what each was trained on, what it reached, and what the paper has."""

from __future__ import annotations

import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from anagnosis.reports.report import Report, table

if TYPE_CHECKING:
    from anagnosis.training.phases import PhaseRecord, Phases, PhaseScore, PhasesOfRuns


def report(found: PhasesOfRuns) -> Report:
    """One row a phase; of several folds the means."""
    rows = [
        (name, phase, phase.reached, *_published(phases, phase))
        for name, phases in found.runs.items()
        for phase in phases.phases
    ]
    notes = [
        "Phases trained on people's labels are evaluated on the test part, others on their development part.",
        "Macro-F1 is the mean over the labels that occur, as the authors' program has it.",
    ]
    if any(len(phase.weights) > 1 for _, phase, *_ in rows):
        notes.append(
            "Of several folds: means, and the standard deviation of the folds. They share the test part."
        )
    reached = table(
        "Scores of each phase (Tables 5 to 8)",
        [
            ("run", lambda of: of[0]),
            ("phase", lambda of: of[1].phase),
            ("equation", lambda of: of[1].equation or "–"),
            ("evaluated on", lambda of: of[2][0].part if of[2] else "–"),
            ("instances", lambda of: _range([score.rows for score in of[2]])),
            ("accuracy (%)", "percent", lambda of: _mean(of[2], "accuracy")),
            ("deviation (points)", "number", lambda of: _deviation(of[2], "accuracy")),
            ("macro-F1 (%)", "percent", lambda of: _mean(of[2], "macro_f1")),
            ("deviation (points)", "number", lambda of: _deviation(of[2], "macro_f1")),
            ("paper: accuracy", "number", lambda of: of[3]),
            ("paper: macro-F1", "number", lambda of: of[4]),
        ],
        rows,
        notes=notes,
    )
    trained = table(
        "Training data of each phase",
        [
            ("run", lambda of: of[0]),
            ("phase", lambda of: of[1].phase),
            ("trained on", lambda of: " + ".join(f"PQA-{name}" for name in of[1].subsets) or "–"),
            ("view", lambda of: of[1].view),
            ("instances", lambda of: _range(of[1].trained_on)),
            (
                "pseudo-labels kept, of those answered",
                lambda of: "; ".join(_counts(of[1].pseudo_labels)) or "–",
            ),
        ],
        rows,
    )
    return Report("Phases", (reached, trained))


def _mean(scores: Sequence[PhaseScore], name: str) -> float | None:
    return statistics.fmean(getattr(score, name) for score in scores) if scores else None


def _deviation(scores: Sequence[PhaseScore], name: str) -> float | None:
    return 100 * statistics.stdev(getattr(score, name) for score in scores) if len(scores) > 1 else None


def published_results() -> dict[str, Any]:
    """Recipe → the paper's results with it, and ours on the same files."""
    return tomllib.loads(
        resources.files("anagnosis.reports.systems").joinpath("published_results.toml").read_text("utf-8")
    )


def _published(phases: Phases, phase: PhaseRecord) -> tuple[float | None, float | None]:
    """The paper's cell: under the phase's name, of the last phase under the schedule's."""
    table: Any = published_results().get(phases.recipe, {})
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
