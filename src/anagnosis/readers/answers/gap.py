"""An expert's question with a gap, XXXX, for a reader of cloze questions (the thesis, section 4.2.1).

end          What is the target of gefitinib? XXXX       as in the thesis
start        XXXX What is the target of gefitinib?       "inferior results" in the thesis
statement    The target of gefitinib is XXXX.            by the rules of language/statements.py; "end" where none fits
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from anagnosis.language.statements import GAP, statement

Gap = Literal["end", "start", "statement"]


class GapQuestion(NamedTuple):
    """A question with one GAP. gap: its offset in the text, in characters."""

    text: str
    gap: int


def at_end(question: str) -> GapQuestion:
    text = f"{question.rstrip()} "
    return GapQuestion(text + GAP, len(text))


def at_start(question: str) -> GapQuestion:
    return GapQuestion(f"{GAP} {question.lstrip()}", 0)


def in_statement(question: str) -> GapQuestion:
    made = statement(question)
    return GapQuestion(made.text, made.gap)


GAPS: dict[Gap, Callable[[str], GapQuestion]] = {"end": at_end, "start": at_start, "statement": in_statement}


def with_gap(question: str, gap: Gap) -> GapQuestion:
    """The question with a gap at that place."""
    return GAPS[gap](question)
