"""Refuse a file whose answers are written in another view than the one in which they are read.

`@entity0` is the first entity of an instance in one view and an entity of the whole dataset in another, so a right
answer can name a wrong candidate. A file of which most answers name no candidate at all is refused too.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.predictions.annotators import OUTSIDE, TOKEN, UNANSWERED, Matching

_BY_NUMBER = "global"  # the view of tokens whose view nobody knows
_LONGEST = 60  # characters of an answer in a message


def demand_fitting_view(matchings: Sequence[Matching], gold: Gold, view: str | None, name: str) -> None:
    """Refuse (InputError) a file whose tokens fit another view better, or of which more than half fits no candidate.

    Answers of people, and those that are compared as texts, may say anything. view: in which the answers were read,
    None where nobody knows. name: of the file.
    """
    _demand_tokens(matchings, gold, view, name)
    if gold.exact is not None or gold.labels:
        return
    systems = [matching for matching in matchings if matching.annotator is None]
    answered = sum(int((matching.choice != UNANSWERED).sum()) for matching in systems)
    outside = [
        (row, answer)
        for matching in systems
        for row, answer in matching.in_doubt.items()
        if matching.choice[row] == OUTSIDE
    ]
    if 2 * len(outside) > answered:
        what = f"{len(outside):,} of its {answered:,} answers are no candidate's text, key, number or name"
        fits, likely = _likely(outside, gold, view)
        if fits:
            raise InputError(
                f"{what}; {fits:,} of them are texts of the view {_or(likely)}", name, _name_it(likely)
            )
        remedy = (
            "answer with the keys of the candidates, or as `anagnosis export --view` shows them; "
            "`score --keep-unmatched` counts them as wrong"
        )
        raise InputError(f"{what} (the first is {outside[0][1][:_LONGEST]!r})", name, remedy)


def _demand_tokens(matchings: Sequence[Matching], gold: Gold, view: str | None, name: str) -> None:
    """Refuse tokens that name candidates in another view more often than where they were read."""
    tokens = [
        (matching, row, answer)
        for matching in matchings
        for row, answer in matching.in_doubt.items()
        if answer.startswith(TOKEN)
    ]
    if not tokens:
        return
    given = [(row, answer) for _, row, answer in tokens]
    if view is not None and any(text.startswith(TOKEN) for text in gold.texts(view, 0)):
        here = _fits(given, gold, view)
    else:
        here = sum(int(matching.choice[row] >= 0) for matching, row, _ in tokens)
    if here == len(tokens):
        return
    fits, likely = _likely(given, gold, view or _BY_NUMBER)
    if fits > here:
        read = f"the view {view}" if view else "numbers of the dataset"
        what = (
            f"{fits:,} of its {len(tokens):,} answers such as {given[0][1][:_LONGEST]!r} name candidates in the view "
            f"{_or(likely)}, and {here:,} as {read}"
        )
        raise InputError(what, name, _name_it(likely))


def _fits(answers: Sequence[tuple[int, str]], gold: Gold, view: str) -> int:
    """How many answers are texts of candidates in a view."""
    return sum(answer in gold.texts(view, row) for row, answer in answers)


def _likely(answers: Sequence[tuple[int, str]], gold: Gold, but: str | None) -> tuple[int, list[str]]:
    """(how many answers they show as candidates, names) of the views that fit best, but for one."""
    fits = {view: _fits(answers, gold, view) for view in gold.views if view != but}
    most = max(fits.values(), default=0)
    return most, [view for view, count in fits.items() if count == most]


def _or(views: Sequence[str]) -> str:
    return " or ".join(views)


def _name_it(views: Sequence[str]) -> str:
    what = "name it" if len(views) == 1 else "name the one in which the questions were exported"
    named = _or([f"--view {view}" for view in views])
    return f"{what}: {named}, NAME@{views[0]}=FILE beside systems of another view, or `view` in system.toml"
