"""One query of the published program: an entity hidden in its line, which loses its numbers of references.

Numbers of references go at the end and at the beginning of sentences: "PV .13 , 17 Then" becomes "PV ." and "Then" on
the next line; "1 , 3 The late onset" loses its numbers. A number that the tokeniser parted goes the same way: "0 .5 mg"
becomes "0 ." and "mg". So the variant `paper` leaves all numbers in.

Marks stand at character offsets, set letter by letter. In a passage the program loses letters where entities nest or
touch; in the side of a query it marks every start and every end. `marked` then parts marks from words and applies the
boundary heuristics.

Source: mark_entities, build_query and remove_citation of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

import msgspec

from anagnosis.datasets.clicr.boundaries import without_function_word, without_parenthesis
from anagnosis.datasets.clicr.marks import (
    BEGIN,
    END,
    PLACEHOLDER,
    InconsistentMarksError,
    set_marks_apart,
    words_and_entities,
)

_AFTER_SENTENCE = re.compile(r" \.[0-9]+\s(, [0-9]+\s)*")
_BEFORE_SENTENCE = re.compile(r"^[0-9]+ (, [0-9]+ )+([A-Z])", re.MULTILINE)


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


class Query(msgspec.Struct, frozen=True, gc=False):
    """answer: the hidden words. text: the line with the placeholder."""

    answer: str
    text: str


def query(text: str, span: tuple[int, int], starts: Collection[int], ends: Collection[int]) -> Query:
    """The query that hides the entity at a span. InconsistentMarksError: the program stops at this entity."""
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
    left, answer = _joined_front(left, text[start:end])
    moved_left, answer, moved_right = _bounded(answer)
    if BEGIN in answer or END in answer:
        raise InconsistentMarksError("a mark is left in an answer")
    left, right = f"{bounded(left)} {moved_left}", f"{moved_right} {bounded(right)}"
    line = " ".join(f"{left} {PLACEHOLDER} {right}".split())
    return Query(answer, without_citations(line))


def _joined_front(left: str, answer: str) -> tuple[str, str]:
    words = left.split()
    last = words[-1] if words else ""
    if last.startswith(BEGIN):
        left = left.rstrip().removesuffix(last)
        answer = (last[len(BEGIN) :] + answer).partition(END)[0]
    return left, answer


def _bounded(answer: str) -> tuple[str, str, str]:
    before, begin, entity = without_function_word(f"{BEGIN}{answer}{END}").partition(BEGIN)
    entity, _, behind = without_parenthesis(begin + entity).rpartition(END)
    return before, entity[len(BEGIN) :], behind


def without_citations(text: str) -> str:
    """The text without what the program takes for numbers of references."""
    return _BEFORE_SENTENCE.sub(r"\2", _AFTER_SENTENCE.sub(" .\n", text))
