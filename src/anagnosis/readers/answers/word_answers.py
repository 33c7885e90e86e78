"""A snippet as a cloze question over its words, and its answer from their scores (the thesis, section 4.2.1).

Nouns, verbs and adjectives may belong to an exact answer, by their part-of-speech tags, unless they are stop words.
Scores are normalised in three steps (steps 4 and 5 of our reference):

    1  words that no answer holds get -999, or less, so that they are below all others
    2  min-max over all words, these too, to [0, 1]
    3  min-max once more over the scores that are not zero, "so that the higher scores are boosted"

The thesis does not say whether -999 takes part in step 2. We let it: then all other scores fall into a sliver below 1,
which step 3 spreads. So the scale and the shift of a reader's scores do not matter.

The answer is the best n-gram: contiguous words with the largest sum, or mean, of scores. The thesis measures three
words for the mean answer of a factoid question and two for that of a list question; these are LONGEST. (It then takes
n-grams "of length < 3 for factoid and < 2 for lists".)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import msgspec

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.datasets.kinds.question import SnippetQuestion, distinct
from anagnosis.language import tags
from anagnosis.language.question_kinds import FACTOID, LIST
from anagnosis.predictions import Answer
from anagnosis.readers.answers.ranking import ranked

UNWANTED = -999.0
Gap = Literal["end", "start"]
Aggregate = Literal["sum", "mean"]
LONGEST = {FACTOID: 3, LIST: 2}  # words

# The beginnings of the Penn tags of nouns, verbs and adjectives.
_CONTENT = ("NN", "VB", "JJ")


class SnippetWord(NamedTuple):
    """Characters [begin, end) of a snippet. content: whether an answer may hold the word."""

    begin: int
    end: int
    content: bool


class ReadSnippet(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A snippet that is read. number: its index among those of the question."""

    number: int
    text: str
    words: tuple[SnippetWord, ...]


@dataclass(frozen=True, slots=True)
class WordAnswers:
    """How snippets are read, and how the scores of their words become answers.

    gap: "What blocks EGFR? XXXX", or the gap in front of the question. stopped: words that no answer holds. score: of
    an n-gram. group: whether to drop answers that are similar to a better one.
    """

    gap: Gap
    stopped: frozenset[str]
    score: Aggregate
    group: bool

    def read(self, asked: SnippetQuestion) -> Iterator[tuple[ReadSnippet, Viewed]]:
        """The snippets with words, and the cloze question of each; none if no factoid or list question is asked."""
        if asked.type in LONGEST:
            for number, text in distinct(asked.snippets):
                if words := snippet_words(text, self.stopped):
                    passage = cloze_passage(f"{asked.id}:{number}", text, words, asked.question, self.gap)
                    yield ReadSnippet(number, text, tuple(words)), passage

    def answers(
        self, type: str, snippets: Iterable[ReadSnippet], scores: Iterable[Sequence[float]]
    ) -> list[Answer]:
        """The best n-gram of each snippet, best first. type: of the question. scores: of each snippet's words."""
        best: list[Answer] = []
        for snippet, of_words in zip(snippets, scores, strict=True):
            words, content = snippet.words, [word.content for word in snippet.words]
            if ngram := best_ngram(normalised(of_words, content), content, LONGEST[type], self.score):
                begin, end = words[ngram.first].begin, words[ngram.last - 1].end
                best.append(Answer(snippet.text[begin:end], ngram.score, snippet.number, begin, end))
        return ranked(best, type, group=self.group)


def snippet_words(text: str, stopped: frozenset[str]) -> list[SnippetWord]:
    """The words of a snippet."""
    spans = tags.words(text)
    texts = [text[begin:end] for begin, end in spans]
    return [
        SnippetWord(begin, end, is_content_word(word, pos) and word.lower() not in stopped)
        for (begin, end), word, pos in zip(spans, texts, tags.tag(texts), strict=True)
    ]


def is_content_word(word: str, tag: str) -> bool:
    """Whether a word with that Penn tag is a noun, verb or adjective; a word without a letter or digit is none."""
    return tag.startswith(_CONTENT) and any(map(str.isalnum, word))


def cloze_passage(id: str, snippet: str, words: Sequence[SnippetWord], question: str, gap: Gap) -> Viewed:
    """The cloze question of a snippet: each of its words, in order, is a candidate with one mention."""
    if gap == "start":
        asked, begin = f"{PLACEHOLDER} {question.lstrip()}", 0
    else:
        begin = len(question.rstrip()) + 1
        asked = f"{question.rstrip()} {PLACEHOLDER}"
    candidates = tuple([snippet[word.begin : word.end] for word in words])
    return Viewed(
        id=id,
        passage=snippet,
        question=asked,
        candidates=candidates,
        answer=None,
        names=tuple((name,) for name in candidates),
        mentions=tuple((word.begin, word.end, number) for number, word in enumerate(words)),
        question_mentions=(),
        placeholder=(begin, begin + len(PLACEHOLDER)),
    )


def unwanted_words_lowest(scores: Sequence[float], content: Sequence[bool]) -> list[float]:
    """The scores, with UNWANTED, or less, for words that no answer holds. content: whether an answer may hold it."""
    lowest = min(UNWANTED, min(scores, default=0.0) - 1)
    return [score if kept else lowest for score, kept in zip(scores, content, strict=True)]


def min_max(scores: Sequence[float]) -> list[float]:
    """The scores from 0 for the lowest to 1 for the highest; all 0 if they are equal."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [0.0 if low == high else (score - low) / (high - low) for score in scores]


def normalised(scores: Sequence[float], content: Sequence[bool]) -> list[float]:
    """The three steps. scores: of a snippet's words, higher for a likelier answer."""
    first = min_max(unwanted_words_lowest(scores, content))
    spread = iter(min_max([score for score in first if score]))
    return [next(spread) if score else 0.0 for score in first]


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
    best: Ngram | None = None
    for length in range(1, most + 1):
        for first in range(len(scores) - length + 1):
            last = first + length
            score = sum(scores[first:last]) / (length if aggregate == "mean" else 1)
            if all(content[first:last]) and (best is None or score > best.score):
                best = Ngram(first, last, score)
    return best
