"""A query that is nothing but identifiers of papers: DOIs, PMIDs and PMC numbers, also as addresses and in a list.

10.1016/j.jaci.2021.03.035    https://doi.org/10.1016/…    PMID: 31    12345678 OR 31    PMC7119567

A pasted reference with a year and a PMID is that paper: "Nemo A. Salt. J 2016;1:2. PMID: 31". A number of less than
eight digits may be a PMID; where a query has only such numbers, an index decides.
"""

from __future__ import annotations

import re

from anagnosis.documents.identifiers import PMID_IN_TEXT, bare_doi, without_end
from anagnosis.searching.aliases import alias
from anagnosis.searching.queries.tokens import QUOTES

MOST = 200  # identifiers in a query
_LONGEST = 20_000  # characters
_AROUND = f"{QUOTES}'<>{{}},;"
_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")
_PMID = re.compile(r"[0-9]{8}")
_NUMBER = re.compile(r"[0-9]{1,7}")
_REFERENCE = re.compile(r"\b(?:18|19|20)[0-9]{2}\b.*\bPMID\b.*[^?]\Z", re.IGNORECASE | re.DOTALL)
_PMID_NAMED = re.compile(
    r"(?:pmid:|(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/)([0-9]{1,9})/?|([0-9]{1,9})\[(?:pmid|uid)\]",
    re.IGNORECASE,
)
_PMCID = re.compile(
    r"(?:pmcid:|(?:https?://)?(?:www\.ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov)/articles/)?(PMC[0-9]{1,9}(?:\.[0-9]{1,3})?)/?",
    re.IGNORECASE,
)
_BETWEEN = frozenset(("OR", "|", "+"))
_LABELS = ("pmid:", "pmid", "pmcid:", "pmcid", "doi:", "doi")


def identifiers_in(query: str) -> dict[str, str]:
    """The identifiers of a query that has nothing else, or a PMID in a reference; {} for any other query.

    alias → identifier as typed: {"doi:10.1/a": "10.1/A", "pmid:31": "PMID:31", "pmcid:pmc7": "PMC7"}; the id of a
    record may have capital letters.
    """
    if len(query) > _LONGEST:
        return {}
    if identifiers := _listed(query):
        return {} if all(map(_NUMBER.fullmatch, identifiers.values())) else identifiers
    pmids = PMID_IN_TEXT.findall(query) if _REFERENCE.search(query.strip()) else []
    return {one: pmid for pmid in pmids[:MOST] if (one := alias("pmid", pmid))}


def _listed(query: str) -> dict[str, str]:
    """The identifiers and numbers of a query that has nothing else."""
    identifiers: dict[str, str] = {}
    label = ""
    for word in query.split():
        if word in _BETWEEN:
            continue
        word = word.strip(_AROUND).lstrip("(")
        word = without_end(word)
        if not word:
            continue
        if word.lower() in _LABELS:
            label = word.lower().rstrip(":") + ":"
            continue
        typed = label + word if _alias(label + word) else word
        one = _alias(typed) or (alias("pmid", typed) if _NUMBER.fullmatch(typed) else "")
        if not one or len(identifiers) >= MOST:
            return {}
        identifiers.setdefault(one, typed)
        label = ""
    return identifiers


def perhaps_identifiers(query: str) -> dict[str, str]:
    """Numbers of up to seven digits that are all of a query: PMIDs if an index has them, else words; as above."""
    numbers = _listed(query) if len(query) <= _LONGEST else {}
    return numbers if all(map(_NUMBER.fullmatch, numbers.values())) else {}


def _alias(word: str) -> str:
    if _DOI.fullmatch(doi := bare_doi(word)):
        return alias("doi", doi)
    if pmid := _PMID_NAMED.fullmatch(word):
        return alias("pmid", pmid[1] or pmid[2])
    if pmcid := _PMCID.fullmatch(word):
        return alias("pmcid", pmcid[1])
    return alias("pmid", word) if _PMID.fullmatch(word) else ""
