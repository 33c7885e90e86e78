"""The variant `as-published`: the published program's marked text, stored as passage, queries and spans.

With one sentence a line (`sentences = "lines"`) the program gets the document's text. Of its own formats (clicr-report,
ctakes-xcas) the text stays as it is. Other texts get a line end behind them: without it a text without learning points
would give queries of all its entities. With other sentences the program gets a text that we write from the report:
title, lines, "Learning points", query lines. Mentions are those of problems, treatments and tests.
"""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.build.screening import Screening
from anagnosis.datasets.clicr import as_published
from anagnosis.datasets.clicr.as_published import StopsError
from anagnosis.datasets.clicr.marks import PLACEHOLDER as MARKED_PLACEHOLDER
from anagnosis.datasets.clicr.marks import without_marks
from anagnosis.datasets.clicr.questions import Marked, Query, RefusedReportError
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.clicr.report import LINES, Line, Sizes, report
from anagnosis.datasets.clicr.semantic_types import concepts
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.documents.document import Document
from anagnosis.documents.formats.clicr_report import PROGRAM_INPUT
from anagnosis.documents.repairs import Repairs

STOPS = "the published program stops here"
INCONSISTENT_MARKS = "inconsistent_marks"
"""The rule of a report whose passage the program leaves out for its marks."""
RULES = ("no_query_section", INCONSISTENT_MARKS)
"""What drops a report, in order."""

_HEADING = "Learning points"


def cloze(
    document: Document, recipe: CliCRRecipe, screening: Screening[ClozeColumns]
) -> tuple[Marked, list[Query]] | str:
    """The passage and the queries of a report, or the rule that drops it.

    RefusedReportError: the program stops at the report; the reason begins with STOPS.
    """
    text, entities = program_input(document, recipe, screening.repairs)
    try:
        made = as_published.build(text, entities)
        if as_published.parts(text)[1] is None:
            return "no_query_section"
        if made is None:
            return INCONSISTENT_MARKS

        def drop(query: as_published.Query, rule: str) -> None:
            screening.drop_instance(f"{document.id}.{query.number}", rule, query.text)

        for each in made.inconsistent:
            drop(each, "inconsistent_marks_in_query")
        kept = made.queries
        if recipe.remove_exact_repeats:
            kept = as_published.without_exact_repeats(made)
            numbers = {each.number for each in kept}
            for each in made.queries:
                if each.number not in numbers:
                    drop(each, "exact_repeat")
    except StopsError as fault:
        raise RefusedReportError(f"{STOPS}: {fault}") from fault
    queries: list[Query] = []
    for each in kept:
        if PLACEHOLDER in each.text or each.text.count(MARKED_PLACEHOLDER) > 1:
            drop(each, "reserved_word_in_text")
            continue
        question = _unmarked(each.text.replace(MARKED_PLACEHOLDER, PLACEHOLDER))
        queries.append(Query(each.number, question, each.answer, each.identifier, each.type))
    return _unmarked(f"{made.title}\n{made.context}"), queries


def sizes(document: Document, recipe: CliCRRecipe) -> Sizes:
    """As the program parts the report; the title and the heading of the learning points are no lines of theirs."""
    text, entities = program_input(document, recipe, Repairs())
    end, begin = as_published.parts(text)
    return Sizes(
        _further_lines(text[:end]),
        0 if begin is None else _further_lines(text[begin:]),
        sum(entity.start < end for entity in entities),
        0 if begin is None else sum(entity.start >= begin for entity in entities),
    )


def program_input(
    document: Document, recipe: CliCRRecipe, repairs: Repairs
) -> tuple[str, list[as_published.Entity]]:
    """The text that the program reads, and its annotations.

    Counted: what `report` counts; with one sentence a line mention_of_another_type and mention_discontinuous.
    """
    if recipe.sentences != LINES:
        whole = report(document, recipe, repairs)
        return _written([whole.title, *whole.context], whole.queries)
    text = document.text
    if not (text.endswith("\n") or document.facts.items() >= PROGRAM_INPUT.items()):
        text += "\n"
    entities: list[as_published.Entity] = []
    concept = concepts(recipe.types)
    for mention in document.mentions:
        semantic_type = concept(mention.type)
        if semantic_type is None:
            repairs.count("mention_of_another_type")
            continue
        if len(mention.spans) > 1:
            repairs.count("mention_discontinuous")
            continue
        entities.append(as_published.Entity(mention.start, mention.end, semantic_type, mention.identifier))
    return text, entities


def _further_lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.split("\n")[1:])


def _written(passage: list[Line], queries: tuple[Line, ...]) -> tuple[str, list[as_published.Entity]]:
    lines = [*passage, *((Line(_HEADING), *queries) if queries else ())]
    return "".join(f"{line.text}\n" for line in lines), list(_placed(lines))


def _placed(lines: list[Line]) -> Iterator[as_published.Entity]:
    begin = 0
    for line in lines:
        for each in line.entities:
            yield as_published.Entity(begin + each.start, begin + each.end, each.type, each.identifier)
        begin += len(line.text) + 1


def _unmarked(text: str) -> Marked:
    plain, spans = without_marks(text)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    return Marked(plain, starts, ends, [""] * len(spans))
