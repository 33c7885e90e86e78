"""Headings by their words: which are usual, and what stands below them."""

from __future__ import annotations

import re

ABSTRACT, REFERENCES = "abstract", "ref"  # labels of sections
_LONGEST = 250  # characters
_HEADING = re.compile(r"[^\W_]|[(\"“‘]")
_BACK = re.compile(
    r"acknowledg(?:e)?ments?|funding"
    r"|author contributions?|authors[’'] contributions?|competing interests?|conflicts? of interest|declarations?"
    r"|publisher[’']s note|additional information|supplementary (?:information|materials?)|abbreviations"
    r"|data availability(?: statement)?|availability of data and materials?|ethics approval and consent to participate"
    r"|consent for publication|authors[’'] information|reporting summary|code availability",
    re.IGNORECASE,
)
_MAIN = re.compile(
    r"abstract|introduction|background|(?:materials? and )?methods?(?: and materials?)?|results?(?: and discussion)?"
    r"|discussion|conclusions?",
    re.IGNORECASE,
)
_OF_REFERENCES = re.compile(
    r"(?:literature|references?|works) cited|references?(?: and notes| list)?|bibliography|reference list",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?:\d+|[IVX]+)\.?[\s|]+|[:.]$")
_SPACED = re.compile(r"(?:\w ){3,}\w")  # "R E F E R E N C E S"
_NO_HEADING = re.compile(
    r"(?:key ?words?|correspondence|received|accepted|published|citation|academic editor|copyright|check for updates"
    r"|open access|e-?mail|©|https?:|doi\b)",
    re.IGNORECASE,
)


def may_be_heading(text: str) -> bool:
    """Whether it begins as headings do, and is not too long."""
    return 0 < len(text) <= _LONGEST and _HEADING.match(text) is not None


def is_usual(heading: str) -> bool:
    """Whether many papers have this heading."""
    bare = _bare(heading)
    return any(usual.fullmatch(bare) for usual in (_MAIN, _BACK, _OF_REFERENCES))


def is_main(heading: str) -> bool:
    """Whether it is one of the first level in most papers."""
    bare = _bare(heading)
    return any(usual.fullmatch(bare) for usual in (_MAIN, _OF_REFERENCES))


def reads_as_heading(text: str) -> bool:
    """Whether these words can be a heading that is not usual."""
    begins = text[0].isupper() or text[0].isdigit()
    has_word = re.search(r"[^\W\d_]{3}", text) is not None
    ends = text.endswith((".", ",", ";"))
    return begins and has_word and not ends and "et al." not in text and not _NO_HEADING.match(text)


def label_under(heading: str) -> str:
    """The label of the section below a heading."""
    bare = _bare(heading)
    if _OF_REFERENCES.fullmatch(bare):
        return REFERENCES
    if _BACK.fullmatch(bare):
        return "back"
    return ABSTRACT if bare.lower() == ABSTRACT else "body"


def _bare(heading: str) -> str:
    """A heading without its number, and without blanks between its letters."""
    text = _NUMBERED.sub("", heading.strip())
    return text.replace(" ", "") if _SPACED.fullmatch(text) else text
