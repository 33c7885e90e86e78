"""Which sections of a structured abstract are its conclusion, which its context (PubMedQA, section 3.1).

The paper says no more than "the conclusive part"; a section's label and NLM's category decide together here, as PQA-L
shows where it does. design/pubmedqa.md has the counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

from anagnosis.documents.document import Section

Role = Literal["conclusion", "closing", "discussion", "limitations", "apart", "context"]


RULES = ("unstructured", "no_conclusive_section", "no_context")


class Parts(NamedTuple):
    """An abstract's sections, each in its order. left_out: what stands after the conclusion and is none."""

    context: tuple[Section, ...]
    long_answer: tuple[Section, ...]
    left_out: tuple[Section, ...]


# "CONCLUTION", "CONLUSIONS", "COCLUSION": seen, or a key away from what is.
_CONCLUSION = re.compile(r"CONCLU|CONLUSI|COCLUSI|CONCUSION|CONSLUSI")
_LIMITATIONS = re.compile(r"LIMITATION")
# Labels that NLM files under CONCLUSIONS where it files them at all; the first ones keep results or the whole abstract.
_DISCUSSION = re.compile(r"DISCUSSION|(?:LAY |PLAIN LANGUAGE )?SUMMARY|COMMENTS?|KEY POINTS")
_CLOSING = re.compile(
    r"INTERPRETATIONS?|(?:[A-Z,&/ ]+ )?IMPLICATIONS?(?: .*)?|LESSONS?(?: LEARN(?:ED|T))?|APPLICATION TO PRACTICE"
    r"|(?:GENERAL |CLINICAL )?SIGNIFICANCE(?: .*)?|(?:CLINICAL |TRANSLATIONAL )?RELEVANCE(?: .*)?"
    r"|(?:CLINICAL )?IMPACT(?: .*)?|(?:TAKE[- ]HOME |KEY |MAIN )MESSAGES?|RECOMMENDATIONS?"
    r"|WHAT DO THESE FINDINGS MEAN\??|WHAT (?:DOES )?THIS STUDY ADDS?\??"
)
# Registration, money, ethics, levels of evidence and lists of words.
_APART = re.compile(
    r"REGIST|IDENTIFIER|NCT\b|ISRCTN|PROSPERO|CLINICAL ?TRIALS?\b|TRIAL (?:CODE|NUMBER)|PROTOCOL (?:VERSION|NUMBER)"
    r"|FUNDING|SPONSOR|GRANTS?\b|ETHIC|DISSEMINATION|DISCLOSURE|CONFLICTS? OF|COMPETING|CONTRIBUT|DECLARATION"
    r"|LEVELS? OF (?:EVIDENCE|PROOF)|CLASSIFICATION OF EVIDENCE|KEY ?WORDS|ABBREVIATIONS|URL\b|TWEETABLE|VIDEO ABSTRACT"
    r"|SUPPLEMENT|SUPPORTING INFORMATION|DATA (?:ACCESS|AVAIL)|AVAILABILITY|HIGHLIGHTS|DISCLAIMER|ACKNOWLEDG"
)
_UNKNOWN = frozenset(("", "UNASSIGNED"))


def role(label: str, category: str) -> Role:
    """What a section is by its label as printed and NLM's category ("" where it has none).

    conclusion: its label says so, whatever the category. closing: conclusive where it closes the abstract
    (INTERPRETATION, SIGNIFICANCE, anything else that NLM files under CONCLUSIONS). discussion: conclusive only where
    nothing is called conclusion. apart: neither context nor conclusion once the abstract is over.
    """
    label = " ".join(label.upper().split()).strip(" :.[]")
    if _CONCLUSION.search(label):
        return "conclusion"
    # PQA-L keeps LIMITATIONS in the context (12 of 12): they weaken an answer and do not give it.
    if _LIMITATIONS.search(label):
        return "limitations"
    if _APART.search(label):
        return "apart"
    concludes = category == "CONCLUSIONS"
    if _DISCUSSION.search(label):
        # A summary without a category is as often the whole abstract; a lay summary repeats it.
        is_discussion = concludes or (category in _UNKNOWN and label.startswith("DISCUSSION"))
        return "discussion" if is_discussion and not label.startswith("RESULT") else "context"
    if concludes or (category in _UNKNOWN and _CLOSING.fullmatch(label)):
        return "closing"
    return "context"


def split(abstract: Sequence[Section]) -> Parts:
    """Context, long answer and what is left out, of an abstract's sections (their `title` is the label).

    With a section called conclusion, the long answer begins there, or with the closing ones directly before it, and
    takes every later conclusion and closing section; otherwise it is the closing sections and discussions at the end,
    seen through what stands apart. All before it is context; what is left after it is neither, as in PQA-L.
    """
    sections = [section for section in abstract if section.text.strip()]
    roles: list[Role] = [role(section.title, section.category) for section in sections]
    start = _start(roles)
    answering: frozenset[Role] = (
        frozenset(("conclusion", "closing"))
        if "conclusion" in roles
        else frozenset(("closing", "discussion"))
    )
    after = list(zip(sections[start:], roles[start:]))
    return Parts(
        tuple(sections[:start]),
        tuple(section for section, what in after if what in answering),
        tuple(section for section, what in after if what not in answering),
    )


def _start(roles: list[Role]) -> int:
    """Where the long answer begins; the number of sections if there is none."""
    if "conclusion" in roles:
        first = roles.index("conclusion")
        closing = sum(1 for _ in takewhile(lambda what: what == "closing", reversed(roles[:first])))
        return first - closing
    at_end = sum(1 for _ in takewhile(lambda what: what != "context", reversed(roles)))
    end = range(len(roles) - at_end, len(roles))
    return next((at for at in end if roles[at] in ("closing", "discussion")), len(roles))


def refusal(abstract: Sequence[Section]) -> str:
    """The rule by which an abstract gives no instance, "" if it does. The first two are the paper's (section 3.1)."""
    if not any(section.title.strip() for section in abstract):
        return "unstructured"
    parts = split(abstract)
    if not parts.long_answer:
        return "no_conclusive_section"
    return "" if parts.context else "no_context"
