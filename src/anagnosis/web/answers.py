"""Typed answers, as the API gives them and the page shows them. All text stands as in its paper."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

Label = Literal["yes", "no", "maybe"]
Share = Annotated[float, Field(ge=0, le=1)]


class Link(BaseModel):
    """Where a paper can be read."""

    name: str
    address: str


class Notice(BaseModel):
    """What a paper must not be quoted without. about: the identifier of the notice, where it is told."""

    kind: str
    says: str
    about: str


class Passage(BaseModel):
    """A piece of one section of a paper. section: what it is about; heading: as printed. text: verbatim."""

    document: str
    number: int
    section: str
    heading: str
    title: str
    date: str
    journal: str
    types: list[str]
    notices: list[Notice] = Field(description="a retraction and the like; to be said before the text")
    links: list[Link]
    text: str


class Sentence(BaseModel):
    """Characters [begin, end) of the passage's text. strength: 0 (none) to 3 (strong)."""

    begin: int
    end: int
    score: float
    strength: int = Field(ge=0, le=3)


class Hit(BaseModel):
    """rank: from 1. score: higher is better, of no meaning beside another question's."""

    rank: int
    score: float
    passage: Passage
    sentences: list[Sentence]


class UnknownJournal(BaseModel):
    """A journal that no paper here is from, and some that are and whose names are near it."""

    name: str
    near: list[str]


class LeftOut(BaseModel):
    """What filters leave out that may not have been meant."""

    undated: int = Field(ge=0, description="papers without a date, under a filter of dates")
    journals: list[UnknownJournal] = Field(description="of the filter, those that are not here")


class SearchAnswer(BaseModel):
    """ranking: lexical, dense or hybrid. more: whether there are others after these. scorer: of the sentences."""

    question: str
    ranking: str
    left_out: LeftOut
    found: list[Hit]
    more: bool
    scorer: str = Field(description="what scored the sentences; empty where none was")
    scorer_says: str = Field(description="what a score is")
    calibrated: bool = Field(description="whether scores are probabilities")


class Evidence(BaseModel):
    """A sentence, verbatim: the passage's text from begin to end. rank: the passage's among those found, from 1."""

    text: str
    begin: int
    end: int
    score: float
    strength: int = Field(ge=0, le=3)
    rank: int = Field(ge=1)
    passage: Passage


class Probabilities(BaseModel):
    """Of each answer; they add up to 1."""

    yes: Share
    no: Share
    maybe: Share


class Verdict(BaseModel):
    """What one paper says."""

    document: str
    title: str
    label: Label
    probabilities: Probabilities
    notices: list[Notice] = Field(description="a retraction and the like; to be said before the verdict")
    evidence: Evidence | None = Field(description="the paper's sentence that fits the question best")


class Decision(BaseModel):
    """Yes, no or maybe. confidence: the label's mean probability over the papers that were read, as all in means."""

    label: Label
    confidence: Share
    means: Probabilities
    reader: str
    calibrated: bool = Field(
        description="whether the probabilities were fitted to come true as often as they say"
    )
    verdicts: list[Verdict] = Field(description="of each paper that was read, the one that fits best first")


class ExactAnswer(BaseModel):
    """A name as it stands in a paper, others for the same, and the best sentence with it."""

    text: str
    names: list[str]
    confidence: Share
    evidence: Evidence


class Exact(BaseModel):
    """What a question of names asks for."""

    answers: list[ExactAnswer] = Field(description="best first")
    reader: str
    calibrated: bool = Field(description="whether confidences were fitted to come true as often as they say")


class AskAnswer(BaseModel):
    """kind: yesno, factoid, list or summary. scorer: of the sentences."""

    question: str
    kind: str
    left_out: LeftOut
    decision: Decision | None = Field(
        description="to a question of kind yesno; null where its reader is off, or nothing could be read"
    )
    exact: Exact | None = Field(
        description="to a question of kind factoid or list; null where its reader is off, or nothing could be read"
    )
    exact_off: str = Field(description="which answer is off, why, and what turns it on; empty where none is")
    turn_on: list[str] = Field(description="the commands that turn it on; empty where none is off")
    evidence: list[Evidence] = Field(description="best first; what comes nearest where nothing was found")
    not_found: bool = Field(description="whether no sentence of the collection fits the question well enough")
    scorer: str
    scorer_says: str = Field(description="what a score is")
    calibrated: bool = Field(description="whether scores are probabilities")


class DocumentAnswer(BaseModel):
    """passages: of them all, those from offset on."""

    document: str
    title: str
    total: int
    offset: int
    passages: list[Passage]


class CollectionAnswer(BaseModel):
    """What there is to search. sections: names for the filter."""

    documents: int
    passages: int
    sections: list[str]
    version: str


class State(BaseModel):
    """ok or ready."""

    status: str
