"""Figures of trained readers of sentences and of question types beside what `ask` does without them, and their card.

A reader is used by default only if its figures on held-out questions have earned it.
"""

from __future__ import annotations

import msgspec

from anagnosis.searching.records.passage import Count, Share

FORMAT = 1


class EvidenceFigures(msgspec.Struct, frozen=True, tag="evidence"):
    """How a reader of sentences orders the evidence of held-out questions, beside the order by words.

    questions: their number, asked over `documents` documents. first: the share whose first sentence is gold; recall:
    the mean share of at most five gold sentences among the five quoted ones; by_words: the same by words. low, high:
    the 95 % interval of the paired difference of `first`. data: the questions' source; of no questions, what
    would test it. date: of the measurement, ISO.
    """

    questions: Count
    documents: Count
    first: Share
    first_by_words: Share
    low: float
    high: float
    recall: Share
    recall_by_words: Share
    data: str
    date: str

    @property
    def earned(self) -> bool:
        """Whether its first sentences are better than by words, beyond chance, and no recall is lost."""
        return self.low > 0 and self.recall >= self.recall_by_words

    @property
    def says(self) -> str:
        """The figures as one phrase."""
        if not self.questions:
            return f"not tested, and so off; {self.data} would test it"
        return (
            f"first sentence right for {self.first:.1%}, by words {self.first_by_words:.1%} (difference"
            f" [{100 * self.low:+.1f}, {100 * self.high:+.1f}] points); gold sentences among five {self.recall:.1%},"
            f" by words {self.recall_by_words:.1%}; {self.questions:,} questions of {self.data} over"
            f" {self.documents:,} documents ({self.date})"
        )


class QuestionTypeFigures(msgspec.Struct, frozen=True, tag="question-type"):
    """How often a reader gives the right type of a held-out question, beside the rules.

    questions: their number. accuracy: the share with the right type; by_rules: the same by rules. low, high: the 95 %
    interval of the paired difference. data: the questions' source. date: of the measurement, ISO.
    """

    questions: Count
    accuracy: Share
    by_rules: Share
    low: float
    high: float
    data: str
    date: str

    @property
    def earned(self) -> bool:
        """Whether it is better than the rules, beyond chance."""
        return self.low > 0

    @property
    def says(self) -> str:
        """The figures as one phrase."""
        return (
            f"right for {self.accuracy:.1%}, rules {self.by_rules:.1%} (difference [{100 * self.low:+.1f},"
            f" {100 * self.high:+.1f}] points), on {self.questions:,} questions of {self.data} ({self.date})"
        )


class RunCard(msgspec.Struct, frozen=True):
    """The card of a run that `readers make` trained.

    data: what it was trained on, as one phrase. figures: on each set of held-out questions, at least one.
    """

    format: int
    data: str
    figures: tuple[EvidenceFigures | QuestionTypeFigures, ...]

    @property
    def earned(self) -> bool:
        """Whether the figures on each set have earned the use of the reader."""
        return bool(self.figures) and all(one.earned for one in self.figures)

    @property
    def says(self) -> str:
        """All figures as one phrase."""
        return "; ".join(one.says for one in self.figures)

    @property
    def date(self) -> str:
        """Of the latest measurement, ISO; "" without one."""
        return max((one.date for one in self.figures), default="")
