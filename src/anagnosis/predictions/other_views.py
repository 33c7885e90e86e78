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
    outside = sorted(
        (row, answer)
        for matching in systems
        for row, answer in matching.in_doubt.items()
        if matching.choice[row] == OUTSIDE
    )
    if 2 * len(outside) > answered:
        what = f"{len(outside):,} of its {answered:,} answers are no candidate's text, key, number or name"
        fits = _fits(outside, gold, view)
        if fits and fits[0].named:
            what += f"; {fits[0].named:,} of them are texts of the view {_or(_as_many(fits))}"
            raise InputError(what, name, _name_it(_as_many(fits)))
        remedy = (
            "answer with the keys of the candidates, or as `anagnosis export --view` shows them; "
            "`score --keep-unmatched` counts them as wrong"
        )
        raise InputError(f"{what} (the first is {outside[0][1][:_LONGEST]!r})", name, remedy)


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
    if view is not None and any(text.startswith(TOKEN) for text in gold.texts(view, 0)):
        tokens = [(row, answer, _place(answer, gold.texts(view, row))) for row, answer, _ in tokens]
    # To read what every view shows takes time. Where each token names a candidate, the first ones tell enough.
    tokens = tokens if any(place < 0 for *_, place in tokens) else tokens[:_ENOUGH]
    here = _fit(view or _BY_NUMBER, tokens, gold)
    fits = _fits([token[:2] for token in tokens], gold, here.view)
    if fits and _is_better(fits[0], here):
        read = f"the view {view}" if view else "numbers of the dataset"
        what = (
            f"{fits[0].named:,} of its {len(tokens):,} answers such as {tokens[0][1][:_LONGEST]!r} name candidates in "
            f"the view {_or(_as_many(fits))}, and {here.named:,} as {read}; {fits[0].right.sum():,} are right in the "
            f"view {fits[0].view}, and {here.right.sum():,} as {read}"
        )
        as_good = [fit.view for fit in fits if fit.view in _as_many(fits) and not _is_better(fits[0], fit)]
        keeping = f"; --keep-unmatched reads them as the view {view} none the less" if view else ""
        raise InputError(what, name, _name_it(as_good) + keeping)


def _is_better(one: _Fit, other: _Fit) -> bool:
    """Whether answers fit one view better than another, and not by chance, as those of a weak system may.

    Two views may have the same tokens for other entities. Then a sign test, at two standard deviations, over the
    answers that are right in one of them alone tells them apart.
    """
    gained, lost = int((one.right & ~other.right).sum()), int((other.right & ~one.right).sum())
    more_right = gained - lost > 2 * math.sqrt(gained + lost)
    return _worth(one) > _worth(other) and (one.named > other.named or more_right)


def _worth(fit: _Fit) -> int:
    return fit.named + int(fit.right.sum())


def _fits(answers: Sequence[tuple[int, str]], gold: Gold, but: str | None) -> list[_Fit]:
    """How answers, in the order of their rows, fit each view but for one, the best first."""
    fits: list[_Fit] = []
    for view in gold.views:
        if view != but:
            shown = ((row, answer, gold.texts(view, row, answers[-1][0] + 1)) for row, answer in answers)
            fits.append(
                _fit(view, [(row, answer, _place(answer, texts)) for row, answer, texts in shown], gold)
            )
    return sorted(fits, key=_worth, reverse=True)


def _fit(view: str, read: Sequence[tuple[int, str, int]], gold: Gold) -> _Fit:
    """read: (row, answer, the candidate that it names, -1 and less for none)."""
    rows, places = [row for row, _, _ in read], np.array([place for _, _, place in read])
    return _Fit(view, int((places >= 0).sum()), (places >= 0) & (gold.answer[rows] == places))


def _place(answer: str, texts: list[str]) -> int:
    return texts.index(answer) if answer in texts else -1


def _as_many(fits: Sequence[_Fit]) -> list[str]:
    """The views in which as many answers name candidates as in the best, which is the first."""
    return [fit.view for fit in fits if fit.named == fits[0].named]


def _or(views: Sequence[str]) -> str:
    return " or ".join(views)


def _name_it(views: Sequence[str]) -> str:
    what = "name it" if len(views) == 1 else "name the one in which the questions were exported"
    named = _or([f"--view {view}" for view in views])
    return f"{what}: {named}, NAME@{views[0]}=FILE beside systems of another view, or `view` in system.toml"
