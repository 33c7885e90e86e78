"""A case report: a title, the passage's lines and the lines that give the queries.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from anagnosis.datasets.build.screening import without_overlaps
from anagnosis.datasets.clicr.sections import (
    LEFT_OUT,
    PASSAGE,
    QUERY,
    Piece,
    conclusion,
    headings_of,
    last_sentences,
    last_sentences_asked,
    learning_points,
)
from anagnosis.datasets.clicr.semantic_types import Concept, concepts
from anagnosis.datasets.splits import Since, SplitWeights, refuse_other_than_dates
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.repairs import Repairs
from anagnosis.language.sentences import Splitter, splitter
from anagnosis.language.tokenizers import Tokenizer, tokenizer
from anagnosis.recipes.load import Count, Seed

LINES = "lines"  # the recipe's `sentences`: one sentence a line, as the document has them


class CliCRRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See recipes/clicr.toml. types: further semantic types of annotations → problem, treatment or test."""

    query_section: str = "learning-points"
    sentences: str = "fast"
    tokens: str = "words"
    types: dict[str, Concept] = {}
    leave_out: tuple[str, ...] = (
        "figure",
        "table",
        "table_cells",
        "supplementary",
        "references",
        "back",
        "other abstract",
    )
    minimum_candidates: Count = 1
    remove_exact_repeats: bool = True
    drop_repeated_text: bool = False
    split: Literal["document", "head", "date"] = "document"
    split_weights: SplitWeights = SplitWeights(91_344, 6_391, 7_184)
    seed: Seed = 0
    since: Since = ""

    def __post_init__(self) -> None:
        last_sentences_asked(self.query_section)
        refuse_other_than_dates(self.since)


class Entity(msgspec.Struct, frozen=True, gc=False):
    """start, end: characters of a line's text, both at the edge of a token; end exclusive.

    type: problem, treatment or test. identifier: "" where the annotation has none. is_glued: whether the text has no
    blank behind the first token, as in "A*0201".
    """

    start: int
    end: int
    type: str
    identifier: str
    is_glued: bool = False


class Line(msgspec.Struct, frozen=True, gc=False):
    """text: tokens parted by single blanks. entities: in order, apart."""

    text: str
    entities: tuple[Entity, ...] = ()


class Report(msgspec.Struct, frozen=True, gc=False):
    """title: an empty line where the document has none. context, queries: in the order of the document."""

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
    entities = _by_line(document.mentions, recipe.types, pieces, repairs)
    title = Line("")
    context: list[Line] = []
    queries: list[Line] = []
    for place, piece in enumerate(pieces):
        if piece.part == LEFT_OUT:
            continue
        line = _line(piece, entities[place], tokens, repairs)
        if piece.role == "title":
            title = line
        elif line.text:
            (queries if piece.part == QUERY else context).append(line)
    return Report(title, tuple(context), tuple(queries))


def _pieces(document: Document, recipe: CliCRRecipe) -> Iterable[Piece]:
    """The title, headings and sentences, each in the part of the report that the recipe's query section gives it."""
    split = None if recipe.sentences == LINES else splitter(recipe.sentences, also=(LINES,))
    paragraphs = list(_paragraphs(document, recipe.leave_out))
    if number := last_sentences_asked(recipe.query_section):
        return last_sentences(list(_sentences(paragraphs, split)), number)
    rule = conclusion if recipe.query_section == "conclusion" else learning_points
    return _sentences(rule(paragraphs), split)


def _paragraphs(document: Document, left_out: Sequence[str]) -> Iterator[Piece]:
    start, has_title = 0, False
    for number, section in enumerate(document.sections):
        headings = headings_of(section.title)
        part = LEFT_OUT if section.label in left_out else PASSAGE
        if section.title:
            start += len(section.title) + 1
            if part == PASSAGE:
                begin = start - 1 - len(headings[-1])
                yield Piece(begin, headings[-1], "heading", number, section.label, headings)
        if section.label == "title" and not has_title:
            has_title = True  # of several printed lines it is one line of the report
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
            yield msgspec.structs.replace(piece, start=piece.start + begin, text=piece.text[begin:end])


def _by_line(
    mentions: Iterable[Mention], types: Mapping[str, Concept], pieces: Sequence[Piece], repairs: Repairs
) -> list[Sequence[Entity]]:
    """The mentions in each piece as entities in its characters, in order and apart, of CliCR's types.

    Those that cross lines are counted, those outside of all pieces are not.
    """
    concept_of = concepts(types)
    by_line: list[list[Entity]] = [[] for _ in pieces]
    starts = [piece.start for piece in pieces]
    lengths = [len(piece.text) for piece in pieces]
    for mention in mentions:
        concept = concept_of(mention.type)
        if concept is None:
            repairs.count("mention_of_another_type")
            continue
        if len(mention.spans) != 1:
            repairs.count("mention_discontinuous")
            continue
        ((start, end),) = mention.spans
        place = bisect_right(starts, start) - 1
        if place >= 0 and start < starts[place] + lengths[place]:
            begin = starts[place]
            if end - begin > lengths[place]:
                repairs.count("mention_across_lines")
            else:
                by_line[place].append(Entity(start - begin, end - begin, concept, mention.identifier))
    return [without_overlaps(found, repairs) for found in by_line]


def _line(piece: Piece, entities: Sequence[Entity], tokens: Tokenizer, repairs: Repairs) -> Line:
    """The piece's tokens and its entities; a token is divided where an entity begins or ends in it."""
    text = tokens(piece.text)
    if not entities:
        return Line(text)
    parts: list[str] = []
    placed: list[Entity] = []
    done, length = 0, 0
    for entity in entities:
        printed = piece.text[entity.start : entity.end].lstrip()
        surface = tokens(printed)
        if not surface:
            repairs.count("mention_emptied")
            continue
        if before := tokens(piece.text[done : entity.start]):
            parts.append(before)
            length += len(before) + 1
        is_glued = not printed[surface.find(" ")].isspace()
        placed.append(Entity(length, length + len(surface), entity.type, entity.identifier, is_glued))
        parts.append(surface)
        length += len(surface) + 1
        done = entity.end
    if after := tokens(piece.text[done:]):
        parts.append(after)
    return Line(" ".join(parts), tuple(placed))
