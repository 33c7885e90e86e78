"""Choose the files of BioASQ to train and to measure a reader of question types on, and measure it beside the rules.

The newest editions measure it, the older ones train it. Editions from FIRST_HELD_OUT on, and files whose name
has no edition, do neither, as with names (name_fitting.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from anagnosis.datasets.bioasq.held_out import edition_of, may_train
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.errors import InputError
from anagnosis.language.question_kinds import kind_of_question
from anagnosis.searching.fit.held_out import DIGITS, difference, newest_editions
from anagnosis.searching.records.reader_figures import QuestionTypeFigures

FEWEST = 100  # questions with a type


class Parts(NamedTuple):
    """Names of files. newest: measure the reader. apart: stay outside. All others train it."""

    newest: frozenset[str]
    apart: frozenset[str]


def parts(questions: Iterable[QuestionInstance]) -> Parts:
    """The parts of the questions' files: the newest editions measure (held_out.py)."""
    every = list(questions)
    apart = frozenset(one.file for one in every if not may_train(one.file))
    editions = newest_editions(one for one in every if one.file not in apart)
    newest = frozenset(one.file for one in every if edition_of(one.file) in editions)
    return Parts(newest - apart, apart)


def measured(
    questions: Sequence[QuestionInstance], reader: Callable[[str], str], data: str, date: str
) -> QuestionTypeFigures:
    """The figures of a reader. InputError: fewer than FEWEST questions have a type."""
    typed = [one for one in questions if one.type]
    if len(typed) < FEWEST:
        what = f"{len(typed)} questions outside the training have a type, and {FEWEST} are needed to measure"
        raise InputError(what, "BioASQ", "add more of its golden files")
    right = [float(reader(one.question) == one.type) for one in typed]
    by_rules = [float(kind_of_question(one.question) == one.type) for one in typed]
    low, high = difference(right, by_rules)
    return QuestionTypeFigures(
        questions=len(typed),
        accuracy=round(sum(right) / len(typed), DIGITS),
        by_rules=round(sum(by_rules) / len(typed), DIGITS),
        low=round(low, DIGITS),
        high=round(high, DIGITS),
        data=data,
        date=date,
    )
