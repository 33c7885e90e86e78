"""Verbs over a collection: index, search, ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.documents import read
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from anagnosis.documents.document import Document
    from anagnosis.documents.repairs import Repairs
    from anagnosis.reports.report import Report
    from anagnosis.searching.asking import Answered, Found
    from anagnosis.searching.engines import Filters
    from anagnosis.searching.index import Index

PathLike = str | Path


@dataclass(frozen=True, slots=True)
class Indexed:
    """What `index` did, and what is there now.

    counts: documents by what became of them (searching/index.py). refused, refusals, repairs: as loaders tell them; a
    file that breaks off is a refusal too, what came before it is in.
    """

    documents: int
    passages: int
    counts: dict[str, int]
    refused: int
    refusals: list[tuple[str, str]]
    repairs: dict[str, int]


def index(
    paths: Sequence[PathLike],
    out: PathLike,
    *,
    remove: Sequence[str] = (),
    format: str | None = None,
    encoding: str | None = None,
) -> Indexed:
    """Index documents into a new folder, or take what is new into one that is there.

    remove: ids of documents that go. What was committed before an interruption stays, and the same call goes on.
    """
    from anagnosis.documents.repairs import Repairs as NewRepairs
    from anagnosis.progress import Progress
    from anagnosis.searching.index import FILE, create_index, open_index

    folder, repairs, counts = Path(out), NewRepairs(), Counter[str]()
    if not paths and not remove:
        raise InputError("nothing to index", "", "name files or folders, or documents with --remove")
    there = (folder / FILE).exists()
    # Inputs are looked at before a folder is made.
    documents = _documents(paths, format, encoding, repairs)
    first = next(documents, None)
    opened = open_index(folder) if there else create_index(folder)
    try:
        opened.delete(remove, counts)
        with Progress("index") as progress:
            document = first
            while document is not None:
                opened.add(document, counts)
                progress.advance()
                document = next(documents, None)
        opened.commit()
        found = opened.count()
    finally:
        opened.close()
    repaired = dict(sorted(repairs.counts.items()))
    return Indexed(*found, dict(sorted(counts.items())), repairs.refused, repairs.refusals, repaired)


def search(
    folder: PathLike | Index, question: str, *, limit: int = 10, filters: Filters | None = None
) -> list[Found]:
    """The passages that fit best, with their sentences scored."""
    from anagnosis.searching.asking import highlighted

    opened = _opened(folder)
    return highlighted(opened, question, opened.search(question, filters, limit))


def ask(
    folder: PathLike | Index, question: str, *, limit: int = 5, filters: Filters | None = None
) -> Answered:
    """The sentences of a collection that answer a question."""
    from anagnosis.searching.asking import ask as answer

    return answer(_opened(folder), question, filters, limit)


def search_report(
    folder: PathLike | Index, question: str, *, limit: int = 10, filters: Filters | None = None
) -> Report:
    """What `search` finds as a page."""
    from anagnosis.reports.found import search_report as made

    opened = _opened(folder)
    return made(question, search(opened, question, limit=limit, filters=filters), opened.count())


def ask_report(
    folder: PathLike | Index, question: str, *, limit: int = 5, filters: Filters | None = None
) -> Report:
    """What `ask` finds as a page."""
    from anagnosis.reports.found import ask_report as made

    opened = _opened(folder)
    return made(ask(opened, question, limit=limit, filters=filters), opened.count())


def filters(
    *,
    sections: Sequence[str] = (),
    since: str = "",
    until: str = "",
    journals: Sequence[str] = (),
    types: Sequence[str] = (),
) -> Filters:
    """Which passages count; checked."""
    from anagnosis.errors import unknown_name
    from anagnosis.searching.engines import Filters as Made
    from anagnosis.searching.engines import is_date
    from anagnosis.searching.section_names import SECTIONS

    for name in sections:
        if name not in SECTIONS:
            raise unknown_name("section", name, SECTIONS)
    for option, date in (("--since", since), ("--until", until)):
        if date and not is_date(date):
            raise InputError(f"{date!r} is no date", option, "write 2020, 2020-03 or 2020-03-11")
    return Made(tuple(sections), since, until, tuple(journals), tuple(types))


def _opened(folder: PathLike | Index) -> Index:
    from anagnosis.searching.index import open_index

    return open_index(Path(folder)) if isinstance(folder, str | Path) else folder


def _documents(
    paths: Sequence[PathLike], format: str | None, encoding: str | None, repairs: Repairs
) -> Iterator[Document]:
    """Of all files; one that cannot be read (on) is refused, and is a fault where nothing else was there."""
    from anagnosis.archives import ENDINGS
    from anagnosis.documents.detect import suffixes
    from anagnosis.documents.reading import inputs

    any_read, last = False, None
    for _, path in inputs(paths, (*suffixes(), *ENDINGS)) if paths else ():
        try:
            for document in read(path, format=format, encoding=encoding, repairs=repairs, whole=True):
                any_read = True
                yield document
        except InputError as fault:
            repairs.refuse(fault.where, f"{fault.what}; {fault.remedy}" if fault.remedy else fault.what)
            last = fault
    if last is not None and not any_read:
        raise last
