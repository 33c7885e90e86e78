"""The verb that gives papers related to a paper: related."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anagnosis.api.searching import open_collection
from anagnosis.errors import InputError
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.records.related import RelatedAnswer

MOST = 1_000


def related(folder: PathLike | Index, ident: str, *, limit: int = 5) -> RelatedAnswer:
    """The papers of a collection that are most related to one of its papers, by vectors where there are some.

    ident: of a document. InputError: no such document, or a limit outside of 1 to 1,000.
    """
    from anagnosis.searching.answers.related import related as related_papers

    if not 1 <= limit <= MOST:
        raise InputError(f"{limit} is no number of papers", "--limit", f"write a number from 1 to {MOST}")
    opened = open_collection(folder) if isinstance(folder, PathLike) else folder
    return related_papers(opened, ident, limit)
