"""The states of a paper: retracted, an erratum, …, the signs from which formats read them, and types of publication.

A state is a fact: its name, and the identifiers of the notices about the paper, of the papers that a notice is about,
or of the later version; "unnamed" where the source gives none. A paper may have several, in the order of STATES. Signs
are publication types (MEDLINE's, and JATS' article-type), links to other papers (RefType of MEDLINE XML, tag of MEDLINE
text, JATS' related-article-type), and the title. A title's word counts only in front of a colon, a long dash or a
quotation, in brackets, or alone: "Correction of scoliosis" is no notice. It makes no notice of a paper with another
sign, and says nothing of a notice with one, since both may have each other's title.

Sources: NLM, "Errata, retractions, and other linked citations"; NISO Z39.96 (JATS), suggested values; PMC Tagging
Guidelines, related articles; MeSH, publication characteristics (V02).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

JOINT = "; "
UNNAMED = "unnamed"
"""Stands for a notice or its paper if the record does not give its identifier."""

PUBLICATION_TYPES = {
    "Address": ("oration",),
    "Book Review": ("book-review",),
    "Case Reports": ("case-report", "case report"),
    "Comment": ("article-commentary", "reply"),
    "Congress": ("meeting-report",),
    "Corrected and Republished Article": (),
    "Editorial": (),
    "Evaluation Study": ("evaluation studies",),
    "Expression of Concern": ("expression-of-concern",),
    "Introductory Journal Article": ("introduction",),
    "Journal Article": (
        "research-article",
        "brief-report",
        "methods-article",
        "rapid-communication",
        "article",
    ),
    "Letter": (),
    "Meeting Abstract": ("abstract",),
    "News": (),
    "Preprint": ("posted-content",),
    "Published Erratum": ("correction", "addendum", "corrigendum", "erratum"),
    "Retracted Publication": ("retracted-article", "retracted"),
    "Retraction of Publication": ("retraction", "retraction notice"),
    "Review": ("review-article",),
    "Systematic Review": ("systematic-review",),
    "Technical Report": ("technical-report",),
    "Validation Study": ("validation studies",),
}
"""NLM's publication type → what JATS (article-type), earlier years and Scopus call it; other types stay as they are."""
_UNIFIED = {each.lower(): name for name, others in PUBLICATION_TYPES.items() for each in (name, *others)}


class State(NamedTuple):
    """says: the words before the paper's text. explained: a sentence about the paper.

    counted: whether such a paper is evidence for an answer. is_grave: whether readers must not rely on it.
    """

    says: str
    explained: str
    counted: bool = True
    is_grave: bool = False


