"""What the pages of a board show, as plain values for the templates.

index       every dataset's boards with their first systems, all systems, what was not scored
part        one dataset, split and view: a table for each measure, people and shortcuts below it, the progress
system      one submission: its figures on each split, taken apart
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, BoardSystem, Figure, Part, Result, Row, Standing, TakenApart
from anagnosis.leaderboard.disclosure import SMALLEST_GROUP
from anagnosis.reports.leaderboard.figures import Bar, Shown, bars, difference, heading, shown
from anagnosis.reports.leaderboard.page_names import part_page, system_page
from anagnosis.reports.leaderboard.progress import Drawing, drawing
from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.reports.systems.breakdowns import FACTORS
from anagnosis.wording import counted

FIRST = 5  # systems of a board on the index page
VERDICTS = {
    "better": "better",
    "worse": "worse",
    "tied": "not different",
    "identical": "not different",
    "": "",
}
NO_VIEW = "view not stated"


@dataclass(frozen=True, slots=True)
class Site:
    """What every page has. not_scored: whether anything was not."""

    title: str
    version: str
    not_scored: bool


def site(board: Board, title: str) -> Site:
    """Of the board."""
    return Site(title, board.version, bool(board.refused or board.over_limit))


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
        "called": f"{part.split}, {_view(part)}",
        "facts": f"{heading(first.measure)}, {part.instances:,} questions"
        + (", answers hidden" if part.hidden else ""),
        "rows": [
            {
                "ranks": ranks(row),
                "name": board.system(row.submission).name,
                "page": system_page(row.submission),
                "value": shown_value(row.figure, first.measure),
            }
            for row in rows
        ],
        "more": f"{counted(len(first.rows), 'system')}, {measures}",
    }


def shown_value(figure: Figure, measure: str) -> str:
    """The value alone."""
    found = shown(figure, measure)
    return found.value if found else ""


def page_of(part: Part) -> str:
    """The page of a part, relative to the site."""
    return part_page(part.dataset, part.split, part.view)


def _view(part: Part) -> str:
    return f"{part.view} view" if part.view else NO_VIEW


def title_of(part: Part) -> str:
    """`lite, test, names view`."""
    return f"{part.dataset}, {part.split}, {_view(part)}"


def ranks(row: Row) -> str:
    """`1` or `1–3`."""
    first, last = row.ranks
    return str(first) if first == last else f"{first}–{last}"


def part_values(board: Board, part: Part) -> dict[str, Any]:
    """The values of the page of a part."""
    facts = [
        ("questions", f"{part.instances:,}"),
        ("kind", part.kind),
        ("fingerprint", part.fingerprint),
    ]
    if part.dates:
        facts.append(("papers", " to ".join(dict.fromkeys(part.dates))))
    return {
        "part": {
            "title": title_of(part),
            "facts": facts,
            "hidden": part.hidden,
            "standings": [_standing(board, part, standing) for standing in part.standings],
        },
        "smallest_group": SMALLEST_GROUP,
    }


def _standing(board: Board, part: Part, standing: Standing) -> dict[str, Any]:
    measure = named(standing.measure)
    besides = [*_beside(board, standing)]
    aside = [each["of"] for _, own in besides for each in own]
    own_bars, bars_beside = map(iter, bars([row.figure for row in standing.rows], standing.measure, aside))
    results = {result.submission: result for result in part.results}
    rows = [
        {
            "ranks": ranks(row),
            "name": (system := board.system(row.submission)).name,
            "page": system_page(row.submission),
            "team": system.team,
            "date": system.date.isoformat(),
            "figure": shown(row.figure, standing.measure),
            "bar": next(own_bars),
            "verdict": VERDICTS[row.against_next],
            "p": None if row.holm is None else f"p {_p(row.holm)}",
            "hard": shown(row.hard, standing.measure),
            "training": system.training_data or "none",
            "until": system.training_cutoff.isoformat() if system.training_cutoff else "",
            "marks": [*_marks(results[row.submission], part, short=True)],
        }
        for row in standing.rows
    ]
    beside = [(title, [{**each, "bar": next(bars_beside)} for each in own]) for title, own in besides]
    ranked = len(standing.rows)
    return {
        "id": f"by-{standing.measure.replace('_', '-')}",
        "called": measure.heading,
        "heading": measure.heading,
        "column": heading(standing.measure),
        "ranked": ranked,
        "rows": rows,
        "beside": beside,
        "hard": None if standing.hard is None else f"{standing.hard:,}",
        "columns": 6 + (ranked > 1) + (standing.hard is not None),
        "notes": [*_notes(standing)],
        "progress": _progress(board, standing),
        "signature": standing.signature,
    }


def _p(value: float) -> str:
    written = cell_text(value, "p")
    return written if written.startswith(("<", ">")) else f"= {written}"


def _beside(board: Board, standing: Standing) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """What stands below the ranking and is not ranked: people, and readers that do not read."""
    people = [
        {
            "name": row.group + (f" (mean of {row.people})" if row.people > 1 else ""),
            "page": system_page(row.submission),
            "about": f"{board.system(row.submission).name}, on the {row.figure.n:,} questions that they were asked",
            "figure": shown(row.figure, standing.measure),
            "of": row.figure,
        }
        for row in standing.people
    ]
    shortcuts = [
        {
            "name": row.reader,
            "page": "",
            "about": row.looks_at,
            "figure": shown(row.figure, standing.measure),
            "of": row.figure,
        }
        for row in standing.shortcuts
        if row.figure is not None
    ]
    if people:
        yield "People, by their answers", people
    if shortcuts:
        yield "Without reading", shortcuts


def _notes(standing: Standing) -> Iterator[str]:
    measure = named(standing.measure)
    what = measure.what.rstrip(".")
    yield (
        f"{measure.heading}: {what[0].lower()}{what[1:]}; protocol {standing.protocol}. Below each value stands its "
        "95 % interval."
    )
    if len(standing.rows) > 1:
        yield (
            "Ranks are those that paired tests leave open: approximate randomisation of documents, of several runs "
            f"also a test over runs, corrected by Holm for all {counted(standing.family, 'pair')} at {standing.alpha}."
        )
    if standing.hard is not None:
        yield "Hard questions are those that no reader without reading answers better than chance."


def _progress(board: Board, standing: Standing) -> Drawing | None:
    steps = standing.progress
    return drawing(
        steps,
        [board.system(step.submission).name for step in steps],
        standing.measure,
    )


def _marks(result: Result, part: Part, *, short: bool) -> Iterator[str]:
    """What must not be overlooked of a system's training. short: for a row of a table."""
    if result.trained_on:
        share = result.trained_on / part.instances
        yield f"trained on {result.trained_on:,.0f} of these questions ({100 * share:.0f} %)"
    if result.dated_before:
        share = f"{100 * result.dated_before:.0f} %"
        if short:
            yield f"cut-off later than {share} of the papers"
        else:
            yield (
                f"The training data reach up to a date by which {share} of this split's papers were out; the system "
                "may have read them."
            )


