"""Refuse a file whose answers are written in another view than the one in which they are read.

`@entity0` is the first entity of an instance in one view, another in the next and an entity of the whole dataset in a
third, so a right answer can name a wrong candidate. A file of which most answers name no candidate at all is refused
too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Bools
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.predictions.annotators import OUTSIDE, TOKEN, UNANSWERED, Matching

_BY_NUMBER = "global"  # the view of tokens whose view nobody knows
_ENOUGH = 500  # answers
_LONGEST = 60  # characters of an answer in a message
_Token = tuple[int, str, int]  # row, answer, the candidate that it names or a number below 0


class _Fit(NamedTuple):
    """Answers read in a view. named: how many name a candidate there. right: bool, whether each is the right one."""

    view: str
    named: int
    right: Bools


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
        answer
        for matching in systems
        for row, answer in matching.in_doubt.items()
        if matching.choice[row] == OUTSIDE
    ]
    if 2 * len(outside) > answered:
        what = (
            f"{len(outside):,} of its {answered:,} answers are no candidate's text, key, number or name (the first is "
            f"{outside[0][:_LONGEST]!r})"
        )
        remedy = (
            "answer with the keys of the candidates, or as `anagnosis export --view` shows them; "
            "`score --keep-unmatched` counts them as wrong"
        )
        raise InputError(what, name, remedy)


def _demand_tokens(matchings: Sequence[Matching], gold: Gold, view: str | None, name: str) -> None:
    """Refuse tokens that fit another view better than the one where they were read."""
    tokens = sorted(
        (row, answer, int(matching.choice[row]))
        for matching in matchings
        for row, answer in matching.in_doubt.items()
        if answer.startswith(TOKEN)
    )
    if not tokens:
        return
    # To read what every view shows takes time, and the first answers tell enough.
    tokens, limit = tokens[:_ENOUGH], tokens[:_ENOUGH][-1][0] + 1
    here = _fit(view or _BY_NUMBER, tokens, gold)
    if view is not None and any(text.startswith(TOKEN) for text in gold.texts(view, 0)):
        here = _fit_of_texts(view, tokens, gold, limit)
    others = [_fit_of_texts(other, tokens, gold, limit) for other in gold.views if other != here.view]
    others.sort(key=lambda fit: fit.named + fit.right.sum(), reverse=True)
    if others and _is_better(best := others[0], here):
        read = f"the view {view}" if view else "numbers of the dataset"
        alike = [fit for fit in others if fit.named == best.named]
        what = (
            f"{best.named:,} of its {len(tokens):,} answers such as {tokens[0][1][:_LONGEST]!r} name candidates in the "
            f"view {' or '.join(fit.view for fit in alike)}, and {here.named:,} as {read}; {best.right.sum():,} are "
            f"right in the view {best.view}, and {here.right.sum():,} as {read}"
        )
        named = " or ".join(f"--view {fit.view}" for fit in alike if not _is_better(best, fit))
        keeping = f"; --keep-unmatched reads them as the view {view} none the less" if view else ""
        remedy = f"{named}, NAME@{best.view}=FILE beside systems of another view, or `view` in system.toml"
        raise InputError(what, name, f"name it: {remedy}{keeping}")


def _is_better(one: _Fit, other: _Fit) -> bool:
    """Whether answers fit one view better than another, and not by chance, as those of a weak system may.

    Two views may have the same tokens for other entities. Then a sign test, at two standard deviations, over the
    answers that are right in one of them alone tells them apart.
    """
    gained, lost = int((one.right & ~other.right).sum()), int((other.right & ~one.right).sum())
    chance = 2 * math.sqrt(gained + lost)
    return gained - lost > chance or (one.named > other.named and lost - gained <= chance)


def _fit_of_texts(view: str, tokens: Sequence[_Token], gold: Gold, limit: int) -> _Fit:
    """How answers fit a view whose texts they are. limit: as of `Gold.shown`."""
    shown = ((row, answer, gold.texts(view, row, limit)) for row, answer, _ in tokens)
    placed = [(row, answer, texts.index(answer) if answer in texts else -1) for row, answer, texts in shown]
    return _fit(view, placed, gold)


def _fit(view: str, tokens: Sequence[_Token], gold: Gold) -> _Fit:
    rows, places = [row for row, *_ in tokens], np.array([place for *_, place in tokens])
    return _Fit(view, int((places >= 0).sum()), (places >= 0) & (gold.answer[rows] == places))
