"""The records that `search` and `ask` return: ranked passages, quoted sentences, decisions, names, missing answers.

All text is verbatim; offsets are characters of the passage's text or title, end exclusive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from anagnosis.calibration.held_out import HeldOut
from anagnosis.masking import masked_line
from anagnosis.notebook import WithReport
from anagnosis.searching.records.expansion import ExpandedWords
from anagnosis.searching.records.passage import Notice, Passage, counted
from anagnosis.searching.records.understood import Understood

Label = Literal["yes", "no", "maybe"]
Share = Annotated[float, Meta(ge=0, le=1)]
Strength = Annotated[int, Meta(ge=0, le=3, description="how well it fits: 0 (not at all) to 3 (strongly)")]
Count = Annotated[int, Meta(ge=0)]
Rank = Annotated[int, Meta(ge=0, description="of the passage among the hits, from 1")]
Notes = Annotated[
    Sequence[str],
    Meta(
        description="warnings about the index: unfinished (indexing was interrupted, or still runs), "
        "earlier_format (an earlier version made it, and it is only searched, without phrases, authors and counts), "
        "without_checksums (an earlier version made it, and its passages cannot be verified)"
    ),
]
State = Literal["answered", "closest", "nothing"]
ANSWERED: State = "answered"
CLOSEST: State = "closest"
NOTHING: State = "nothing"
TEXT, TITLE = "text", "title"  # the fields of a passage that a quotation can come from
# Why there is no answer as a whole.
NOTHING_COUNTS = "all papers with a verdict were retracted or are notices"
ALL_WITHHELD = "each verdict of the reader contradicts the best sentence of its paper, which is negated"
CONTRADICTED = "the reader's answer contradicts the best sentence, which is negated"


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A scored sentence: characters [begin, end) of a passage's text or title.

    strength: 0 to 3, of highlighting.STRENGTHS; 0 is not highlighted.
    """

    begin: int
    end: int
    score: float
    strength: Strength = 0


class Hit(msgspec.Struct, frozen=True):
    """A passage that matches a question, with scores of its sentences and of its paper's title.

    score: higher is better; scores of different questions are not comparable. rank: from 1; 0 until hits are ranked.
    title: null without a title, or if nothing was scored.
    """

    passage: Passage
    score: float
    rank: Rank = 0
    title: Sentence | None = None
    sentences: Sequence[Sentence] = ()


class Counts(NamedTuple):
    """The numbers of committed documents and passages of a collection."""

    documents: int
    passages: int


class UnknownName(msgspec.Struct, frozen=True):
    """A journal or type of publication that no paper of the collection has, with similar names from the collection."""

    name: str
    near: Sequence[str]


class LeftOut(msgspec.Struct, frozen=True):
    """Possible mistakes in filters.

    undated: papers without a date that a filter of dates leaves out. journals, types: unknown names in the filter.
    """

    undated: Count = 0
    journals: Sequence[UnknownName] = ()
    types: Sequence[UnknownName] = ()


NOTHING_LEFT_OUT = LeftOut()


class SearchAnswer(WithReport, msgspec.Struct, frozen=True, kw_only=True):
    """Ranked passages.

    expanded: the names that were added to the question's words. did_you_mean: the question without typos, "" if there
    seem to be none. ranking: lexical, dense, hybrid or reranked. more: whether others follow. scorer: what scored the
    sentences, empty if nothing did; scorer_says: the meaning of a score; calibrated: whether scores are probabilities.
    """

    record: Literal["searchanswer"] = "searchanswer"
    question: str
    understood: Understood = Understood()
    index_notes: Notes = ()
    ranking: str
    left_out: LeftOut = NOTHING_LEFT_OUT
    expanded: Sequence[ExpandedWords] = ()
    did_you_mean: str = ""
    found: Sequence[Hit]
    more: bool = False
    scorer: str = ""
    scorer_says: str = ""
    calibrated: bool = False
    collection: Counts

    def __repr__(self) -> str:
        """One line: the passages would be thousands of characters."""
        return f"<SearchAnswer {masked_line(self.question)!r}: {len(self.found)} passages>"


class Evidence(msgspec.Struct, frozen=True):
    """A quoted sentence: characters [begin, end) of the passage's text, or of its title."""

    text: str
    begin: int
    end: int
    score: float
    strength: Strength
    rank: Rank
    passage: Passage
    stands_in: Literal["text", "title"] = TEXT


class CitedEvidence(Evidence, frozen=True, kw_only=True):
    """A quoted sentence. citation: the sentence with its paper, as text to paste."""

    citation: str


class Probabilities(msgspec.Struct, frozen=True):
    """The probabilities of the labels; they add up to 1."""

    yes: Share
    no: Share
    maybe: Share

    def of(self, label: str) -> float:
        """The probability of one label."""
        return getattr(self, label)


