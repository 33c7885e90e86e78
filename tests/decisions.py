"""A small set of labelled questions in the shape of PubMedQA's file, invented sentence by sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LABELS = ("yes", "no", "maybe")
_THINGS = (
    "a walk before breakfast",
    "cold tea",
    "a second opinion",
    "an early night",
    "more salt",
    "a paper mask",
)
_OUTCOMES = ("back pain", "the length of a stay", "fever", "sleep", "mortality", "the need for surgery")


def row(number: int, label: str, *, required: str | None = None) -> dict[str, Any]:
    """One object as the authors write it, with what their text holds: ≥, a blank lost, an unlabelled section."""
    thing, outcome = _THINGS[number % len(_THINGS)], _OUTCOMES[number // 2 % len(_OUTCOMES)]
    return {
        "QUESTION": f"Does {thing} change {outcome} in adults?",
        "CONTEXTS": [
            f"Whether {thing} matters was open.",
            f"We asked {40 + number} adults aged<70 years.",
            f"With {thing}, {outcome} was lower in {number % 7 + 2} of ten (Δ ≥ {number}%).",
        ],
        "LABELS": ["BACKGROUND", "METHODS", "RESULTS"],
        "MESHES": ["Humans", "Adult"] if number % 3 else ["Humans"],
        "YEAR": None if number % 11 == 0 else str(1990 + number % 25),
        "reasoning_required_pred": required or LABELS[number % 3],
        "reasoning_free_pred": label,
        "final_decision": label,
        "LONG_ANSWER": f"It seems that {thing} {'does' if label == 'yes' else 'may or may not'} change {outcome}.",
    }


def rows(yes: int = 22, no: int = 13, maybe: int = 5) -> dict[str, dict[str, Any]]:
    """PMID → object, labels mixed."""
    labels = ["yes"] * yes + ["no"] * no + ["maybe"] * maybe
    order = sorted(range(len(labels)), key=lambda place: place * 7919 % 104_729)
    return {str(30_000_000 + place): row(place, labels[place]) for place in order}


def rows_apart(yes: int = 22, no: int = 13, maybe: int = 5) -> dict[str, dict[str, Any]]:
    """The same, each with a question of its own: none is asked in training and in development."""
    found = rows(yes, no, maybe)
    for place, own in enumerate(found.values()):
        own["QUESTION"] = own["QUESTION"].replace("adults", f"adults of ward {place}")
    return found


def written(path: Path, found: dict[str, Any]) -> Path:
    """As the authors' program writes it."""
    path.write_text(json.dumps(found, indent=4), "ascii")
    return path


def answers(path: Path, found: Sequence[tuple[str, str | None]]) -> Path:
    """A predictions file."""
    path.write_text("".join(json.dumps({"id": ident, "answer": label}) + "\n" for ident, label in found))
    return path
