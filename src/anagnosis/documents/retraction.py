"""What a title alone says of a retraction: some publishers say it nowhere else, above the old abstract."""

from __future__ import annotations

import re

UNNAMED = "unnamed"
"""Stands for a notice, or for a paper that a notice is of, where its identifier is not told."""

_RETRACTED = re.compile(
    r"\W*retract(?:ed|ion)\b(?: (?:article|paper|publication))?\W*[:\])—-]", re.IGNORECASE
)
# A notice is a record of its own, without the old abstract.
_NOTICE = re.compile(
    r"\W*(?:retraction\b(?: (?:notice|note))?|erratum|corrigendum|correction|expression of concern)\b"
    r"(?: (?:to|for|of|on)\b|\W*[:\])—-])",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"\W*(?:withdrawn|retracted)\b(?: (?:article|paper|publication))?\W*[:\])—-]", re.IGNORECASE
)


def says_retracted(title: str) -> bool:
    """Whether a title with an abstract below it says that the paper was retracted: "RETRACTED ARTICLE: …"."""
    return _RETRACTED.match(title) is not None


def facts_of_title(title: str, *, is_abstracted: bool) -> dict[str, str]:
    """retracted or notice_of, "unnamed", as far as a title tells where a record has no other sign."""
    if _WITHDRAWN.match(title) or (is_abstracted and says_retracted(title)):
        return {"retracted": UNNAMED}
    return {"notice_of": UNNAMED} if _NOTICE.match(title) else {}
