"""What a board's index shows: every dataset's boards with their first systems, all systems, what was not scored."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from anagnosis.leaderboard.board import Board, BoardSystem, Figure, Part, Standing
from anagnosis.reports.leaderboard.figures import heading, shown
from anagnosis.reports.leaderboard.page_names import system_page
from anagnosis.reports.leaderboard.words import NO_VIEW, page_of, ranks, view_of
from anagnosis.wording import counted

FIRST = 5  # systems of a board on the index page


def index(board: Board) -> dict[str, Any]:
    """The values of the index page."""
    names = {system.submission: system.name for system in board.systems}
    places = [
        (system.submission, part)
        for part in board.parts
        for system in board.systems
        if _stands_in(system, part)
    ]
    return {
        "boards": [
            (dataset, [_card(part, board) for part in parts])
            for dataset, parts in groupby(board.parts, key=lambda part: part.dataset)
        ],
        "systems": [
            {
                "name": system.name,
                "page": system_page(system.submission),
                "team": system.team,
                "date": system.date.isoformat(),
                "view": system.view or NO_VIEW,
                "boards": ", ".join(
                    f"{part.dataset} {part.split}" for name, part in places if name == system.submission
                )
                or "none",
            }
            for system in sorted(board.systems, key=lambda one: (one.name.casefold(), one.submission))
        ],
        "refused": board.refused,
        "over_limit": [
            {
                "name": names[each.submission],
                "team": each.team,
                "date": each.date.isoformat(),
                "dataset": each.dataset,
                "split": each.split,
            }
            for each in board.over_limit
        ],
        "left_out": counted(sum(len(each.files) for each in board.other_datasets), "file")
        if board.other_datasets
        else "",
        "per_month": counted(board.per_month or 0, "system"),
    }


def _stands_in(system: BoardSystem, part: Part) -> bool:
    return any(result.submission == system.submission for result in part.results) or any(
        row.submission == system.submission for standing in part.standings for row in standing.people
    )


def _card(part: Part, board: Board) -> dict[str, Any]:
    first = part.standings[0]
    rows = first.rows[:FIRST]
    measures = counted(len(part.standings), "measure")
    return {
        "page": page_of(part),
        "called": f"{part.split}, {view_of(part)}",
        "facts": f"{heading(first.measure)}, {part.instances:,} questions"
        + (", answers hidden" if part.hidden else ""),
        "rows": [
            {
                "ranks": ranks(row),
                "name": (system := board.system(row.submission)).name,
                "team": system.team,
                "page": system_page(row.submission),
                "value": shown_value(row.figure, first.measure),
            }
            for row in rows
        ],
        "more": f"{_entered(first)}, {measures}",
    }


def shown_value(figure: Figure, measure: str) -> str:
    """The value alone."""
    found = shown(figure, measure)
    return found.value if found else ""


def _entered(standing: Standing) -> str:
    """`4 systems`, `2 people`, or both."""
    people = sum(row.people for row in standing.people)
    by_people = [] if not people else ["1 person" if people == 1 else f"{people:,} people"]
    systems = [counted(len(standing.rows), "system")] if standing.rows or not people else []
    return ", ".join([*systems, *by_people])
