"""A board as one report: a table for each dataset, split, view and measure."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, Standing
from anagnosis.reports.report import Block, ColumnOf, Estimate, Heading, Report, Table, Text, table
from anagnosis.reports.systems.measured import measured_column
from anagnosis.wording import counted

VERDICTS = {"better": "better", "tied": "not shown to differ", "identical": "equal on every question", "": ""}
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
    measure = named(standing.measure)
    return table(
        f"{measure.heading}, {standing.instances:,} questions, protocol {standing.protocol}",
        [
            ("system", lambda row: row.name),
            ("ranks", lambda row: "–".join(map(str, dict.fromkeys(row.ranks or ())))),
            (measured_column(measure), lambda row: Estimate(row.value, row.low, row.high)),
            ("runs", "count", lambda row: row.runs),
            ("trained on", "count", lambda row: row.trained_on),
            ("against the next", lambda row: VERDICTS[row.against_next]),
        ],
        standing.rows,
        notes=[SHARED] if len(standing.rows) > 1 else [],
        signatures=[standing.signature],
    )
