"""The cloze instance: one schema for BioMRC, BioRead and CliCR, in memory and in Parquet.

What is stored is the original text and offsets (characters, end exclusive); the settings of the papers are
views made on the way out (`cloze_views.py`). A dataset read from the authors' files has `text_form = "replaced"`:
its text already holds @entityN, and the spans point at those tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pyarrow as pa

from anagnosis.language.statements import GAP

PLACEHOLDER = GAP
SECTION = "section:"
"""A label that begins so ends in the label of the document's section that the question is from."""
SPECIALTY = "specialty:"
"""A label that begins so ends in a medical specialty of the document."""
Place = tuple[int, int, int]  # start, end, candidate
_ENTITY = " entity "


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """What can be answered.

    key: `namespace/identifier`, or `@entityN` where a file has no more; unique in its instance.
    type: the source's spelling of the entity's type; empty where unknown.
    number: the pseudo-identifier's number in the whole dataset (or in the instance, for a local file).
    names: the distinct surfaces in the passage, in their order; before them the preferred name, where one is known.
    """

    key: str
    type: str
    number: int
    names: tuple[str, ...]


class PassageMention(msgspec.Struct, frozen=True, gc=False):
    """Where an entity stands in the passage or the question.

    candidate: index into the candidates; in a question it may be `outside(number)`, an entity that the passage lacks.
    """

    spans: tuple[tuple[int, int], ...]
    candidate: int


class ClozeInstance(msgspec.Struct, frozen=True, gc=False):
    """A passage, a question with the placeholder XXXX, and the candidates.

    id: `document:start`, start being that of the hidden mention in the document's text.
    date: ISO date of the document (YYYY, YYYY-MM or YYYY-MM-DD), empty where unknown.
    question: the title with the hidden mention's characters replaced by XXXX, nothing else changed.
    mentions, question_mentions: ordered by start; the hidden mention is not among them.
    answer: index into the candidates, None if none fits or the answer is withheld.
    answers: surface forms of the answer, the hidden one first.
    answer_identifiers, answer_types, answer_origins: of each of the answers its identifier (UMLS's CUI), its type and
        where it is from, as CliCR stores them; empty in datasets that store none.
    labels: skills, subsets ("tiny-a"), the section of the question (SECTION) and the like.
    """

    id: str
    document: str
    date: str
    passage: str
    question: str
    mentions: tuple[PassageMention, ...]
    question_mentions: tuple[PassageMention, ...]
    candidates: tuple[Candidate, ...]
    answer: int | None
    answers: tuple[str, ...]
    labels: tuple[str, ...] = ()
    answer_identifiers: tuple[str, ...] = ()
    answer_types: tuple[str, ...] = ()
    answer_origins: tuple[str, ...] = ()

    @property
    def key_texts(self) -> tuple[str, str]:
        """Title and passage without their mentions: the same in every view and numbering (question_keys.py)."""
        return key_texts(
            self.question, mention_places(self.question_mentions), self.passage, mention_places(self.mentions)
        )


def asked_sentence(instance: ClozeInstance) -> str:
    """The question with one word in place of each mention and of the gap: equal in all questions of one sentence."""
    words = instance.key_texts[0].replace(PLACEHOLDER, _ENTITY)
    return " ".join(words.split())


def outside(number: int) -> int:
    """In place of a candidate's index: the dataset's entity of that number, which is no candidate. Its own inverse."""
    return -1 - number


def mention_places(mentions: Sequence[PassageMention]) -> tuple[Place, ...]:
    """From the start of the first to the end of the last span of each mention."""
    return tuple([(m.spans[0][0], m.spans[-1][1], m.candidate) for m in mentions])


def key_texts(
    question: str, question_mentions: Sequence[Place], passage: str, mentions: Sequence[Place]
) -> tuple[str, str]:
    """Question and passage with one word in place of each mention."""
    # A view sets the placeholder apart from letters beside it, what is stored does not.
    gap = _without(question, question_mentions).replace(PLACEHOLDER, f" {PLACEHOLDER} ")
    return gap, _without(passage, mentions)


def _without(text: str, mentions: Sequence[Place]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, _ in mentions:
        pieces += (text[done:start], _ENTITY)
        done = end
    return "".join((*pieces, text[done:]))


_SPAN = pa.struct([pa.field("start", pa.int32(), False), pa.field("end", pa.int32(), False)])
_MENTION = pa.struct(
    [
        pa.field("spans", pa.list_(pa.field("item", _SPAN, False)), False),
        pa.field("candidate", pa.int32(), False),
    ]
)
_CANDIDATE = pa.struct(
    [
        pa.field("key", pa.string(), False),
        pa.field("type", pa.string(), False),
        pa.field("number", pa.int32(), False),
        pa.field("names", pa.list_(pa.field("item", pa.string(), False)), False),
    ]
)

_TEXTS = pa.list_(pa.field("item", pa.string(), False))
ANSWER_COLUMNS = ("answer_identifiers", "answer_types", "answer_origins")
"""One text for each of the answers. A dataset without them lacks the columns."""
CLOZE_SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("document", pa.string(), False),
        pa.field("date", pa.string(), False),
        pa.field("passage", pa.string(), False),
        pa.field("question", pa.string(), False),
        pa.field("mentions", pa.list_(pa.field("item", _MENTION, False)), False),
        pa.field("question_mentions", pa.list_(pa.field("item", _MENTION, False)), False),
        pa.field("candidates", pa.list_(pa.field("item", _CANDIDATE, False)), False),
        pa.field("answer", pa.int32(), True),
        pa.field("answers", _TEXTS, False),
        pa.field("labels", _TEXTS, False),
        *(pa.field(name, _TEXTS, False) for name in ANSWER_COLUMNS),
    ]
)
