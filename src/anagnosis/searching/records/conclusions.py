"""The records of what papers conclude about a yes/no question: concluding sentences, kinds of papers, and stances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from anagnosis.searching.records.passage import Count, Evidence, Notice, Share, counted

Stance = Literal["supports", "opposes", "unclear"]
SUPPORTS: Stance = "supports"
OPPOSES: Stance = "opposes"
UNCLEAR: Stance = "unclear"
# What a reader must reach on held-out questions before we show its stances.
LEAST_DECIDED, LEAST_ACCURACY, LEAST_F1_OF_NO = 0.5, 0.85, 0.6
# Why there is no stance beside the sentences.
NO_READER = "no reader of stances is loaded"
NOT_EARNED = "the reader of stances is not right often enough, or untested over a collection (`readers show`)"
NEGATED = "the question is negated, so that yes and no can each mean two things; ask it without the negation"


class StanceFigures(msgspec.Struct, frozen=True):
    """Figures of a reader of stances on questions that it was not trained on, as many with the answer yes as with no.

    questions: their number. decided: the share with a stance other than unclear. accuracy: of the decided ones; low,
    high: its 95 % interval by question (Wilson). majority: the accuracy of always giving the commonest answer.
    f1_of_no, f1_of_yes: undecided questions count as missed. data: the questions' source; of no questions, what would
    test it. date: of the measurement, ISO.
    """

    questions: Count
    decided: Share
    accuracy: Share
    low: Share
    high: Share
    majority: Share
    f1_of_no: Share
    f1_of_yes: Share
    data: str
    date: str

    @property
    def earned(self) -> bool:
        """Whether the figures pass the bars, so that stances are shown."""
        return (
            self.decided >= LEAST_DECIDED
            and self.accuracy >= LEAST_ACCURACY
            and self.low > self.majority
            and self.f1_of_no >= LEAST_F1_OF_NO
        )

    @property
    def says(self) -> str:
        """The figures as one phrase."""
        if not self.questions:
            return f"not tested, and so off; {self.data} would test it"
        return (
            f"right for {self.accuracy:.0%} [{self.low:.0%}, {self.high:.0%}] of the {self.decided:.0%} that it"
            f" decides, F1 of no {self.f1_of_no:.2f}, on {self.questions:,} questions of {self.data}, half of them no"
            f" ({self.date})"
        )


class ReportedNumber(msgspec.Struct, frozen=True):
    """A number of people or animals as a paper reports it.

    text: the words that report it, characters [begin, end) of a passage of this number.
    """

    value: Count
    of: str
    text: str
    passage: Count
    begin: Count
    end: Count


class PaperKind(msgspec.Struct, frozen=True):
    """The kind of a paper. name: of paper_kinds.KINDS, "" if unknown. by: what tells it."""

    name: str
    by: Literal["publication type", "title", "abstract", ""] = ""


class Conclusion(msgspec.Struct, frozen=True):
    """What a paper about the question concludes.

    evidence: its best concluding sentence; null if none shares a word with the question. size: null if no number is
    reported. covered: the share of the question's words in the paper, by their weight. population: of the paper, as "in
    rats", where the question asks about another (about people, if it names none); else "". stance: null if stances are
    off or the question names another population.
    """

    document: str
    title: str
    kind: PaperKind
    year: str
    size: ReportedNumber | None
    covered: Share
    evidence: Evidence | None
    stance: Stance | None = None
    notices: Sequence[Notice] = ()
    population: str = ""

    @property
    def counted(self) -> bool:
        """Whether the paper is evidence: retracted papers and notices about others are shown only."""
        return counted(self.notices)


class Conclusions(msgspec.Struct, frozen=True):
    """What papers about a yes/no question conclude, the best match first.

    read: papers among the hits whose words were compared with the question. reader, figures: of the reader of stances;
    null if stances are off. off: why they are off, "" if they are shown.
    """

    papers: Sequence[Conclusion]
    read: Annotated[int, Meta(ge=0)]
    reader: str | None = None
    figures: StanceFigures | None = None
    off: str = NO_READER
