"""What papers print, for what an index has folded or stemmed: names, words of titles, abbreviations.

The index holds stems of all words, and printed words of titles. A stem that no title has is printed as a passage with
it prints it.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anagnosis.searching.engines.embedded.entries import Entries, key
from anagnosis.searching.engines.embedded.queries import Queries
from anagnosis.searching.engines.paper_terms import (
    DEFINITIONS,
    KEYS_OF_NAME,
    PRINTED,
    by_papers,
    definition_beginning,
    definition_of,
    most_errors,
    name_keys,
    nearest,
    same_digits,
)
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.expansion import Defined, Definition
from anagnosis.searching.records.hits import PrintedTerm
from anagnosis.searching.records.paper import NO_FACTS
from anagnosis.searching.words import printed_words, words_of

if TYPE_CHECKING:
    from tantivy import DocAddress, Searcher

_COMPARED = 20_000  # names or words to compare, those of most passages first
_OF_PAPER = (*tree.AUTHOR_FIELDS, tree.MESH, tree.KEYWORD)
_RIGHT = 2  # letters at the beginning of a word that two errors leave as they are
_RESOLVED = 5  # stems that no title has, for which we read passages


class PrintedNames:
    """The printed names of one commit."""

    def __init__(self, searcher: Searcher, queries: Queries, entries: Entries) -> None:
        self._searcher, self._queries, self._entries = searcher, queries, entries
        self._names: dict[tuple[str, str], str] = {}
        self._several: dict[tuple[str, int], tuple[str, ...]] = {}
        self._by_key: dict[str, dict[int, str]] = {}

    def __call__(self, field: str, name: str) -> str:
        """A folded name as printed, "" if no passage has it. Of several forms the paper with the highest key has it."""
        if (field, name) not in self._names:
            query, printed = self._queries.term(field, name), ""
            for _, place in self._searcher.search(query, 1, count=False, order_by_field="paper").hits:
                printed = next((one for one in self._at(place, field) if name in name_keys(field, one)), "")
            self._names[field, name] = printed
        return self._names[field, name]

    def alike(self, field: str, name: str, limit: int) -> list[PrintedTerm]:
        """The name as printed if the field has it, else similar names."""
        wanted = folded(name)
        if wanted and (printed := self(field, wanted)):
            return [self._term(field, printed, wanted)]
        every = self._searcher.terms_with_prefix(field, "", limit=_COMPARED)
        names = nearest(wanted, (one for one, _ in every), limit)
        return self._terms(field, names, limit)

    def beginning_with(self, field: str, prefix: str, limit: int) -> list[PrintedTerm]:
        """The names that begin so, those of most passages first."""
        beginning = folded(prefix)
        if limit < 1 or not beginning:
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

    def several_at(self, field: str, places: Mapping[int, DocAddress]) -> list[tuple[str, ...]]:
        """The folded names of a field with each key (fields.py). places: key → a passage that has them."""
        new = [one for one in places if (field, one) not in self._several]
        read = self._entries.read(self._searcher, [places[one] for one in new])
        for one, entry in zip(new, read, strict=True):
            self._several[field, one] = tuple(map(folded, PRINTED[field](entry.passage, NO_FACTS)))
        return [self._several[field, one] for one in places]

    def by_key(self, field: str) -> dict[int, str]:
        """Key (entries.key) → folded name, of every name of a field."""
        if field not in self._by_key:
            names = self._searcher.terms_with_prefix(field, "")
            self._by_key[field] = {key(name): name for name, _ in names}
        return self._by_key[field]

    def _at(self, place: DocAddress, field: str) -> Sequence[str]:
        entry = self._entries.read(self._searcher, [place])[0]
        if field in _OF_PAPER and entry.paper is None:
            first = self._queries.first_with("document", [entry.passage.document])
            places = [at for _, at in self._searcher.search(first, 1, count=False).hits]
            entry = (self._entries.read(self._searcher, places) or [entry])[0]
        return PRINTED[field](entry.passage, entry.paper or NO_FACTS)


def completions(searcher: Searcher, prefix: str, limit: int) -> list[PrintedTerm]:
    """The words of titles that begin with these letters, those of most papers first."""
    letters = printed_words(prefix)
    if limit < 1 or len(letters) != 1:
        return []
    words = searcher.terms_with_prefix("printed", letters[0], limit=limit)
    return [PrintedTerm(word, _frequency(searcher, word)) for word, _ in words]


def near_words(
    searcher: Searcher, word: str, limit: int, printed_at: Callable[[str], str]
) -> list[PrintedTerm]:
    """The other words that differ from a word in one or two letters: the nearest first, of these the commonest.

    printed_at: gives the form in which a passage prints a stem.
    """
    typed, stems = printed_words(word), words_of(word)
    errors = most_errors(typed[0]) if len(typed) == 1 and stems else 0
    if limit < 1 or not errors:
        return []
    near: dict[str, tuple[int, int, str]] = {}  # stem → its distance, minus its frequency, its printed form
    for text, distance in _similar_words(searcher, "printed", typed[0], errors):
        stem, rank = words_of(text)[0], (distance, -_frequency(searcher, text), text)
        near[stem] = min(near.get(stem, rank), rank)
    others = [
        (distance, -searcher.doc_freq("content", stem), stem)
        for stem, distance in _similar_words(searcher, "content", stems[0], errors)
        if stem not in near
    ]
    for distance, count, stem in sorted(others)[:_RESOLVED]:
        if printed := printed_at(stem):
            near[stem] = (distance, count, printed)
    return [PrintedTerm(text, -count) for _, count, text in sorted(near.values())[:limit]]


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


def _frequency(searcher: Searcher, printed: str) -> int:
    """Number of passages with a printed word, or another form of it."""
    return max((searcher.doc_freq("content", stem) for stem in words_of(printed)), default=0)


def definitions(searcher: Searcher, queries: Queries, name: Defined) -> list[Definition]:
    """The definitions of an abbreviation, or of the long forms with this key, by falling number of papers."""
    beginning = definition_beginning(name)
    if not beginning:
        return []
    defined: list[Definition] = []
    for term, _ in searcher.terms_with_prefix("abbreviation", beginning, limit=DEFINITIONS):
        # The library counts deleted papers until it merges files; a search counts none.
        result: Any = searcher.search(queries.term("abbreviation", term), 1)
        if result.count:
            defined.append(definition_of(term, int(result.count)))
    return sorted(defined, key=by_papers)
