"""The kind of a paper: by its publication types, else by its title, else by how its abstract describes itself.

Where the types name only a review, a title that names a kind of REVIEWS is more exact.

KINDS is in the order of precedence: a systematic review that is also a meta-analysis is a meta-analysis. The names of
publication types are those of documents.states, in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from anagnosis.searching.records.conclusions import PaperKind
from anagnosis.searching.records.passage import Passage

_READ = 3000  # characters of each passage that are searched
# Sections in which a paper describes itself.
_DESCRIBING = frozenset(("abstract", "methods", "objective", "background"))


class _Kind(NamedTuple):
    """types: publication types. named: words of a title that name the kind. described: words of an abstract."""

    name: str
    types: tuple[str, ...]
    named: str
    described: str = ""


_SELF = (
    r"(?:this|our|the present|present|a|an|we (?:conducted|performed|report|present|did))(?:\s[\w-]+){0,4}\s"
)
KINDS: tuple[_Kind, ...] = (
    _Kind(
        "meta-analysis",
        ("meta-analysis", "network meta-analysis"),
        r"meta-?\s?analys[ie]s",
        rf"{_SELF}meta-?analysis",
    ),
    _Kind(
        "systematic review",
        ("systematic review",),
        "systematic review|scoping review|umbrella review",
        rf"{_SELF}systematic review",
    ),
    _Kind(
        "guideline",
        ("practice guideline", "guideline", "consensus development conference"),
        "guidelines?|consensus statement|position statement|recommendations of the",
    ),
    _Kind(
        "trial protocol",
        ("clinical trial protocol", "protocol"),
        r"(?:study|trial) protocol|protocol for an?",
    ),
    _Kind(
        "randomised trial",
        ("randomized controlled trial", "pragmatic clinical trial", "equivalence trial"),
        r"randomi[sz]ed(?:\s[\w-]+){0,4}\s(?:trial|study)|\brct\b",
        r"randomly (?:assigned|allocated|divided|selected to|randomi[sz]ed)|were randomi[sz]ed"
        r"|randomi[sz]ed(?:\s[\w-]+){0,3}\s(?:trial|study)\b",
    ),
    _Kind(
        "trial",
        (
            "clinical trial",
            "controlled clinical trial",
            "clinical trial, phase i",
            "clinical trial, phase ii",
            "clinical trial, phase iii",
            "clinical trial, phase iv",
            "adaptive clinical trial",
        ),
        r"(?:clinical|phase [1-4i]+|open-label|pilot)(?:\s[\w-]+){0,2}\strial\b",
        r"(?:clinical|phase [1-4i]+|open-label|controlled)(?:\s[\w-]+){0,2}\strial\b",
    ),
    _Kind("case-control study", ("case-control study",), "case-control", "case-control"),
    _Kind(
        "cohort study",
        ("cohort study", "observational study"),
        r"cohort|longitudinal study|follow-up study|registry",
        r"(?:retrospective|prospective|longitudinal|observational|population-based)(?:\s[\w-]+){0,3}"
        r"\s(?:study|analysis|review|cohort)|cohort study"
        r"|(?:retrospectively|prospectively) (?:reviewed|analy[sz]ed|studied|collected|evaluated|followed|enrolled)",
    ),
    _Kind(
        "cross-sectional study",
        ("cross-sectional study",),
        "cross-sectional|survey|questionnaire",
        r"cross-sectional|(?:survey|questionnaire)(?:\s[\w-]+){0,3}\s(?:was|were)"
        r"|(?:mailed|online|postal) (?:survey|questionnaire)",
    ),
    _Kind(
        "case report",
        ("case reports",),
        r"case reports?|case series|report of (?:an?|two|three|\d+) cases?|an? (?:rare|unusual) case",
        r"we (?:report|describe|present) (?:an?|the|two|three)(?:\s[\w-]+){0,3}"
        r"\s(?:case|patient|man|woman|boy|girl|infant|child)\b",
    ),
    _Kind(
        "review",
        ("review", "scoping review"),
        r"\breview\b|overview",
        r"(?:this|our|the present)(?:\s[\w-]+){0,2}\sreview|(?:we|article) reviews?\b",
    ),
    _Kind(
        "letter or comment",
        ("letter", "comment", "editorial", "news"),
        r"^(?:re|reply|comment|editorial|letter)\b",
    ),
    _Kind(
        "animal study",
        ("animal study",),
        r"\b(?:in|of) (?:mice|rats|rabbits|pigs|dogs|zebrafish|\w+ mice)\b"
        r"|\b(?:mouse|murine|rat|rabbit|porcine|canine|zebrafish) model",
        r"\b(?:mice|rats|rabbits|zebrafish|piglets) were\b|\b(?:wistar|sprague[- ]dawley|c57bl/6)\b",
    ),
    _Kind(
        "laboratory study",
        ("in vitro study",),
        r"\bin vitro\b|\bcell lines?\b",
        r"\bcells were (?:cultured|treated|transfected)\b|\bin vitro\b",
    ),
)
REVIEWS = ("meta-analysis", "systematic review")
NAMES = tuple(kind.name for kind in KINDS)
_BY_TYPE = {each: kind.name for kind in reversed(KINDS) for each in kind.types}
_NAMED = [(kind.name, re.compile(kind.named, re.IGNORECASE)) for kind in KINDS if kind.named]
_DESCRIBED = [(kind.name, re.compile(kind.described, re.IGNORECASE)) for kind in KINDS if kind.described]


def paper_kind(passages: Sequence[Passage]) -> PaperKind:
    """The kind of a paper, from its passages."""
    if not passages:
        return PaperKind("")
    known = {_BY_TYPE[each.lower()] for each in passages[0].types if each.lower() in _BY_TYPE}
    title = next((name for name, pattern in _NAMED if pattern.search(passages[0].title)), "")
    if known and not (known == {"review"} and title in REVIEWS):
        return PaperKind(min(known, key=NAMES.index), "publication type")
    if title:
        return PaperKind(title, "title")
    texts = [passage.text[:_READ] for passage in passages if passage.section in _DESCRIBING]
    for name, pattern in _DESCRIBED:
        if any(pattern.search(text) for text in texts):
            return PaperKind(name, "abstract")
    return PaperKind("")
