"""The cloze instance: one schema for BioMRC, BioRead and CliCR, in memory and in Parquet.

What is stored is the original text and offsets (characters, end exclusive); the settings of the papers are
views made on the way out (`cloze_views.py`). A dataset read from the authors' files has `text_form = "replaced"`:
its text already holds @entityN, and the spans point at those tokens.

The sentences of an instance, for language models and word vectors, are lower-cased words, each entity a token:

    passage    "Low grade fever\\nHe had a dry cough ."     @entitylow_grade_fever | he had a @entitydry_cough .
    question   "Fever with XXXX is common ."               @entityfever with @entitydry_cough is common .

A line is a sentence. CliCR's program writes such a text for its language model (github.com/clips/clicr,
`clicr_to_concept_txt`), but leaves the filled answer as plain words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

import msgspec
import pyarrow as pa

from anagnosis.datasets.arrays import schema_of
from anagnosis.errors import InputError

PLACEHOLDER = "XXXX"
SECTION = "section:"
"""A label that begins so ends in the label of the document's section that the question is from."""
MentionPlace = tuple[int, int, int]  # start, end, candidate
_ENTITY = " entity "
ENTITY = "@entity"
PSEUDO = re.compile(r"@entity([0-9]+)")
Marked = tuple[str, tuple[MentionPlace, ...]]  # a text and where its mentions are


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """What can be answered."""

    key: str  # `namespace/identifier`, or `@entityN` where a file has no more; unique in its instance
    type: str  # the source's spelling of the entity's type; empty where unknown
    number: int  # the pseudo-identifier's in the whole dataset (or in the instance, for a local file)
    # The preferred name, where known, then the distinct surfaces in the passage, in order.
    names: tuple[str, ...]


class PassageMention(msgspec.Struct, frozen=True, gc=False):
    """Where an entity stands in the passage or the question."""

    spans: tuple[tuple[int, int], ...]
    candidate: int  # index; in a question it may be `outside(number)`, an entity that the passage lacks


class ClozeInstance(msgspec.Struct, frozen=True, gc=False):
    """A passage, a question with the placeholder XXXX, and the candidates."""

    id: str  # `document:start`, start being that of the hidden mention in the document's text
    document: str
    date: str  # ISO (YYYY, YYYY-MM or YYYY-MM-DD), empty where unknown
    passage: str
    question: str  # the title with the hidden mention's characters replaced by XXXX, nothing else changed
    mentions: tuple[PassageMention, ...]  # ordered by start
    question_mentions: tuple[PassageMention, ...]  # likewise, without the hidden mention
    candidates: tuple[Candidate, ...]
    answer: int | None  # index into the candidates, None if none fits or the answer is withheld
    answers: tuple[str, ...]  # surface forms of the answer, the hidden one first
    # Skills, subsets ("tiny-a"), the section of the question (SECTION) and the like.
    labels: tuple[str, ...] = ()
    # Of each of the answers UMLS's CUI, its type and where it is from, as CliCR stores them; empty in other datasets.
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


def mention_places(mentions: Sequence[PassageMention]) -> tuple[MentionPlace, ...]:
    """From the start of the first to the end of the last span of each mention."""
    return tuple([(m.spans[0][0], m.spans[-1][1], m.candidate) for m in mentions])


def key_texts(
    question: str, question_mentions: Sequence[MentionPlace], passage: str, mentions: Sequence[MentionPlace]
) -> tuple[str, str]:
    """Question and passage with one word in place of each mention."""
    # A view sets the placeholder apart from letters beside it, what is stored does not.
    gap = _without(question, question_mentions).replace(PLACEHOLDER, f" {PLACEHOLDER} ")
    return gap, _without(passage, mentions)


