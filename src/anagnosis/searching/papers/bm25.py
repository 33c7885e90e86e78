"""BM25 of the passages of a paper, for every engine: an engine finds papers by their words, and their passages are
scored when a question is asked.

A text becomes a byte a word: 0, or the number of a word of the query. So `bytes.count` counts words and phrases.

Source: Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

import msgspec
from msgspec.structs import replace

from anagnosis.searching.queries.tree import Phrase, Query, Ranked, Synonyms, Word
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import stems_of

CONTENT, TITLE = "content", "title"
# Weights of a match in a title, and of a group's typed words apart; chosen on SciFact's training queries
# (design/search.md).
TITLE_WEIGHT, APART = 0.2, 0.8
_K1, _B = 1.2, 0.75
_MOST_WORDS = 254  # of a query, for a byte counts no more
# Of its parts, repeated words too: nodes of a cluster take 1,024 clauses, two for each, and conditions have some.
_MOST_TERMS = 450
_NONE = 255  # stands in no text
_BETWEEN = b"\0"  # no phrase reaches from a title into a text


class Rarity(msgspec.Struct, frozen=True):
    """How rare words are in all papers of an engine.

    passages, letters: of all papers together; the letters of a passage are those of its title, heading and text.
    counts: (CONTENT or TITLE, word) → the number of papers that have it there; deleted ones may count for a while.
    """

    papers: int
    passages: int
    letters: int
    counts: Mapping[tuple[str, str], int]

    def papers_with(self, word: str) -> int:
        """The number of papers with a word."""
        return self._count(CONTENT, word)

    def _count(self, field: str, word: str) -> int:
        return min(self.counts.get((field, word), 0), self.papers)

    def passages_with(self, field: str, word: str) -> float:
        """An estimate of how many passages have a word in a field, of which an engine knows the papers.

        A word of a title stands in every passage of its paper. One in a share s of the papers, beside these, is in a
        share 1 - (1 - s) ** (papers / passages) of the passages, if each passage of a paper has it as likely as any
        other.
        """
        papers, passages = max(1, self.papers), max(1, self.passages)
        in_title = self._count(TITLE, word)
        if field == TITLE:
            return in_title * passages / papers
        share = min(self._count(field, word) - in_title, papers - 0.5) / papers
        beside = passages * (1 - (1 - max(0.0, share)) ** (papers / passages))
        return min(passages, in_title * passages / papers + beside)

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


def countable(query: Query) -> Query:
    """The query with its first ranked parts, of at most _MOST_WORDS words, and _MOST_TERMS; one part in any case."""
    kept, words = list[Ranked](), list[str]()
    for part in query.ranked:
        words += _words_in(part)
        if kept and (len(set(words)) > _MOST_WORDS or len(words) > _MOST_TERMS):
            return replace(query, ranked=tuple(kept))
        kept.append(part)
    return query


def stems_in(passages: Sequence[Passage]) -> list[list[str]]:
    """The words of a paper's title, and of heading and text of each of its passages; none of the title alone."""
    texts = ("" if one.section == TITLE else f"{one.heading}\n{one.text}" for one in passages)
    return [stems_of(text) for text in (passages[0].title, *texts)]


class Scorer:
    """BM25 of passages for the ranked parts of one query."""

    def __init__(self, query: Query, rarity: Rarity) -> None:
        words = words_in(query)[:_MOST_WORDS]
        self._number = {word: number for number, word in enumerate(words, 1)}
        self._rarity = {word: {field: rarity.of(field, word) for field in (CONTENT, TITLE)} for word in words}
        self._mean_letters = max(1.0, rarity.letters / max(1, rarity.passages))
        # Parts that are one word, by its number; the others, with the numbers of their words.
        self._words = {
            self._number.get(part.text, 0): part for part in query.ranked if isinstance(part, Word)
        }
        self._others = [
            ({self._number.get(word, 0) for word in _words_in(part)}, part)
            for part in query.ranked
            if not isinstance(part, Word)
        ]

    def scores(self, passages: Sequence[Passage], stems: Sequence[list[str]] = ()) -> list[float]:
        """The scores of a paper's passages, which have one title. It counts as a part of each text too.

        stems: of `stems_in`, perhaps from memory.
        """
        if not passages:
            return []
        of_title, *of_passages = stems or stems_in(passages)
        title = self._coded(of_title)
        in_title = TITLE_WEIGHT * self._score(title, TITLE, 1.0)
        scores = list[float]()
        for passage, own in zip(passages, of_passages, strict=True):
            norm = 1 - _B + _B * letters_of(passage) / self._mean_letters
            scores.append(in_title + self._score(title + _BETWEEN + self._coded(own), CONTENT, norm))
        return scores

    def _coded(self, stems: Sequence[str]) -> bytes:
        return bytes(map(self._number.get, stems, repeat(0)))

    def _score(self, text: bytes, field: str, norm: float) -> float:
        """The score of a text; only parts whose words stand there are looked for."""
        words = text.translate(None, _BETWEEN)
        there = {*words}
        score = 0.0
        for number in there:
            if (part := self._words.get(number)) is not None:
                score += self._of_count(part.text, words.count(number), field, norm)
        for numbers, part in self._others:
            if not numbers.isdisjoint(there):
                score += self._of_part(part, text, field, norm)
        return score

    def _of_part(self, part: Ranked, text: bytes, field: str, norm: float) -> float:
        match part:
            case Word(text=word):
                return self._of_count(word, text.count(self._number.get(word, _NONE)), field, norm)
            case Phrase(words=words):
                wanted = bytes(self._number.get(word, 0) for word in words)
                count = text.count(wanted) if all(wanted) else 0
                return sum(self._of_count(word, count, field, norm) for word in words)
            case Synonyms(typed=typed):
                members = [self._of_part(one, text, field, norm) for one in part.members]
                apart = APART * sum(self._of_part(one, text, field, norm) for one in typed)
                return max([*members, apart])

    def _of_count(self, word: str, count: int, field: str, norm: float) -> float:
        return self._rarity[word][field] * count * (_K1 + 1) / (count + _K1 * norm) if count else 0.0
