"""A study: the questions that people answer on pages, and what a page asks of each.

Each thing that is asked is a `Field`, and becomes a field of the lines that a page saves:

    Field("skills", "Skills that the question requires", choices=(Choice("bridging"), …), several=True)

A kind of sheets makes a `Study`; `question_page.render` makes each person's page of it, and `saved_lines.py` says which
lines that page may save.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

ANSWERS = "answers"  # the kind of sheets whose lines are predictions
KNOWLEDGE = "knowledge"
LONGEST_TEXT = 500  # characters of a text field


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text. entity: index into the question's entities, None for plain text. gap: the hidden entity."""

    text: str
    entity: int | None = None
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity of a question, in the order in which the page lists them.

    label: "@entity3". names: as the page lists them, empty where the person must not see them. answer: what the saved
    line holds where the person chooses the entity. key: what `label collect` writes in its place, "" for the same
    text: where names are hidden the page must not hold the key, which says what the entity is.
    """

    label: str
    names: tuple[str, ...]
    answer: str
    key: str = ""


Line = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What a person reads. passage: its lines. known: (heading, text) of what stands below the question, such as its
    answer."""

    id: str
    passage: tuple[Line, ...]
    question: Line
    entities: tuple[Entity, ...] = ()
    known: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a field. value: what is saved. label: what the page shows, "" for the value.

    alone: beside it no other may be chosen. empties: the field that is saved as null where this is chosen ("I could
    not answer").
    """

    value: str
    label: str = ""
    meaning: str = ""
    alone: bool = False
    empties: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that a page asks of each question. name: of the field of the saved lines. legend: the words above it.

    choices: of which one is saved, or, where `several` may be chosen, a list. entities: the entities of the question
    may be chosen, too. text: other words may be written, too, of at most so many characters; 0 for none. none: the
    label of the choice that is saved as null, "" for none.
    """

    name: str
    legend: str
    choices: tuple[Choice, ...] = ()
    several: bool = False
    entities: bool = False
    text: int = 0
    none: str = ""


KNOWLEDGE_FIELD = Field(
    KNOWLEDGE,
    "How could you answer?",
    (
        Choice("none", "I could not answer the question", empties="answer"),
        Choice("prior", "With prior knowledge only"),
        Choice("both", "With the context and prior knowledge"),
        Choice("context", "With the context only"),
    ),
)
"""The four choices of the page of BioMRC's study (thesis, Figure 3.3)."""


TIME = (
    "The page counts the seconds during which you see a question and use the page. You may stop at any time and go on "
    "later."
)


@dataclass(frozen=True, slots=True)
class Study:
    """What is asked. kind: of the sheets.

    title: of the pages. instructions: paragraphs above the first question. guide: (heading, text) that every question
    shows beside it, folded. constants: further fields of each saved line. idle: seconds without any input after which
    the page stops to count time.
    """

    kind: str
    title: str
    instructions: tuple[str, ...]
    questions: tuple[Question, ...]
    fields: tuple[Field, ...]
    guide: tuple[tuple[str, str], ...] = ()
    constants: Mapping[str, str] = field(default_factory=dict[str, str])
    idle: int = 60

    @property
    def line_fields(self) -> tuple[str, ...]:
        """The fields of a saved line in their order, which is that of `predictions.lines.Prediction`."""
        asked = [each.name for each in self.fields if each.name != KNOWLEDGE]
        knowledge = [each.name for each in self.fields if each.name == KNOWLEDGE]
        return ("id", *asked, *self.constants, "annotator", "group", *knowledge, "seconds", "place")


def values(asked: Field, question: Question) -> Iterator[str | None]:
    """What a question's saved lines may hold in a field, beside texts; None stands for null."""
    yield from (choice.value for choice in asked.choices)
    if asked.entities:
        yield from (entity.answer for entity in question.entities)
    if asked.none:
        yield None