def _without(text: str, mentions: Sequence[MentionPlace]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, _ in mentions:
        pieces += (text[done:start], _ENTITY)
        done = end
    return "".join((*pieces, text[done:]))


def placeholder_start(instance: ClozeInstance) -> int:
    """Where in the question the placeholder stands."""
    start = instance.question.find(PLACEHOLDER)
    if start < 0:
        what = f"no {PLACEHOLDER} in the question"
        raise InputError(what, instance.id, "build or import the dataset again")
    return start


def entity_token(surface: str) -> str:
    """A surface as one token, its words joined by "_": `@entitylow_grade_fever`."""
    return ENTITY + "_".join(surface.lower().split())


def written(
    instance: ClozeInstance,
    text: str,
    mentions: Sequence[PassageMention],
    tokens: Sequence[str] | Mapping[int, str],
    *,
    blanks: bool,
) -> Marked:
    """The text with the token of its candidate for each mention. InputError: mentions overlap.

    blanks: a token gets a blank on each side where there is none, before it unless the text begins there.
    """
    pieces: list[str] = []
    places: list[MentionPlace] = []
    done = length = 0
    for mention in mentions:
        start, token = mention.spans[0][0], tokens[mention.candidate]
        if start < done:
            what = f"two mentions overlap at character {start} of {text[start : start + 20]!r}"
            raise InputError(what, instance.id, "leave one of them out")
        between = text[done:start]
        if blanks and pieces and not between.startswith(" "):
            between = " " + between
        if blanks and between and not between.endswith(" "):
            between += " "
        pieces += (between, token)
        length += len(between) + len(token)
        places.append((length - len(token), length, mention.candidate))
        done = mention.spans[-1][1]
    rest = text[done:]
    gap = " " if blanks and pieces and not rest.startswith(" ") else ""
    return "".join((*pieces, gap, rest)), tuple(places)


def sentences(
    instances: Iterable[ClozeInstance], written: Callable[[str], str] = entity_token
) -> Iterator[list[str]]:
    """The sentences of every different passage, once, and of every question that has an answer, which fills it.

    written: how an entity is written; `str.lower` leaves it its words.
    """
    read: set[bytes] = set()
    for instance in instances:
        passage, mentions = instance.passage, instance.mentions
        digest = blake2b(passage.encode(), digest_size=16).digest()
        if digest not in read:
            read.add(digest)
            yield from _lines_of_words(passage, _written_entities(passage, mentions, written))
        answer = _answer_text(instance)
        if answer is not None:
            start = placeholder_start(instance)
            filled = (start, start + len(PLACEHOLDER), written(answer))
            marked = [*_written_entities(instance.question, instance.question_mentions, written), filled]
            yield from _lines_of_words(instance.question, sorted(marked))


def entity_surfaces(instance: ClozeInstance) -> Iterator[str]:
    """The surfaces, in lower case, behind the tokens of entities in the sentences of an instance."""
    question = instance.question, instance.question_mentions
    for text, mentions in ((instance.passage, instance.mentions), question):
        for start, end, _ in mention_places(mentions):
            yield " ".join(text[start:end].lower().split())
    answer = _answer_text(instance)
    if answer is not None:
        yield " ".join(answer.lower().split())


def words_before(instance: ClozeInstance) -> list[str]:
    """The words before the placeholder in its line."""
    start = placeholder_start(instance)
    before = [m for m in instance.question_mentions if m.spans[-1][1] <= start]
    marked = [*_written_entities(instance.question, before), (start, start, PLACEHOLDER)]
    return list(_lines_of_words(instance.question[:start], marked))[-1][:-1]


def _answer_text(instance: ClozeInstance) -> str | None:
    if instance.answers:
        return instance.answers[0]
    if instance.answer is None:
        return None
    candidate = instance.candidates[instance.answer]
    return candidate.names[0] if candidate.names else candidate.key


def _written_entities(
    text: str, mentions: Sequence[PassageMention], written: Callable[[str], str] = entity_token
) -> list[tuple[int, int, str]]:
    """(start, end, the entity as it is written) of each mention."""
    return [(start, end, written(text[start:end])) for start, end, _ in mention_places(mentions)]


def _lines_of_words(text: str, entities: Sequence[tuple[int, int, str]]) -> Iterator[list[str]]:
    """The words of each line that has any."""
    pieces: list[str] = []
    done = 0
    for start, end, token in entities:
        pieces += (text[done:start].lower(), token)
        done = end
    pieces.append(text[done:].lower())
    for line in " ".join(pieces).split("\n"):
        if words := line.split():
            yield words


_SPAN = pa.struct([pa.field("start", pa.int32(), False), pa.field("end", pa.int32(), False)])
_SPANS = pa.list_(pa.field("item", _SPAN, False))
_MENTION = pa.struct([*schema_of(PassageMention, spans=_SPANS, candidate=pa.int32())])
_MENTIONS = pa.list_(pa.field("item", _MENTION, False))
_CANDIDATE = pa.struct([*schema_of(Candidate, number=pa.int32())])
ANSWER_COLUMNS = ("answer_identifiers", "answer_types", "answer_origins")
"""One text for each of the answers. A dataset without them lacks the columns."""
CLOZE_SCHEMA = schema_of(
    ClozeInstance,
    mentions=_MENTIONS,
    question_mentions=_MENTIONS,
    candidates=pa.list_(pa.field("item", _CANDIDATE, False)),
    answer=pa.int32(),
)
