"""The type of a question by rules on its first words (`language/question_kinds.py`), as a reader."""

from __future__ import annotations

from anagnosis.datasets.kinds.question import TYPES, QuestionInstance
from anagnosis.language.question_kinds import kind_of_question


def question_type_rules(instance: QuestionInstance) -> list[float]:
    """Rules on the first words: 1 for the type that they give, 0 for the others, in the order of TYPES."""
    by_rules = kind_of_question(instance.question)
    return [float(by_rules == each) for each in TYPES]
