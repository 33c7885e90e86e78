"""Verbs over a collection: index, search, ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from anagnosis.api.documents import read
from anagnosis.api.predicting import ready_for_torch
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from anagnosis.documents.document import Document
    from anagnosis.documents.repairs import Repairs
    from anagnosis.reports.answers import AskAnswer, SearchAnswer
    from anagnosis.reports.report import Report
    from anagnosis.searching.asking import Answered, Found
    from anagnosis.searching.engines import Filters
    from anagnosis.searching.index import Index
    from anagnosis.searching.readers import Readers
    from anagnosis.searching.vectors.encoding import SentenceEncoder
    from anagnosis.searching.vectors.updating import Encoded

PathLike = str | Path


@dataclass(frozen=True, slots=True)
class Indexed:
    """What `index` did, and what is there now.

    counts: documents by what became of them (searching/index.py). refused, refusals, repairs: as loaders tell them; a
    file that breaks off is a refusal too, what came before it is in. vectors: where an encoder is remembered.
    """

    documents: int
    passages: int
    counts: dict[str, int]
    refused: int
    refusals: list[tuple[str, str]]
    repairs: dict[str, int]
    vectors: Encoded | None = None


def index(
    paths: Sequence[PathLike],
    out: PathLike,
    *,
    remove: Sequence[str] = (),
    format: str | None = None,
    encoding: str | None = None,
    encoder: str | None = None,
    no_encoder: bool = False,
    device: str = "auto",
) -> Indexed:
    """Index documents into a new folder, or take what is new into one that is there.

    remove: ids of documents that go, also where `paths` have them. encoder: makes vectors of all passages, and is
    remembered for what comes later; no_encoder: forget it and its vectors. device: where it computes. What was
    committed before an interruption stays, and the same call goes on.
    """
    from anagnosis.documents.repairs import Repairs as NewRepairs
    from anagnosis.progress import Progress
    from anagnosis.searching.index import FILE, create_index, open_index

    folder, repairs, counts, removed = Path(out), NewRepairs(), Counter[str](), frozenset(remove)
    if encoder is not None and no_encoder:
        raise InputError("an encoder and none at once", "--no-encoder", "leave one of them out")
    there = (folder / FILE).exists()
    if not paths and not remove and not (there and (encoder is not None or no_encoder)):
        raise InputError("nothing to index", "", "name files or folders, or documents with --remove")
    if remove and not paths and not there:
        raise InputError("no index here", str(folder), "name the folder of one")
    # Inputs are looked at before a folder is made.
    documents = _documents(paths, format, encoding, repairs)
    first = next(documents, None)
    if paths and first is None and not there:
        where, why = repairs.refusals[0] if repairs.refusals else ("", "no document in these files")
        raise InputError(why, where, "check the files, or name their format with --format")
    # An encoder that is not there is refused before hours of indexing.
    loaded = _encoder(encoder, device) if encoder is not None else None
    opened = open_index(folder) if there else create_index(folder)
    try:
        opened.begin()
        if loaded is None and not no_encoder and opened.settings.encoder:
            loaded = _encoder_if_installed(opened.settings.encoder, device)
        if loaded is not None:
            opened.takes(loaded)
        opened.delete(remove, counts)
        with Progress("index") as progress:
            document = first
            try:
                while document is not None:
                    if document.id not in removed:
                        opened.add(document, counts)
                    progress.advance()
                    document = next(documents, None)
            finally:
                opened.commit()  # what an interruption leaves is whole papers
        if no_encoder:
            opened.drop_encoder()
        encoded = opened.encode(loaded) if loaded is not None else None
        found = opened.count()
    finally:
        opened.close()
    repaired = dict(sorted(repairs.counts.items()))
    return Indexed(*found, dict(sorted(counts.items())), repairs.refused, repairs.refusals, repaired, encoded)


class Asking(TypedDict, total=False):
    """limit: how many. filters: which passages count. ranking: lexical, dense, hybrid or reranked; None: what suits.

    encoder: of the index's vectors, where it lies elsewhere than when they were made.
    """

    limit: int
    filters: Filters | None
    ranking: str | None
    encoder: str | None


class Answering(Asking, total=False):
    """readers: trained ones, or their folder (searching/readers.py). device, threads: where they compute."""

    readers: PathLike | Readers | None
    device: str
    threads: int | None


def search(folder: PathLike | Index, question: str, **how: Unpack[Asking]) -> list[Found]:
    """The passages that fit best, with their sentences scored."""
    from anagnosis.searching.asking import highlighted

    opened = _opened(folder, how)
    hits = opened.search(question, how.get("filters"), how.get("limit", 10), how.get("ranking"))
    return highlighted(opened, question, hits)


def ask(folder: PathLike | Index, question: str, **how: Unpack[Answering]) -> Answered:
    """The sentences of a collection that answer a question; yes, no or maybe, or names, where readers are named."""
    from anagnosis.searching.asking import SHOWN
    from anagnosis.searching.asking import ask as answer

    opened = _opened(folder, how)
    readers = load_readers(how.get("readers"), how.get("device", "auto"), how.get("threads"))
    limit = how.get("limit", SHOWN)
    return answer(opened, question, how.get("filters"), limit, readers, how.get("ranking"))


def load_readers(
    folder: PathLike | Readers | None, device: str = "auto", threads: int | None = None
) -> Readers:
    """The trained readers of a folder; those that need no training for none."""
    from anagnosis.searching.readers import NONE
    from anagnosis.searching.readers import load_readers as load

    if folder is None:
        return NONE
    if not isinstance(folder, str | Path):
        return folder
    ready_for_torch("answering with trained readers")
    return load(folder, device, threads)


def open_collection(folder: PathLike, encoder: str | None = None) -> Index:
    """An index to ask more than once. encoder: of its vectors, where it lies elsewhere than when they were made.

    Refused (InputError): another encoder than made them, an index without vectors.
    """
    from anagnosis.searching.index import open_index

    opened = open_index(Path(folder))
    if encoder is not None:
        ready_for_torch("ranking by vectors")
        opened.asks_with(encoder)
    return opened


def search_report(folder: PathLike | Index, question: str, **how: Unpack[Asking]) -> Report:
    """What `search` finds as a page."""
    from anagnosis.reports.found import search_report as made
    from anagnosis.searching.engines import Filters

    opened = _opened(folder, how)
    how["ranking"] = opened.ranking(how.get("ranking"))
    left_out = opened.left_out(how.get("filters") or Filters())
    return made(question, search(opened, question, **how), opened.count(), how["ranking"], left_out)


def ask_report(folder: PathLike | Index, question: str, **how: Unpack[Answering]) -> Report:
    """What `ask` finds as a page."""
    from anagnosis.reports.found import ask_report as made
    from anagnosis.searching.engines import Filters

    opened = _opened(folder, how)
    how["ranking"] = opened.ranking(how.get("ranking"))
    left_out = opened.left_out(how.get("filters") or Filters())
    return made(ask(opened, question, **how), opened.count(), how["ranking"], left_out)


def search_answer(folder: PathLike | Index, question: str, **how: Unpack[Asking]) -> SearchAnswer:
    """What `search` finds as the data that /api/search gives."""
    from anagnosis.reports.answering import search_answer as made
    from anagnosis.searching.asking import highlighted
    from anagnosis.searching.engines import Filters
    from anagnosis.searching.highlighting import UNTRAINED

    opened, chosen, limit = _opened(folder, how), how.get("filters") or Filters(), how.get("limit", 10)
    ranking = opened.ranking(how.get("ranking"))
    hits = opened.search(question, chosen, limit + 1, ranking)  # one more tells whether there is more
    found = highlighted(opened, question, hits[:limit])
    missed = opened.left_out(chosen)
    return made(question, found, ranking, UNTRAINED.about, missed, more=len(hits) > limit)


def ask_answer(folder: PathLike | Index, question: str, **how: Unpack[Answering]) -> AskAnswer:
    """What `ask` finds as the data that /api/ask gives."""
    from anagnosis.reports.answering import ask_answer as made
    from anagnosis.searching.engines import Filters

    opened = _opened(folder, how)
    return made(ask(opened, question, **how), opened.left_out(how.get("filters") or Filters()))


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
    from anagnosis.searching.engines import date_number, is_date
    from anagnosis.searching.section_names import SECTIONS

    chosen = tuple(name.casefold() for name in sections)
    for name in chosen:
        if name not in SECTIONS:
            raise unknown_name("section", name, SECTIONS)
    for option, date in (("--since", since), ("--until", until)):
        if date and not is_date(date):
            raise InputError(f"{date!r} is no date", option, "write 2020, 2020-03 or 2020-03-11")
    if since and until and date_number(since) > date_number(until, last=True):
        raise InputError(f"nothing lies between {since} and {until}", "--since", "turn them round")
    return Made(chosen, since, until, tuple(journals), tuple(types))


def _encoder(name: str, device: str) -> SentenceEncoder:
    from anagnosis.searching.vectors.encoding import SentenceEncoder

    return SentenceEncoder(name, device)


def _encoder_if_installed(name: str, device: str) -> SentenceEncoder | None:
    """Without torch what is new is found by its words, which is said."""
    from anagnosis.progress import tell
    from anagnosis.searching.dense import can_encode

    if can_encode():
        return _encoder(name, device)
    tell('what is new gets no vectors, since they need torch; pip install "anagnosis[train]"')
    return None


def _opened(folder: PathLike | Index, how: Asking) -> Index:
    if isinstance(folder, str | Path):
        return open_collection(folder, how.get("encoder"))
    return folder


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
