"""An open embedded index: `Engine` over tantivy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from anagnosis.errors import DamagedError, InputError
from anagnosis.searching.analysis import searchable
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.engines.embedded.added_documents import Added
from anagnosis.searching.engines.embedded.fields import ANALYSIS, CHECKSUM, OF_EVERY_ENTRY, checksum
from anagnosis.searching.engines.embedded.library_faults import (
    guarded,
    not_read,
    not_written,
    without_panic_message,
    writing_to,
)
from anagnosis.searching.engines.embedded.links import Links
from anagnosis.searching.engines.embedded.queries import Queries
from anagnosis.searching.engines.embedded.segments import META, Meta, Segments, read_meta, unreadable
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.near_names import nearest
from anagnosis.searching.records.answers import Counts, Hit
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import analyzer, library

if TYPE_CHECKING:
    from tantivy import DocAddress, Index, IndexWriter, Searcher

HEAP = 256 << 20  # bytes that wait in memory to be written
_OF_ONE_USER = (META, ".managed.json")  # as the library writes them
_FOR_ALL = 0o644
# The id breaks ties, not the place in the index; so we load all hits with the last score, up to a limit. Rounding makes
# equal scores equal, which may differ in their last digits with the order of summation.
_FOR_TIES = 50
_MOST_TIES = 5_000
_DIGITS = 4
_TOGETHER = 1_000  # entries to read and verify at once
_NAMES = 20_000  # names to compare, those of most passages first
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Passage)


@guarded
class Embedded:
    """An Engine in a folder. links: to read a folder without the right to write."""

    def __init__(self, folder: Path, index: Index, files: Segments, links: Links | None = None) -> None:
        self.folder, self._index, self._files, self._links = folder, index, files, links
        self._index.register_tokenizer(ANALYSIS, analyzer())
        self._queries = Queries(index.schema)
        self._writer: IndexWriter | None = None
        self._added: Added | None = None
        self._buffer = bytearray()
        self._has_checksums = read_meta(folder).has_checksums
        self._seen = self._state()
        self._reload()

    @property
    def has_checksums(self) -> bool:
        return self._has_checksums

    def begin(self) -> None:
        self._writing()

    def add(self, passages: Sequence[Passage], mark: str) -> None:
        writer, document, buffer = self._writing(), library().Document, self._buffer
        ident, facts = passages[0].document, passages[0].facts
        title = searchable(passages[0].title)
        date = date_number(facts.get("date") or facts.get("year", ""))
        journal, types = facts.get("journal", "").casefold(), _types(facts)
        if self._added is not None:
            self._added.add(ident)
        for passage in passages:
            text = f"{passage.heading}\n{passage.text}" if passage.heading else passage.text
            # Field by field: half the time of a table of them.
            entry = document()
            entry.add_text("document", ident)
            entry.add_text("content", f"{title}\n{searchable(text)}")
            entry.add_text("section", passage.section)
            entry.add_unsigned("number", passage.number)
            _ENCODER.encode_into(passage, buffer)
            stored, of_document = bytes(buffer), b""
            entry.add_bytes("stored", stored)
            if title:
                entry.add_text("title", title)
            if date:
                entry.add_unsigned("date", date)
            if journal:
                entry.add_text("journal", journal)
            for each in types:
                entry.add_text("type", each.casefold())
            if passage.number == 0:
                of_document = mark.encode()
                entry.add_bytes("mark", of_document)
            if self._has_checksums:
                entry.add_unsigned(CHECKSUM, checksum(stored, of_document))
            try:
                writer.add_document(entry)
            except ValueError as fault:
                raise not_written(fault, self.folder) from fault

    def mark(self, document: str) -> str | None:
        if self._added is not None and document not in self._added:
            return None
        searcher = self._searcher()
        if not searcher.doc_freq("document", document):
            return None
        hits = searcher.search(self._queries.passage(document, 0), 1, count=False).hits
        return self._read(searcher, [hits[0][1]])[0].mark if hits else None

    def delete(self, document: str) -> None:
        with writing_to(self.folder):
            self._writing().delete_documents_by_term("document", document)

    def commit(self) -> None:
        if self._writer is not None:
            with writing_to(self.folder):
                self._writer.commit()
            self._let_all_read()
            self._index.reload()  # without verification: this process has just written it
            self._seen = self._state()

    def search(self, words: Sequence[str], filters: Filters, limit: int) -> list[Hit]:
        if not words or limit < 1:
            return []
        searcher = self._searcher()
        query, depth = self._queries.words(words, filters), limit + _FOR_TIES
        while True:
            scored = [
                (round(score, _DIGITS), at) for score, at in searcher.search(query, depth, count=False).hits
            ]
            if len(scored) < depth or scored[-1][0] < scored[limit - 1][0] or depth >= limit + _MOST_TIES:
                break
            depth = min(10 * depth, limit + _MOST_TIES)
        last = scored[min(limit, len(scored)) - 1][0] if scored else 0.0
        scored = [(score, at) for score, at in scored if score >= last]
        entries = self._read(searcher, [at for _, at in scored])
        hits = [Hit(entry.passage, score) for entry, (score, _) in zip(entries, scored, strict=True)]
        return sorted(hits, key=_order)[:limit]

    def document(self, document: str) -> list[Passage]:
        searcher = self._searcher()
        number = searcher.doc_freq("document", document)
        if not number:
            return []
        hits = searcher.search(self._queries.term("document", document), number, count=False).hits
        passages = [entry.passage for entry in self._read(searcher, [at for _, at in hits])]
        return sorted(passages, key=lambda passage: passage.number)

    def passages(self, places: Sequence[tuple[str, int]]) -> list[Passage | None]:
        searcher = self._searcher()
        at: list[DocAddress | None] = []
        for document, number in places:
            hits = searcher.search(self._queries.passage(document, number), 1, count=False).hits
            at.append(hits[0][1] if hits else None)
        entries = iter(self._read(searcher, [one for one in at if one is not None]))
        return [None if one is None else next(entries).passage for one in at]

    def marks(self) -> Iterator[tuple[str, str]]:
        searcher = self._searcher()
        if searcher.num_docs:
            hits = searcher.search(self._queries.first(), int(searcher.num_docs), count=False).hits
            for begin in range(0, len(hits), _TOGETHER):
                for entry in self._read(searcher, [at for _, at in hits[begin : begin + _TOGETHER]]):
                    yield entry.passage.document, entry.mark

    def count(self) -> Counts:
        searcher = self._searcher()
        result: Any = searcher.search(self._queries.first(), 1)
        return Counts(int(result.count), int(searcher.num_docs))

    def undated(self) -> int:
        searcher = self._searcher()
        every: Any = searcher.search(self._queries.first(), 1)
        those: Any = searcher.search(self._queries.dated(), 1)
        return int(every.count) - int(those.count)

    def journals(self, name: str, limit: int) -> list[str]:
        return self._named("journal", lambda facts: [facts.get("journal", "")], name, limit)

    def types(self, name: str, limit: int) -> list[str]:
        return self._named("type", _types, name, limit)

    def _named(
        self, field: str, printed: Callable[[Mapping[str, str]], list[str]], name: str, limit: int
    ) -> list[str]:
        """The name as printed if the field has it, else similar names. printed: gives the names in some facts."""
        searcher, folded = self._searcher(), name.casefold()
        terms = [folded]
        if not searcher.doc_freq(field, folded):
            every = searcher.terms_with_prefix(field, "", limit=_NAMES)
            terms = nearest(folded, (term for term, _ in every), limit)
        names = list[str]()
        for term in terms:
            for _, at in searcher.search(self._queries.term(field, term), 1, count=False).hits:
                facts = self._read(searcher, [at])[0].passage.facts
                names += [each for each in printed(facts) if each.casefold() == term]
        return names

    def version(self) -> str:
        try:
            return str(read_meta(self.folder).opstamp)
        except DamagedError:
            raise
        except InputError:  # the writer has not yet made the file readable
            return ""

    def frequency(self, words: Sequence[str]) -> list[int]:
        searcher = self._searcher()
        return [searcher.doc_freq("content", word) for word in words]

    def close(self) -> None:
        if self._writer is not None:
            with suppress(ValueError):  # with a full disk the rollback fails too
                self._writer.rollback()
                self._writer.wait_merging_threads()
            self._writer = self._added = None
            self._let_all_read()
        if self._links is not None:
            self._links.close()

    def _let_all_read(self) -> None:
        """Make files readable for all that the library creates for their owner alone."""
        for name in _OF_ONE_USER:
            with suppress(OSError):  # another user's, or made anew just now
                (self.folder / name).chmod(_FOR_ALL)

    def _writing(self) -> IndexWriter:
        if self._links is not None:
            raise InputError("cannot be written", str(self.folder), "give yourself the right to, or copy it")
        if self._writer is None:
            try:
                self._writer = self._index.writer(HEAP)
            except ValueError as fault:
                busy = "LockBusy" in str(fault)
                what = "another process is writing" if busy else f"cannot be written ({fault})"
                remedy = (
                    "wait until it has ended" if busy else "free some space, or give yourself the right to"
                )
                raise InputError(what, str(self.folder), remedy) from fault
            self._reload()
            self._added = None if self._index.searcher().num_docs else Added()
        return self._writer

    def _searcher(self) -> Searcher:
        """A searcher of the last commit, whichever process made it."""
        if self._writer is None:
            try:
                if (state := self._state()) != self._seen:
                    self._reload()
                    self._seen = state
            except DamagedError:
                raise
            except InputError:  # the writer has not yet made the file readable: keep the previous commit
                pass
        return self._index.searcher()

    def _read(self, searcher: Searcher, places: list[DocAddress]) -> list[_Entry]:
        """The entries at these places. DamagedError: the checksum of an entry differs."""
        sums = searcher.fast_field_values(CHECKSUM, places) if self._has_checksums else [None] * len(places)
        entries: list[_Entry] = []
        with without_panic_message():
            for place, expected in zip(places, sums, strict=True):
                entry = searcher.doc(place)
                stored, mark = (bytes(entry.get_first(name) or b"") for name in ("stored", "mark"))
                if expected is not None and checksum(stored, mark) != expected:
                    raise DamagedError("a passage is not as it was stored", str(self.folder), AGAIN)
                entries.append(_Entry(_DECODER.decode(stored), mark.decode()))
        return entries

    def _reload(self) -> None:
        """Open the last commit. InputError: it is damaged or cannot be read."""
        reload, links = self._index.reload, self._links
        try:
            with without_panic_message():
                _, meta = self._files.read(reload if links is None else lambda: links.read(reload))
        except ValueError as fault:
            raise not_read(fault, self.folder) from fault
        self._agree(meta)

    def _agree(self, meta: Meta) -> None:
        """DamagedError: the number of entries in meta.json differs from the index."""
        of_every = self._index.searcher().terms_with_prefix(OF_EVERY_ENTRY, "")
        if sum(count for _, count in of_every) != meta.entries:
            raise DamagedError("contradicts the files that it names", str(self.folder / META), AGAIN)

    def _state(self) -> tuple[int, int]:
        try:
            meta = (self.folder / META).stat()
        except OSError as fault:
            raise unreadable(self.folder, fault) from fault
        return meta.st_mtime_ns, meta.st_ino


class _Entry(NamedTuple):
    """An entry. mark: of the document, "" unless this is its first passage."""

    passage: Passage
    mark: str


def _types(facts: Mapping[str, str]) -> list[str]:
    """Types of publication, as printed."""
    types = facts.get("types")
    return types.split("; ") if types else []


def _order(hit: Hit) -> tuple[float, str, int]:
    return -hit.score, hit.passage.document, hit.passage.number
