"""Refuse a file whose answers are written in another view than the one in which they are read.

`@entity0` is the first entity of an instance in one view and an entity of the whole dataset in another, so a right
answer can name a wrong candidate. A file of which most answers name no candidate at all is refused too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.predictions.annotators import OUTSIDE, TOKEN, UNANSWERED, Voice

BY_NUMBER = "global"  # the view of answers whose view nobody knows
_LONGEST = 60  # characters of an answer in a message


def demand_fitting_view(voices: Sequence[Voice], gold: Gold, view: str | None, name: str) -> None:
    """Refuse (InputError) a file whose tokens fit another view better, or of which more than half fits no candidate.

    Answers of people, and those that are compared as texts, may say anything. view: in which the answers were read,
    None where nobody knows. name: of the file.
    """
    if view is None:
        _demand_by_number(voices, gold, name)
    if gold.exact is not None or gold.labels:
        return
    systems = [voice for voice in voices if voice.annotator is None]
    answered = sum(int((voice.choice != UNANSWERED).sum()) for voice in systems)
    outside = [
        (row, answer)
        for voice in systems
        for row, answer in voice.in_doubt.items()
        if voice.choice[row] == OUTSIDE
    ]
    if 2 * len(outside) > answered:
        fits, likely = _likely(outside, gold, view)
        what = f"{len(outside):,} of its {answered:,} answers are no candidate's text, key, number or name"
        if fits:
            raise InputError(f"{what}, and {fits:,} fit the {likely} view", name, _name_it(likely))
        remedy = "answer with the keys of the candidates, or as `anagnosis export --view` shows them"
        raise InputError(f"{what} (the first is {outside[0][1][:_LONGEST]!r})", name, remedy)


def _demand_by_number(voices: Sequence[Voice], gold: Gold, name: str) -> None:
    """Refuse tokens that are more often candidates of another view than numbers of the whole dataset."""
    tokens = [
        (voice, row, answer)
        for voice in voices
        for row, answer in voice.in_doubt.items()
        if answer.startswith(TOKEN)
    ]
    here = sum(voice.choice[row] >= 0 for voice, row, _ in tokens)
    if here == len(tokens):
        return
    fits, likely = _likely(((row, answer) for _, row, answer in tokens), gold, BY_NUMBER)
    if fits > here:
        first = tokens[0][2][:_LONGEST]
        what = (
            f"of its {len(tokens):,} answers such as {first!r} {fits:,} are candidates in the {likely} view, and "
            f"{here:,} by the numbers of the dataset"
        )
        raise InputError(what, name, _name_it(likely))


def _likely(answers: Iterable[tuple[int, str]], gold: Gold, but: str | None) -> tuple[int, str]:
    """(how many answers it shows as candidates, name) of the view that fits best, but for one; (0, "") for none."""
    given, best = [*answers], (0, "")
    for view in gold.views:
        if view != but and best[0] < len(given) and gold.shown(view) is not None:
            fits = sum(answer in gold.texts(view, row) for row, answer in given)
            best = max(best, (fits, view), key=lambda each: each[0])
    return best


def _name_it(view: str) -> str:
    return f"name it with --view {view}, or as the view in system.toml"
