"""Normal forms of papers' identifiers: "PMC123", "10.1000/x", "27000083", without punctuation behind them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

PMCID = re.compile(r"(?:PMC)?(\d+)(?:\.(\d+))?", re.IGNORECASE)
"""Groups: the number, the version or None."""

NO_PMID = {"id_of": "other"}
"""The fact of a document whose numeric id is no PMID. Without this fact a numeric id counts as a PMID."""

ON_FIRST_PAGE = {"page_doi": "doi", "page_pmid": "pmid"}
"""Facts → kinds: identifiers on the first page of a file, which may be another paper's."""

_LONGEST = 1_000  # characters of an identifier that is examined
_ENDS = frozenset(" .,;:!?/\"'\u2019\u201d")
_OPENED_BY = {")": "(", "]": "[", "}": "{", ">": "<"}
PMID_IN_TEXT = re.compile(r"\bPMID ?:? ?([0-9]{1,10})\b", re.IGNORECASE)
_AROUND_DOI = re.compile(
    r"\A[\s<(\[{\"'\u201c]*(?:(?:https?://)?(?:(?:www|dx)\.)?doi\.org/|(?:urn:|info:)?doi[:/]?\s*)*(?=10\.)"
    r"|\[doi\]\W*\Z|\?[\w.~-]+=.*|#[\w-]+\Z",
    re.IGNORECASE | re.DOTALL,
)
# A spreadsheet that reads PMIDs as numbers writes ".0" behind them.
_PMID = re.compile(r"0*([1-9]\d{0,9})(?:\.0)?")


def without_end(text: str) -> str:
    """An identifier without the punctuation of a sentence behind it, and brackets that nothing in it opens.

    A text over _LONGEST stays.
    """
    while 0 < len(text) <= _LONGEST and (
        text[-1] in _ENDS or (text[-1] in _OPENED_BY and _is_unopened(text))
    ):
        text = text[:-1]
    return text


def _is_unopened(text: str) -> bool:
    return text.count(text[-1]) > text.count(_OPENED_BY[text[-1]])


def bare_doi(text: str) -> str:
    """A DOI as it is registered: without its resolver's address and query, escapes, and signs of a text around it."""
    is_escaped = "://" in text or "%2F" in text.upper()
    return without_end(_AROUND_DOI.sub("", unquote(text) if is_escaped else text))


def plain_pmid(text: str) -> str:
    """The PMID as digits alone: "4361535.0" gives "4361535"; "" if the text is no PMID."""
    match = _PMID.fullmatch(text) or _PMID.fullmatch(without_end(text.strip()))
    return match[1] if match else ""


def plain_pmcid(text: str) -> str:
    """The PMCID without its version: "7119567" and "PMC7119567.2" give "PMC7119567"; "" if it is no PMCID."""
    match = PMCID.fullmatch(without_end(text.strip()))
    return f"PMC{match[1]}" if match else ""


def is_pmid(ident: str, facts: Mapping[str, str]) -> bool:
    """Whether the id of a document is its PMID: all digits, unless its facts say that it is no PMID."""
    return ident.isdecimal() and not NO_PMID.items() <= facts.items()


def is_pmcid(ident: str) -> bool:
    """Whether the id of a document is a PMCID as PMC writes it: "PMC7119567"."""
    return ident[:3] == "PMC" and ident[3:].isdecimal()
