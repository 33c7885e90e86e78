"""Words as papers print them: those that begin with some letters, and those near a misspelt one.

The index holds stems of all words, and printed words of titles. A stem that no title has is printed as a passage with
it prints it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

from anagnosis.searching.records.matches import PrintedWord
from anagnosis.searching.words import printed_words, words_of

if TYPE_CHECKING:
    from tantivy import Searcher

_SHORTEST, _SHORT = 4, 5  # letters of a word that may be misspelt, and of one with at most one error
_LONGEST = 40
_RIGHT = 2  # letters at the beginning of a word that two errors leave as they are
_MOST = 20_000  # words to compare
_RESOLVED = 5  # stems that no title has, for which we read passages
_DIGITS = re.compile(r"\d+")


def completions(searcher: Searcher, prefix: str, limit: int) -> list[PrintedWord]:
    """The words of titles that begin with these letters, those of most papers first."""
    letters = printed_words(prefix)
    if limit < 1 or len(letters) != 1:
        return []
    words = searcher.terms_with_prefix("printed", letters[0], limit=limit)
    return [PrintedWord(word, _frequency(searcher, word)) for word, _ in words]


def near_words(
    searcher: Searcher, word: str, limit: int, printed_at: Callable[[str], str]
) -> list[PrintedWord]:
    """The other words that differ from a word in one or two letters: the nearest first, of these the commonest.

    printed_at: gives the form in which a passage prints a stem.
    """
    typed, stems = printed_words(word), words_of(word)
    if limit < 1 or len(typed) != 1 or not stems or not _SHORTEST <= len(typed[0]) <= _LONGEST:
        return []
    errors = 1 if len(typed[0]) <= _SHORT else 2
    near: dict[str, tuple[int, int, str]] = {}  # stem → its distance, minus its frequency, its printed form
    for text, distance in _near(searcher, "printed", typed[0], errors):
        stem, rank = words_of(text)[0], (distance, -_frequency(searcher, text), text)
        near[stem] = min(near.get(stem, rank), rank)
    others = [
        (distance, -searcher.doc_freq("content", stem), stem)
        for stem, distance in _near(searcher, "content", stems[0], errors)
        if stem not in near
    ]
    for distance, count, stem in sorted(others)[:_RESOLVED]:
        if printed := printed_at(stem):
            near[stem] = (distance, count, printed)
    return [PrintedWord(text, -count) for _, count, text in sorted(near.values())[:limit]]


def _near(searcher: Searcher, field: str, word: str, errors: int) -> Iterable[tuple[str, int]]:
    """(word of a field, distance) for those within so many errors, the first letters being right if there are two.

    An error is a letter left out, added, replaced, or exchanged with the next; no letter is part of two errors
    (optimal string alignment).
    """
    begun = [text for text, _ in searcher.terms_with_prefix(field, word[:_RIGHT], limit=_MOST)]
    once = (text for text in one_error(word) if searcher.doc_freq(field, text))
    digits = _DIGITS.findall(word)
    texts = [*dict.fromkeys([*once, *begun])]
    for text, distance, _ in extract_iter(word, texts, scorer=OSA.distance, score_cutoff=errors):
        # A number is never a misspelt one: IL-2 and IL-6.
        if distance and _DIGITS.findall(text) == digits:
            yield text, distance


def one_error(word: str) -> list[str]:
    """All words that differ by one letter left out, added, replaced, or exchanged with the next."""
    letters = string.ascii_lowercase
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    return [
        *(before + after[1:] for before, after in parts if after),
        *(before + after[1] + after[0] + after[2:] for before, after in parts if len(after) > 1),
        *(before + letter + after[1:] for before, after in parts if after for letter in letters),
        *(before + letter + after for before, after in parts for letter in letters),
    ]


def _frequency(searcher: Searcher, printed: str) -> int:
    """Number of passages with a printed word, or another form of it."""
    return max((searcher.doc_freq("content", stem) for stem in words_of(printed)), default=0)
