"""The structure of a BioC document, the same for XML and JSON, and the mentions from its annotations.

Comeau et al. 2013, BioC: a minimalist approach to interoperability for biomedical text processing, Database,
bat064. Offsets and lengths count characters; a passage or sentence gives its start in the file's text.

A passage becomes one segment of the document's text, or one segment per sentence. An annotation's offset counts
from the start of the file's text; its passage gives its start there. Some files give a wrong start (they count an
apostrophe as the six characters `&apos;`), while their annotations count passages joined by one character
(`documents/offsets.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from anagnosis.documents.document import Mention
from anagnosis.documents.formats.bioc.infons import identifier, plain
from anagnosis.documents.offsets import Claim, Place, Segment, Spans, places
from anagnosis.documents.repairs import Repairs


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
    """An argument of a relation: the id of an annotation."""

    refid: str | int | None = None


class Link(msgspec.Struct, frozen=True, gc=False):
    """A relation; its arguments are its nodes or its infons, depending on the source."""

    infons: dict[str, Any] | None = None
    nodes: tuple[Node, ...] | None = None


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence of a passage."""

    offset: int
    text: str | None = None
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


class Part(msgspec.Struct, frozen=True, gc=False):
    """A passage as part of the document's text, with its annotations."""

    text: str
    segments: tuple[Segment, ...]
    annotations: tuple[Annotation, ...]


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
    Counted: mention_without_identifier, mention_without_location, mention_without_text, mention_text_normalised,
    mention_text_differs, mention_beyond_text, duplicate_mention, and what `places` counts.
    """
    passages = [(each, number) for number, part in enumerate(texts) for each in part.annotations]
    annotations = [*passages, *((each, None) for each in others)]
    if not annotations or not texts:
        return []
    claims = [Claim(_spans(each), each.text or "", number) for each, number in annotations]
    found = places(
        claims, [part.text for part in texts], repairs.counts, declared=[part.segments for part in texts]
    )
    full = "\n".join(part.text for part in texts)
    checked = (
        _mention(annotation, place, full, repairs)
        for (annotation, _), place in zip(annotations, found, strict=True)
    )
    located = sorted(
        (mention for mention in checked if mention is not None), key=lambda mention: mention.spans
    )
    distinct = list(dict.fromkeys(located))
    repairs.count("duplicate_mention", len(located) - len(distinct))
    return distinct


def _spans(annotation: Annotation) -> Spans:
    return tuple(sorted((each.offset, each.offset + each.length) for each in annotation.locations or ()))


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


def _mention(annotation: Annotation, place: Place, full: str, repairs: Repairs) -> Mention | None:
    infons = annotation.infons or {}
    _, linked = identifier(infons)
    repairs.count("mention_without_identifier", int(not linked))
    if not annotation.locations or any(location.length < 1 for location in annotation.locations):
        repairs.count("mention_without_location")
        return None
    if place.spans is None:
        repairs.count("mention_beyond_text")
        return None
    surface = " ".join(full[start:end] for start, end in place.spans)
    if not annotation.text:
        repairs.count("mention_without_text")
    elif not place.agreement:
        repairs.count("mention_text_differs")
        return None
    else:
        repairs.count("mention_text_normalised", int(surface != annotation.text))
    name = plain(infons.get("name"))
    # PubTator 3 gives a species its number as name.
    return Mention(place.spans, surface, plain(infons.get("type")), linked, "" if name == linked else name)
