"""What the page of a dataset, split and view shows: a table and the progress by each measure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, Part, Standing
from anagnosis.leaderboard.disclosure import SMALLEST_GROUP
from anagnosis.reports.leaderboard.figures import bars, heading, shown
from anagnosis.reports.leaderboard.page_names import system_page
from anagnosis.reports.leaderboard.progress import drawing
from anagnosis.reports.leaderboard.words import (
    NOT_STATED,
    ONLY_ONE,
    SEVERAL_RUNS,
    VERDICTS,
    WITHOUT_VIEW,
    marks,
    of_runs,
    ranks,
    ranks_of_runs,
    title_of,
    too_few_draws,
)
from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.wording import counted

OFF_SCALE = "An arrow stands for a value off the scale, which is that of the systems' intervals."


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
            "without_view": "" if part.view else WITHOUT_VIEW,
            "standings": [_standing(board, part, standing) for standing in part.standings],
        },
        "smallest_group": SMALLEST_GROUP,
    }


def _standing(board: Board, part: Part, standing: Standing) -> dict[str, Any]:
    measure = named(standing.measure)
    besides = [*_beside(board, standing)]
    aside = [each["of"] for _, own in besides for each in own]
    own_bars, aside_bars = bars([row.figure for row in standing.rows], standing.measure, aside)
    drawn, drawn_beside = iter(own_bars), iter(aside_bars)
    results = {result.submission: result for result in part.results}
    rows = [
        {
            "ranks": ranks(row),
            "ranks_of_runs": ranks_of_runs(row),
            "runs": counted(row.runs, "run") if row.runs > 1 else "",
            "name": (system := board.system(row.submission)).name,
            "page": system_page(row.submission),
            "team": system.team,
            "date": system.date.isoformat(),
            "figure": shown(row.figure, standing.measure),
            "bar": next(drawn),
            "verdict": VERDICTS[row.against_next],
            "of_runs": of_runs(row),
            "p": None if row.holm is None or row.against_next == "identical" else f"p {_p(row.holm)}",
            "hard": shown(row.hard, standing.measure),
            "training": system.training_data or NOT_STATED,
            "until": system.training_cutoff.isoformat() if system.training_cutoff else "",
            "marks": [*marks(results[row.submission], part, short=True)],
        }
        for row in standing.rows
    ]
    beside = [(title, [{**each, "bar": next(drawn_beside)} for each in own]) for title, own in besides]
    ranked = len(standing.rows)
    return {
        "id": _ident(standing),
        "called": measure.heading,
        "heading": measure.heading,
        "column": heading(standing.measure),
        "ranked": ranked,
        "rows": rows,
        "beside": beside,
        "hard": None if standing.hard is None else f"{standing.hard:,}",
        "columns": 4 + 2 * (ranked > 1) + (standing.hard is not None),
        "notes": [*_notes(standing), *([OFF_SCALE] if any(bar.beyond for bar in aside_bars) else [])],
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
        yield "Baselines without reading", shortcuts


def _notes(standing: Standing) -> Iterator[str]:
    measure = named(standing.measure)
    what = measure.what.rstrip(".")
    yield (
        f"{measure.heading}: {what[0].lower()}{what[1:]}; protocol {standing.protocol}. Below each value stands its "
        "95 % interval."
    )
    if len(standing.rows) == 1:
        yield ONLY_ONE
    if len(standing.rows) > 1:
        family = f"{'all ' * (standing.family > 1)}{counted(standing.family, 'pair')}"
        yield (
            "A rank is a range where paired tests do not tell systems apart. The tests are approximate randomisation, "
            "which swaps the answers of whole documents, and for systems with several runs a test over the runs too; "
            f"they are corrected by Holm for {family} at {standing.alpha}."
        )
        if any(row.runs > 1 for row in standing.rows):
            yield SEVERAL_RUNS
        if standing.too_few_draws is not None:
            yield too_few_draws(standing.too_few_draws, standing.family)
    if standing.hard is not None:
        yield "Hard questions are those on which no baseline without reading points at the right answer."


def _progress(board: Board, standing: Standing) -> Any:
    from markupsafe import Markup

    steps = standing.progress
    names = [board.system(step.submission).name for step in steps]
    return Markup(drawing(steps, names, standing.measure, f"{_ident(standing)}-plot"))


def _ident(standing: Standing) -> str:
    return f"by-{standing.measure.replace('_', '-')}"
