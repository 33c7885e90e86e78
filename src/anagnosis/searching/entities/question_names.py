"""Names that only repeat a question, and so answer nothing.

    words          in any spelling, number or order, nouns of nearly every paper apart: "sleep apnea syndrome" for
                   "sleep apnoea", "gastroesophageal" for "gastro-oesophageal"
    equivalents    names that the search counts as words of the question: what papers of the index abbreviate, terms

A question for a name ("What does CHF stand for?") has no such names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.synonyms.names import standing
from anagnosis.searching.synonyms.spelling import american
from anagnosis.searching.words import printed_words, words_of

_FOR_A_NAME = re.compile(
    r"\b(?:stands?\sfor|abbreviat\w{1,5}|acronyms?|synonyms?|(?:an)?other\s(?:names?|term)|alternative\snames?"
    r"|known\sas|(?:brand|trade|generic|full)\snames?|called)\b",
    re.IGNORECASE,
)


class QuestionNames:
    """The words of a question, and the names that mean some of them.

    everywhere: nouns that make no other name of a name.
    """

    def __init__(
        self, question: str, equivalents: Sequence[Equivalent] = (), everywhere: Iterable[str] = ()
    ) -> None:
        self._for_a_name = bool(_FOR_A_NAME.search(question))
        printed = printed_words(question)
        joined = [first + second for first, second in pairwise(printed)]
        self._stems = {stem for word in (*printed, *joined) for stem in _stems(word)}
        self._everywhere = {stem for noun in everywhere for stem in _stems(noun)}
        self._equivalents = [name for one in equivalents for name in one.names]

    def has(self, name: str) -> bool:
        """Whether a name only repeats the question."""
        if self._for_a_name:
            return False
        of_names = {word for other in standing(self._equivalents, words_of(name)) for word in other}
        left = [word for word in printed_words(name) if not self._everywhere.issuperset(_stems(word))]
        return bool(left) and all(
            self._stems.issuperset(_stems(word)) or of_names.issuperset(words_of(word)) for word in left
        )


def _stems(word: str) -> list[str]:
    """The stem of a printed word in its American spelling."""
    return words_of(american(word))
