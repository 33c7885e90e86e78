"""Abbreviations that papers define, as terms of a field of each document's first passage, two a definition:

    CHF TAB chronic heart failure                              by the abbreviation as printed
    TAB key of the long form TAB CHF TAB chronic heart failure by the long form

So they come and go with their papers, in the same commits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from anagnosis.searching.engines.embedded.queries import Queries
from anagnosis.searching.records.expansion import Definition
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.abbreviations import defined_in
from anagnosis.searching.synonyms.names import key

if TYPE_CHECKING:
    from tantivy import Searcher

_FIELD = "abbreviation"
_TAB = "\t"  # in neither form, which have single blanks
_MOST = 50  # definitions of one form, those of most papers first


def abbreviation_terms(passages: Sequence[Passage]) -> Iterator[str]:
    """The terms of a document."""
    for short, long in defined_in(passages):
        yield f"{short}{_TAB}{long}"
        yield f"{_TAB}{key(long)}{_TAB}{short}{_TAB}{long}"


def definitions(searcher: Searcher, queries: Queries, short: str, long: str) -> list[Definition]:
    """The definitions of an abbreviation, or of the long forms with this key, by falling number of papers."""
    beginning = f"{short}{_TAB}" if short else f"{_TAB}{long}{_TAB}"
    if not beginning.strip(_TAB):
        return []
    defined: list[Definition] = []
    for term, _ in searcher.terms_with_prefix(_FIELD, beginning, limit=_MOST):
        # The library counts deleted papers until it merges files; a search counts none.
        result: Any = searcher.search(queries.term(_FIELD, term), 1)
        *_, abbreviation, long_form = term.split(_TAB)
        if result.count:
            defined.append(Definition(abbreviation, long_form, int(result.count)))
    return sorted(defined, key=lambda one: (-one.papers, one))
