"""A statement in the place of a BioASQ question, and where it comes from.

Two further keys of the organisers' object hold the origin, so that an export and a new import keep it:

    "body": "GDF15 binds XXXX.", "original_question": "Which receptor does GDF15 bind?", "statement_rule": "which"
"""

from __future__ import annotations

import json
from typing import NamedTuple

import msgspec

from anagnosis.datasets.bioasq.rows import json_of, usual_fields
from anagnosis.datasets.kinds.question import QuestionInstance

ORIGINAL = "original_question"
RULE = "statement_rule"
BY_A_PERSON = "a person"
"""The rule of a statement that a person corrected."""


class Origin(NamedTuple):
    """The question that a statement was made of, and the rule that made it (language/statements.py)."""

    question: str
    rule: str


def with_statement(instance: QuestionInstance, text: str, origin: Origin) -> QuestionInstance:
    """The question with a statement in its place, and its origin among its keys."""
    fields = instance.fields or usual_fields(instance)
    kept = [(key, None if key == "body" else text) for key, text in fields if key not in (ORIGINAL, RULE)]
    further = ((ORIGINAL, json_of(origin.question)), (RULE, json_of(origin.rule)))
    return msgspec.structs.replace(instance, question=text, fields=(*kept, *further), spelled=None)


def origin(instance: QuestionInstance) -> Origin | None:
    """Of a statement, the question that it was made of; None of another question."""
    held = dict(instance.fields)
    question, rule = (json.loads(held.get(key) or "null") for key in (ORIGINAL, RULE))
    return Origin(question, rule) if isinstance(question, str) and isinstance(rule, str) else None
