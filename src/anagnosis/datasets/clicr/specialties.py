"""Medical specialties of a report (CliCR, Figure 3): the subjects of its article that name no kind of article."""

from __future__ import annotations

import re

from anagnosis.datasets.kinds.cloze_instance import SPECIALTY
from anagnosis.documents.bibliography import split_values
from anagnosis.documents.document import Document

_WORD = re.compile(r"[a-z]+")
# A subject made of these words alone is a kind of article: of the 106 open reports 97 have one such.
_KINDS = frozenset((
    "a", "abstract", "an", "and", "article", "articles", "autopsy", "brief", "by", "care", "case", "cases",
    "clinical", "commentary", "communication", "correspondence", "editor", "editorial", "for", "full",
    "image", "images", "in", "invited", "letter", "letters", "medical", "note", "of", "original", "paper",
    "papers", "picture", "report", "reports", "research", "review", "series", "short", "study", "the", "to",
    "with",
))  # fmt: skip


def specialty_labels(document: Document) -> tuple[str, ...]:
    """A label for each specialty, in their order, without repeats."""
    subjects = map(str.strip, split_values(document.facts.get("subjects", "")))
    return tuple(dict.fromkeys(f"{SPECIALTY}{subject}" for subject in subjects if _is_specialty(subject)))


def _is_specialty(subject: str) -> bool:
    words = _WORD.findall(subject.lower())
    return bool(words) and not _KINDS.issuperset(words)