def system_values(board: Board, system: BoardSystem) -> dict[str, Any]:
    """The values of the page of a system."""
    facts = [
        ("team", system.team),
        ("date", system.date.isoformat()),
        ("view", system.view or NO_VIEW),
        ("training data", system.training_data or "none"),
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
    crowd = [*_crowd(board, system)]
    return {
        "system": {
            "name": system.name,
            "description": system.description,
            "link": system.link,
            "facts": facts,
            "results": [
                *(_result(board, part, result, number) for number, (part, result) in enumerate(results)),
                *crowd,
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
        "marks": [*_marks(result, part, short=False)],
        "rows": rows,
        "has_gains": any(row["gain"] for row in rows),
        "has_next": any(row["next"] for row in rows),
        "notes": notes,
        "taken_apart": [
            _taken_apart(part, each, f"result-{number}-{place}")
            for place, each in enumerate(result.taken_apart)
        ],
        "signatures": [figure.signature for figure in result.figures.values()],
        "command": "" if part.hidden else _command(part, result),
    }


def _next(board: Board, standing: Standing, row: Row | None) -> dict[str, str] | None:
    """The system ranked below, and how this one stands to it."""
    place = standing.rows.index(row) if row else len(standing.rows)
    if row is None or place + 1 >= len(standing.rows):
        return None
    below = board.system(standing.rows[place + 1].submission)
    words = "better than" if row.against_next == "better" else "not different from"
    return {"words": words, "name": below.name, "page": system_page(below.submission)}


def _command(part: Part, result: Result) -> str:
    """A command that tests the system against another, from the folder of the submissions."""
    files = ",".join(f"{result.submission}/{name}" for name in result.files)
    given = files if len(result.files) == 1 else f"{result.submission}={files}"
    return shlex.join(["anagnosis", "compare", part.dataset, given]) + " OTHER/FILE"


def _row(board: Board, standing: Standing, result: Result, measure: str, figure: Figure) -> dict[str, Any]:
    gain = result.gains.get(measure)
    row = next((each for each in standing.rows if each.submission == result.submission), None)
    return {
        "measure": heading(measure),
        "figure": shown(figure, measure),
        "ranks": f"{ranks(row)} of {len(standing.rows)}" if row else "",
        "gain": difference(gain.difference, measure) if gain else None,
        "over": f"over {gain.over}" if gain else "",
        "gained": VERDICTS[gain.verdict] if gain else "",
        "next": _next(board, standing, row),
        "hard": shown(gain.hard, measure) if gain else None,
    }


def _taken_apart(part: Part, apart: TakenApart, ident: str) -> dict[str, Any]:
    measures = [*dict.fromkeys(name for group in apart.groups for name in group.figures)]
    first = [group.figures[measures[0]] for group in apart.groups if measures[0] in group.figures]
    drawn = iter(bars(first, measures[0])[0])
    groups: list[dict[str, Any]] = []
    for group in apart.groups:
        figures: Sequence[Shown | None] = [shown(group.figures.get(name), name) for name in measures]
        bar: Bar | None = next(drawn) if measures[0] in group.figures else None
        groups.append({"label": group.label, "n": f"{group.n:,}", "figures": figures, "bar": bar})
    factor = FACTORS.get(apart.factor, apart.factor)
    note = (
        f"{apart.left_out:,} questions are in groups that are too small to be shown."
        if apart.left_out
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


def _crowd(board: Board, system: BoardSystem) -> Iterator[dict[str, Any]]:
    """A section for each part that people of this submission answered."""
    for number, part in enumerate(board.parts):
        rows = [
            {
                "measure": f"{row.group}: {heading(standing.measure)}",
                "figure": shown(row.figure, standing.measure),
                "ranks": "",
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
                "has_next": False,
                "notes": ["People are taken by their answers, and are not ranked among systems."],
                "taken_apart": [],
                "signatures": [row.figure.signature for row in own],
                "command": "",
            }
