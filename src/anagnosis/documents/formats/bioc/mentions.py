"""Where BioC's annotations stand in our text, and whether their text stands there.

A passage is laid into our text in one piece, or in one piece a sentence. An annotation's offset counts from
the start of the file's text, and its passage says where it begins there. Some files count that beginning
wrongly (an apostrophe as the six characters `&apos;`), while their annotations count passages joined by one
character: which of the two a document follows is decided by what fits more of its annotations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from anagnosis.documents.document import Mention
from anagnosis.documents.formats.bioc.infons import identifier, plain
from anagnosis.documents.formats.bioc.record import Annotation, Passage, annotations_of
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text.mention_text import is_normalised


class Piece(msgspec.Struct, frozen=True, gc=False):
    """Characters that lie side by side in the file's text (from `offset`) and in ours (from `start`)."""

    offset: int
    start: int
    length: int


class Part(msgspec.Struct, frozen=True, gc=False):
    """A passage laid into our text, and what is annotated in it."""

    text: str
    pieces: tuple[Piece, ...]
    annotations: tuple[Annotation, ...]


_Spans = tuple[tuple[int, int], ...]
# An annotation with where it says it stands in our text, None where that is not in its passage.
_Claim = tuple[Annotation, _Spans | None]


def parts(passages: Iterable[Passage], repairs: Repairs) -> list[Part]:
    """Passages laid into one text, one newline between them. Counted: nul_character."""
    found: list[Part] = []
    start = 0
    for passage in passages:
        text, pieces = _laid(passage, start)
        if "\0" in text:
            # A blank of the same width keeps every offset true.
            repairs.count("nul_character", text.count("\0"))
            text = text.replace("\0", " ")
        found.append(Part(text, pieces, annotations_of(passage)))
        start += len(text) + 1
    return found


def mentions(laid: list[Part], others: tuple[Annotation, ...], repairs: Repairs) -> list[Mention]:
    """The mentions whose text stands where they say, ordered by their spans, each once.

    others: annotations of the document itself, which may stand in any passage.
    Counted: passage_offset_recounted, mention_without_identifier, mention_without_location,
    mention_without_text, mention_text_normalised, mention_text_differs, mention_beyond_text,
    duplicate_mention.
    """
    if not others and not any(part.annotations for part in laid):
        return []
    full = "\n".join(part.text for part in laid)
    claims = list(_claims(laid, others))
    fitting = sum(_stands(claim, full) for claim in claims)
    if laid and fitting < len(claims):
        joined = list(_claims(_joined(laid), others))
        if sum(_stands(claim, full) for claim in joined) > fitting:
            repairs.count("passage_offset_recounted")
            claims = joined
    checked = (_mention(annotation, spans, full, repairs) for annotation, spans in claims)
    found = sorted((mention for mention in checked if mention is not None), key=lambda mention: mention.spans)
    distinct = list(dict.fromkeys(found))
    repairs.count("duplicate_mention", len(found) - len(distinct))
    return distinct


def _laid(passage: Passage, start: int) -> tuple[str, tuple[Piece, ...]]:
    """A passage's text, laid into ours at `start`, and the pieces it is made of."""
    if passage.text or not passage.sentences:
        text = passage.text or ""
        return text, (Piece(passage.offset, start, len(text)),)
    text = ""
    pieces: list[Piece] = []
    for sentence in passage.sentences:
        if pieces:
            gap = sentence.offset - pieces[-1].offset - pieces[-1].length
            text += " " * (gap if 0 <= gap <= 2 else 1)
        body = sentence.text or ""
        pieces.append(Piece(sentence.offset, start + len(text), len(body)))
        text += body
    return text, tuple(pieces)


def _joined(laid: list[Part]) -> list[Part]:
    """The same parts, had the file joined its passages by one character from the first one on."""
    first = laid[0].pieces[0].offset
    starts = (part.pieces[0].start for part in laid)
    return [
        Part(part.text, (Piece(first + start, start, len(part.text)),), part.annotations)
        for part, start in zip(laid, starts, strict=True)
    ]


def _claims(laid: list[Part], others: tuple[Annotation, ...]) -> Iterator[_Claim]:
    for part in laid:
        for annotation in part.annotations:
            yield annotation, _spans(annotation, part.pieces)
    if others:
        everywhere = tuple(piece for part in laid for piece in part.pieces)
        for annotation in others:
            yield annotation, _spans(annotation, everywhere)


def _spans(annotation: Annotation, pieces: tuple[Piece, ...]) -> _Spans | None:
    spans: list[tuple[int, int]] = []
    for location in annotation.locations or ():
        start = _place(location.offset, pieces)
        last = _place(location.offset + location.length - 1, pieces)
        if start is None or last is None:
            return None
        spans.append((start, last + 1))
    return tuple(sorted(spans))


def _place(offset: int, pieces: tuple[Piece, ...]) -> int | None:
    for piece in pieces:
        if piece.offset <= offset < piece.offset + piece.length:
            return piece.start + offset - piece.offset
    return None


def _stands(claim: _Claim, full: str) -> bool:
    annotation, spans = claim
    return spans is not None and _surface(spans, full) == annotation.text


def _surface(spans: _Spans, full: str) -> str:
    """What stands at the spans: their texts with a blank between them."""
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
    return Mention(spans, surface, plain(infons.get("type")), linked)
