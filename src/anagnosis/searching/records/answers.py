"""What a search and a question return: ranked passages, quoted sentences, decisions, names, and what is missing.

All text stands as in its paper; characters are those of the passage's text, or of its title, end exclusive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from anagnosis.calibration.held_out import HeldOut
from anagnosis.masking import masked_line
from anagnosis.notebook import Shown
from anagnosis.searching.records.passage import Notice, Passage, counted

Label = Literal["yes", "no", "maybe"]
Share = Annotated[float, Meta(ge=0, le=1)]
Strength = Annotated[int, Meta(ge=0, le=3, description="how well it fits: 0 (not at all) to 3 (strongly)")]
Count = Annotated[int, Meta(ge=0)]
Rank = Annotated[int, Meta(ge=0, description="of the passage among those found, from 1")]
Notes = Annotated[
    Sequence[str],
    Meta(
        description="what must be known of the index: unfinished (indexing was stopped, or still runs), "
        "without_checksums (an earlier version made it, and its passages cannot be verified)"
    ),
]
TEXT, TITLE = "text", "title"  # the fields of a passage that a quotation stands in
# Why there is no answer as a whole.
NOTHING_COUNTS = "of what says something, all was retracted or is a notice"
ALL_WITHHELD = "what the reader says of each paper contradicts that paper's own sentence, which is negated"
CONTRADICTED = "what the reader says contradicts the sentence that fits best, which is negated"


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """Characters [begin, end) of a passage's text or title, and how likely they are to answer.

    strength: 0 to 3, of highlighting.STRENGTHS; 0 is not highlighted.
    """

    begin: int
    end: int
    score: float
    strength: Strength = 0


class Hit(msgspec.Struct, frozen=True):
    """A passage among those that fit a question, the score of each of its sentences, and that of its paper's title.

    score: higher is better, and says nothing beside another question's. rank: from 1; 0 until hits are ranked. title:
    null where there is none, or nothing was scored.
    """

    passage: Passage
    score: float
    rank: Rank = 0
    title: Sentence | None = None
    sentences: Sequence[Sentence] = ()


class Counts(NamedTuple):
    """Of a collection, as far as it has been committed."""

    documents: int
    passages: int


class UnknownName(msgspec.Struct, frozen=True):
    """A journal, or a type of publication, that no paper here has, and some that are here and near it in name."""

    name: str
    near: Sequence[str]


class LeftOut(msgspec.Struct, frozen=True):
    """What filters leave out that may not have been meant.

    undated: papers without a date, under a filter of dates. journals, types: of the filter, those that are not here.
    """

    undated: Count = 0
    journals: Sequence[UnknownName] = ()
    types: Sequence[UnknownName] = ()


NOTHING_LEFT_OUT = LeftOut()


class SearchAnswer(Shown, msgspec.Struct, frozen=True, kw_only=True):
    """Ranked passages.

    ranking: lexical, dense, hybrid or reranked. more: whether others follow. scorer: what scored the sentences, empty
    where nothing did; scorer_says: what a score is; calibrated: whether scores are probabilities.
    """

    record: Literal["searchanswer"] = "searchanswer"
    question: str
    index_notes: Notes = ()
    ranking: str
    left_out: LeftOut = NOTHING_LEFT_OUT
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
    """A sentence, verbatim: characters begin to end of the passage's text, or of its title."""

    text: str
    begin: int
    end: int
    score: float
    strength: Strength
    rank: Rank
    passage: Passage
    stands_in: Literal["text", "title"] = TEXT


class Probabilities(msgspec.Struct, frozen=True):
    """Of each label; they add up to 1."""

    yes: Share
    no: Share
    maybe: Share

    def of(self, label: str) -> float:
        """Of one label."""
        return getattr(self, label)


class Verdict(msgspec.Struct, frozen=True):
    """What a reader says of one paper. evidence: the paper's sentence that fits the question best."""

    document: str
    title: str
    label: Label
    probabilities: Probabilities
    notices: Sequence[Notice] = ()
    evidence: Evidence | None = None

    @property
    def counted(self) -> bool:
        """Whether it counts in the answer: not that of a retracted paper or of a notice."""
        return counted(self.notices)


class Withheld(Verdict, frozen=True):
    """A paper whose verdict is not shown, since it contradicts the paper's sentence, which is negated."""


class Decision(msgspec.Struct, frozen=True):
    """Yes, no or maybe, by the mean over the papers that count.

    reader: what judged; held_out: its result on questions that it was not trained on. verdicts: of the papers that were
    read, best paper first. withheld: papers whose verdict contradicts their own sentence; none of them counts.
    contradicted: whether the answer as a whole contradicts the best sentence of all, which is negated. calibrated:
    whether the probabilities were fitted to come true as often as they say. Without an answer label, confidence and
    means are null, and undecided says why.
    """

    reader: str
    held_out: HeldOut
    verdicts: Sequence[Verdict]
    withheld: Sequence[Withheld] = ()
    contradicted: bool = False
    calibrated: bool = False

    @property
    def undecided(self) -> str:
        """Why there is no answer as a whole; "" where there is one."""
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
        """The likeliest, of equal ones the first of LABELS."""
        means = self.means
        return max(LABELS, key=means.of) if means is not None else None

    @property
    def confidence(self) -> Share | None:
        """The mean probability of the label."""
        means = self.means
        return max(map(means.of, LABELS)) if means is not None else None

    def saying(self, label: str) -> list[Verdict]:
        """Papers read as saying this."""
        return [verdict for verdict in self.verdicts if verdict.label == label]


class ExactAnswer(msgspec.Struct, frozen=True):
    """A name that answers, as it stands in a paper, with the best sentence that it stands in.

    names: others for the same. concepts: `type/identifier` of what papers mark it as, the commonest first.
    """

    text: str
    names: Sequence[str]
    confidence: Share
    evidence: Evidence
    concepts: Sequence[str] = ()


class Exact(msgspec.Struct, frozen=True):
    """The names that answer, best first.

    reader: what judged; held_out: its result on questions that it was not fitted on. calibrated: whether confidences
    were fitted to come true as often as they say.
    """

    answers: Sequence[ExactAnswer]
    reader: str
    held_out: HeldOut
    calibrated: bool


class Off(msgspec.Struct, frozen=True):
    """A kind of answer that is not given, and why. turn_on: the commands that turn it on; empty where none does."""

    what: str
    why: str
    turn_on: Sequence[str] = ()


class AskAnswer(Shown, msgspec.Struct, frozen=True, kw_only=True):
    """The sentences that answer a question, and what trained readers say.

    kind: of question_kinds.KINDS. decision: to a question of kind yesno; exact: of kind factoid or list; null where it
    is off, or nothing could be read. off: the answer that is not given, null where none is missing. evidence: best
    first; empty where nothing fits. sure: whether a sentence shares enough with the question that the answer seems to
    be here; if not, evidence is what comes closest. scorer: what scored the sentences; scorer_says: what a score is;
    calibrated: whether scores are probabilities. hits: the passages that were read.
    """

    record: Literal["askanswer"] = "askanswer"
    question: str
    index_notes: Notes = ()
    kind: str
    left_out: LeftOut = NOTHING_LEFT_OUT
    decision: Decision | None = None
    exact: Exact | None = None
    off: Off | None = None
    evidence: Sequence[Evidence]
    sure: bool
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
