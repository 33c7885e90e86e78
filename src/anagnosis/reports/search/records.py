"""What a search and a question bring, as typed data: the JSON of `--json` and of the API, and what the page shows.

One vocabulary for all three. All text stands as in its paper. A field's metadata are limits and words for the API's
schema.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Label = Literal["yes", "no", "maybe"]


def _told(description: str = "", **limits: int) -> dict[str, str | int]:
    return {**({"description": description} if description else {}), **limits}


SHARE, STRENGTH = _told(ge=0, le=1), _told(ge=0, le=3)


INDEX_NOTES = _told(
    "what must be known of the index: unfinished (indexing was stopped, or still runs), without_checksums (an earlier "
    "version made it, and its passages cannot be verified)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Where a paper can be read."""

    name: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a paper must not be quoted without. about: the identifier of the notice, where it is told."""

    kind: str
    says: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A mention that the paper's source marks, as it spells type and identifier: characters [begin, end) of a text."""

    begin: int
    end: int
    type: str
    identifier: str = field(metadata=_told("of its concept; empty where it links to none"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of one section of a paper. section: what it is about; heading: as printed. text: verbatim."""

    document: str
    number: int
    section: str
    heading: str
    title: str
    date: str
    journal: str
    types: list[str]
    notices: list[Notice] = field(metadata=_told("a retraction and the like; to be said before the text"))
    links: list[Link]
    text: str
    entities: list[Entity] = field(metadata=_told("mentions in the text, by where they begin"))
    title_entities: list[Entity] = field(metadata=_told("mentions in the title, alike"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Characters [begin, end) of the passage's text, or of its title. strength: 0 (none) to 3 (strong)."""

    begin: int
    end: int
    score: float
    strength: int = field(metadata=STRENGTH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """rank: from 1. score: higher is better, of no meaning beside another question's."""

    rank: int
    score: float
    passage: Passage
    title: Sentence | None = field(
        metadata=_told("how the title fits, as one sentence; null where nothing was scored")
    )
    sentences: list[Sentence]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownName:
    """A journal, or a type of publication, that no paper here has, and some that are here and near it in name."""

    name: str
    near: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What filters leave out that may not have been meant."""

    undated: int = field(metadata=_told("papers without a date, under a filter of dates", ge=0))
    journals: list[UnknownName] = field(metadata=_told("of the filter, those that are not here"))
    types: list[UnknownName] = field(metadata=_told("of the filter, those that are not here"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """ranking: lexical, dense, hybrid or reranked. more: whether others follow. scorer: of the sentences."""

    question: str
    index_notes: list[str] = field(metadata=INDEX_NOTES)
    ranking: str
    left_out: LeftOut
    found: list[Hit]
    more: bool
    scorer: str = field(metadata=_told("what scored the sentences; empty where none was"))
    scorer_says: str = field(metadata=_told("what a score is"))
    calibrated: bool = field(metadata=_told("whether scores are probabilities"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A sentence, verbatim: the passage's text from begin to end. rank: the passage's among those found, from 1."""

    text: str
    stands_in: Literal["text", "title"] = field(
        metadata=_told("of the passage: which of its fields begin and end count")
    )
    begin: int
    end: int
    score: float
    strength: int = field(metadata=STRENGTH)
    rank: int = field(metadata=_told(ge=1))
    passage: Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Probabilities:
    """Of each answer; they add up to 1."""

    yes: float = field(metadata=SHARE)
    no: float = field(metadata=SHARE)
    maybe: float = field(metadata=SHARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one paper says."""

    document: str
    title: str
    label: Label
    probabilities: Probabilities
    counted: bool = field(
        metadata=_told("whether it counts in the answer: not that of a retracted paper or of a notice")
    )
    notices: list[Notice] = field(metadata=_told("a retraction and the like; to be said before the verdict"))
    evidence: Evidence | None = field(metadata=_told("the paper's sentence that fits the question best"))


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """What a reader reaches on questions that it was not trained on, without any of the papers here."""

    measure: Literal["macro-F1", "MRR"]
    value: float = field(metadata=SHARE)
    low: float = field(metadata=_told("of its 95 % interval, by question", ge=0, le=1))
    high: float = field(metadata=SHARE)
    baseline: float | None = field(
        metadata=_told(
            "what always giving the commonest answer reaches; null where there is none", ge=0, le=1
        )
    )
    questions: int = field(metadata=_told(ge=1))
    says: str = field(metadata=_told("all of it as a phrase, with the dataset and its part"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """A paper whose verdict is not given, since it contradicts the paper's sentence, which is negated."""

    document: str
    title: str
    notices: list[Notice] = field(metadata=_told("a retraction and the like; to be said before the title"))
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Yes, no or maybe. confidence: of the label, in means, those over the papers that count."""

    label: Label | None = field(metadata=_told("null where there is none, with `confidence` and `means`"))
    undecided: str = field(metadata=_told("why there is no label; empty where there is one"))
    confidence: float | None = field(metadata=SHARE)
    means: Probabilities | None
    reader: str
    held_out: HeldOut
    calibrated: bool = field(
        metadata=_told("whether the probabilities were fitted to come true as often as they say")
    )
    verdicts: list[Verdict] = field(
        metadata=_told("of the papers that were read, the one that fits best first")
    )
    withheld: list[Withheld] = field(
        metadata=_told("papers whose verdict contradicts their own sentence; none of them counts")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactAnswer:
    """A name as it stands in a paper, others for the same, and the best sentence with it."""

    text: str
    names: list[str]
    concepts: list[str] = field(
        metadata=_told("type/identifier of what papers mark it as, the commonest first")
    )
    confidence: float = field(metadata=SHARE)
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Exact:
    """What a question of names asks for."""

    answers: list[ExactAnswer] = field(metadata=_told("best first"))
    reader: str
    held_out: HeldOut
    calibrated: bool = field(
        metadata=_told("whether confidences were fitted to come true as often as they say")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Off:
    """A kind of answer that is not given, and why."""

    what: str
    why: str
    turn_on: list[str] = field(
        metadata=_told("the commands that turn it on, in their order; empty where none does")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAnswer:
    """kind: yesno, factoid, list or summary. scorer: of the sentences.

    decision, exact: null unless answers were asked for (`--answers`) and a reader for the kind is there.
    """

    question: str
    index_notes: list[str] = field(metadata=INDEX_NOTES)
    kind: str
    left_out: LeftOut
    decision: Decision | None = field(
        metadata=_told("to a question of kind yesno; null where it is off, or nothing could be read")
    )
    exact: Exact | None = field(
        metadata=_told(
            "to a question of kind factoid or list; null where it is off, or nothing could be read"
        )
    )
    off: Off | None = field(metadata=_told("the answer that is not given; null where none is missing"))
    evidence: list[Evidence] = field(metadata=_told("best first; empty where nothing fits"))
    sure: bool = field(
        metadata=_told(
            "whether a sentence shares enough with the question; if not, `evidence` is what comes closest"
        )
    )
    scorer: str
    scorer_says: str = field(metadata=_told("what a score is"))
    calibrated: bool = field(metadata=_told("whether scores are probabilities"))
