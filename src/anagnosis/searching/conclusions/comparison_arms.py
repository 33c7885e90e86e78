"""The arms of comparisons: which of them the question asks about.

In "NAC, compared with metformin, improved growth" metformin is the other arm: the sentence says nothing for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anagnosis.language.comparisons import compared_with
from anagnosis.searching.conclusions.subjects import names_of
from anagnosis.searching.words import words_of

OF_NAME = 0.5  # stems of a name
_FOR_A_DIFFERENCE = re.compile(r"\b(?:differ|compar|versus\b|vs\b)", re.IGNORECASE)


def is_other_arm(question: str, sentence: str, topic: frozenset[str]) -> bool:
    """Whether a name of the question stands in the sentence only as what it compares with.

    topic: stems of the question. False where the question itself compares.
    """
    if not compared_with(sentence) or compared_with(question) or _FOR_A_DIFFERENCE.search(question):
        return False
    main, compared = _sides(sentence)
    return any(
        len(compared.intersection(name)) >= OF_NAME * len(name) and main.isdisjoint(name)
        for name in names_of(question, dict.fromkeys(topic, 1.0))
    )


def arms_change_places(question: str, sentence: str, topic: frozenset[str]) -> bool:
    """Whether the sentence compares the question's second arm with its first: "Is A better than B?", "B beat A"."""
    if not (compared_with(question) and compared_with(sentence)):
        return False
    named = frozenset(stem for name in names_of(question, dict.fromkeys(topic, 1.0)) for stem in name)
    asked, against = (side & named for side in _sides(question))
    main, compared = _sides(sentence)
    return bool((asked - against) & (compared - main)) and bool((against - asked) & (main - compared))


def _sides(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of a text without what it compares with, and those of what it compares with."""
    spans = compared_with(text)
    return _stems(_without(text, spans)), _stems(" ".join(text[begin:end] for begin, end in spans))


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    kept, at = "", 0
    for begin, end in spans:
        kept, at = f"{kept}{text[at:begin]} ", end
    return kept + text[at:]


def _stems(text: str) -> frozenset[str]:
    return frozenset(words_of(text))
