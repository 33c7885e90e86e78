"""The queries of a report, by CliCR's rules on entities as ranges of tokens, so that no letter can be lost.

    passage   "Fever after surgery\\nCase report\\nA man had fever ."     title, line end, one line each
    query     "XXXX needs cultures ."                                    its hidden text "Fever"

Source: CliCR (Šuster and Daelemans 2018), sections 3 and 3.1; function words and parentheses: section
3.3, and the published program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from anagnosis.datasets.build.screening import Screening, text_hash
from anagnosis.datasets.clicr.report import CliCRRecipe, Entity, Line, report
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs

# What drops a report, in order; its queries by INSTANCE_RULES.
RULES = ("no_query_section", "no_passage", "no_entity_in_query_section", "no_query_left")
INSTANCE_RULES = ("reserved_word_in_text", "exact_repeat", "too_few_candidates")
HIDDEN = "dataset"  # the origin of an answer that is the hidden text

# "my", "no", "your" and "both" stay inside.
FUNCTION_WORDS = frozenset(str.split("a an the her his their this that these those its our any every some"))
_RESERVED = (PLACEHOLDER, "@placeholder", "BEG__", "__END")


Names = Callable[[str], Sequence[tuple[str, str]]]
"""All names of an identifier, each once, sorted, and where each is from: "UMLS", or another vocabulary's name."""


def add_queries(document: Document, recipe: CliCRRecipe, screening: Screening, names: Names) -> str | None:
    """Gather the queries of a report in the screening's columns; the rule that drops the report, if one does."""
    whole = report(document, recipe, screening.repairs)
    if not whole.queries:
        return "no_query_section"
    if not whole.context:
        return "no_passage"
    lines = [with_boundaries(line, screening.repairs) for line in (whole.title, *whole.context)]
    asked = [with_boundaries(line, screening.repairs) for line in whole.queries]
    if not any(line.entities for line in asked):
        return "no_entity_in_query_section"
    passage, date = "\n".join(line.text for line in lines), document.facts.get("date", "")
    starts, ends, candidates = array("i"), array("i"), array("i")
    place: dict[str, int] = {}
    types: list[str] = []  # of each candidate that of its first entity, and its distinct surfaces
    written: list[dict[str, None]] = []
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
    is_reserved, context = holds_reserved_word(passage), passage[len(lines[0].text) + 1 :]
    kept, numbers = 0, list[int]()
    every = [(line, entity) for line in asked for entity in line.entities]
    for number, (line, hidden) in enumerate(every, 1):
        ident = f"{document.id}.{number}"
        if is_reserved or holds_reserved_word(line.text):
            screening.drop_instances("reserved_word_in_text")
            continue
        if recipe.remove_exact_repeats and is_exact_repeat(line, hidden, context):
            screening.drop_instances("exact_repeat")
            continue
        if len(place) < recipe.minimum_candidates:
            screening.drop_instances("too_few_candidates")
            continue
        if not kept:
            numbers = [screening.number(key, types[at], "") for key, at in place.items()]
        kept += 1
        surface = line.text[hidden.start : hidden.end]
        other_names = names(hidden.identifier) if hidden.identifier else ()
        given = [(surface, HIDDEN), *(each for each in other_names if each[0] != surface)]
        texts, origins = [text for text, _ in given], [origin for _, origin in given]
        others = [
            (entity.start, entity.end, screening.candidate(key, entity.type, "", place))
            for entity in line.entities
            if entity is not hidden
            for key in (entity_key(line.text[entity.start : entity.end]),)
        ]
        screening.columns.add_question(
            ident,
            document.id,
            date,
            passage,
            (starts, ends, candidates),
            line.text,
            (hidden.start, hidden.end),
            others,
            ([*place], types, numbers, surfaces),
            right_candidate(texts, place),
            texts,
            of_answers=([hidden.identifier] * len(given), [hidden.type] * len(given), origins),
        )
    if not kept:
        return "no_query_left"
    digest = text_hash(passage) if recipe.drop_repeated_text else 0
    return screening.article(document.id, digest, kept, date)


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
