"""A case report as both variants take it: a title, the passage's lines and the lines that give the queries.

    title    Fever after surgery
    context  Case report
             A man had post-operative fever .      entities: post-operative fever
    queries  Fever needs cultures .                entities: Fever, cultures

A line is a heading or one sentence, its tokens parted by single blanks. An entity is a range of whole tokens of one
line: a token is divided where an entity begins or ends inside it. Of nested or overlapping mentions the longest stays,
of equally long ones the leftmost. What can't be an entity is left out and counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from anagnosis.datasets.build.apart import apart
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.clicr.sections import LEFT_OUT, PASSAGE, QUERY, Piece, headings_of, query_section
from anagnosis.datasets.clicr.semantic_types import concept_of, plain_type
from anagnosis.documents.document import HEADING_PATH, Document, Mention
from anagnosis.documents.repairs import Repairs
from anagnosis.language.sentences import Splitter, splitter
from anagnosis.language.tokenizers import Tokenizer, tokenizer

LINES = "lines"  # the recipe's `sentences`: one sentence a line, as the document has them


class Entity(msgspec.Struct, frozen=True, gc=False):
    """start, end: characters of the line's text, the end exclusive, both at the edge of a token.

    type: problem, treatment or test. identifier: "" where the annotation has none.
    """

    start: int
    end: int
    type: str
    identifier: str


class Line(msgspec.Struct, frozen=True, gc=False):
    """text: tokens parted by single blanks. entities: in order, apart."""

    text: str
    entities: tuple[Entity, ...] = ()


class Report(msgspec.Struct, frozen=True, gc=False):
    """title: an empty line where the document has none. context, queries: in the order of the document."""

    id: str
    title: Line
    context: tuple[Line, ...]
    queries: tuple[Line, ...]


def report(document: Document, recipe: CliCRRecipe, repairs: Repairs) -> Report:
    """The report of a document, with everything that can't be used counted in `repairs`.

    Counted: mention_of_another_type, mention_discontinuous, mention_across_lines, mention_overlapping,
    mention_emptied; learning points, sentences and so on that are no part of the report are not counted.
    """
    pieces = list(_pieces(document, recipe))
    tokens = tokenizer(recipe.tokens)
    mentions = _by_line(_usable(document.mentions, recipe, repairs), pieces, repairs)
    title = Line("")
    context: list[Line] = []
    queries: list[Line] = []
    for place, piece in enumerate(pieces):
        if piece.part == LEFT_OUT:
            continue
        line = _line(piece, mentions.get(place, ()), tokens, repairs)
        if piece.role == "title":
            title = line
        elif line.text:
            (queries if piece.part == QUERY else context).append(line)
    return Report(document.id, title, tuple(context), tuple(queries))


def _pieces(document: Document, recipe: CliCRRecipe) -> Iterable[Piece]:
    """The title, headings and sentences, each in the part of the report that the recipe's query section gives it."""
    rule, number = query_section(recipe.query_section)
    split = None if recipe.sentences == LINES else splitter(recipe.sentences, also=(LINES,))
    paragraphs = list(_paragraphs(document, recipe.leave_out))
    if rule.sees == "paragraphs":
        return _sentences(rule.mark(paragraphs, number), split)
    return rule.mark(list(_sentences(paragraphs, split)), number)


def _paragraphs(document: Document, left_out: Sequence[str]) -> Iterator[Piece]:
    start, has_title = 0, False
    for number, section in enumerate(document.sections):
        headings = headings_of(section.title)
        part = LEFT_OUT if section.label in left_out else PASSAGE
        if section.title:
            name = headings[-1]
            begin = (
                start + section.title.rfind(HEADING_PATH) + len(HEADING_PATH) if len(headings) > 1 else start
            )
            if part == PASSAGE:
                yield Piece(begin, name, "heading", number, section.label, headings)
            start += len(section.title) + 1
        is_title = section.label == "title" and not has_title
        if is_title:
            # A title of several printed lines is one line of the report.
            has_title = True
            yield Piece(start, section.text, "title", number, section.label, headings)
        elif part == PASSAGE:
            begin = start
            for printed in section.text.split("\n"):
                if printed:
                    yield Piece(begin, printed, "text", number, section.label, headings)
                begin += len(printed) + 1
        start += len(section.text) + 1


def _sentences(paragraphs: Iterable[Piece], split: Splitter | None) -> Iterator[Piece]:
    for piece in paragraphs:
        if piece.role != "text" or split is None or piece.part == LEFT_OUT:
            yield piece
            continue
        for begin, end in split(piece.text):
            yield Piece(
                piece.start + begin,
                piece.text[begin:end],
                piece.role,
                piece.section,
                piece.label,
                piece.headings,
                piece.part,
            )


def _usable(mentions: Iterable[Mention], recipe: CliCRRecipe, repairs: Repairs) -> Iterator[Mention]:
    """The mentions of one span and of CliCR's types, which stand in place of theirs."""
    further = {plain_type(spelling): concept for spelling, concept in recipe.types.items()}
    for mention in mentions:
        concept = further.get(plain_type(mention.type)) or concept_of(mention.type)
        if concept is None:
            repairs.count("mention_of_another_type")
        elif len(mention.spans) > 1:
            repairs.count("mention_discontinuous")
        else:
            yield Mention(mention.spans, mention.text, concept, mention.identifier)


def _by_line(
    mentions: Iterable[Mention], pieces: Sequence[Piece], repairs: Repairs
) -> dict[int, list[Mention]]:
    """Place of a piece → its mentions, in order; those that cross lines are counted, those outside of all are not."""
    starts = [piece.start for piece in pieces]
    by_line: dict[int, list[Mention]] = {}
    for mention in mentions:
        place = bisect_right(starts, mention.start) - 1
        if place < 0 or mention.start >= (end := starts[place] + len(pieces[place].text)):
            continue
        if mention.end > end:
            repairs.count("mention_across_lines")
            continue
        by_line.setdefault(place, []).append(mention)
    return {place: _apart(found, repairs) for place, found in by_line.items()}


def _apart(mentions: list[Mention], repairs: Repairs) -> list[Mention]:
    mentions.sort(key=lambda mention: mention.start)
    if all(first.end <= second.start for first, second in pairwise(mentions)):
        return mentions
    return apart(mentions, repairs)


def _line(piece: Piece, mentions: Iterable[Mention], tokens: Tokenizer, repairs: Repairs) -> Line:
    """The piece's tokens, and its mentions as entities; a token is divided where a mention begins or ends in it."""
    pieces: list[str] = []
    entities: list[Entity] = []
    done, length = 0, 0
    for mention in mentions:
        begin, end = mention.start - piece.start, mention.end - piece.start
        words = tokens(piece.text[begin:end])
        if not words:
            repairs.count("mention_emptied")
            continue
        before = tokens(piece.text[done:begin])
        pieces += before
        length += sum(map(len, before)) + len(before)
        surface = " ".join(words)
        entities.append(Entity(length, length + len(surface), mention.type, mention.identifier))
        pieces.append(surface)
        length += len(surface) + 1
        done = end
    pieces += tokens(piece.text[done:])
    return Line(" ".join(pieces), tuple(entities))
