"""A statement in the place of a BioASQ question, and where it comes from.

Two further keys of the organisers' object hold the origin, so that an export and a new import keep it:

    "body": "GDF15 binds XXXX.", "original_question": "Which receptor does GDF15 bind?", "statement_rule": "which"
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from anagnosis.datasets.bioasq.rows import object_of
from anagnosis.datasets.kinds.question import QuestionInstance, json_text

ORIGINAL = "original_question"
RULE = "statement_rule"


class Origin(NamedTuple):
    """The question that a statement was made of, and the rule that made it (language/statements.py)."""

    question: str
    rule: str


def with_statement(instance: QuestionInstance, text: str, origin: Origin) -> QuestionInstance:
    """The question with a statement in its place, and its origin among its keys."""
    kept = {key: value for key, value in object_of(instance).items() if key not in (ORIGINAL, RULE)}
    further = {"body": text, ORIGINAL: origin.question, RULE: origin.rule}
    return msgspec.structs.replace(instance, question=text, text=json_text({**kept, **further}))


def origin(instance: QuestionInstance) -> Origin | None:
    """Of a statement, the question that it was made of; None of another question."""
    found = object_of(instance)
    question, rule = found.get(ORIGINAL), found.get(RULE)
    return Origin(question, rule) if isinstance(question, str) and isinstance(rule, str) else None
