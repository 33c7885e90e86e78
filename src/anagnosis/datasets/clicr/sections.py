"""The part of a report that gives the queries: its learning points, its conclusion, or its last sentences.

A rule gets the report's lines in order and gives them back with `part` set: QUERY for the lines that are hidden from
the passage and asked about, LEFT_OUT for their headings, PASSAGE for all others. The rules of `SECTIONS` that look at
headings see whole paragraphs; the others see sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

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


class QuerySection(NamedTuple):
    """A rule. sees: what its pieces are. takes_number: whether the recipe says how many: `last-sentences(3)`."""

    mark: Callable[[Sequence[Piece], int], list[Piece]]
    sees: Literal["paragraphs", "sentences"]
    takes_number: bool = False


# Headings of what readers should remember: "Learning points", and those of journals of case reports in PMC. "Key
# messages" are boxes of research articles.
_POINTS = r"(?:learning|key|teaching) points?|(?:clinical|take[- ]home) messages?"
_POINTS_HEADING = re.compile(rf"\W*(?:{_POINTS})\b", re.IGNORECASE)
# Inside a section, a line of its own with at most six further words, or the beginning of a line up to a colon.
_POINTS_LINE = re.compile(rf"\W*(?:{_POINTS})(?:\s+\w+){{0,6}}\s*(?::\s*(?P<points>.*))?\Z", re.IGNORECASE)
_CONCLUSION = re.compile(r"CONCLU", re.IGNORECASE)  # also "Discussion and conclusions", "4. Conclusion"
_CALLED = re.compile(r"(?P<name>[a-z-]+)(?:\((?P<number>[1-9][0-9]{0,2})\))?\Z")


def learning_points(paragraphs: Sequence[Piece], number: int) -> list[Piece]:
    """Section 3.1: sections called "Learning points" or alike; also a list that begins so inside another section."""
    marked: list[Piece] = []
    inside = -1  # the section of a list that has begun
    for piece in paragraphs:
        is_points = bool(piece.headings) and _POINTS_HEADING.match(piece.headings[-1]) is not None
        if is_points or piece.section == inside:
            marked.append(_hidden(piece))
        elif piece.role == "text" and (line := _POINTS_LINE.match(piece.text)) is not None:
            if line["points"]:
                begin = line.start("points")
                marked.append(msgspec.structs.replace(piece, text=piece.text[:begin], part=LEFT_OUT))
                marked.append(
                    msgspec.structs.replace(
                        piece, start=piece.start + begin, text=piece.text[begin:], part=QUERY
                    )
                )
            else:
                marked.append(msgspec.structs.replace(piece, part=LEFT_OUT))
                inside = piece.section
        else:
            marked.append(piece)
    return marked


def conclusion(paragraphs: Sequence[Piece], number: int) -> list[Piece]:
    """Sections whose heading has "conclusion"; those of the abstract where the report is no more than an abstract."""
    has_body = any(piece.label == "body" for piece in paragraphs)
    return [
        _hidden(piece)
        if piece.headings
        and _CONCLUSION.search(piece.headings[-1])
        and (piece.label != "abstract" or not has_body)
        else piece
        for piece in paragraphs
    ]


def last_sentences(sentences: Sequence[Piece], number: int) -> list[Piece]:
    """The last `number` sentences of the report, headings not counted."""
    texts = [place for place, piece in enumerate(sentences) if piece.role == "text"]
    last = frozenset(texts[-number:])
    return [_hidden(piece) if place in last else piece for place, piece in enumerate(sentences)]


SECTIONS = {
    "learning-points": QuerySection(learning_points, "paragraphs"),
    "conclusion": QuerySection(conclusion, "paragraphs"),
    "last-sentences": QuerySection(last_sentences, "sentences", takes_number=True),
}


def query_section(written: str) -> tuple[QuerySection, int]:
    """The rule that a recipe names, with its number (0 for none). ValueError: it names none."""
    called = _CALLED.match(written)
    rule = SECTIONS.get(called["name"]) if called else None
    if called is None or rule is None or rule.takes_number is (called["number"] is None):
        known = ", ".join(f"{name}(N)" if each.takes_number else name for name, each in SECTIONS.items())
        raise ValueError(f"query_section: {written!r} is none of {known}")
    return rule, int(called["number"] or 0)


def headings_of(title: str) -> tuple[str, ...]:
    """The headings in a section's title, the outermost first."""
    return tuple(title.split(HEADING_PATH)) if title else ()


def _hidden(piece: Piece) -> Piece:
    return msgspec.structs.replace(piece, part=QUERY if piece.role == "text" else LEFT_OUT)
