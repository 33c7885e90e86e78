"""A report's passage and queries as the published program makes them, with every letter that it loses.

    Fever after surgery                     →   title    BEG__Fever__END after surgery
    A man had post-operative fever .            context  A man had post- BEG__operative fever__END .
    Learning points                             query 1  @placeholder needs cultures .         Fever
    Fever needs cultures .

Where the program would stop with an exception, so does `build`, with the reason in words.

Numbers of references go at the end and at the beginning of sentences: "PV .13 , 17 Then" becomes "PV ." and "Then" on
the next line; "1 , 3 The late onset" loses its numbers. A number that the tokeniser parted goes the same way: "0 .5 mg"
becomes "0 ." and "mg". So the variant `paper` leaves all numbers in.

Marks stand at character offsets, set letter by letter. In a passage the program loses letters where entities nest or
touch; in the side of a query it marks every start and every end. Then it parts marks from words and applies the
boundary heuristics.

Source: build_queries.py, build_json_dataset.py and refine_json_dataset.py of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from anagnosis.datasets.clicr.boundaries import without_function_word, without_parenthesis
from anagnosis.datasets.clicr.marks import (
    BEGIN,
    END,
    PLACEHOLDER,
    InconsistentMarksError,
    is_consistent,
    set_marks_apart,
    words_and_entities,
)
from anagnosis.datasets.clicr.questions import is_exact_repeat
from anagnosis.datasets.clicr.report import Entity

_LEARNING_POINTS = "\nlearning point"
_AFTER_SENTENCE = re.compile(r" \.[0-9]+\s(, [0-9]+\s)*")
_BEFORE_SENTENCE = re.compile(r"^[0-9]+ (, [0-9]+ )+([A-Z])", re.MULTILINE)


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
        answer, line = query(text, (entity.start, entity.end), of_start, ends)
        yield Query(number, answer, entity.type, entity.identifier, line)


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


def passage_letters(text: str, starts: Collection[int], ends: Collection[int]) -> str:
    """The text with marks at these offsets.

    A letter where an entity begins inside another is lost, and so is one where an entity ends and none is open. An
    entity that ends where the text ends stays open.
    """
    written: list[str] = []
    last, is_open = 0, False
    for at in sorted({at for at in (*starts, *ends) if 0 <= at < len(text)}):
        written.append(text[last:at])
        begins = at in starts
        if begins is is_open:
            last = at + 1
        else:
            written.append(BEGIN if begins else END)
            is_open, last = begins, at
    return "".join((*written, text[last:]))


def side_letters(text: str, first: int, starts: Collection[int], ends: Collection[int]) -> str:
    """One side of a hidden entity with marks. first: the offset of the side's first letter in the report.

    Every start and every end gets its mark, but no end at the first letter. A start goes before an end.
    """
    written: list[str] = []
    last = 0
    for at in sorted({at - first for at in (*starts, *ends) if 0 <= at - first < len(text)}):
        if at + first in starts:
            mark = BEGIN
        elif at:
            mark = END
        else:
            continue
        written += (text[last:at], mark)
        last = at
    return "".join((*written, text[last:]))


def bounded(text: str) -> str:
    """The text with the boundary heuristics applied to its marked entities.

    InconsistentMarksError: an entity ends that never began.
    """
    text = _joined(words_and_entities(text), without_function_word)
    return _joined(words_and_entities(text), without_parenthesis)


def _joined(lines: Iterable[list[str]], rule: Callable[[str], str]) -> str:
    return "\n".join(" ".join([rule(item) if BEGIN in item else item for item in line]) for line in lines)


def query(
    text: str, span: tuple[int, int], starts: Collection[int], ends: Collection[int]
) -> tuple[str, str]:
    """(the hidden words, the line with the placeholder) of the query that hides the entity at a span.

    InconsistentMarksError: the program stops at this entity.
    """
    start, end = span
    first = text.rfind("\n", 0, start) + 1
    left = text[first:start] if first else ""
    right = text[end : text.find("\n", end)]
    if left[-1:] != " ":
        left += " "
    if right[:1] != " ":
        right = f" {right}"
    left = set_marks_apart(side_letters(left, first, starts, ends))
    right = set_marks_apart(side_letters(right, end, starts, ends))
    answer = text[start:end]
    last = left.split()[-1] if left.split() else ""
    if last.startswith(BEGIN):
        left = left.rstrip().removesuffix(last)
        answer = (last[len(BEGIN) :] + answer).partition(END)[0]
    moved_left, begin, answer = without_function_word(f"{BEGIN}{answer}{END}").partition(BEGIN)
    answer, _, moved_right = without_parenthesis(begin + answer).rpartition(END)
    answer = answer[len(BEGIN) :]
    if BEGIN in answer or END in answer:
        raise InconsistentMarksError("a mark is left in an answer")
    left, right = f"{bounded(left)} {moved_left}", f"{moved_right} {bounded(right)}"
    line = " ".join(f"{left} {PLACEHOLDER} {right}".split())
    return answer, without_citations(line)


def without_citations(text: str) -> str:
    """The text without what the program takes for numbers of references."""
    return _BEFORE_SENTENCE.sub(r"\2", _AFTER_SENTENCE.sub(" .\n", text))
