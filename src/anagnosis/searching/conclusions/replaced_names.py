"""Whether a sentence is about something else in the place of what the question names.

"Nintedanib slowed the loss of lung volume" answers nothing about bosentan, though all other words agree. A word of the
question is replaced if the paper lacks it and the sentence has another word in its place: beside the same neighbour, on
the same side. Only rarer words name something, and words of direction do not. A sentence that has less than
LEAST_SHARED of the question's words that the paper has, by weight, is worded differently, and replaces nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from anagnosis.language.directions import directions, words
from anagnosis.searching.analysis import ASKING, OF_GRAMMAR, OF_NO_MEANING
from anagnosis.searching.sentences.overlap import share
from anagnosis.searching.words import words_of

LEAST_SHARED = 0.5

_FUNCTION_WORDS = frozenset(f"{OF_NO_MEANING} {OF_GRAMMAR} {ASKING}".split())


def replaced_names(
    question: str, sentence: str, paper_words: Collection[str], weights: Mapping[str, float]
) -> list[str]:
    """The words of the question that the sentence replaces, in lower case.

    paper_words: stems of the paper. weights: of the question's stems.
    """
    present = {stem: weight for stem, weight in weights.items() if stem in paper_words}
    if share(present, words_of(sentence)) < LEAST_SHARED:
        return []
    named = frozenset(rarer(weights))
    asked, said = _content(question), _content(sentence)
    known = frozenset(stem for _, stem, _ in asked)
    neighbours = {
        (stem, side): [said[place + side][1] for place, (_, found, _) in enumerate(said)
                       if found == stem and 0 <= place + side < len(said)]
        for stem in known
        for side in (-1, 1)
    }  # fmt: skip
    replaced: list[str] = []
    for place, (word, stem, is_direction) in enumerate(asked):
        if stem in paper_words or stem not in named or is_direction:
            continue
        for side in (-1, 1):
            beside = place - side
            if 0 <= beside < len(asked) and any(
                other not in known for other in neighbours[asked[beside][1], side]
            ):
                replaced.append(word)
                break
    return replaced


def rarer(weights: Mapping[str, float]) -> list[str]:
    """The words of at least the mean weight, without single letters, which belong to the word before them."""
    mean = math.fsum(weights.values()) / len(weights) if weights else 0.0
    return [word for word, weight in weights.items() if weight >= mean and len(word) > 1]


def _content(text: str) -> Sequence[tuple[str, str, bool]]:
    """(word, stem, whether it is a word of direction) of the words that are not function words."""
    every = words(text)
    of_direction = {one.place for one in directions(every, ())}
    return [
        (word, stems[0], place in of_direction)
        for place, (word, _) in enumerate(every)
        if word not in _FUNCTION_WORDS and (stems := words_of(word))
    ]
