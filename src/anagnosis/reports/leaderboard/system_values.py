"""What the page of a submission shows: its figures on each split, and their breakdowns."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from anagnosis.leaderboard.board import (
    Board,
    BoardSystem,
    FactorBreakdown,
    Figure,
    Part,
    Result,
    Row,
    Standing,
)
from anagnosis.reports.leaderboard.figures import Bar, Shown, bars, difference, heading, shown
from anagnosis.reports.leaderboard.page_names import system_page
from anagnosis.reports.leaderboard.words import (
    NO_VIEW,
    NOT_STATED,
    VERDICTS,
    marks,
    of_runs,
    page_of,
    ranks,
    ranks_of_runs,
    title_of,
)
from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.reports.systems.breakdowns import FACTORS


def system_values(board: Board, system: BoardSystem) -> dict[str, Any]:
    """The values of the page of a system."""
    facts = [
        ("team", system.team),
        ("date", system.date.isoformat()),
        ("view", system.view or NO_VIEW),
        ("training data", system.training_data or NOT_STATED),
    ]
    if system.training_cutoff:
        facts.append(("training cut-off", system.training_cutoff.isoformat()))
    results = [
        (part, result)
        for part in board.parts
        for result in part.results
        if result.submission == system.submission
    ]
    parameters = next((result.parameters for _, result in results if result.parameters), None)
    if parameters:
        facts.append(("parameters", cell_text(parameters, "parameters")))
    by_people = [*_people(board, system)]
    return {
        "system": {
            "name": system.name,
            "description": system.description,
            "link": system.link,
            "facts": facts,
            "results": [
                *(_result(board, part, result, number) for number, (part, result) in enumerate(results)),
                *by_people,
            ],
            "over_limit": [
                f"Not scored on {each.dataset} {each.split}: {each.team} has entered as many systems there in "
                f"{each.date:%Y-%m} as a team may."
                for each in board.over_limit
                if each.submission == system.submission
            ],
        }
    }


def _result(board: Board, part: Part, result: Result, number: int) -> dict[str, Any]:
    standings = {standing.measure: standing for standing in part.standings}
    rows = [
        _row(board, standings[measure], result, measure, figure)
        for measure, figure in result.figures.items()
        if measure in standings
    ]
    problems = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in result.problems.items())
    notes = [f"Lines that do not fit: {problems}."] if problems else []
    if len(result.files) > 1:
        notes.append(f"The mean of {len(result.files)} runs.")
    return {
        "id": f"result-{number}",
        "title": title_of(part),
        "page": page_of(part),
        "marks": [*marks(result, part, short=False)],
        "rows": rows,
        "has_gains": any(row["gain"] for row in rows),
        "has_ranks": any(row["ranks"] for row in rows),
        "has_next": any(row["next"] for row in rows),
        "notes": notes,
        "breakdowns": [
            _breakdown(each, f"result-{number}-{place}") for place, each in enumerate(result.breakdowns)
        ],
        "signatures": [figure.signature for figure in result.figures.values()],
        "command": "" if part.hidden else _command(result),
    }


def _next(board: Board, standing: Standing, row: Row | None) -> dict[str, str] | None:
    """The system ranked below, and how this one stands to it."""
    place = standing.rows.index(row) if row else len(standing.rows)
    if row is None or place + 1 >= len(standing.rows):
        return None
    below = board.system(standing.rows[place + 1].submission)
    words = {"better": "better than", "identical": "equal on every question to"}.get(
        row.against_next, "not different from"
    )
    words += f" ({own})" if (own := of_runs(row)) else ""
    return {"words": words, "name": below.name, "page": system_page(below.submission)}


def _command(result: Result) -> str:
    """A command that tests the system against another, to be run in the folder of the submissions."""
    # A leading dash would be taken for an option.
    folder = f"./{result.submission}" if result.submission.startswith("-") else result.submission
    files = ",".join(f"{folder}/{name}" for name in result.files)
    given = files if len(result.files) == 1 else f"system={files}"
    return shlex.join(["anagnosis", "compare", "DATASET", given, "OTHER.jsonl"])


def _row(board: Board, standing: Standing, result: Result, measure: str, figure: Figure) -> dict[str, Any]:
    gain = result.gains.get(measure)
    row = next((each for each in standing.rows if each.submission == result.submission), None)
    return {
        "measure": heading(measure),
        "figure": shown(figure, measure),
        "ranks": f"{ranks(row)} of {len(standing.rows)}" if row and row.ranks else "",
        "ranks_of_runs": f"by these runs {own}" if row and (own := ranks_of_runs(row)) else "",
        "gain": difference(gain.difference, measure) if gain else None,
        "over": f"over {gain.over}" if gain else "",
        "gained": VERDICTS[gain.verdict] if gain else "",
        "next": _next(board, standing, row),
        "hard": shown(gain.hard, measure) if gain else None,
    }


def _breakdown(breakdown: FactorBreakdown, ident: str) -> dict[str, Any]:
    measures = [*dict.fromkeys(name for group in breakdown.groups for name in group.figures)]
    first = [group.figures[measures[0]] for group in breakdown.groups if measures[0] in group.figures]
    drawn = iter(bars(first, measures[0])[0])
    groups: list[dict[str, Any]] = []
    for group in breakdown.groups:
        figures: Sequence[Shown | None] = [shown(group.figures.get(name), name) for name in measures]
        bar: Bar | None = next(drawn) if measures[0] in group.figures else None
        groups.append({"label": group.label, "n": f"{group.n:,}", "figures": figures, "bar": bar})
    factor = FACTORS.get(breakdown.factor, breakdown.factor)
    note = (
        f"{breakdown.left_out:,} questions are in groups that are too small to be shown."
        if breakdown.left_out
        else ""
    )
    return {
        "id": ident,
        "title": f"By {factor}",
        "factor": factor,
        "measures": [heading(name) for name in measures],
        "groups": groups,
        "note": note,
    }


def _people(board: Board, system: BoardSystem) -> Iterator[dict[str, Any]]:
    """A section for each part that people of this submission answered."""
    for number, part in enumerate(board.parts):
        rows = [
            {
                "measure": f"{row.group}: {heading(standing.measure)}",
                "figure": shown(row.figure, standing.measure),
                "ranks": "",
                "ranks_of_runs": "",
                "gain": None,
                "gained": "",
                "next": None,
                "over": "",
                "hard": None,
            }
            for standing in part.standings
            for row in standing.people
            if row.submission == system.submission
        ]
        own = [
            row
            for standing in part.standings
            for row in standing.people
            if row.submission == system.submission
        ]
        if rows:
            yield {
                "id": f"people-{number}",
                "title": title_of(part),
                "page": page_of(part),
                "marks": [],
                "rows": rows,
                "has_gains": False,
                "has_ranks": False,
                "has_next": False,
                "notes": ["People are taken by their answers, and are not ranked among systems."],
                "breakdowns": [],
                "signatures": [row.figure.signature for row in own],
                "command": "",
            }
