"""Names that only repeat a question, and so answer nothing.

    words          in any spelling, number or order, nouns of nearly every paper apart: "sleep apnea syndrome" for
                   "sleep apnoea", "gastroesophageal" for "gastro-oesophageal"
    equivalents    names that the search counts as words of the question: what papers of the index abbreviate, terms
    abbreviation   by Schwartz and Hearst's matching (entities/short_forms.py) of some words of the question

Their matching lets a letter stand anywhere in a word, and a question defines nothing: "RET" would abbreviate "receptor
tyrosine". So each word of the long form must give its first letter, and other letters at most one in four.

A question for a name ("What does CHF stand for?") has no such names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from anagnosis.entities.short_forms import long_form_start
from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.synonyms.names import standing
from anagnosis.searching.synonyms.spelling import american
from anagnosis.searching.words import printed_words, words_of

_FOR_A_NAME = re.compile(
    r"\b(?:stands?\sfor|abbreviat\w{1,5}|acronyms?|synonyms?|(?:an)?other\s(?:names?|term)|alternative\snames?"
    r"|known\sas|(?:brand|trade|generic|full)\snames?|called)\b",
    re.IGNORECASE,
)
_SHORT_FORM = re.compile(r"(?=\w*[A-Z]\w*[A-Z])([A-Za-z]{2,10}?)s?")
_LETTERS_FOR_ONE_INSIDE = 4
_WORD = re.compile(r"[^\s/(),;:?!]+")
_UNSAID_WORDS = "a an and as at by for from in of on or the to with without"
_UNSAID = frozenset(_UNSAID_WORDS.split())


class QuestionNames:
    """The words of a question, and the names that mean some of them.

    everywhere: nouns that make no other name of a name.
    """

    def __init__(
        self, question: str, equivalents: Sequence[Equivalent] = (), everywhere: Iterable[str] = ()
    ) -> None:
        self._for_a_name = bool(_FOR_A_NAME.search(question))
        self._question = question
        printed = printed_words(question)
        joined = [first + second for first, second in pairwise(printed)]
        self._stems = {stem for word in (*printed, *joined) for stem in _stems(word)}
        self._everywhere = {stem for noun in everywhere for stem in _stems(noun)}
        self._equivalents = [name for one in equivalents for name in one.names]

    def has(self, name: str) -> bool:
        """Whether a name only repeats the question."""
        return not self._for_a_name and (self._repeats(name) or abbreviates(name, self._question))

    def _repeats(self, name: str) -> bool:
        words = words_of(name)
        of_names = {word for other in standing(self._equivalents, words) for word in other}
        left = [word for word in printed_words(name) if not self._everywhere.issuperset(_stems(word))]
        return bool(left) and all(
            self._stems.issuperset(_stems(word)) or of_names.issuperset(words_of(word)) for word in left
        )


def abbreviates(name: str, question: str) -> bool:
    """Whether a name is an abbreviation of some words of a question."""
    match = _SHORT_FORM.fullmatch(name)
    if match is None:
        return False
    short = match[1]
    for word in _WORD.finditer(question):
        start = long_form_start(question, short, word.end())
        if start is not None and _by_first_letters(short.lower(), question[start : word.end()]):
            return True
    return False


def _by_first_letters(short: str, long: str) -> bool:
    """Whether each word of a long form gives its first letter to the short form, and few letters are left."""
    firsts = [word.lower()[0] for word in _WORD.findall(long) if word.lower() not in _UNSAID]
    letters = iter(short)
    return (
        all(first in letters for first in firsts)
        and len(short) - len(firsts) <= len(short) // _LETTERS_FOR_ONE_INSIDE
    )


def _stems(word: str) -> list[str]:
    """The stem of a printed word in its American spelling."""
    return words_of(american(word))