STATES = {
    "retracted": State("RETRACTED", "this paper was retracted.", counted=False, is_grave=True),
    "partly_retracted": State("PARTLY RETRACTED", "a part of this paper was retracted.", is_grave=True),
    "retraction_notice": State(
        "is a retraction notice", "this is the notice of another paper's retraction.", counted=False
    ),
    "expression_of_concern": State(
        "EXPRESSION OF CONCERN", "the journal has published a concern about this paper.", is_grave=True
    ),
    "concern_notice": State(
        "is an expression of concern about another paper",
        "this is an expression of concern about another paper.",
        counted=False,
    ),
    "erratum": State("has an erratum", "a correction of this paper was published."),
    "erratum_notice": State(
        "is an erratum to another paper", "this is a correction of another paper.", counted=False
    ),
    # Records of other programs say no more.
    "notice_of": State(
        "is a notice about another paper", "this is a notice about another paper.", counted=False
    ),
    "corrected_and_republished": State(
        "corrected and republished", "this paper was corrected and published again."
    ),
    "updated_by": State("updated by a later version", "a later version of this paper was published."),
    "preprint": State("preprint", "nobody has reviewed this paper for a journal."),
    "withdrawn": State("WITHDRAWN", "this paper was withdrawn.", counted=False, is_grave=True),
}
NOT_VALID = ("retracted", "withdrawn")
"""States of papers that no longer stand as a whole."""
# Type, as `unified` gives it → state.
_OF_TYPE = {
    "Retracted Publication": "retracted",
    "Retraction of Publication": "retraction_notice",
    "partial-retraction": "retraction_notice",
    "Expression of Concern": "concern_notice",
    "Published Erratum": "erratum_notice",
    "Corrected and Republished Article": "corrected_and_republished",
    "Preprint": "preprint",
}
# State → RefType, tag, related-article-type.
_LINKS = {
    "retracted": "RetractionIn RIN RetractedandRepublishedIn RRI retraction-forward retraction",
    "partly_retracted": "PartialRetractionIn PRIN partial-retraction-forward",
    "retraction_notice": "RetractionOf ROF PartialRetractionOf PROF retracted-article partial-retraction",
    "expression_of_concern": "ExpressionOfConcernIn ECI concern-forward expression-of-concern expressed-concern",
    "concern_notice": "ExpressionOfConcernFor ECF object-of-concern",
    "erratum": "ErratumIn EIN correction-forward correction addendum",
    "erratum_notice": "ErratumFor EFR addended-article corrected-article",
    "corrected_and_republished": "CorrectedandRepublishedIn CRI CorrectedandRepublishedFrom CRF "
    "RetractedandRepublishedFrom RRF",
    "updated_by": "UpdateIn UIN update",
}
OF_LINK = {link: state for state, links in _LINKS.items() for link in links.split()}
# State → words of a title.
_TITLES = {
    "retracted": "retracted(?: (?:article|paper|publication|chapter))?",
    "partly_retracted": "part(?:ly|ially) retracted(?: (?:article|paper|publication))?",
    "retraction_notice": "(?:(?:notice|statement) of )?(?:partial )?retraction(?: (?:notice|note|statement))?"
    "(?: and re(?:placement|publication))?|(?:notice of )?withdrawal(?= ?:)",
    "concern_notice": "(?:editorial )?expression of concern",
    "erratum_notice": "(?:(?:author|publisher) )?correction|addendum|errat(?:um|a)|corrigend(?:um|a)",
    "corrected_and_republished": "corrected and republished",
    "preprint": "preprint",
    "withdrawn": "withdrawn(?: (?:article|paper|publication|chapter))?|(?:removed|temporary removal)(?= ?:)",
}
_WORDS = "|".join(f"(?P<{state}>{words})" for state, words in _TITLES.items())
_TO = " (?:to|for|of|on|regarding|from)"
_BEHIND = rf"(?:{_TO})?\s*[:\])\u2014]|\.?\W*\Z|{_TO}\s+[\"'\u201c\u2018\u201e\u00ab]| for \S+ et al\b"
_TITLE = (
    re.compile(rf"(?i)\W*(?:{_WORDS})(?:{_BEHIND})").match,
    re.compile(rf"(?i)[\[(](?:{_WORDS})(?:\. [^\])]{{0,500}})?[\])]\W*\Z").search,
)


def of_title(title: str) -> str:
    """The state that a title gives, "" for none: "retracted" for "RETRACTED ARTICLE: …" and "… (Retracted)"."""
    return next((match.lastgroup or "" for find in _TITLE if (match := find(title))), "")


def unified(types: str) -> str:
    """The fact of publication types with the names of PUBLICATION_TYPES, each once."""
    return JOINT.join(dict.fromkeys(_UNIFIED.get(each.lower(), each) for each in types.split(JOINT)))


def spellings(kind: str) -> tuple[str, ...]:
    """All names of a publication type, given any of them; the unified name first."""
    name = unified(kind)
    return (name, *PUBLICATION_TYPES.get(name, ()))


def of_type(kind: str) -> str:
    """The state that a publication type gives, "" for none."""
    return _OF_TYPE.get(unified(kind), "")


def is_notice(state: str) -> bool:
    """Whether papers in this state are notices about other papers."""
    return state.endswith("_notice")


def states(title: str, types: str = "", links: Iterable[tuple[str, str]] = ()) -> dict[str, str]:
    """The facts of a paper's states, in the order of STATES.

    types: the fact. links: (state, identifier of the other paper), as OF_LINK gives them.
    """
    others: dict[str, dict[str, None]] = {}
    for name, other in links:
        others.setdefault(name, {})[other or UNNAMED] = None
    for kind in types.split(JOINT):
        if name := of_type(kind):
            others.setdefault(name, {UNNAMED: None})
    named = of_title(title)
    if named and not (others if is_notice(named) else any(map(is_notice, others))):
        others.setdefault(named, {UNNAMED: None})
    return {name: united(others[name]) for name in STATES if name in others}


def with_states(facts: Mapping[str, str], title: str) -> dict[str, str]:
    """The facts of a record that has no links, with the states that its type and title give."""
    known = [(name, facts[name]) for name in STATES if name in facts]
    return {**facts, **states(title, facts.get("types", ""), known)}


def united(values: Iterable[str]) -> str:
    """The value of a state from several ones, each identifier once; "unnamed" only where none is named."""
    each = dict.fromkeys(one for value in values for one in value.split(JOINT) if one)
    return JOINT.join([one for one in each if one != UNNAMED] or each)
