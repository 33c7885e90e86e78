"""The structure of a BioC document, the same for XML and JSON, and the mentions from its annotations.

Comeau et al. 2013, BioC: a minimalist approach to interoperability for biomedical text processing, Database,
bat064. Offsets and lengths count characters; a passage or sentence gives its start in the file's text.

A passage becomes one segment of the document's text, or one segment per sentence. An annotation's offset counts
from the start of the file's text; its passage gives its start there. Some files give a wrong start (they count an
apostrophe as the six characters `&apos;`), while their annotations count passages joined by one character. For
each document we take the convention that fits more of its annotations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from anagnosis.documents.document import Mention
from anagnosis.documents.formats.bioc.infons import identifier, plain
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import is_normalised


class Location(msgspec.Struct, frozen=True, gc=False):
    """A span of an annotation in the file's text."""

    offset: int
    length: int


class Annotation(msgspec.Struct, frozen=True, gc=False):
    """A mention; its infons give its type and identifier."""

    id: str | int | None = None
    infons: dict[str, Any] | None = None
    text: str | None = None
    locations: tuple[Location, ...] | None = None


class Node(msgspec.Struct, frozen=True, gc=False):
    """An argument of a relation: the id of an annotation and its role."""

    refid: str | int | None = None
    role: str | int | None = None


class Link(msgspec.Struct, frozen=True, gc=False):
    """A relation; its arguments are its nodes or its infons, depending on the source."""

    infons: dict[str, Any] | None = None
    nodes: tuple[Node, ...] | None = None


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence of a passage."""

    offset: int
    text: str | None = None
    infons: dict[str, Any] | None = None
    annotations: tuple[Annotation, ...] | None = None
    relations: tuple[Link, ...] | None = None


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A passage of a document: its text, or its sentences."""

    offset: int
    text: str | None = None
    infons: dict[str, Any] | None = None
    sentences: tuple[Sentence, ...] | None = None
    annotations: tuple[Annotation, ...] | None = None
    relations: tuple[Link, ...] | None = None


class Record(msgspec.Struct, frozen=True, gc=False):
    """A document."""

    id: str | int | None = None
    infons: dict[str, Any] | None = None
    passages: tuple[Passage, ...] | None = None
    annotations: tuple[Annotation, ...] | None = None
    relations: tuple[Link, ...] | None = None


def annotations_of(passage: Passage) -> tuple[Annotation, ...]:
    """The annotations of a passage and of its sentences."""
    inside = (a for sentence in passage.sentences or () for a in sentence.annotations or ())
    return (*(passage.annotations or ()), *inside)


def all_annotations(record: Record) -> Iterator[Annotation]:
    """Every annotation of a document, its passages and their sentences."""
    yield from record.annotations or ()
    for passage in record.passages or ():
        yield from annotations_of(passage)


def all_links(record: Record) -> Iterator[Link]:
    """Every relation of a document, its passages and their sentences."""
    yield from record.relations or ()
    for passage in record.passages or ():
        yield from passage.relations or ()
        for sentence in passage.sentences or ():
            yield from sentence.relations or ()


class Segment(msgspec.Struct, frozen=True, gc=False):
    """Characters that are contiguous in the file's text (from `offset`) and in the document's (from `start`)."""

    offset: int
    start: int
    length: int


class Part(msgspec.Struct, frozen=True, gc=False):
    """A passage as part of the document's text, with its annotations."""

    text: str
    segments: tuple[Segment, ...]
    annotations: tuple[Annotation, ...]


_Spans = tuple[tuple[int, int], ...]
# An annotation with its spans in the document's text, None if they lie outside its passage.
_Claim = tuple[Annotation, _Spans | None]


def parts(passages: Iterable[Passage], repairs: Repairs) -> list[Part]:
    """The passages as parts of one text, joined by one newline. Counted: nul_character."""
    texts: list[Part] = []
    start = 0
    for passage in passages:
        text, segments = _segments(passage, start)
        if "\0" in text:
            # A blank of the same width keeps all offsets valid.
            repairs.count("nul_character", text.count("\0"))
            text = text.replace("\0", " ")
        texts.append(Part(text, segments, annotations_of(passage)))
        start += len(text) + 1
    return texts


