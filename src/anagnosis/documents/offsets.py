"""Offsets as a file counts them, turned into offsets of the document's text.

A document's convention has two parts: the unit (characters, UTF-16 units, bytes of UTF-8) and the joint (how many
characters stand between two passages). Files do not say which they have, so the mentions of a document decide, all of
them together: the convention wins by which most find their text. A tie takes characters, and one character between.
Other documents have no say, so any blocks give the same mentions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, compress, product
from operator import attrgetter
from typing import NamedTuple

from anagnosis.documents.text import is_normalised

# Unit → the code points above which a character has one unit more. The first units and joints win a tie.
_UNITS = {"characters": (), "utf16": (0xFFFF,), "bytes": (0x7F, 0x7FF, 0xFFFF)}
_DECLARED = -1  # a joint: the file gives the places of its passages
_OFFSET = attrgetter("offset")
# The text at a mention's place is at most so many times as long as the mention's, so that a check takes bounded time.
_LONGER = 8
COUNTED = (
    "offsets_in_utf16", "offsets_in_bytes", "abstract_offset_0", "abstract_offset_2", "passage_offset_recounted",
    "origin_shifted", "offsets_fit_nowhere",
)  # fmt: skip

Spans = tuple[tuple[int, int], ...]


class Segment(NamedTuple):
    """Characters that are contiguous in the file's text (from `offset`) and in the document's (from `start`)."""

    offset: int
    start: int
    length: int


class Claim(NamedTuple):
    """A mention as a file gives it. text: "" where the file has none. passage: number of the one that it names."""

    spans: Spans
    text: str
    passage: int | None = None


class Place(NamedTuple):
    """Where a claim stands. spans: in the document's text; None if there is no such place.

    agreement: 2 if the claim's text stands there, 1 if it does after normalisation, 0 if it does not, or has none.
    """

    spans: Spans | None
    agreement: int


class _Piece(NamedTuple):
    """A segment in the unit of a file. edges: offset inside it → character; None where the two are the same."""

    offset: int
    start: int
    length: int
    edges: dict[int, int] | None


def places(
    claims: Sequence[Claim],
    texts: Sequence[str],
    counts: Counter[str],
    *,
    declared: Sequence[Sequence[Segment]] = (),
    origins: Sequence[int] = (0,),
) -> list[Place]:
    """The place of each claim, by the convention that fits most of them.

    texts: the passages, which the document's text joins by one newline. declared: the segments of each, where the file
    gives their offsets. origins: the numbers that the first character may have. Claims without text say only whether
    they lie in the text, and only where all else is equal.

    Counted, by document: the names in COUNTED.
    """
    if not claims:
        return []
    text = "\n".join(texts)
    several = len(texts) > 1
    units = [unit for unit, above in _UNITS.items() if not above or ord(max(text, default=" ")) > above[0]]
    joints = (*[_DECLARED] * bool(declared), 1, *(0, 2) * several)
    best, most, chosen = list[Place](), (-1, 0, 0), ("", 0, 0)
    for unit, joint, origin in product(units, joints, origins):
        pieces = _pieces(texts, declared, unit, joint, origin)
        every = sorted(chain.from_iterable(pieces), key=_OFFSET)
        found = [
            _place(claim, every if claim.passage is None else pieces[claim.passage], text) for claim in claims
        ]
        agreements = [place.agreement for place in found]
        inside = sum(place.spans is not None for place, claim in zip(found, claims) if not claim.text)
        fits = len(claims) - agreements.count(0), agreements.count(2), inside
        if fits > most:
            best, most, chosen = found, fits, (unit, joint, origin)
        if fits[1] == len(claims):
            break
    unit, joint, origin = chosen
    border = len(texts[0]) if several else 0
    behind = [
        place.agreement
        for place, claim in zip(best, claims)
        if claim.text and any(end > border for _, end in claim.spans)
    ]
    applies = (
        unit == "utf16", unit == "bytes", joint == 0, joint == 2, bool(declared) and joint >= 0, origin > 0,
        bool(behind) and not any(behind),
    )  # fmt: skip
    counts.update(compress(COUNTED, applies))
    return best


def _pieces(
    texts: Sequence[str], declared: Sequence[Sequence[Segment]], unit: str, joint: int, origin: int
) -> list[list[_Piece]]:
    """The pieces of each passage, in the order of their offsets."""
    pieces: list[list[_Piece]] = []
    if joint == _DECLARED:
        text = "\n".join(texts)
        for segments in declared:
            of_passage = (
                _Piece(at + origin, start, *_edges(text[start : start + n], unit))
                for at, start, n in segments
            )
            pieces.append(sorted(of_passage, key=_OFFSET))
        return pieces
    start, offset = 0, origin + (declared[0][0].offset if declared else 0)
    for number, passage in enumerate(texts, 1):
        # A mention of two passages has the line end between them.
        length, edges = _edges(f"{passage}\n" if joint and number < len(texts) else passage, unit)
        pieces.append([_Piece(offset, start, length, edges)])
        start += len(passage) + 1
        offset += length + max(0, joint - 1)
    return pieces


def _edges(text: str, unit: str) -> tuple[int, dict[int, int] | None]:
    """The length in the unit, and the edges of a piece."""
    above = _UNITS[unit]
    if not above or ord(max(text, default=" ")) <= above[0]:
        return len(text), None
    units = list(accumulate((1 + bisect_left(above, ord(sign)) for sign in text), initial=0))
    return units[-1], {unit: number for number, unit in enumerate(units)}


def _place(claim: Claim, pieces: Sequence[_Piece], text: str) -> Place:
    spans = _mapped(claim.spans, pieces)
    return Place(spans, _agreement(claim.text, spans, text) if spans and claim.text else 0)


def _mapped(spans: Spans, pieces: Sequence[_Piece]) -> Spans | None:
    """The spans in the document's text, None if one of them is none."""
    mapped: list[tuple[int, int]] = []
    for start, end in spans:
        first = _at(start, pieces, bisect_right)
        # The place before which a character ends.
        last = _at(end, pieces, bisect_left)
        if first is None or last is None or first >= last:
            return None
        mapped.append((first, last))
    return tuple(mapped) or None


def _at(offset: int, pieces: Sequence[_Piece], bisect: Callable[..., int]) -> int | None:
    """The character that begins at the offset (bisect_right), or the one behind which it lies (bisect_left)."""
    number = bisect(pieces, offset, key=_OFFSET)
    piece = pieces[number - 1]
    local = offset - piece.offset
    if not number or local > piece.length:
        return None
    if piece.edges is None:
        return piece.start + local
    # An offset may also lie inside of a character.
    edge = piece.edges.get(local)
    return None if edge is None else piece.start + edge


def _agreement(surface: str, spans: Spans, text: str) -> int:
    """See `Place`. Of several spans the surface may also be all the text from the first to the last."""
    if sum(end - start for start, end in spans) > _LONGER * len(surface):
        return 0
    words = [text[start:end] for start, end in spans]
    joined = " ".join(words)
    if surface == joined:
        return 2
    begin, last = min(spans)[0], max(end for _, end in spans)
    outline = text[begin:last] if last - begin <= _LONGER * len(surface) else ""
    if surface == outline:
        return 1
    if any(word != word.strip() for word in words):
        return 0
    return int(is_normalised(surface, joined) or (outline != joined and is_normalised(surface, outline)))
