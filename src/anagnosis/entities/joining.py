"""Annotations of other programs as the mentions of documents, joined by offsets that are checked against the text.

An annotation fits if the text at its spans is the annotated text, apart from case, blanks and punctuation. One that
does not fit was made on another version of the text, so that the others are doubtful too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from anagnosis.documents.document import Document, Mention, linked
from anagnosis.documents.offsets import Claim, places
from anagnosis.entities.third_party import Annotation
from anagnosis.entities.third_party.reading import read_annotations
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

_REMEDY = "annotate this version of the text, or leave such annotations out with --accept-drift"
_SHOWN = 40  # characters of a text in a message
_SHOWN_IDS = 3


def join(
    document: Document,
    annotations: Iterable[Annotation],
    counts: Counter[str],
    *,
    origins: Sequence[int] = (0,),
    accept_drift: bool = False,
) -> Document:
    """The document with the annotations as its mentions, in the order of the text.

    origins: the numbers that the first character may have. accept_drift: leave out and count annotations that do not
    fit (annotation_drift); otherwise the first is an InputError.

    Counted: mention; empty_annotation, empty_span, repeated_annotation (all left out); unchecked_annotation (the file
    has no text of it); unlinked_mention (stays); and what `places` counts.
    """
    kept: list[Annotation] = []
    for each in annotations:
        if spans := tuple((start, end) for start, end in each.spans if start < end):
            counts["empty_span"] += len(each.spans) - len(spans)
            kept.append(msgspec.structs.replace(each, spans=spans))
        else:
            counts["empty_annotation"] += 1
    texts = [f"{part.title}\n{part.text}" if part.title else part.text for part in document.sections]
    claims = [Claim(each.spans, each.text) for each in kept]
    text = document.text
    mentions: dict[Mention, None] = {}  # in the order of the file, by which equal places are sorted
    for each, place in zip(kept, places(claims, texts, counts, origins=origins), strict=True):
        if place.spans is None or (each.text and not place.agreement):
            if not accept_drift:
                raise _drift(each, document)
            counts["annotation_drift"] += 1
            continue
        spans = tuple(sorted(place.spans))
        words = " ".join(text[start:end] for start, end in spans)
        mention = Mention(spans, words, each.type, linked(each.identifier), each.name)
        if mention in mentions:
            counts["repeated_annotation"] += 1
            continue
        mentions[mention] = None
        counts["mention"] += 1
        counts["unchecked_annotation"] += not each.text
        counts["unlinked_mention"] += not mention.identifier
    in_order = sorted(mentions, key=lambda mention: (mention.start, -mention.end))
    return msgspec.structs.replace(document, mentions=tuple(in_order))


def _drift(annotation: Annotation, document: Document) -> InputError:
    start, end = min(start for start, _ in annotation.spans), max(end for _, end in annotation.spans)
    there = document.text[start:end][:_SHOWN]
    words = f"reads {there!r} there" if end <= len(document.text) else "ends before"
    annotated = repr(annotation.text[:_SHOWN]) if annotation.text else "something"
    what = f"{annotated} is annotated at {start}–{end}, but the text of {document.id} {words}"
    return InputError(what, annotation.where, _REMEDY)


def joined(
    documents: Iterable[Document],
    files: Sequence[tuple[str, PathLike]],
    counts: Counter[str],
    *,
    accept_drift: bool = False,
) -> Iterator[Document]:
    """The documents with the annotations of files in place of their mentions. files: (format, file or folder).

    All annotations are in memory. accept_drift: as of `join`. Counted: the names of `join` and `read_annotations`;
    mentions_replaced, relations_left_out, documents_without_mentions, and texts_without_document (ids that are
    annotated and are no document's). InputError: no document is annotated.
    """
    annotations: dict[str, list[Annotation]] = {}
    origins: dict[str, Sequence[int]] = {}
    for format, path in files:
        for name, listed, own in read_annotations([path], format, counts):
            ident = name.removesuffix(".txt")  # programs that are given 1234.txt may call the document so
            annotations.setdefault(ident, []).extend(listed)
            origins[ident] = own
    seen: set[str] = set()
    for document in documents:
        ident = document.id.removesuffix(".txt")
        seen.add(ident)
        counts["mentions_replaced"] += len(document.mentions)
        counts["relations_left_out"] += len(document.relations)
        done = join(
            msgspec.structs.replace(document, relations=()),
            annotations.get(ident, ()),
            counts,
            origins=origins.get(ident, (0,)),
            accept_drift=accept_drift,
        )
        counts["documents_without_mentions"] += not done.mentions
        yield done
    if seen and seen.isdisjoint(annotations):
        some = ", ".join(map(repr, sorted(seen)[:_SHOWN_IDS])) + (", …" if len(seen) > _SHOWN_IDS else "")
        such = "".join(map(repr, list(annotations)[:1]))
        what = f"no document has the id of an annotated text, such as {such}; documents: {some}"
        remedy = "call files of annotations after their documents: 1234.ann"
        raise InputError(what if such else "no annotation", "--from", remedy)
    counts["texts_without_document"] += len(annotations.keys() - seen)
