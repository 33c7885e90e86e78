"""A board as one report: a table for each dataset, split, view and measure."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, Row, Standing
from anagnosis.reports.report import Block, Column, Estimate, Heading, Report, Table, Text
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
        rows = tuple((each.submission, "; ".join(each.faults)) for each in board.refused)
        yield Heading("Not scored")
        yield Table("Submissions with faults", (Column("submission"), Column("faults")), rows)
    if board.other_datasets:
        files = counted(sum(board.other_datasets.values()), "file")
        of = counted(len(board.other_datasets), "submission")
        yield Text(f"Left out: {files} of {of}, made for datasets that are not on this board.", "note")


def _table(standing: Standing) -> Table:
    measure = named(standing.measure)
    columns = (
        Column("system"),
        Column("ranks"),
        measured_column(measure),
        Column("runs", "count"),
        Column("trained on", "count"),
        Column("against the next"),
    )
    rows = tuple(
        (
            row.name,
            _ranks(row),
            Estimate(row.value, row.low, row.high),
            row.runs,
            row.trained_on,
            VERDICTS[row.against_next],
        )
        for row in standing.rows
    )
    of = f"{standing.instances:,} questions, protocol {standing.protocol}"
    notes = (SHARED,) if len(rows) > 1 else ()
    return Table(f"{measure.heading}, {of}", columns, rows, notes, (standing.signature,))


def _ranks(row: Row) -> str:
    if row.ranks is None:
        return ""
    first, last = row.ranks
    return str(first) if first == last else f"{first}–{last}"
