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
class Decision:
    """Yes, no or maybe. confidence: of the label, in means, those over the papers that count; null where none does."""

    label: Label | None
    confidence: float | None = field(metadata=SHARE)
    means: Probabilities | None
    reader: str
    calibrated: bool = field(
        metadata=_told("whether the probabilities were fitted to come true as often as they say")
    )
    verdicts: list[Verdict] = field(
        metadata=_told("of each paper that was read, the one that fits best first")
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
    calibrated: bool = field(
        metadata=_told("whether confidences were fitted to come true as often as they say")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAnswer:
    """kind: yesno, factoid, list or summary. scorer: of the sentences."""

    question: str
    kind: str
    left_out: LeftOut
    decision: Decision | None = field(
        metadata=_told("to a question of kind yesno; null where its reader is off, or nothing could be read")
    )
    exact: Exact | None = field(
        metadata=_told(
            "to a question of kind factoid or list; null where its reader is off, or nothing could be read"
        )
    )
    exact_off: str = field(
        metadata=_told("which answer is off, why, and what turns it on; empty where none is")
    )
    turn_on: list[str] = field(metadata=_told("the commands that turn it on; empty where none is off"))
    evidence: list[Evidence] = field(metadata=_told("best first; what comes nearest where nothing was found"))
    not_found: bool = field(
        metadata=_told("whether no sentence of the collection fits the question well enough")
    )
    scorer: str
    scorer_says: str = field(metadata=_told("what a score is"))
    calibrated: bool = field(metadata=_told("whether scores are probabilities"))
