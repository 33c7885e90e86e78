"""Predictions of a few fixed labels as tables: each class, and the confusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.reports.report import Block, Column, Estimate, Heading, Table, Text, table
from anagnosis.reports.systems.systems import Row

OTHER = "no label"


def class_blocks(rows: Sequence[Row], split: str) -> Iterator[Block]:
    """Each class and the confusion of each system that has answers for the split."""
    scored = [
        (row, own) for row in rows if split in row.scores and (own := row.scores[split].classes) is not None
    ]
    if not scored:
        return
    yield Heading("Class by class")
    counts = "count" if all(len(row.scores[split].estimate.runs) == 1 for row, _ in scored) else "number"
    yield table(
        f"Each class on {split}",
        [
            ("system", "text", lambda of: of[0]),
            ("label", "text", lambda of: of[1].label),
            ("questions", "count", lambda of: of[1].support),
            ("answered", counts, lambda of: of[1].answered),
            ("precision", "percent", lambda of: of[1].precision),
            ("recall", "percent", lambda of: of[1].recall),
            ("F1", "percent", lambda of: Estimate(of[1].f1, of[1].interval.low, of[1].interval.high)),
        ],
        [(row.name, each) for row, own in scored for each in own.scores],
    )
    labels = [each.label for each in scored[0][1].scores]
    yield Table(
        f"Answers on {split}, by the right label",
        (Column("system"), Column("right label"), *(Column(name, counts) for name in (*labels, OTHER))),
        tuple((row.name, label, *answers) for row, own in scored for label, answers in own.confusion),
        (f"{OTHER}: unanswered, or another word.",),
    )
    for row, own in scored:
        if own.strays:
            words = ", ".join(f"{text!r} {count:,}" for text, count in list(own.strays.items())[:5])
            what = f"{row.name} has answers that are not labels: {words}. Each such word counts as a separate class."
            yield Text(what, "warning")
