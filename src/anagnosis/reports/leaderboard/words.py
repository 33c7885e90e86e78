"""What the pages of a board and its report write: titles, figures, ranks, verdicts, notes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, BoardSystem, Figure, Part, Result, Row, Standing
from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.reports.report import Kind
from anagnosis.reports.systems.measured import cell_kind, gain_kind
from anagnosis.wording import counted

VERDICTS = {
    "better": "better",
    "worse": "worse",
    "tied": "not shown to differ",
    "identical": "equal on every question",
    "": "",
}
NO_VIEW = "view not stated"
WITHOUT_VIEW = (
    "These systems do not say which view of the questions they read. A view may show what another hides, such as names "
    "of entities or the conclusion of an abstract. So they are ranked among themselves, apart from systems with a view."
)
RUNS_BETTER = "these runs are better; other runs may not be"
SEVERAL_RUNS = (
    "A verdict on a system with several runs is about its recipe: the test also asks what other runs would show, so it "
    "is harder to pass. With one run, the verdict is about that model alone. So that nobody loses by showing all runs, "
    "the ranks by these runs alone are given too, below the others, where they differ."
)
ONLY_ONE = "One system has been entered here, so there is no rank."


def too_few_draws(draws: int, family: int) -> str:
    """What a reader must know of a table whose tests drew too few swaps."""
    return (
        f"{draws:,} drawn swaps cannot tell any two of so many systems apart ({family:,} pairs): more draws might "
        "narrow these ranks."
    )


def view_of(part: Part) -> str:
    """The view, or that systems state none."""
    return f"{part.view} view" if part.view else NO_VIEW


def title_of(part: Part) -> str:
    """`lite, test, names view`."""
    return f"{part.dataset}, {part.split}, {view_of(part)}"


def called(measure: str) -> str:
    """A measure at the beginning of a line."""
    return named(measure).heading


def anchor(measure: str) -> str:
    """The identifier of a measure's table on a page."""
    return f"by-{measure.replace('_', '-')}"


def heading(measure: str) -> str:
    """A measure with its unit, as the head of a column."""
    found = named(measure)
    return f"{found.heading} (%)" if found.unit == "percent" else found.heading


def value_and_interval(figure: Figure, measure: str) -> tuple[str, str]:
    """A figure by that measure as text: `56.50`, `55.26 to 57.72`."""
    return _written(figure, cell_kind(named(measure)))


def gain_and_interval(figure: Figure, measure: str) -> tuple[str, str]:
    """A difference of two figures by that measure as text."""
    return _written(figure, gain_kind(named(measure)))


def _written(figure: Figure, kind: Kind) -> tuple[str, str]:
    value, low, high = (cell_text(number, kind) for number in (figure.value, figure.low, figure.high))
    return value, f"{low} to {high}"


def p_value(row: Row) -> str:
    """`p = 0.041`, `p < 0.001`; empty where there is none, and for systems that are equal."""
    if row.holm is None or row.against_next == "identical":
        return ""
    written = cell_text(row.holm, "p")
    return f"p {written}" if written.startswith(("<", ">")) else f"p = {written}"


def ranks(row: Row) -> str:
    """`1` or `1–3`; empty for the only system, which nothing is ranked against."""
    return _range(row.ranks)


def ranks_of_runs(row: Row) -> str:
    """Where these runs alone leave other ranks open: those. Else empty."""
    return _range(row.ranks_of_runs) if row.ranks_of_runs != row.ranks else ""


def of_runs(row: Row) -> str:
    """What these runs alone show against the next system and the verdict does not. Else empty."""
    return RUNS_BETTER if (row.against_next, row.runs_against_next) == ("tied", "better") else ""


def against_below(row: Row) -> str:
    """How a system stands to the one ranked below it."""
    words = {"better": "better than", "identical": "equal on every question to"}
    found = words.get(row.against_next, "not different from")
    return f"{found} ({own})" if (own := of_runs(row)) else found


def _range(places: tuple[int, int] | None) -> str:
    if places is None:
        return ""
    first, last = places
    return str(first) if first == last else f"{first}–{last}"


def entered(standing: Standing) -> str:
    """`4 systems`, `2 people`, or both."""
    people = sum(row.people for row in standing.people)
    by_people = [] if not people else ["1 person" if people == 1 else f"{people:,} people"]
    systems = [counted(len(standing.rows), "system")] if standing.rows or not people else []
    return ", ".join([*systems, *by_people])


def marks(result: Result, part: Part, *, short: bool) -> Iterator[str]:
    """What must not be overlooked of a system's training. short: for a row of a table."""
    if result.trained_on:
        share = result.trained_on / part.instances
        yield f"trained on {result.trained_on:,.0f} of these questions ({100 * share:.0f} %)"
    if result.dated_before:
        share = f"{100 * result.dated_before:.0f} %"
        if short:
            yield f"{share} of the papers are not newer than the cut-off"
        else:
            yield (
                f"{share} of this split's papers are not newer than the cut-off of the training data; the system may "
                "have read them."
            )


def standing_notes(standing: Standing) -> Iterator[str]:
    """What stands below a table of systems."""
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


def result_notes(result: Result) -> Iterator[str]:
    """What stands below the figures of a system."""
    if result.problems:
        problems = (f"{count:,} {name.replace('_', ' ')}" for name, count in result.problems.items())
        yield f"Lines that do not fit: {', '.join(problems)}."
    if len(result.files) > 1:
        yield f"The mean of {len(result.files)} runs."


def command(result: Result) -> str:
    """A command that tests the system against another, to be run in the folder of the submissions."""
    # A leading dash would be taken for an option.
    folder = f"./{result.submission}" if result.submission.startswith("-") else result.submission
    files = ",".join(f"{folder}/{name}" for name in result.files)
    given = files if len(result.files) == 1 else f"system={files}"
    return shlex.join(["anagnosis", "compare", "DATASET", given, "OTHER.jsonl"])


def facts_of(board: Board, system: BoardSystem) -> list[tuple[str, str]]:
    """(name, what) of a submission; names without anything are left out."""
    results = (result for part in board.parts for result in part.results)
    own = (result.parameters for result in results if result.submission == system.submission)
    parameters = next((number for number in own if number), None)
    facts = [
        ("team", system.team),
        ("date", system.date.isoformat()),
        ("view", system.view or NO_VIEW),
        ("training data", system.training_data or "not stated"),
        ("training cut-off", system.training_cutoff.isoformat() if system.training_cutoff else ""),
        ("parameters", cell_text(parameters, "parameters")),
    ]
    return [(name, what) for name, what in facts if what]
