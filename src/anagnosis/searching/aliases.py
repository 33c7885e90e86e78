"""The aliases by which a paper can be retrieved.

An alias is "pmid:…", "pmcid:…" or "doi:…" in lower case:

    {"pmid": "31", "pmcid": "PMC7.1", "doi": "https://doi.org/10.1/A"}  →  pmid:31  pmcid:pmc7  doi:10.1/a
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from anagnosis.documents.identifiers import bare_doi, is_pmid, plain_pmcid, plain_pmid

# The facts that identify a paper, and their normal forms.
ALIASES: dict[str, Callable[[str], str]] = {"pmid": plain_pmid, "pmcid": plain_pmcid, "doi": bare_doi}
ON_PAGE = "page:"  # before an alias that only the first page of a file has
_LONGEST_ALIAS = 1000  # bytes; a longer identifier is none


def aliases_of(ident: str, facts: Mapping[str, str]) -> tuple[str, ...]:
    """The aliases of a document: from its facts, and from its id where that is a PubMed id or a PMC number."""
    named = {
        "pmid": facts.get("pmid") or (ident if is_pmid(ident, facts) else ""),
        "pmcid": facts.get("pmcid") or (ident if ident[:3] == "PMC" else ""),
        "doi": facts.get("doi", ""),
    }
    return tuple(one for kind, value in named.items() if value and (one := alias(kind, value)))


def alias(kind: str, ident: str) -> str:
    """The normalised alias of an identifier; "" if it is none of that kind. kind: of ALIASES."""
    plain = ALIASES[kind](ident.strip()).lower()
    return f"{kind}:{plain}" if plain and len(plain.encode()) <= _LONGEST_ALIAS else ""


def alias_of(ident: str) -> str:
    """The alias of an identifier of unknown kind: a number is a PMID, never a PMC number; "" if it is of no kind."""
    return next(
        (one for kind in ALIASES if (one := alias(kind, ident)) and (kind != "doi" or "/" in one)), ""
    )
