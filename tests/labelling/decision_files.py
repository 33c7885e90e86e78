"""Made-up questions for yes, no or maybe, labelled or not, as PubMedQA's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance

LABELS = ("yes", "no", "maybe")


def asked(number: int, **changes: Any) -> DecisionInstance:
    """A labelled question."""
    label = LABELS[number % 3]
    made = DecisionInstance(
        str(30000000 + number),
        f"Does tea help patient {number}?",
        (
            ContextSection("METHODS", f"We asked {number} patients.\nTwice."),
            ContextSection("", "Some slept better."),
        ),
        f"Tea helped {number} patients.",
        label,
        (("reasoning_required", label), ("reasoning_free", label)),
    )
    return replace(made, **changes)


def unlabelled(number: int, **changes: Any) -> DecisionInstance:
    return asked(number, label=None, annotators=(), subset="U", **changes)


def written(folder: Path, instances: list[DecisionInstance], split: str = "test") -> Path:
    writing.write(folder, {split: instances}, {"dataset": "pubmedqa", "kind": "decision"})
    return folder
