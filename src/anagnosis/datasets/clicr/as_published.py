"""A report's passage and queries as the published program makes them, with every letter that it loses.

    Fever after surgery                     →   title    BEG__Fever__END after surgery
    A man had post-operative fever .            context  A man had post- BEG__operative fever__END .
    Learning points                             query 1  @placeholder needs cultures .         Fever
    Fever needs cultures .

Where the program would stop with an exception, so does `build`, with the reason in words.

Source: build_queries.py, build_json_dataset.py and refine_json_dataset.py of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec

from anagnosis.datasets.clicr.marks import InconsistentMarksError, is_consistent, set_marks_apart
from anagnosis.datasets.clicr.queries import bounded, passage_letters, query, without_citations
from anagnosis.datasets.clicr.questions import is_exact_repeat
from anagnosis.datasets.clicr.report import Entity

_LEARNING_POINTS = "\nlearning point"


class StopsError(Exception):
    """A report at which the published program stops; the message says why."""


class Query(msgspec.Struct, frozen=True, gc=False):
    """number: in the report, from 1; a dropped query keeps its number. text: its line with "@placeholder"."""

    number: int
    answer: str
    type: str
    identifier: str
    text: str


class Report(msgspec.Struct, frozen=True, gc=False):
    """Marked text. queries: those with consistent marks; inconsistent: the others."""

    title: str
    context: str
    queries: tuple[Query, ...]
    inconsistent: tuple[Query, ...] = ()


def build(text: str, entities: Iterable[Entity]) -> Report | None:
    """The report's title, context and queries; None where the marks of its passage are inconsistent.

    text: the title, then one tokenised sentence a line, then learning points. Of two entities with one start the later
    counts. StopsError: the program stops.
    """
    of_start = {entity.start: entity for entity in entities}
    ends = {entity.end for entity in of_start.values()}
    if len(ends) < len(of_start):
        raise StopsError("two entities end at the same letter")
    try:
        marked = passage(text, of_start, ends)
        made = list(queries(text, of_start, ends))
    except InconsistentMarksError as fault:
        raise StopsError(str(fault)) from fault
    if not is_consistent(marked):
        return None
    title, context = title_and_context(marked)
    kept = tuple(each for each in made if is_consistent(each.text))
    return Report(title, context, kept, tuple(each for each in made if not is_consistent(each.text)))


def passage(text: str, starts: Collection[int], ends: Collection[int]) -> str:
    """The marked text before the learning points; without them all but the last character.

    The place is that in the lower-cased text, which may have more characters than the text.
    """
    letters = passage_letters(text[: _learning_points(text)], starts, ends)
    return without_citations(bounded(set_marks_apart(letters)))


def queries(text: str, of_start: dict[int, Entity], ends: Collection[int]) -> Iterator[Query]:
    """A query for each entity behind the first letter of the learning points, in order; marks may be inconsistent.

    of_start: the entities by their start. InconsistentMarksError: the program stops at one.
    """
    _, begin = parts(text)
    hidden = [of_start[start] for start in sorted(of_start) if begin is not None and start >= begin]
    for number, entity in enumerate(hidden, 1):
        made = query(text, (entity.start, entity.end), of_start, ends)
        yield Query(number, made.answer, entity.type, entity.identifier, made.text)


def parts(text: str) -> tuple[int, int | None]:
    """Where the passage ends, and from which character on entities give queries, or None: none does.

    A text without learning points gives queries from its second character on, unless it ends in a line end.
    """
    place = _learning_points(text)
    if place < 0:
        return len(text) - 1, None if text.endswith("\n") else 1
    # The heading's first letter is the one place there where an entity gives no query.
    return place, place + 2


def title_and_context(marked: str) -> tuple[str, str]:
    """The first line and the others. StopsError: there is one line only."""
    title, newline, context = marked.partition("\n")
    if not newline:
        raise StopsError("no context: its passage has one line")
    return title.strip(), context.strip()


def without_exact_repeats(report: Report) -> tuple[Query, ...]:
    """The queries that the context doesn't repeat. StopsError: an answer is empty."""
    if not all(each.answer for each in report.queries):
        raise StopsError("an answer is empty: an entity that is a parenthesis is hidden")
    return tuple(each for each in report.queries if not is_exact_repeat(each.text, report.context))


def _learning_points(text: str) -> int:
    return text.lower().find(_LEARNING_POINTS)
