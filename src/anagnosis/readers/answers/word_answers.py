"""A snippet as a cloze question over its words, and its answer from their scores (the thesis, section 4.2.1).

Nouns, verbs and adjectives may belong to an exact answer, by their part-of-speech tags, unless they are stop words.
Scores are normalised in three steps (steps 4 and 5 of our reference):

    1  words that no answer holds get -999, or less, so that they are below all others
    2  min-max over all words, these too, to [0, 1]
    3  min-max once more over the scores that are not zero, "so that the higher scores are boosted"

The thesis does not say whether -999 takes part in step 2. We let it: then all other scores fall into a sliver below 1,
which step 3 spreads. So the scale and the shift of a reader's scores do not matter.

The answer is the best n-gram: contiguous words with the largest sum, or mean, of scores. The thesis measures three
words for the mean answer of a factoid question and two for that of a list question, and then takes n-grams "of length
< 3 for factoid and < 2 for lists". LONGEST has both readings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.language import tags
from anagnosis.language.question_kinds import FACTOID, LIST
from anagnosis.language.stop_words import stop_words
from anagnosis.predictions import Answer

UNWANTED = -999.0
Gap = Literal["end", "start"]
Lengths = Literal["inclusive", "thesis-literal"]
Aggregate = Literal["sum", "mean"]
LONGEST: dict[Lengths, dict[str, int]] = {
    "inclusive": {FACTOID: 3, LIST: 2},
    "thesis-literal": {FACTOID: 2, LIST: 1},
}  # words

# The beginnings of the Penn tags of nouns, verbs and adjectives.
_NOUN, _VERB, _ADJECTIVE = "NN", "VB", "JJ"
_CONTENT = (_NOUN, _VERB, _ADJECTIVE)


def cloze_passage(id: str, snippet: str, words: Sequence[tuple[int, int]], question: str, gap: Gap) -> Viewed:
    """The cloze question of a snippet: each of its words is a candidate with one mention.

    words: (begin, end) in the snippet, ascending. gap: "What blocks EGFR? XXXX", or the gap in front of the question.
    """
    if gap == "start":
        asked, begin = f"{PLACEHOLDER} {question.lstrip()}", 0
    else:
        begin = len(question.rstrip()) + 1
        asked = f"{question.rstrip()} {PLACEHOLDER}"
    candidates = tuple(snippet[start:end] for start, end in words)
    return Viewed(
        id=id,
        passage=snippet,
        question=asked,
        candidates=candidates,
        answer=None,
        names=tuple((name,) for name in candidates),
        mentions=tuple((start, end, number) for number, (start, end) in enumerate(words)),
        question_mentions=(),
        placeholder=(begin, begin + len(PLACEHOLDER)),
    )


class WordAnswers(NamedTuple):
    """How scores of words become an answer."""

    aggregate: Aggregate
    lengths: Lengths

    def has(self, type: str) -> bool:
        """Whether questions of that type have such answers."""
        return type in LONGEST[self.lengths]

    def best(
        self, type: str, number: int, text: str, words: Sequence[SnippetWord], scores: Sequence[float]
    ) -> Answer | None:
        """The best n-gram of a snippet; None without a word that an answer may hold.

        type: of the question. number: the snippet's index. scores: of its words.
        """
        content = [word.content for word in words]
        best = best_ngram(normalised(scores, content), content, LONGEST[self.lengths][type], self.aggregate)
        if best is None:
            return None
        begin, end = words[best.first].begin, words[best.last - 1].end
        return Answer(text[begin:end], best.score, number, begin, end)


def unwanted_words_lowest(scores: Sequence[float], content: Sequence[bool]) -> list[float]:
    """The scores, with UNWANTED, or less, for words that no answer holds. content: whether an answer may hold it."""
    lowest = min(UNWANTED, min(scores, default=0.0) - 1)
    return [score if kept else lowest for score, kept in zip(scores, content, strict=True)]


def min_max(scores: Sequence[float]) -> list[float]:
    """The scores from 0 for the lowest to 1 for the highest; all 0 if they are equal."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    return [0.0 if low == high else (score - low) / (high - low) for score in scores]


def min_max_of_nonzero(scores: Sequence[float]) -> list[float]:
    """`min_max` over the scores that are not zero; zeros stay."""
    spread = iter(min_max([score for score in scores if score]))
    return [next(spread) if score else 0.0 for score in scores]


def normalised(scores: Sequence[float], content: Sequence[bool]) -> list[float]:
    """The three steps. scores: of a snippet's words, higher for a likelier answer."""
    return min_max_of_nonzero(min_max(unwanted_words_lowest(scores, content)))


def _mean(scores: Sequence[float]) -> float:
    return sum(scores) / len(scores)


AGGREGATES: dict[Aggregate, Callable[[Sequence[float]], float]] = {"sum": sum, "mean": _mean}


class Ngram(NamedTuple):
    """Words [first, last) of a snippet."""

    first: int
    last: int
    score: float


def best_ngram(
    scores: Sequence[float], content: Sequence[bool], most: int, aggregate: Aggregate
) -> Ngram | None:
    """The best n-gram of at most `most` words, all of which an answer may hold; None without such a word.

    scores: of the snippet's words. content: whether an answer may hold the word. Among equal n-grams the shortest is
    best, then the first.
    """
    value = AGGREGATES[aggregate]
    best: Ngram | None = None
    for length in range(1, most + 1):
        for first in range(len(scores) - length + 1):
            last = first + length
            if not all(content[first:last]):
                continue
            score = value(scores[first:last])
            if best is None or score > best.score:
                best = Ngram(first, last, score)
    return best


class SnippetWord(NamedTuple):
    """Characters [begin, end) of a snippet. content: whether an answer may hold the word."""

    begin: int
    end: int
    content: bool


Words = Callable[[str], list[SnippetWord]]


def words_by(words: str) -> Words:
    """A function from a snippet's text to its words. words: the list of stop words, of language/stop_words.py."""
    stopped = stop_words(words)

    def of_snippet(text: str) -> list[SnippetWord]:
        spans = tags.words(text)
        texts = [text[begin:end] for begin, end in spans]
        return [
            SnippetWord(begin, end, is_content_word(word, pos) and word.lower() not in stopped)
            for (begin, end), word, pos in zip(spans, texts, tags.tag(texts), strict=True)
        ]

    return of_snippet


def is_content_word(word: str, tag: str) -> bool:
    """Whether a word with that Penn tag is a noun, verb or adjective; a word without a letter or digit is none."""
    return tag.startswith(_CONTENT) and any(map(str.isalnum, word))