def mentions(texts: list[Part], others: tuple[Annotation, ...], repairs: Repairs) -> list[Mention]:
    """The mentions whose text stands at their spans, sorted by span, without duplicates.

    others: annotations of the document itself, which may lie in any passage.
    Counted: passage_offset_recounted, mention_without_identifier, mention_without_location,
    mention_without_text, mention_text_normalised, mention_text_differs, mention_beyond_text,
    duplicate_mention.
    """
    if not others and not any(part.annotations for part in texts):
        return []
    full = "\n".join(part.text for part in texts)
    claims = list(_claims(texts, others))
    fitting = sum(_stands(claim, full) for claim in claims)
    if texts and fitting < len(claims):
        joined = list(_claims(_joined(texts), others))
        if sum(_stands(claim, full) for claim in joined) > fitting:
            repairs.count("passage_offset_recounted")
            claims = joined
    checked = (_mention(annotation, spans, full, repairs) for annotation, spans in claims)
    located = sorted(
        (mention for mention in checked if mention is not None), key=lambda mention: mention.spans
    )
    distinct = list(dict.fromkeys(located))
    repairs.count("duplicate_mention", len(located) - len(distinct))
    return distinct


def _segments(passage: Passage, start: int) -> tuple[str, tuple[Segment, ...]]:
    """A passage's text and its segments, which begin at `start` in the document's text."""
    if passage.text or not passage.sentences:
        text = passage.text or ""
        return text, (Segment(passage.offset, start, len(text)),)
    text = ""
    segments: list[Segment] = []
    for sentence in passage.sentences:
        if segments:
            gap = sentence.offset - segments[-1].offset - segments[-1].length
            text += " " * (gap if 0 <= gap <= 2 else 1)
        words = sentence.text or ""
        segments.append(Segment(sentence.offset, start + len(text), len(words)))
        text += words
    return text, tuple(segments)


def _joined(texts: list[Part]) -> list[Part]:
    """The parts, as if the file joined its passages by one character."""
    first = texts[0].segments[0].offset
    starts = (part.segments[0].start for part in texts)
    return [
        Part(part.text, (Segment(first + start, start, len(part.text)),), part.annotations)
        for part, start in zip(texts, starts, strict=True)
    ]


def _claims(texts: list[Part], others: tuple[Annotation, ...]) -> Iterator[_Claim]:
    for part in texts:
        for annotation in part.annotations:
            yield annotation, _spans(annotation, part.segments)
    if others:
        everywhere = tuple(segment for part in texts for segment in part.segments)
        for annotation in others:
            yield annotation, _spans(annotation, everywhere)


def _spans(annotation: Annotation, segments: tuple[Segment, ...]) -> _Spans | None:
    spans: list[tuple[int, int]] = []
    for location in annotation.locations or ():
        start = _place(location.offset, segments)
        last = _place(location.offset + location.length - 1, segments)
        if start is None or last is None:
            return None
        spans.append((start, last + 1))
    return tuple(sorted(spans))


def _place(offset: int, segments: tuple[Segment, ...]) -> int | None:
    for segment in segments:
        if segment.offset <= offset < segment.offset + segment.length:
            return segment.start + offset - segment.offset
    return None


def _stands(claim: _Claim, full: str) -> bool:
    annotation, spans = claim
    return spans is not None and _surface(spans, full) == annotation.text


def _surface(spans: _Spans, full: str) -> str:
    """The text at the spans, joined by blanks."""
    return " ".join(full[start:end] for start, end in spans)


def _mention(annotation: Annotation, spans: _Spans | None, full: str, repairs: Repairs) -> Mention | None:
    infons = annotation.infons or {}
    _, linked = identifier(infons)
    repairs.count("mention_without_identifier", int(not linked))
    if not annotation.locations or any(location.length < 1 for location in annotation.locations):
        repairs.count("mention_without_location")
        return None
    if spans is None:
        repairs.count("mention_beyond_text")
        return None
    surface = _surface(spans, full)
    if not annotation.text:
        repairs.count("mention_without_text")
    elif surface != annotation.text:
        if not is_normalised(annotation.text, surface):
            repairs.count("mention_text_differs")
            return None
        repairs.count("mention_text_normalised")
    name = plain(infons.get("name"))
    # PubTator 3 gives a species its number as name.
    return Mention(spans, surface, plain(infons.get("type")), linked, "" if name == linked else name)
