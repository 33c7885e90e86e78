"""Find papers by any of their ids (a record's, a PMID, a PMC number, a DOI), and list what an index holds of them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.searching.aliases import ALIASES, ON_PAGE, alias, alias_of
from anagnosis.searching.engines import Engine, documents_with, stored_mark
from anagnosis.searching.papers.joined import JOINS_NONE
from anagnosis.searching.papers.partition import ID
from anagnosis.searching.records.paper import IndexPapers, Unjoined

_TOGETHER = 1_000  # papers that are read at once


def documents_of(engine: Engine, ident: str) -> list[str]:
    """The documents that have this id, in the index, as a record's, or as "10.1000/x", "PMC7", "31", "pmid:31".

    Records of some formats have a PMID for their id and do not say so: "pmid:31" is also the record 31 where no paper
    has that PMID.
    """
    kind, _, value = ident.partition(":")
    if kind.lower() not in ALIASES:
        return _documents(engine, ident, alias_of(ident))
    return _documents(engine, ident, alias(kind.lower(), value)) or _documents(engine, value)


def _documents(engine: Engine, ident: str, named: str = "") -> list[str]:
    """The document or record of this id, else those with this id or alias, else those on whose first page it stands."""
    if stored_mark(engine, ident) is not None:
        return [ident]
    own = documents_with(engine, [ID + ident, *filter(None, [named])])
    return own or (documents_with(engine, [ON_PAGE + named]) if named else [])


def only_document(engine: Engine, ident: str, folder: Path) -> str:
    """The one document of an id. folder: of the index. InputError: there is none, or several."""
    documents = documents_of(engine, ident)
    if len(documents) == 1:
        return documents[0]
    if documents:
        raise InputError(
            f"{ident!r} is an id of several papers", str(folder), f"name {' or '.join(documents)}"
        )
    raise InputError(f"no document {ident!r}", str(folder), "check its id")


def unjoined(engine: Engine) -> list[Unjoined]:
    """The papers whose identifiers belong to several papers, of which they are no part."""
    documents = documents_with(engine, [JOINS_NONE])
    papers = zip(documents, engine.papers(documents), strict=True)
    return [Unjoined(document, paper.joins_none) for document, paper in papers if paper is not None]


def index_papers(engine: Engine) -> IndexPapers:
    """What an index holds. InputError: it is damaged."""
    size, joined = engine.committed().counts, 0
    documents = iter([one.document for one in engine.marks()])
    while batch := list(islice(documents, _TOGETHER)):
        joined += sum(paper is not None and len(paper.sources) > 1 for paper in engine.papers(batch))
    return IndexPapers(
        documents=size.documents, passages=size.passages, joined=joined, joins_none=unjoined(engine)
    )
