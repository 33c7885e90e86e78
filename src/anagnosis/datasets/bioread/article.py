"""The article as the windows see it: one text, its sentences, and the mentions that can become pseudo-tokens.

    text       "Mice lack Bmp4.
In mice, BMP4 acts."
    sentences  (0, 15), (16, 35)                 each on one side of every border of a section
    mentions   Mice → NCBITaxon:10088, Bmp4 → PR:000000165, mice → …, BMP4 → …

A mention becomes one token, so it must be one span, inside one sentence, and overlap no other. Mentions that are not
are left out and counted; of overlapping ones the longest stays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Annotated, Literal

import msgspec

from anagnosis.datasets.build.screening import without_overlaps
from anagnosis.datasets.splits import Since, SplitWeights, refuse_other_than_dates
from anagnosis.documents.document import HEADING_PATH, SENTENCE_OFFSETS, Document, Mention
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.language.sentences import Spans, splitter
from anagnosis.recipes.load import Count, Seed
from anagnosis.word_vectors.namespaces import candidate_key

GIVEN = "given"  # the recipe's `sentences`: boundaries that the document brings
_DrawnShare = Annotated[float, msgspec.Meta(gt=0, le=1)]
_Sentences = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class Entity(msgspec.Struct, frozen=True, gc=False):
    """A mention of an article's text.

    start, end: characters of the article's text. original_start: characters of the document's text. key: of its
    candidate. name: the preferred name of its concept, "" where none is known.
    """

    start: int
    end: int
    original_start: int
    key: str
    type: str
    identifier: str
    surface: str
    name: str


class Article(msgspec.Struct, frozen=True, gc=False):
    """sentences: (start, end) in characters of text, in order, apart, without white space at their ends.

    sections: for each sentence the number of its top-level section; labels: that of its section. entities: of each
    sentence, by start.
    """

    id: str
    text: str
    sentences: Sequence[tuple[int, int]]
    sections: Sequence[int]
    labels: Sequence[str]
    entities: Sequence[Sequence[Entity]]


class _Line(msgspec.Struct, frozen=True, gc=False):
    """A heading or a section's text. start: in characters of the document's text. section: the top-level one."""

    start: int
    text: str
    section: int
    label: str
    left_out: bool


def article(document: Document, recipe: BioReadRecipe, repairs: Repairs) -> Article:
    """The article of a document, with everything that can't be used counted in `repairs`."""
    lines = list(_lines(document, recipe.leave_out))
    whole = document.text
    boundaries = _given(document, whole) if recipe.sentences == GIVEN else _split(lines, recipe.sentences)
    text, moved = _rewritten(whole, lines, recipe)
    sentences: list[tuple[int, int]] = []
    sections: list[int] = []
    labels: list[str] = []
    starts = [line.start for line in lines]
    for start, end in boundaries:
        line = lines[bisect_right(starts, start) - 1]
        start, end = _stripped(text, moved[start], moved[end])
        if line.left_out:
            repairs.count("sentence_left_out_by_recipe")
        elif start < end:
            sentences.append((start, end))
            sections.append(line.section)
            labels.append(line.label)
    entities: list[list[Entity]] = [[] for _ in sentences]
    starts = [start for start, _ in sentences]
    for entity in _entities(document.mentions, text, moved, recipe, repairs):
        place = bisect_right(starts, entity.start) - 1
        if place < 0 or entity.end > sentences[place][1]:
            repairs.count("mention_across_sentences")
        else:
            entities[place].append(entity)
    return Article(document.id, text, sentences, sections, labels, entities)


def _lines(document: Document, left_out: Sequence[str]) -> Iterator[_Line]:
    start, number, before = 0, -1, None
    for section in document.sections:
        top = section.label, section.title.partition(HEADING_PATH)[0]
        is_left_out = section.label in left_out
        # A figure that is left out divides no section.
        if top != before and not is_left_out:
            number, before = number + 1, top
        for line in (section.title, section.text) if section.title else (section.text,):
            yield _Line(start, line, number, section.label, is_left_out)
            start += len(line) + 1


