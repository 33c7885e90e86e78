"""Signs of a retraction in a title; some publishers put the sign only there, above the old abstract."""

from __future__ import annotations

import re

UNNAMED = "unnamed"
"""Stands for a notice or its paper if the record does not give its identifier."""

_RETRACTED = re.compile(
    r"\W*retract(?:ed|ion)\b(?: (?:article|paper|publication))?\W*[:\])—-]", re.IGNORECASE
)
# A notice is a separate record, without the old abstract.
_NOTICE = re.compile(
    r"\W*(?:retraction\b(?: (?:notice|note))?|erratum|corrigendum|correction|expression of concern)\b"
    r"(?: (?:to|for|of|on)\b|\W*[:\])—-])",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"\W*(?:withdrawn|retracted)\b(?: (?:article|paper|publication))?\W*[:\])—-]", re.IGNORECASE
)


def is_retracted_title(title: str) -> bool:
    """Whether the title of a record with an abstract marks a retracted paper: "RETRACTED ARTICLE: …"."""
    return _RETRACTED.match(title) is not None


def facts_of_title(title: str, *, is_abstracted: bool) -> dict[str, str]:
    """The fact retracted or notice_of, "unnamed", from the title of a record that has no other sign."""
    if _WITHDRAWN.match(title) or (is_abstracted and is_retracted_title(title)):
        return {"retracted": UNNAMED}
    return {"notice_of": UNNAMED} if _NOTICE.match(title) else {}
