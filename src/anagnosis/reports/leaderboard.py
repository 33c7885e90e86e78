"""A board as one report: a table for each dataset, split, view and measure."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.comparison import Ranked
from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, Standing
from anagnosis.reports.report import Block, ColumnOf, Heading, Report, Table, Text, table
from anagnosis.reports.systems.measured import measured_column, shown
from anagnosis.wording import counted

SHARED = "Systems that share a rank are not shown to differ by paired tests, which swap the answers of whole documents."


def report(board: Board) -> Report:
    """What `leaderboard build` returns."""
    return Report("Leaderboard", tuple(_blocks(board)))


def _blocks(board: Board) -> Iterator[Block]:
    before = ""
    for standing in board.standings:
        title = f"{standing.dataset}, {standing.split}, {standing.view or 'view not stated'}"
        if title != before:
            yield Heading(title)
        before = title
        yield _table(standing)
    if board.refused:
        yield Heading("Not scored")
        columns: list[ColumnOf] = [
            ("submission", lambda each: each.submission),
            ("faults", lambda each: "; ".join(each.faults)),
        ]
        yield table("Submissions with faults", columns, board.refused)
    if board.other_datasets:
        files = counted(sum(board.other_datasets.values()), "file")
        of = counted(len(board.other_datasets), "submission")
        yield Text(f"Left out: {files} of {of}, made for datasets that are not on this board.", "note")


def _table(standing: Standing) -> Table:
    measure, several = named(standing.measure), len(standing.ranking) > 1
    ranks: list[ColumnOf] = [("ranks", lambda one: "–".join(map(str, dict.fromkeys(one.ranks))))]
    return table(
        f"{measure.heading}, {counted(standing.instances, 'instance')}, protocol {standing.protocol}",
        [
            ("system", lambda one: standing.names[one.name]),
            *(ranks if several else []),
            (measured_column(measure), lambda one: shown(one.estimate)),
            ("runs", "count", lambda one: len(one.estimate.runs) or None),
            ("trained on", "count", _trained_on),
        ],
        standing.ranking,
        notes=[SHARED] if several else [],
        signatures=[standing.signature],
    )


def _trained_on(one: Ranked) -> int | None:
    """Instances that it was trained on, a mean over its runs; None where nobody said."""
    problem = one.problems.get("trained_on")
    return round(problem.count / max(1, len(one.estimate.runs))) if problem else None
