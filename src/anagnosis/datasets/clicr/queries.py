"""One query of the published program: an entity hidden in its line, which loses its numbers of references.

Numbers of references go at the end and at the beginning of sentences: "PV .13 , 17 Then" becomes "PV ." and "Then" on
the next line; "1 , 3 The late onset" loses its numbers. A number that the tokeniser parted goes the same way: "0 .5 mg"
becomes "0 ." and "mg". So the variant `paper` leaves all numbers in.

Source: build_query and remove_citation of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

import re
from collections.abc import Collection

import msgspec

from anagnosis.datasets.clicr.boundaries import without_function_word, without_parenthesis
from anagnosis.datasets.clicr.letters import bounded, side_letters
from anagnosis.datasets.clicr.marks import BEGIN, END, PLACEHOLDER, InconsistentMarksError, set_marks_apart

_AFTER_SENTENCE = re.compile(r" \.[0-9]+\s(, [0-9]+\s)*")
_BEFORE_SENTENCE = re.compile(r"^[0-9]+ (, [0-9]+ )+([A-Z])", re.MULTILINE)


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
