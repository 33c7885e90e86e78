"""The records of names that answer a question, and the figures that a reader of names must reach."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from anagnosis.searching.records.passage import Count, Evidence, Share

# What a reader must reach on held-out questions before we show its names.
LEAST_PRECISION, LEAST_LOW, LEAST_SHARE = 0.6, 0.5, 0.1  # low: so that few names do not pass by chance
# Why there are no names.
NO_READER = "no reader of names is loaded"
NOT_EARNED = "the reader of names is not right often enough on questions that it was not fitted on"
NEGATED = "the question is negated, and a name beside it could mean two things; ask it without the negation"
NONE_SURE = "no name is sure enough"
NOT_ANSWERED = "the passages do not seem to hold the answer"


class NameFigures(msgspec.Struct, frozen=True):
    """Figures of a reader of names on questions that it was not fitted on, asked of a collection with their papers.

    questions: their number. share: of the questions that get a name. names: number of names. precision: the share of
    the names that equal a gold answer regardless of case; low, high: its 95 % interval (Wilson). lenient: the share
    where spellings of a name count as equal too. data: the questions' source. date: of the measurement, ISO.
    """

    questions: Count
    share: Share
    names: Count
    precision: Share
    low: Share
    high: Share
    lenient: Share
    data: str
    date: str

    @property
    def earned(self) -> bool:
        """Whether the figures pass the bars, so that names are shown."""
        return self.precision >= LEAST_PRECISION and self.low >= LEAST_LOW and self.share >= LEAST_SHARE

    @property
    def says(self) -> str:
        """The figures as one phrase."""
        return (
            f"{self.precision:.0%} [{self.low:.0%}, {self.high:.0%}] of {self.names:,} names right letter for letter,"
            f" {self.lenient:.0%} in some spelling; a name for {self.share:.0%} of {self.questions:,} questions of"
            f" {self.data} ({self.date})"
        )


class NamedAnswer(msgspec.Struct, frozen=True):
    """A name that answers, verbatim, with the best sentence that has it.

    names: its other spellings. concepts: `type/identifier` of its annotations in papers, the most frequent first.
    """

    text: str
    names: Sequence[str]
    confidence: Share
    evidence: Evidence
    concepts: Sequence[str] = ()


class Names(msgspec.Struct, frozen=True):
    """The names that answer a question, the surest first.

    reader, figures: of the reader of names; null if names are off. off: why there is none, "" if there are names.
    """

    answers: Sequence[NamedAnswer] = ()
    reader: str | None = None
    figures: NameFigures | None = None
    off: str = NO_READER
