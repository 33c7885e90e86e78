"""What papers print, for what an index has folded or stemmed: names, and words of titles.

The index holds stems of all words, and printed words of titles. A stem that no title has is printed as a paper with it
prints it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from anagnosis.searching.engines.paper_terms import (
    KEYS_OF_NAME,
    most_errors,
    name_keys,
    nearest,
    printed_names,
    same_digits,
)
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.hits import PrintedTerm
from anagnosis.searching.words import printed_words, words_of

if TYPE_CHECKING:
    from tantivy import Searcher

_COMPARED = 20_000  # names or words to compare, those of most papers first
_RIGHT = 2  # letters at the beginning of a word that two errors leave as they are
_RESOLVED = 5  # stems that no title has, for which we read papers
_WORD = re.compile(r"[^\W_]+")


class PrintedNames:
    """The printed names of one commit. latest_with: the latest paper with a value in a field, if there is one."""

    def __init__(self, searcher: Searcher, latest_with: Callable[[str, str], list[StoredPaper]]) -> None:
        self._searcher, self._latest_with = searcher, latest_with
        self._names: dict[tuple[str, str], str] = {}

    def __call__(self, field: str, name: str) -> str:
        """A folded name as the latest paper with it prints it; "" without one."""
        if (field, name) not in self._names:
            printed = ""
            for stored in self._latest_with(field, name):
                there = printed_names(field, shown(stored))
                printed = next((one for one in there if name in name_keys(field, one)), "")
            self._names[field, name] = printed
        return self._names[field, name]

    def alike(self, field: str, name: str, limit: int) -> list[PrintedTerm]:
        """The name as printed if the field has it, else similar names."""
        wanted = folded(name)
        if wanted and (printed := self(field, wanted)):
            return [self._term(field, printed, wanted)]
        every = self._searcher.terms_with_prefix(field, "", limit=_COMPARED)
        return self._terms(field, nearest(wanted, (one for one, _ in every), limit), limit)

    def beginning_with(self, field: str, prefix: str, limit: int) -> list[PrintedTerm]:
        """The names that begin so, those of most papers first."""
        beginning = folded(prefix)
        if not beginning:
            return []
        names = self._searcher.terms_with_prefix(field, beginning, limit=KEYS_OF_NAME * limit)
        return self._terms(field, [name for name, _ in names], limit)

    def _terms(self, field: str, names: Iterable[str], limit: int) -> list[PrintedTerm]:
        """The first of folded names as printed, each once."""
        printed = dict[str, str]()
        for name in names:
            printed.setdefault(self(field, name), name)
        return [self._term(field, one, name) for one, name in printed.items() if one][:limit]

    def _term(self, field: str, printed: str, name: str) -> PrintedTerm:
        return PrintedTerm(printed, self._searcher.doc_freq(field, name))

    def completions(self, prefix: str, limit: int) -> list[PrintedTerm]:
        """The words of titles that begin with these letters, those of most papers first."""
        letters = printed_words(prefix)
        if len(letters) != 1:
            return []
        words = self._searcher.terms_with_prefix("printed", letters[0], limit=limit)
        return [PrintedTerm(word, self._frequency(word)) for word, _ in words]

    def near_words(self, word: str, limit: int) -> list[PrintedTerm]:
        """The other words that differ from a word in one or two letters: the nearest first, of these the commonest."""
        typed, stems = printed_words(word), words_of(word)
        errors = most_errors(typed[0]) if len(typed) == 1 and stems else 0
        if not errors:
            return []
        near: dict[
            str, tuple[int, int, str]
        ] = {}  # stem → its distance, minus its frequency, its printed form
        for text, distance in _similar_words(self._searcher, "printed", typed[0], errors):
            stem, rank = words_of(text)[0], (distance, -self._frequency(text), text)
            near[stem] = min(near.get(stem, rank), rank)
        others = [
            (distance, -self._searcher.doc_freq("content", stem), stem)
            for stem, distance in _similar_words(self._searcher, "content", stems[0], errors)
            if stem not in near
        ]
        for distance, count, stem in sorted(others)[:_RESOLVED]:
            if printed := self._printed_form(stem):
                near[stem] = (distance, count, printed)
        return [PrintedTerm(text, -count) for _, count, text in sorted(near.values())[:limit]]

    def _frequency(self, printed: str) -> int:
        """Number of papers with a printed word, or another form of it."""
        return max((self._searcher.doc_freq("content", stem) for stem in words_of(printed)), default=0)

    def _printed_form(self, stem: str) -> str:
        """A word with this stem, in lower case, as the latest paper prints it."""
        for stored in self._latest_with("content", stem):
            for passage in shown(stored).passages:
                for word in _WORD.findall(f"{passage.title} {passage.heading} {passage.text}"):
                    if words_of(word)[:1] == [stem]:
                        return word.lower()
        return ""


def _similar_words(searcher: Searcher, field: str, word: str, errors: int) -> Iterable[tuple[str, int]]:
    """(word of a field, distance) for those within so many errors, the first letters being right if there are two.

    An error is a letter left out, added, replaced, or exchanged with the next; no letter is part of two errors
    (optimal string alignment).
    """
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract_iter

    begun = [text for text, _ in searcher.terms_with_prefix(field, word[:_RIGHT], limit=_COMPARED)]
    once = (text for text in one_error(word) if searcher.doc_freq(field, text))
    texts = [*dict.fromkeys([*once, *begun])]
    for text, distance, _ in extract_iter(word, texts, scorer=OSA.distance, score_cutoff=errors):
        if distance and same_digits(text, word):
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
