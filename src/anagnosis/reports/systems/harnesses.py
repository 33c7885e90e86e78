"""Predictions as each harness would count them."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.harnesses import HARNESSES, Harness, Harnesses, Under
from anagnosis.reports.report import Report, table
from anagnosis.reports.systems.measured import shown


def report(found: Harnesses) -> Report:
    """One row a system and harness."""
    scores = table(
        "Scores under each harness",
        [
            ("system", "text", lambda of: of[0].name),
            ("harness", "text", lambda of: of[1]),
            ("used by", "text", lambda of: of[2].who),
            ("questions", "text", lambda of: f"{of[3].questions:,}: {of[2].called}"),
            ("required view", "text", lambda of: " or ".join(of[2].views)),
            ("accuracy (%)", "percent", lambda of: shown(of[3].accuracy)),
            ("macro-F1 (%)", "percent", lambda of: shown(of[3].macro_f1)),
            ("no label", "number", lambda of: of[3].unread if of[3].accuracy else None),
            ("remarks", "text", lambda of: "; ".join(_remarks(of[3], of[2], of[0].view))),
        ],
        [
            (system, name, HARNESSES[name], under)
            for system in found.systems
            for name, under in system.harnesses.items()
        ],
        notes=(
            "Scores under different harnesses are not comparable.",
            "no label: answers that are not labels; MIRAGE counts them as yes, the others as wrong.",
            "In brackets: 95 % intervals by question.",
        ),
    )
    return Report(f"{found.dataset} under other programs' protocols", (scores,))


def _remarks(one: Under, harness: Harness, view: str | None) -> Iterator[str]:
    if not one.questions:
        yield "the dataset has none of its questions"
    elif one.missing:
        yield f"no line for {one.missing:,} of them"
    elif view is not None and view not in harness.views:
        yield f"read another view: {view}"
