"""Find papers by any of their ids (a record's, a PMID, a PMC number, a DOI), and list what an index holds of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nsmallest
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.searching.aliases import ALIASES, ON_PAGE, alias, alias_of
from anagnosis.searching.engines import Engine
from anagnosis.searching.filters import date_number
from anagnosis.searching.index.sources import PageFiles
from anagnosis.searching.papers.joined import JOINS_NONE, shown
from anagnosis.searching.papers.partition import ID
from anagnosis.searching.records.passage import IndexPapers, ListedPaper, Unjoined

LISTED = 100_000  # papers of a list, which waits in memory


def documents_of(engine: Engine, ident: str) -> list[str]:
    """The documents that have this id, in the index, as a record's, or as "10.1000/x", "PMC7", "31", "pmid:31",
    "PMID 31".

    Records of some formats have a PMID for their id and do not say so: "pmid:31" is also the record 31 where no paper
    has that PMID.
    """
    kind, value = (*re.split(r"[:\s]", ident, maxsplit=1), "")[:2]
    if kind.lower() not in ALIASES:
        return _documents(engine, ident, alias_of(ident))
    return _documents(engine, ident, alias(kind.lower(), value)) or _documents(engine, value)


def _documents(engine: Engine, ident: str, named: str = "") -> list[str]:
    """The document or record of this id, else those with this id or alias, else those on whose first page it stands."""
    names = sorted(one.name for one in engine.with_keys([ID + ident, *filter(None, [named])]))
    if ident in names:
        return [ident]
    return names or (sorted(one.name for one in engine.with_keys([ON_PAGE + named])) if named else [])


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
    return sorted(
        (Unjoined(one.name, one.shared) for one in engine.with_keys([JOINS_NONE])),
        key=lambda one: one.document,
    )


def index_papers(engine: Engine, files: PageFiles) -> IndexPapers:
    """What an index holds. InputError: it is damaged."""
    size, joined, of_records = engine.committed().counts, 0, files.of_records()

    def each() -> Iterator[tuple[int, ListedPaper]]:
        nonlocal joined
        for stored in engine.every():
            joined += len(stored.records) > 1
            first = shown(stored).passages[0]
            sources = dict.fromkeys(one.source.partition("/")[0] for one in stored.records)
            names = dict.fromkeys(name for one in stored.records for name in of_records.get(one.id, ()))
            yield (
                -date_number(first.date),
                ListedPaper(stored.name, first.title, first.date[:4], [*sources], [*names]),
            )

    latest = nsmallest(LISTED, each(), key=lambda one: (one[0], one[1].document))
    return IndexPapers(
        documents=size.documents,
        passages=size.passages,
        joined=joined,
        joins_none=unjoined(engine),
        papers=[paper for _, paper in latest],
    )
