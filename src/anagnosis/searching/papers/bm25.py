"""BM25 of the passages of a paper, for every engine: an engine finds papers by their words, and their passages are
scored when a question is asked.

A text becomes a byte a word: 0, or the number of a word of the query. So `bytes.count` counts words and phrases.

Source: Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from anagnosis.searching.queries.tree import Phrase, Query, Ranked, Synonyms, Word
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import STEMS, blank_separated

CONTENT, TITLE = "content", "title"
# Weights of a match in a title, and of a group's typed words apart; chosen on SciFact's training queries
# (design/search.md).
TITLE_WEIGHT, APART = 0.2, 0.8
_K1, _B = 1.2, 0.75
_MOST_WORDS = 255  # of a query that are counted, for a byte has no more
_BETWEEN = b"\0"  # no phrase reaches from a title into a text


class Rarity(msgspec.Struct, frozen=True):
    """How rare words are in all papers of an engine.

    passages, letters: of all papers together; the letters of a passage are those of its title, heading and text.
    counts: (CONTENT or TITLE, word) → the number of papers that have it there.
    """

    papers: int
    passages: int
    letters: int
    counts: Mapping[tuple[str, str], int]

    def papers_with(self, word: str) -> int:
        """The number of papers with a word."""
        return self.counts.get((CONTENT, word), 0)

    def passages_with(self, field: str, word: str) -> float:
        """An estimate of how many passages have a word in a field, of which an engine knows the papers.

        A word in a share s of the papers is in a share 1 - (1 - s) ** (papers / passages) of the passages, if each
        passage of a paper has it as likely as any other.
        """
        papers, passages = max(1, self.papers), max(1, self.passages)
        share = min(self.counts.get((field, word), 0), papers - 0.5) / papers
        return passages * (1 - (1 - share) ** (papers / passages))

    def of(self, field: str, word: str) -> float:
        """The inverse frequency of a word in passages, with the 1 that keeps it positive."""
        there = self.passages_with(field, word)
        return math.log(1 + (max(1, self.passages) - there + 0.5) / (there + 0.5))


def letters_of(passage: Passage) -> int:
    """The length of a passage with its title, in characters."""
    return len(passage.title) + len(passage.heading) + len(passage.text)


def words_in(query: Query) -> list[str]:
    """The words of a query's ranked parts, each once."""
    return list(dict.fromkeys(word for part in query.ranked for word in _words_in(part)))


def _words_in(part: Ranked) -> Iterator[str]:
    match part:
        case Word(text=text):
            yield text
        case Phrase(words=words):
            yield from words
        case Synonyms(members=members, typed=typed):
            for one in (*members, *typed):
                yield from _words_in(one)


class _Coded(dict[str, bytes]):
    """Printed words → a byte for each of their stems: its number in the query, or 0."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, word: str) -> bytes:
        numbers = [self._numbers.get(stem, 0) for stem in STEMS[word].split()]
        self[word] = coded = bytes(numbers or [0])
        return coded


class Scorer:
    """BM25 of passages for the ranked parts of one query."""

    def __init__(self, query: Query, rarity: Rarity) -> None:
        words = words_in(query)[:_MOST_WORDS]
        self._parts = query.ranked
        numbers = {word: number for number, word in enumerate(words, 1)}
        self._numbers, self._coded = numbers, _Coded(numbers)
        self._rarity = {word: {field: rarity.of(field, word) for field in (CONTENT, TITLE)} for word in words}
        self._mean_letters = max(1.0, rarity.letters / max(1, rarity.passages))

    def scores(self, passages: Sequence[Passage]) -> list[float]:
        """The scores of a paper's passages, which have one title. It counts as a part of each text too."""
        if not passages or not self._parts:
            return [0.0] * len(passages)
        title = self._in_bytes(passages[0].title)
        in_title = sum(self._score(part, title, TITLE, 1.0) for part in self._parts) if any(title) else 0.0
        return [TITLE_WEIGHT * in_title + self._in_content(one, title) for one in passages]

    def _in_content(self, passage: Passage, title: bytes) -> float:
        text = title
        if passage.section != TITLE:
            text += _BETWEEN + self._in_bytes(f"{passage.heading}\n{passage.text}")
        if not any(text):
            return 0.0
        norm = 1 - _B + _B * letters_of(passage) / self._mean_letters
        return sum(self._score(part, text, CONTENT, norm) for part in self._parts)

    def _in_bytes(self, text: str) -> bytes:
        return b"".join(map(self._coded.__getitem__, blank_separated(text)))

    def _score(self, part: Ranked, text: bytes, field: str, norm: float) -> float:
        match part:
            case Word(text=word):
                return self._of_count((word,), 1.0, text, field, norm)
            case Phrase(words=words, weight=weight):
                return self._of_count(words, weight, text, field, norm)
            case Synonyms(typed=typed):
                members = [weight * self._score(one, text, field, norm) for one, weight in part.weighted]
                apart = APART * sum(self._score(one, text, field, norm) for one in typed)
                return max([*members, apart])

    def _of_count(self, words: Sequence[str], weight: float, text: bytes, field: str, norm: float) -> float:
        wanted = bytes(self._numbers.get(word, 0) for word in words)
        count = text.count(wanted) if all(wanted) else 0
        if not count:
            return 0.0
        rarity = sum(self._rarity[word][field] for word in words)
        return weight * rarity * count * (_K1 + 1) / (count + _K1 * norm)
