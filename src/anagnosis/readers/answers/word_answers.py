"""The answer of a snippet from the scores of its words: steps 3 and 4 of the thesis's pipeline (section 4.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from anagnosis.predictions import Answer
from anagnosis.readers.answers.ngrams import LONGEST, Aggregate, Lengths, best_ngram
from anagnosis.readers.answers.snippet_words import SnippetWord
from anagnosis.readers.answers.word_scores import normalised


class WordAnswers(NamedTuple):
    """How scores of words become an answer. See ngrams.py."""

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
