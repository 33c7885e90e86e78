"""A prediction, and what it may say of an expert's question: answers with places, and what a system returns for it.

    answers    {"text": "BRCA1", "score": 0.8, "snippet": 0, "begin": 12, "end": 17}, the best first
    documents  addresses, the best first
    snippets   {"document", "begin_section", "begin", "end_section", "end", "text"}, the best first
    concepts   addresses, the best first
    triples    {"s", "p", "o"}, the best first

`begin` and `end` are code points, end exclusive: of an answer in the text of the instance's snippet of that number, of
a snippet in its section.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

from anagnosis.datasets.kinds.question import RelevantItems, Snippet, Triple

_BETWEEN = re.compile(r";|, ")
_Place = Annotated[int, msgspec.Meta(ge=0)]


class Answer(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One answer to a question. score: the higher the better; None where only the order says so.

    snippet: the index of a snippet of the instance that holds the answer. begin, end: where in its text.
    """

    text: str
    score: float | None = None
    snippet: _Place | None = None
    begin: _Place | None = None
    end: _Place | None = None

    def __post_init__(self) -> None:
        if (self.begin is None) != (self.end is None) or (self.begin is not None and self.snippet is None):
            raise ValueError("an answer's place is a snippet, begin and end")
        if self.begin is not None and self.end is not None and self.end < self.begin:
            raise ValueError("an answer ends before it begins")


class FoundSnippet(Snippet, frozen=True, gc=False, forbid_unknown_fields=True):
    """A snippet that a system returns; the fields are those of a question's snippet."""


Knowledge = Literal["context", "prior", "both", "none"]


class Prediction(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One line. answer: a candidate's key, or free answers, the best first.

    answers: instead of it, with their scores and places, the best first. ideal: a paragraph that answers the question.
    documents, snippets, concepts, triples: what a system returns for the question, the best first; documents and
    concepts by their addresses.
    spelled: the exact answer as a submission spells it, JSON, for measures that count its shape.
    knowledge: what a person answered from. seconds: how long. place: of the question in the person's order, from 1.
    """

    id: str
    answer: str | list[str] | None = None
    scores: dict[str, float] | None = None
    dataset: str | None = None
    annotator: str | None = None
    group: str | None = None
    knowledge: Knowledge | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0)] | None = None
    place: Annotated[int, msgspec.Meta(ge=1, le=(1 << 31) - 1)] | None = None
    answers: list[Answer] | None = None
    ideal: str | None = None
    documents: list[str] | None = None
    snippets: list[FoundSnippet] | None = None
    concepts: list[str] | None = None
    triples: list[Triple] | None = None
    spelled: str | None = None

    def __post_init__(self) -> None:
        if self.answers is not None and self.answer is not None:
            raise ValueError("it has both answer and answers")

    @property
    def any_answer(self) -> str | list[str] | None:
        """`answer`, or the texts of `answers`; None where neither is there."""
        return self.answer if self.answers is None else [each.text for each in self.answers]

    @property
    def texts(self) -> tuple[str, ...]:
        """The answers, the best first."""
        answer = self.any_answer
        return (answer,) if isinstance(answer, str) else tuple(answer or ())

    @property
    def in_one_text(self) -> bool:
        """Whether the only answer is a text with `;` or `, ` between parts, as if a list's entries were joined."""
        parts = _BETWEEN.split(self.texts[0]) if len(self.texts) == 1 else ()
        return len([part for part in parts if part.strip()]) > 1

    @property
    def of_a_question(self) -> bool:
        """Whether a field beside `answer` says what the system gives."""
        return any(each is not None for each in (self.answers, self.ideal, self.spelled, self.retrieved))

    @property
    def retrieved(self) -> RelevantItems | None:
        """Documents, concepts, snippets and triples; None where none of them is there."""
        if all(each is None for each in (self.documents, self.concepts, self.snippets, self.triples)):
            return None
        return RelevantItems(
            tuple(self.documents or ()),
            tuple(self.concepts or ()),
            tuple(self.snippets or ()),
            tuple(self.triples or ()),
        )
