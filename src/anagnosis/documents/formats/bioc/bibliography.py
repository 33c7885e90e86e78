"""BioC's infons about a paper's authors, its place in a journal and its identifiers, as the facts of other formats.

name_0: "surname:Cui;given-names:Yujuan", fpage: "12", lpage: "19"     PMC's collections
authors: "Liu WH, Guo SN, "                                            PubTator
article-id_doi: "10.1155/2022/7137401"                                 stays, since it says where the id comes from
"""

from __future__ import annotations

import re

from anagnosis.documents import bibliography
from anagnosis.documents.identifiers import bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.listed_people import listed_people
from anagnosis.documents.repairs import Repairs

_NAME = re.compile(r"name_\d+")
_PAGES = ("fpage", "lpage", "elocation-id")
# Infon → fact, and the function that normalises it.
_IDENTIFIERS = {
    "article-id_pmid": ("pmid", plain_pmid),
    "article-id_pmc": ("pmcid", plain_pmcid),
    "article-id_doi": ("doi", bare_doi),
}


def normalised(infons: dict[str, str], repairs: Repairs) -> dict[str, str]:
    """The facts in a document's infons, in their order; those that we make of others come last.

    Counted: author_left_out, volume_left_out, issue_left_out, pages_left_out, semicolon_in_value (bibliography.py).
    """
    names = [fact for key, fact in infons.items() if _NAME.fullmatch(key)]
    people = listed_people(infons.get("authors", "")) or [_person(name) for name in names]
    first, last, number = (infons.get(name, "") for name in _PAGES)
    pages = infons.get("pages") or bibliography.page_range(first, last) or number
    facts = {key: fact for key, fact in infons.items() if key not in _PAGES and not _NAME.fullmatch(key)}
    for key, (name, plain) in _IDENTIFIERS.items():
        if identifier := plain(facts.get(key, "")):
            facts.setdefault(name, identifier)
    of_place = bibliography.place({**facts, "pages": pages}, repairs)
    facts = {key: fact for key, fact in facts.items() if key not in bibliography.PLACE or key in of_place}
    authors = bibliography.join_values(people, repairs, "author")
    return {**facts, **of_place, **({"authors": authors} if authors else {})}


def _person(name: str) -> str:
    """An author of PMC's collections as the fact spells it."""
    parts = {key: value.strip() for key, _, value in (part.partition(":") for part in name.split(";"))}
    return bibliography.person(
        parts.get("surname", ""), parts.get("given-names", ""), parts.get("suffix", "")
    )
