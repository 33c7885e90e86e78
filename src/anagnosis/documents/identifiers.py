"""How other people write the identifiers of papers, and how they are told here: "PMC123", "10.1000/x", "27000083"."""

from __future__ import annotations

import re

PMCID = re.compile(r"(?:PMC)?(\d+)(?:\.(\d+))?", re.IGNORECASE)
"""Groups: the number, the version or None."""

NO_PMID = {"id_of": "other"}
"""The fact of a document whose id is a number and no PMID. Without it such an id is taken for one."""

_BEFORE_DOI = re.compile(r"(?:https?://)?(?:(?:dx\.)?doi\.org/|doi: ?)", re.IGNORECASE)
# Tables that were numbers once end in ".0".
_PMID = re.compile(r"0*([1-9]\d{0,9})(?:\.0)?")


def bare_doi(text: str) -> str:
    """A DOI without the address of its resolver."""
    return _BEFORE_DOI.sub("", text)


def plain_pmid(text: str) -> str:
    """ "4361535.0" as "4361535"; "" for what is no PMID."""
    found = _PMID.fullmatch(text.strip())
    return found[1] if found else ""


def plain_pmcid(text: str) -> str:
    """ "7119567" and "PMC7119567.2" as "PMC7119567"; "" for what is no PMCID."""
    found = PMCID.fullmatch(text.strip())
    return f"PMC{found[1]}" if found else ""
