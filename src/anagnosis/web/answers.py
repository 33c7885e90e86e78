"""Typed answers, as the API gives them and the page shows them. All text stands as in its paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from anagnosis.reports.found import LONGEST_SHOWN, NOTICE_WORDS, links, part
from anagnosis.searching.asking import Answered, Found
from anagnosis.searching.passages import Passage as Stored
from anagnosis.searching.passages import notices
from anagnosis.searching.sentences import Evidence as Quoted
from anagnosis.searching.sentences import Sentence as Scored

_NO_READER = "no trained reader was named"


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


class SearchAnswer(BaseModel):
    """ranking: lexical, dense or hybrid. more: whether there are others after these."""

    question: str
    ranking: str
    found: list[Hit]
    more: bool


class Evidence(BaseModel):
    """A sentence, verbatim: the passage's text from begin to end."""

    text: str
    begin: int
    end: int
    score: float
    strength: int = Field(ge=0, le=3)
    passage: Passage


class AskAnswer(BaseModel):
    """kind: yesno, factoid, list or summary. exact: null, since no reader is there. scorer: of the sentences."""

    question: str
    kind: str
    exact: None = None
    exact_off: str = Field(description="why there is no exact answer; empty where none is wanted")
    evidence: list[Evidence] = Field(description="best first; what comes nearest where nothing was found")
    not_found: bool = Field(
        description="whether no sentence of the collection shares enough with the question"
    )
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


class Piece(NamedTuple):
    """A part of a text, from the character `begin` on; strength 0 is not marked."""

    begin: int
    text: str
    strength: int
    score: float


def told(passage: Stored) -> Passage:
    """A passage with what its paper's facts say."""
    facts = passage.facts
    return Passage(
        document=passage.document,
        number=passage.number,
        section=passage.section,
        heading=passage.heading,
        title=passage.title or passage.document,
        date=facts.get("date", ""),
        journal=facts.get("journal", ""),
        types=facts["types"].split("; ") if "types" in facts else [],
        notices=[
            Notice(kind=kind, says=NOTICE_WORDS[kind], about="" if facts[kind] == "unnamed" else facts[kind])
            for kind in notices(passage)
        ],
        links=[Link(name=name, address=address) for name, address in links(passage)],
        text=passage.text,
    )


def sentences(scored: Iterable[Scored]) -> list[Sentence]:
    """With their strength."""
    return [
        Sentence(begin=one.begin, end=one.end, score=round(one.score, 4), strength=one.strength)
        for one in scored
    ]


def hits(found: Sequence[Found], offset: int = 0) -> list[Hit]:
    """By rank."""
    return [
        Hit(
            rank=rank,
            score=round(one.hit.score, 4),
            passage=told(one.hit.passage),
            sentences=sentences(one.sentences),
        )
        for rank, one in enumerate(found, offset + 1)
    ]


def evidence(quoted: Quoted) -> Evidence:
    """One sentence."""
    one = quoted.sentence
    return Evidence(
        text=quoted.text,
        begin=one.begin,
        end=one.end,
        score=round(one.score, 4),
        strength=one.strength,
        passage=told(quoted.passage),
    )


def ask_answer(answered: Answered) -> AskAnswer:
    """Without the passages that were read for it."""
    off = f"{answered.off} is off: {_NO_READER}" if answered.off else ""
    return AskAnswer(
        question=answered.question,
        kind=answered.kind,
        exact_off=off,
        evidence=[evidence(one) for one in answered.evidence],
        not_found=not answered.in_collection,
        scorer=answered.scorer.name,
        scorer_says=answered.scorer.says,
        calibrated=answered.scorer.calibrated,
    )


def pieces(hit: Hit, longest: int = LONGEST_SHOWN) -> list[Piece]:
    """The text of a passage, or as much as fits around its best sentence, in marked and unmarked parts.

    They follow each other without a gap: joined they are a part of the text.
    """
    text = hit.passage.text
    begin, end = part(text, [Scored(one.begin, one.end, one.score) for one in hit.sentences], longest)
    marked = [one for one in hit.sentences if one.strength and begin <= one.begin and one.end <= end]
    at, found = begin, list[Piece]()
    for one in marked:
        found.append(Piece(at, text[at : one.begin], 0, 0.0))
        found.append(Piece(one.begin, text[one.begin : one.end], one.strength, one.score))
        at = one.end
    found.append(Piece(at, text[at:end], 0, 0.0))
    return [piece for piece in found if piece.text]
