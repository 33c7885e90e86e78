"""The passages of a paper by its document's id, or by its PMID, PMC number or DOI."""

from __future__ import annotations

from anagnosis.searching.index.index import Index
from anagnosis.searching.papers import ALIASES, alias
from anagnosis.searching.records.passage import Passage


def passages_of(index: Index, ident: str) -> list[Passage]:
    """In the document's order. InputError: there is no such document."""
    if passages := index.engine.document(ident):
        return passages
    aliases = [name for kind in ALIASES if (name := alias(kind, ident))]
    return index.document(next(iter(index.engine.with_alias(aliases)), ident))