class Verdict(msgspec.Struct, frozen=True):
    """A reader's decision about one paper. evidence: the paper's best sentence for the question."""

    document: str
    title: str
    label: Label
    probabilities: Probabilities
    notices: Sequence[Notice] = ()
    evidence: Evidence | None = None

    @property
    def counted(self) -> bool:
        """Whether the paper counts in the answer: retracted papers and notices do not."""
        return counted(self.notices)


class Withheld(Verdict, frozen=True):
    """A paper whose verdict is withheld, since it contradicts the paper's best sentence, which is negated."""


class Decision(msgspec.Struct, frozen=True):
    """Yes, no or maybe, by the mean probabilities over the papers that count.

    reader: its name; held_out: its score on questions that it was not trained on. verdicts: of the papers that it read,
    best paper first. withheld: papers whose verdict contradicts their best sentence; none of them counts. contradicted:
    whether the answer as a whole contradicts the best sentence of all, which is negated. calibrated: whether the
    probabilities are calibrated. Without an answer, label, confidence and means are null, and undecided gives the
    reason.
    """

    reader: str
    held_out: HeldOut
    verdicts: Sequence[Verdict]
    withheld: Sequence[Withheld] = ()
    contradicted: bool = False
    calibrated: bool = False

    @property
    def undecided(self) -> str:
        """Why there is no answer as a whole; "" if there is one."""
        if self.contradicted:
            return CONTRADICTED
        if any(verdict.counted for verdict in self.verdicts):
            return ""
        return ALL_WITHHELD if any(one.counted for one in self.withheld) else NOTHING_COUNTS

    @property
    def means(self) -> Probabilities | None:
        """The mean probabilities over the papers that count."""
        rows = [one.probabilities for one in self.verdicts if one.counted]
        if self.contradicted or not rows:
            return None
        return Probabilities(*(sum(row.of(name) for row in rows) / len(rows) for name in LABELS))

    @property
    def label(self) -> Label | None:
        """The most probable label, of equal ones the first of LABELS."""
        means = self.means
        return max(LABELS, key=means.of) if means is not None else None

    @property
    def confidence(self) -> Share | None:
        """The mean probability of the label."""
        means = self.means
        return max(map(means.of, LABELS)) if means is not None else None

    def saying(self, label: str) -> list[Verdict]:
        """The verdicts with this label."""
        return [verdict for verdict in self.verdicts if verdict.label == label]


class ExactAnswer(msgspec.Struct, frozen=True):
    """A name that answers, verbatim, with the best sentence that has it.

    names: its other spellings. concepts: `type/identifier` of its annotations in papers, the most frequent first.
    """

    text: str
    names: Sequence[str]
    confidence: Share
    evidence: Evidence
    concepts: Sequence[str] = ()


class Exact(msgspec.Struct, frozen=True):
    """The names that answer, best first.

    reader: its name; held_out: its score on questions that it was not fitted on. calibrated: whether confidences are
    calibrated.
    """

    answers: Sequence[ExactAnswer]
    reader: str
    held_out: HeldOut
    calibrated: bool


class Off(msgspec.Struct, frozen=True):
    """A kind of answer that is off, and why. turn_on: the commands that turn it on; empty if none does."""

    what: str
    why: str
    turn_on: Sequence[str] = ()


class AskAnswer(WithReport, msgspec.Struct, frozen=True, kw_only=True):
    """The sentences that answer a question, and the answers of trained readers.

    kind: of question_kinds.KINDS. expanded, did_you_mean: as of SearchAnswer. decision: for the kind yesno; exact: for
    the kinds factoid and list; null if it is off or the readers had nothing to read. off: the missing kind of answer,
    null if none is missing. state: whether the collection answers the question: answered (the first sentences seem to),
    closest (they may, or only come near), or nothing (it seems to have nothing about it). evidence: best first by its
    scores, whatever the state; empty if no sentence has a word of the question. scorer: what scored the sentences;
    scorer_says: the meaning of a score; calibrated: whether scores are probabilities. hits: the passages that `ask`
    read.
    """

    record: Literal["askanswer"] = "askanswer"
    question: str
    understood: Understood = Understood()
    index_notes: Notes = ()
    kind: str
    left_out: LeftOut = NOTHING_LEFT_OUT
    expanded: Sequence[ExpandedWords] = ()
    did_you_mean: str = ""
    decision: Decision | None = None
    exact: Exact | None = None
    off: Off | None = None
    evidence: Sequence[CitedEvidence]
    state: State
    scorer: str
    scorer_says: str
    calibrated: bool
    hits: Sequence[Hit]
    ranking: str
    collection: Counts

    def __repr__(self) -> str:
        """One line: the passages would be thousands of characters."""
        return f"<AskAnswer {masked_line(self.question)!r}: {len(self.evidence)} sentences>"


LABELS: tuple[Label, ...] = ("yes", "no", "maybe")
