"""One query of the published program: an entity hidden in its line.

Source: build_query of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from anagnosis.datasets.clicr.boundaries import without_function_word, without_parenthesis
from anagnosis.datasets.clicr.citations import without_citations
from anagnosis.datasets.clicr.letters import bounded, side_letters
from anagnosis.datasets.clicr.marks import BEGIN, END, PLACEHOLDER, InconsistentMarksError, set_marks_apart


class Query(msgspec.Struct, frozen=True, gc=False):
    """answer: the hidden words. text: the line with the placeholder."""

    answer: str
    text: str


def query(
    text: str, span: tuple[int, int], starts: Collection[int], ends: Collection[int], *, mark: bool = True
) -> Query:
    """The query that hides the entity at a span. mark: whether other entities of the line are marked.

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
    answer = text[start:end]
    if mark:
        left = set_marks_apart(side_letters(left, first, starts, ends))
        right = set_marks_apart(side_letters(right, end, starts, ends))
        left, answer = _joined_front(left, answer)
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
