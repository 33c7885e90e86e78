"""The queries of a report, by CliCR's rules on entities as ranges of tokens, so that no letter can be lost.

    passage   "Fever after surgery\\nCase report\\nA man had fever ."     title, line end, one line each
    query     "XXXX needs cultures ."                                    its hidden text "Fever"

Source: CliCR (Šuster and Daelemans 2018), sections 3 and 3.1; function words and parentheses: section
3.3, and the published program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from anagnosis.datasets.build.screening import Screening, text_hash
from anagnosis.datasets.clicr.report import CliCRRecipe, Entity, Line, report
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, outside
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs

# What drops a report, in order; its queries by INSTANCE_RULES.
RULES = ("no_query_section", "no_passage", "no_entity_in_query_section", "no_query_left")
INSTANCE_RULES = ("reserved_word_in_text", "exact_repeat", "too_few_candidates")
HIDDEN = "dataset"  # the origin of an answer that is the hidden text

# "my", "no", "your" and "both" stay inside.
FUNCTION_WORDS = frozenset(str.split("a an the her his their this that these those its our any every some"))
_RESERVED = (PLACEHOLDER, "@placeholder", "BEG__", "__END")


class Answer(NamedTuple):
    """A name of a concept. origin: "UMLS", or the name of another vocabulary."""

    name: str
    origin: str


Names = Callable[[str], Sequence[Answer]]
"""All names of an identifier, each once, sorted."""


def add_queries(
    document: Document, recipe: CliCRRecipe, screening: Screening[ClozeColumns], names: Names
) -> str | None:
    """Gather the queries of a report in the screening's columns; the rule that drops the report, if one does."""
    repairs = screening.repairs
    whole = report(document, recipe, repairs)
    if not whole.queries:
        return "no_query_section"
    if not whole.context:
        return "no_passage"
    lines = [with_boundaries(line, repairs) for line in (whole.title, *whole.context)]
    hidden_lines = [with_boundaries(line, repairs) for line in whole.queries]
    if not any(line.entities for line in hidden_lines):
        return "no_entity_in_query_section"
    passage = "\n".join(line.text for line in lines)
    starts, ends, surfaces = array("i"), array("i"), list[str]()
    place: dict[str, int] = {}
    types: list[str] = []  # of each candidate that of its first entity, and its distinct surfaces
    written: list[dict[str, None]] = []
    candidates = array("i")
    begin = 0
    for line in lines:
        for entity in line.entities:
            starts.append(begin + entity.start)
            ends.append(begin + entity.end)
            surface = line.text[entity.start : entity.end]
            at = place.setdefault(entity_key(surface), len(place))
            if at == len(written):
                types.append(entity.type)
                written.append({})
            written[at][surface] = None
            candidates.append(at)
        begin += len(line.text) + 1
    surfaces = [list(own) for own in written]
    numbers: list[int] = []
    kept, further = 0, dict[int, int]()  # further: entities of queries alone
    for ident, line, hidden in _kept(
        document.id, hidden_lines, passage, len(lines[0].text) + 1, recipe, screening, len(place)
    ):
        if not kept:
            numbers = [screening.number(key, types[at], "") for key, at in place.items()]
        kept += 1
        other_names = names(hidden.identifier) if hidden.identifier else ()
        surface = line.text[hidden.start : hidden.end]
        given = [Answer(surface, HIDDEN), *(each for each in other_names if each.name != surface)]
        texts = [each.name for each in given]
        screening.columns.add_row(
            ident,
            document.id,
            document.facts.get("date", ""),
            passage,
            line.text[: hidden.start] + PLACEHOLDER + line.text[hidden.end :],
            right_candidate(texts, place),
            texts,
            of_answers=(
                [hidden.identifier] * len(given),
                [hidden.type] * len(given),
                [each.origin for each in given],
            ),
        )
        screening.columns.mentions.add(starts, ends, candidates)
        shift = len(PLACEHOLDER) - (hidden.end - hidden.start)
        others = [entity for entity in line.entities if entity is not hidden]
        moves = [shift if entity.start > hidden.start else 0 for entity in others]
        screening.columns.question_mentions.add(
            [entity.start + move for entity, move in zip(others, moves, strict=True)],
            [entity.end + move for entity, move in zip(others, moves, strict=True)],
            [_candidate(line, entity, place, screening, further) for entity in others],
        )
        screening.columns.candidates.add([*place], types, numbers, surfaces)
    if not kept:
        return "no_query_left"
    uses = {**dict.fromkeys(numbers, kept), **further}
    digest = text_hash(passage) if recipe.drop_repeated_text else 0
    return screening.article(document.id, digest, kept, uses, document.facts.get("date", ""), uses.values())


