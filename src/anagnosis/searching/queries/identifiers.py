"""A query that is nothing but identifiers of papers: DOIs, PMIDs and PMC numbers, also as addresses and in a list.

10.1016/j.jaci.2021.03.035    https://doi.org/10.1016/…    PMID: 31    12345678    PMC7119567
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from anagnosis.searching.papers import alias
from anagnosis.searching.queries.tokens import QUOTES

MOST = 200  # identifiers in a query
_LONGEST = 20_000  # characters
_AROUND = "".join(sorted(QUOTES)) + "'<>{},;"
_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")
_DOI_BEFORE = re.compile(r"(?:https?://)?(?:dx\.)?doi\.org/|doi:", re.IGNORECASE)
_PMID = re.compile(r"[0-9]{8}")
_PERHAPS_PMID = re.compile(r"[0-9]{7}")
_PMID_NAMED = re.compile(
    r"(?:pmid:|(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/)([0-9]{1,9})/?|([0-9]{1,9})\[(?:pmid|uid)\]",
    re.IGNORECASE,
)
_PMCID = re.compile(
    r"(?:pmcid:|(?:https?://)?(?:www\.ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov)/articles/)?(PMC[0-9]{1,9}(?:\.[0-9]{1,3})?)/?",
    re.IGNORECASE,
)
_LABELS = ("pmid:", "pmid", "pmcid:", "pmcid", "doi:", "doi")


def identifiers_in(query: str) -> dict[str, str]:
    """The identifiers of a query that has nothing else: alias → identifier as typed; {} for any other query.

    {"doi:10.1/a": "10.1/A", "pmid:31": "PMID:31", "pmcid:pmc7": "PMC7"}: the id of a record may have capital letters.
    """
    if len(query) > _LONGEST:
        return {}
    identifiers: dict[str, str] = {}
    label = ""
    for word in query.split():
        word = word.strip(_AROUND).lstrip("(")
        word = word.rstrip(")") if word.count(")") > word.count("(") else word
        if not word:
            continue
        if word.lower() in _LABELS:
            label = word.lower().rstrip(":") + ":"
            continue
        typed = label + word if _alias(label + word) else word
        one = _alias(typed)
        if not one or len(identifiers) >= MOST:
            return {}
        identifiers.setdefault(one, typed)
        label = ""
    return identifiers


def perhaps_identifier(query: str) -> str:
    """A number of seven digits that is all of a query: a PMID if an index has one, else a word; "" for any other."""
    word = query.strip().strip(_AROUND)
    return word if _PERHAPS_PMID.fullmatch(word) else ""


def _alias(word: str) -> str:
    before = _DOI_BEFORE.match(word)
    doi = (unquote(word) if before and "://" in word else word)[before.end() if before else 0 :].rstrip(".")
    if _DOI.fullmatch(doi):
        return alias("doi", doi)
    if pmid := _PMID_NAMED.fullmatch(word):
        return alias("pmid", pmid[1] or pmid[2])
    if pmcid := _PMCID.fullmatch(word):
        return alias("pmcid", pmcid[1])
    return alias("pmid", word) if _PMID.fullmatch(word) else ""
