"""The queries of a report, by CliCR's rules on entities as ranges of tokens, so that no letter can be lost.

Source: CliCR (Šuster and Daelemans 2018), sections 3 and 3.1; function words and parentheses: section
3.3, and the published program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.datasets.build.screening import Screening
from anagnosis.datasets.clicr.questions import Marked, Query
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.clicr.report import Entity, Line, report
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs

NO_ENTITY = "no_entity_in_query_section"
RULES = ("no_query_section", "no_passage", NO_ENTITY)
"""What drops a report, in order."""

# "my", "no", "your" and "both" stay inside.
FUNCTION_WORDS = frozenset(str.split("a an the her his their this that these those its our any every some"))
_RESERVED = (PLACEHOLDER, "@placeholder", "BEG__", "__END")


def cloze(
    document: Document, recipe: CliCRRecipe, screening: Screening[ClozeColumns]
) -> tuple[Marked, list[Query]] | str:
    """The passage and the queries of a report, or the rule that drops it; queries that are dropped are counted."""
    repairs = screening.repairs
    whole = report(document, recipe, repairs)
    if not whole.queries:
        return "no_query_section"
    if not whole.context:
        return "no_passage"
    title = with_boundaries(whole.title, repairs)
    context = [with_boundaries(line, repairs) for line in whole.context]
    hidden_lines = [with_boundaries(line, repairs) for line in whole.queries]
    if not any(line.entities for line in hidden_lines):
        return NO_ENTITY
    passage = _joined([title, *context])
    is_reserved = holds_reserved_word(passage.text)
    context_text = passage.text[len(title.text) + 1 :]
    kept: list[Query] = []
    for number, (line, place) in enumerate(_entities(hidden_lines), 1):
        entity = line.entities[place]
        ident, blanked = f"{document.id}.{number}", _blanked(line, entity)
        if is_reserved or holds_reserved_word(line.text):
            screening.drop_instance(ident, "reserved_word_in_text", blanked)
        elif recipe.remove_exact_repeats and is_exact_repeat(line, entity, context_text):
            screening.drop_instance(ident, "exact_repeat", blanked)
        else:
            kept.append(_query(number, line, place))
    return passage, kept


def holds_reserved_word(text: str) -> bool:
    """Whether a text holds a word that only we, or the marks of CliCR's files, write."""
    return any(word in text for word in _RESERVED)


def with_boundaries(line: Line, repairs: Repairs) -> Line:
    """The line with its entities' boundaries moved: a function word out of the front, a parenthesis out of the end.

    Section 3. Counted: function_word_moved, parenthesis_moved. An entity that is a parenthesis stays as it is, and the
    "A" of "A*0201" is no article.
    """
    text = line.text
    moved: list[Entity] | None = None
    for place, entity in enumerate(line.entities):
        start, end = entity.start, entity.end
        blank = text.find(" ", start, end)
        if blank < 0:
            continue
        if not entity.is_glued and begins_with_function_word((text[start:blank], "")):
            repairs.count("function_word_moved")
            start = blank + 1
        if text.find("(", start, end) >= 0:
            words = text[start:end].split(" ")
            inside = parenthesis_at_end(words)
            if 0 < inside < len(words):
                repairs.count("parenthesis_moved")
                end = start + len(" ".join(words[:inside]))
        if end - start < entity.end - entity.start:
            moved = moved or list(line.entities)
            moved[place] = Entity(start, end, entity.type, entity.identifier)
    return Line(text, tuple(moved)) if moved else line


def begins_with_function_word(words: Sequence[str]) -> bool:
    """Whether the first word moves out of an entity: one of 15 words, in any case, with another word behind it."""
    return len(words) > 1 and words[0].lower() in FUNCTION_WORDS


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


def _entities(lines: Sequence[Line]) -> Iterator[tuple[Line, int]]:
    for line in lines:
        for place in range(len(line.entities)):
            yield line, place


def _joined(lines: Sequence[Line]) -> Marked:
    starts: list[int] = []
    ends: list[int] = []
    types: list[str] = []
    begin = 0
    for line in lines:
        if entities := line.entities:
            starts += [begin + entity.start for entity in entities]
            ends += [begin + entity.end for entity in entities]
            types += [entity.type for entity in entities]
        begin += len(line.text) + 1
    return Marked("\n".join(line.text for line in lines), starts, ends, types)


def _blanked(line: Line, hidden: Entity) -> str:
    return line.text[: hidden.start] + PLACEHOLDER + line.text[hidden.end :]


def _query(number: int, line: Line, place: int) -> Query:
    hidden = line.entities[place]
    shift = len(PLACEHOLDER) - (hidden.end - hidden.start)
    before, behind = line.entities[:place], line.entities[place + 1 :]
    question = Marked(
        _blanked(line, hidden),
        [*(e.start for e in before), *(e.start + shift for e in behind)],
        [*(e.end for e in before), *(e.end + shift for e in behind)],
        [*(e.type for e in before), *(e.type for e in behind)],
    )
    return Query(number, question, line.text[hidden.start : hidden.end], hidden.identifier, hidden.type)
