"""What several pages of a board write: titles, ranks, verdicts, and what to know of a training."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.leaderboard.board import Part, Result, Row
from anagnosis.reports.leaderboard.page_names import part_page

VERDICTS = {
    "better": "better",
    "worse": "worse",
    "tied": "not different",
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
NOT_STATED = "not stated"


def too_few_draws(draws: int, family: int) -> str:
    """What a reader must know of a table whose tests drew too few swaps."""
    return (
        f"{draws:,} drawn swaps cannot tell any two of so many systems apart ({family:,} pairs), and a bound that "
        "needs no draws does not tell all the others apart: more draws might narrow these ranks."
    )


def page_of(part: Part) -> str:
    """The page of a part, relative to the site."""
    return part_page(part.dataset, part.split, part.view)


def view_of(part: Part) -> str:
    return f"{part.view} view" if part.view else NO_VIEW


def title_of(part: Part) -> str:
    """`lite, test, names view`."""
    return f"{part.dataset}, {part.split}, {view_of(part)}"


def ranks(row: Row) -> str:
    """`1` or `1–3`; empty for the only system, which nothing is ranked against."""
    return _written(row.ranks)


def ranks_of_runs(row: Row) -> str:
    """Where these runs alone leave other ranks open: those. Else empty."""
    return _written(row.ranks_of_runs) if row.ranks_of_runs != row.ranks else ""


def of_runs(row: Row) -> str:
    """What these runs alone show against the next system and the verdict does not. Else empty."""
    return RUNS_BETTER if (row.against_next, row.runs_against_next) == ("tied", "better") else ""


def _written(places: tuple[int, int] | None) -> str:
    if places is None:
        return ""
    first, last = places
    return str(first) if first == last else f"{first}–{last}"


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
