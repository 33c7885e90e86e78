"""A board as one report, for a terminal or a notebook: a table for each dataset, split, view and measure."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, Part, Standing
from anagnosis.reports.leaderboard.drawn import estimate
from anagnosis.reports.leaderboard.site import TITLE
from anagnosis.reports.leaderboard.words import (
    SEVERAL_RUNS,
    VERDICTS,
    WITHOUT_VIEW,
    ranks,
    ranks_of_runs,
    title_of,
    too_few_draws,
)
from anagnosis.reports.report import Block, Column, Heading, Report, Table
from anagnosis.reports.systems.measured import cell_kind, measured_column


def report(board: Board) -> Report:
    """What `leaderboard build` returns."""
    return Report(TITLE, tuple(_blocks(board)))


def _blocks(board: Board) -> Iterator[Block]:
    for part in board.parts:
        yield Heading(title_of(part))
        for standing in part.standings:
            yield _table(board, part, standing)
    if board.refused:
        rows = tuple((each.submission, "; ".join(each.faults)) for each in board.refused)
        yield Heading("Not scored")
        yield Table("Submissions with faults", (Column("submission"), Column("faults")), rows)
    if board.over_limit:
        rows = tuple(
            (each.submission, each.team, f"{each.dataset} {each.split}", each.date.isoformat())
            for each in board.over_limit
        )
        columns = (Column("submission"), Column("team"), Column("board"), Column("date"))
        yield Heading("Over the limit")
        yield Table("Further entries of a month, not scored", columns, rows)


def _table(board: Board, part: Part, standing: Standing) -> Table:
    measure = named(standing.measure)
    hard = standing.hard is not None
    columns = (
        Column("system"),
        Column("team"),
        Column("ranks"),
        measured_column(measure),
        Column("against the next"),
        *((Column(f"on the {standing.hard:,} hard ones", cell_kind(measure)),) if hard else ()),
        Column("date"),
    )
    ranked = [
        (
            (system := board.system(row.submission)).name,
            system.team,
            ranks(row) + (f" (these runs {own})" if (own := ranks_of_runs(row)) else ""),
            estimate(row.figure),
            VERDICTS[row.against_next],
            *((estimate(row.hard),) if hard else ()),
            system.date.isoformat(),
        )
        for row in standing.rows
    ]
    blank = (None,) * hard
    people = [
        (f"people: {row.group}", "", "", estimate(row.figure), "", *blank, "") for row in standing.people
    ]
    shortcuts = [
        (f"baseline without reading: {row.reader}", "", "", estimate(row.figure), "", *blank, "")
        for row in standing.shortcuts
    ]
    groups = [group for group in (ranked, people, shortcuts) if group]
    rows = tuple(row for group in groups for row in group)
    zones = tuple(sum(map(len, groups[:place])) for place in range(1, len(groups)))
    notes = (
        ["Systems that share a rank are not shown to differ by paired tests."]
        if len(standing.rows) > 1
        else []
    )
    if standing.too_few_draws is not None:
        notes.append(too_few_draws(standing.too_few_draws, standing.family))
    if len(standing.rows) > 1 and any(row.runs > 1 for row in standing.rows):
        notes.append(SEVERAL_RUNS)
    if not part.view:
        notes.append(WITHOUT_VIEW)
    return Table(
        f"{measure.heading}, {title_of(part)}",
        columns,
        rows,
        tuple(notes),
        (standing.signature,) if standing.signature else (),
        zones,
    )