def _kept(
    ident: str,
    lines: Sequence[Line],
    passage: str,
    context: int,
    recipe: CliCRRecipe,
    screening: Screening[ClozeColumns],
    candidates: int,
) -> Iterator[tuple[str, Line, Entity]]:
    """(id, line, hidden entity) of the queries that no rule drops. context: where it begins in the passage."""
    is_reserved = holds_reserved_word(passage)
    every = ((line, entity) for line in lines for entity in line.entities)
    for number, (line, entity) in enumerate(every, 1):
        of_query = f"{ident}.{number}"
        if is_reserved or holds_reserved_word(line.text):
            screening.drop_instance(of_query, "reserved_word_in_text")
        elif recipe.remove_exact_repeats and is_exact_repeat(line, entity, passage[context:]):
            screening.drop_instance(of_query, "exact_repeat")
        elif candidates < recipe.minimum_candidates:
            screening.drop_instance(of_query, "too_few_candidates")
        else:
            yield of_query, line, entity


def _candidate(
    line: Line,
    entity: Entity,
    place: Mapping[str, int],
    screening: Screening[ClozeColumns],
    further: dict[int, int],
) -> int:
    """Of an entity of a query the candidate, or, `outside`, the dataset's entity that is none."""
    key = entity_key(line.text[entity.start : entity.end])
    if key in place:
        return place[key]
    number = screening.number(key, entity.type, "")
    further[number] = 0
    return outside(number)


def holds_reserved_word(text: str) -> bool:
    """Whether a text holds a word that only we, or the marks of CliCR's files, write."""
    return any(word in text for word in _RESERVED)


def with_boundaries(line: Line, repairs: Repairs) -> Line:
    """The line with its entities' boundaries moved: a function word out of the front, a parenthesis out of the end.

    Section 3. Counted: function_word_moved, parenthesis_moved. An entity that is a parenthesis stays as it is, and the
    "A" of "A*0201" is no article.
    """
    moved: list[Entity] = []
    for entity in line.entities:
        words = line.text[entity.start : entity.end].split(" ")
        start, end = entity.start, entity.end
        if len(words) > 1 and not entity.is_glued and words[0].lower() in FUNCTION_WORDS:
            repairs.count("function_word_moved")
            start += len(words.pop(0)) + 1
        inside = parenthesis_at_end(words)
        if 0 < inside < len(words):
            repairs.count("parenthesis_moved")
            end = start + len(" ".join(words[:inside]))
        moved.append(
            entity
            if (start, end) == (entity.start, entity.end)
            else Entity(start, end, entity.type, entity.identifier)
        )
    return Line(line.text, tuple(moved))


def parenthesis_at_end(words: Sequence[str]) -> int:
    """The number of words before the parenthesis that an entity ends in; all of them where none moves out.

    Only the words "(" and ")" count. An unclosed "(" moves out with all that follows. More than one of either, or words
    after the ")", leave the entity as it is. 0: the entity is a parenthesis.
    """
    opening, closing = words.count("("), words.count(")")
    if opening != 1 or closing > 1 or (closing and words[-1] != ")"):
        return len(words)
    return words.index("(")


def is_exact_repeat(line: Line, entity: Entity, context: str) -> bool:
    """Section 3: the longer side of the blank stands in the passage, as plain text; of equal ones the left side."""
    left, right = line.text[: entity.start].rstrip(), line.text[entity.end :].lstrip()
    return max(left, right, key=len) in context


@lru_cache(maxsize=1 << 16)
def entity_key(surface: str) -> str:
    """The key that surfaces of one candidate share: in lower case, the words joined by single blanks."""
    return " ".join(surface.lower().split())


def right_candidate(answers: Sequence[str], place: Mapping[str, int]) -> int | None:
    """The place of the candidate that equals the hidden text, else of the last of the other names that is one.

    That is the candidate of CliCR's training filter.

    answers: the hidden text, then the other names of its identifier. place: candidate key → index. None: no answer is
    a candidate.
    """
    hidden, *others = map(entity_key, answers)
    return next((place[key] for key in (hidden, *reversed(others)) if key in place), None)
