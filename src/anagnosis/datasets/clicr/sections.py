"""The part of a report that gives the queries: its learning points, its conclusion, or its last sentences.

A rule gets the report's lines in order and gives them back with `part` set: QUERY for the lines that are hidden from
the passage and asked about, LEFT_OUT for their headings, PASSAGE for all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from anagnosis.documents.document import HEADING_PATH

PASSAGE, QUERY, LEFT_OUT = "passage", "query", "left out"


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A paragraph or a sentence. start: in characters of the document's text.

    role: title, heading or text. section: its number. label, headings: of its section, the outermost heading first.
    """

    start: int
    text: str
    role: Literal["title", "heading", "text"]
    section: int
    label: str
    headings: tuple[str, ...]
    part: str = PASSAGE


# Headings of what readers should remember: "Learning points", and those of journals of case reports in PMC. "Key
# messages" are boxes of research articles.
_POINTS = r"(?:learning|key|teaching) points?|(?:clinical|take[- ]home) messages?"
_POINTS_HEADING = re.compile(rf"\W*(?:{_POINTS})\b", re.IGNORECASE)
# Inside a section, a line of its own with at most six further words, or the beginning of a line up to a colon.
_POINTS_LINE = re.compile(rf"\W*(?:{_POINTS})(?:\s+\w+){{0,6}}\s*(?::\s*(?P<points>.*))?\Z", re.IGNORECASE)
_CONCLUSION = re.compile(r"CONCLU", re.IGNORECASE)  # also "Discussion and conclusions", "4. Conclusion"
_WRITTEN = re.compile(r"learning-points|conclusion|last-sentences\(([1-9][0-9]{0,2})\)")


def learning_points(paragraphs: Sequence[Piece]) -> list[Piece]:
    """Section 3.1: sections called "Learning points" or alike; also a list that begins so inside another section."""
    marked: list[Piece] = []
    inside = -1  # the section of a list that has begun
    for piece in paragraphs:
        is_points = bool(piece.headings) and _POINTS_HEADING.match(piece.headings[-1]) is not None
        if is_points or piece.section == inside:
            marked.append(_hidden(piece))
        elif piece.role == "text" and (line := _POINTS_LINE.match(piece.text)) is not None:
            begin = line.start("points") if line["points"] else len(piece.text)
            marked.append(msgspec.structs.replace(piece, text=piece.text[:begin], part=LEFT_OUT))
            if points := piece.text[begin:]:
                start = piece.start + begin
                marked.append(msgspec.structs.replace(piece, start=start, text=points, part=QUERY))
            else:
                inside = piece.section
        else:
            marked.append(piece)
    return marked


def conclusion(paragraphs: Sequence[Piece]) -> list[Piece]:
    """Sections whose heading has "conclusion"; those of the abstract where the report is no more than an abstract."""
    has_body = any(piece.label == "body" for piece in paragraphs)

    def is_conclusion(piece: Piece) -> bool:
        heading = piece.headings[-1] if piece.headings else ""
        return bool(_CONCLUSION.search(heading)) and (piece.label != "abstract" or not has_body)

    return [_hidden(piece) if is_conclusion(piece) else piece for piece in paragraphs]


def last_sentences(sentences: Sequence[Piece], number: int) -> list[Piece]:
    """The last `number` sentences of the report, headings not counted."""
    last = [place for place, piece in enumerate(sentences) if piece.role == "text"][-number:]
    return [_hidden(piece) if place in last else piece for place, piece in enumerate(sentences)]


def last_sentences_asked(written: str) -> int:
    """N of a recipe's `last-sentences(N)`, 0 of the other rules. ValueError: it names none."""
    called = _WRITTEN.fullmatch(written)
    if called is None:
        known = "learning-points, conclusion, last-sentences(N)"
        raise ValueError(f"query_section: {written!r} is none of {known}")
    return int(called[1] or 0)


def headings_of(title: str) -> tuple[str, ...]:
    """The headings in a section's title, the outermost first."""
    return tuple(title.split(HEADING_PATH)) if title else ()


def _hidden(piece: Piece) -> Piece:
    return msgspec.structs.replace(piece, part=QUERY if piece.role == "text" else LEFT_OUT)