def _split(lines: Sequence[_Line], name: str) -> Spans:
    """(start, end) of every sentence in the document's text, each printed line apart."""
    split, found = splitter(name), Spans()
    for line in lines:
        start = line.start
        for printed in line.text.split("\n"):
            found += [(start + begin, start + end) for begin, end in split(printed)] if printed else []
            start += len(printed) + 1
    return found


def _given(document: Document, whole: str) -> Spans:
    """The boundaries of the fact SENTENCE_OFFSETS. InputError: it is missing, or no pairs of rising offsets."""
    words = document.facts.get(SENTENCE_OFFSETS, "").split()
    numbers = [int(word) for word in words if word.isdecimal()]
    rising = numbers == sorted(numbers) and numbers[-1:] <= [len(whole)]
    if not words or len(words) % 2 or len(numbers) < len(words) or not rising:
        what = f"{document.id}: its fact {SENTENCE_OFFSETS} is no pairs of rising offsets up to {len(whole)}"
        raise InputError(what, "sentences = given", "choose a splitter with --set sentences=fast")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _rewritten(whole: str, lines: Sequence[_Line], recipe: BioReadRecipe) -> tuple[str, Sequence[int]]:
    """(the text in the recipe's spelling, where each of its characters has gone; one more for the end)."""
    left_out = [line for line in lines if line.left_out]
    if not left_out and (whole.isascii() or not recipe.lower_case):
        return (whole.lower() if recipe.lower_case else whole), range(len(whole) + 1)
    pieces: list[str] = list(whole)
    if recipe.lower_case:
        pieces = [piece.lower() for piece in pieces]
    for line in left_out:
        end = min(line.start + len(line.text) + 1, len(pieces))
        pieces[line.start : end] = [""] * (end - line.start)
    return "".join(pieces), list(accumulate(map(len, pieces), initial=0))


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _entities(
    mentions: Sequence[Mention], text: str, moved: Sequence[int], recipe: BioReadRecipe, repairs: Repairs
) -> Iterator[Entity]:
    """The mentions that can become tokens, at their places in the article's text."""
    linked = [mention for mention in mentions if mention.identifier]
    whole = [mention for mention in linked if len(mention.spans) == 1]
    repairs.count("mention_unlinked_left_out", len(mentions) - len(linked))
    repairs.count("mention_discontinuous", len(linked) - len(whole))
    for mention in without_overlaps(whole, repairs):
        if mention.end >= len(moved):
            repairs.count("mention_outside_text")
            continue
        start, end = _stripped(text, moved[mention.start], moved[mention.end])
        if start == end:
            repairs.count("mention_emptied")
            continue
        key = candidate_key(mention.type, mention.identifier)
        named = mention.name.lower() if recipe.lower_case else mention.name
        yield Entity(start, end, mention.start, key, mention.type, mention.identifier, text[start:end], named)


class BioReadRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lengths are white-space tokens once entities are replaced; limits are inclusive. See recipes/bioread.toml."""

    share_of_articles: _DrawnShare = 1.0
    passage_sentences: _Sentences = 20
    maximum_passage_tokens: Count = 999
    maximum_question_tokens: Count = 300
    maximum_candidates: Count = 40
    minimum_passage_tokens: Count = 0
    minimum_question_tokens: Count = 5
    minimum_candidates: Count = 2
    sentences: str = "fast"
    lower_case: bool = True
    numbering: Literal["first-appearance", "global"] = "first-appearance"
    leave_out: tuple[str, ...] = ()
    within_sections: bool = False
    drop_visible_answer: bool = False
    drop_repeated_text: bool = False
    split: Literal["head", "document", "date"] = "document"
    split_weights: SplitWeights = SplitWeights(15_100, 600.7, 652.9)
    seed: Seed = 0
    since: Since = ""

    def __post_init__(self) -> None:
        refuse_other_than_dates(self.since)
