"""The structure of a BioC document in a file, the same for XML and JSON.

Comeau et al. 2013, BioC: a minimalist approach to interoperability for biomedical text processing, Database,
bat064. Offsets and lengths count characters; a passage or sentence gives its start in the file's text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


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
