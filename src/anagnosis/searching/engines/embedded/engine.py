"""An open embedded index: `Engine` over tantivy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.errors import DamagedError, InputError
from anagnosis.searching.engines import AGAIN, BY_SCORE, Committed, Marked, PassageKey
from anagnosis.searching.engines.embedded.commit import Commit
from anagnosis.searching.engines.embedded.entries import Entries, Entry, entries
from anagnosis.searching.engines.embedded.fields import ANALYSIS, OF_EVERY_ENTRY, PRINTED_ANALYSIS, SLOT
from anagnosis.searching.engines.embedded.library_faults import (
    guard,
    guarded,
    not_read,
    not_written,
    without_panic_message,
    writing_to,
)
from anagnosis.searching.engines.embedded.printed import completions, definitions, near_words
from anagnosis.searching.engines.embedded.queries import Queries
from anagnosis.searching.engines.embedded.segments import (
    MANAGED,
    META,
    Meta,
    Segments,
    list_fault,
    read_meta,
    unreadable,
)
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries import tree
from anagnosis.searching.records.expansion import Defined, Definition
from anagnosis.searching.records.hits import Counts, Facets, Hit, PrintedTerm
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import analyzer, library, printed_analyzer, words_of

if TYPE_CHECKING:
    from tantivy import DocAddress, Index, IndexWriter, Searcher

HEAP = 256 << 20  # bytes that wait in memory to be written
_OF_ONE_USER = (META, MANAGED)  # as the library writes them
_FOR_ALL = 0o644
_TOGETHER = 1_000  # entries to read and verify at once
_MOST = 10_000  # documents with one of some aliases
_WORD = re.compile(r"[^\W_]+")
_ADDED_BITS = 1 << 27


class Added:
    """The documents that a writer has added to an empty index: a Bloom filter with one bit of 16 MB for each.

    It saves lookups in the index, which take some ten times as long, and longer the more files there are. Documents may
    share a bit, so a few lookups are needless, and none is missed.
    """

    def __init__(self) -> None:
        self._bits = bytearray(_ADDED_BITS // 8)

    def add(self, document: str) -> None:
        """Record a document. It cannot be removed."""
        bit = hash(document) % _ADDED_BITS
        self._bits[bit >> 3] |= 1 << (bit & 7)

    def __contains__(self, document: str) -> bool:
        """Whether a document may have been added; False is certain."""
        bit = hash(document) % _ADDED_BITS
        return bool(self._bits[bit >> 3] & 1 << (bit & 7))


@guarded
class Embedded:
    """An Engine in a folder."""

    def __init__(self, folder: Path, index: Index, files: Segments) -> None:
        self.folder, self._index, self._files = folder, index, files
        self._index.register_tokenizer(ANALYSIS, analyzer())
        self._index.register_tokenizer(PRINTED_ANALYSIS, printed_analyzer())
        self._writer: IndexWriter | None = None
        self._added: Added | None = None
        self._slot = 0  # of the next entry; a writer begins with a free one
        self._queries = Queries(index.schema)
        self._entries = Entries(folder)
        self._last: Commit | None = None
        self._seen = self._state()
        self._reload()

    def begin(self) -> None:
        self._writing()

    def add(self, passages: Sequence[Passage], mark: str, paper: Paper = NO_FACTS) -> None:
        writer = self._writing()
        if self._added is not None:
            for name in (passages[0].document, *paper.aliases):
                self._added.add(name)
        slot = self._slot
        self._slot += len(passages)
        for entry in entries(passages, mark, paper, slot):
            try:
                writer.add_document(entry)
            except ValueError as fault:
                raise not_written(fault, self.folder) from fault

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

    def search(self, query: tree.Query, filters: Filters, limit: int, *, sort: str = BY_SCORE) -> list[Hit]:
        if limit < 1:
            return []
        return self._commit().search(query, filters, limit, sort)

    def facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        return self._commit().facets(query, filters, limit)

    def passages(
        self, places: Sequence[PassageKey], meeting: tree.Query | None = None
    ) -> list[Passage | None]:
        wanted = places if meeting is None else self._meeting(meeting, places)
        entries = dict(zip(wanted, self._entries_at(wanted), strict=True))
        found = (entries.get(place) for place in places)
        return [None if entry is None else entry.passage for entry in found]

    def _meeting(self, query: tree.Query, places: Sequence[PassageKey]) -> list[PassageKey]:
        """The passages among these that meet the conditions of a query."""
        if not places:
            return []
        commit, of = self._commit(), {document: list["DocAddress"]() for document, _ in places}
        wanted = self._queries.meeting(query, [*of])
        counted: Any = commit.searcher.search(wanted, 1)
        if not counted.count:
            return []
        hits = commit.first(wanted, int(counted.count), commit.left_out(query))
        there = {(at.segment_ord, at.doc) for _, at in hits}
        for document in of:
            of[document] = self._places(commit.searcher, document)
        return [
            (document, number)
            for document, number in places
            if 0 <= number < len(of[document])
            and (of[document][number].segment_ord, of[document][number].doc) in there
        ]

    def marks(
        self, documents: Iterable[str] | None = None, *, aliases: Sequence[str] = ()
    ) -> Iterator[Marked]:
        with guard(self.folder):
            searcher = self._searcher()
            if documents is None and not aliases:
                places = self._of_all(searcher)
            else:
                places = [
                    at for one in self._known(documents or ()) for at in self._places(searcher, one)[:1]
                ]
                names = [one for one in self._known(aliases) if searcher.doc_freq("alias", one)]
                if names:
                    found = searcher.search(self._queries.first_with("alias", names), _MOST, count=False)
                    places += [at for _, at in found.hits]
            for begin in range(0, len(places), _TOGETHER):
                for entry in self._entries.read(searcher, places[begin : begin + _TOGETHER]):
                    yield Marked(entry.passage.document, entry.mark, (entry.paper or NO_FACTS).aliases)

    def _of_all(self, searcher: Searcher) -> list[DocAddress]:
        """Where the first passages of all documents are."""
        count = int(searcher.num_docs)
        hits = searcher.search(self._queries.first(), count, count=False).hits if count else []
        return [at for _, at in hits]

    def _known(self, names: Iterable[str]) -> list[str]:
        """The documents or aliases that may be there."""
        return [one for one in names if self._added is None or one in self._added]

    def committed(self) -> Committed:
        version, searcher = self._version(), self._searcher()
        result: Any = searcher.search(self._queries.first(), 1)
        return Committed(version, Counts(int(result.count), int(searcher.num_docs)))

    def terms(self, field: str, letters: str, limit: int, *, near: bool = False) -> list[PrintedTerm]:
        if field == tree.TITLE:
            searcher = self._searcher()
            if near:
                return near_words(searcher, letters, limit, self._printed_form)
            return completions(searcher, letters, limit)
        names = self._commit().names
        return (names.alike if near else names.beginning_with)(field, letters, limit)

    def _commit(self) -> Commit:
        """What was computed of the last commit."""
        self._searcher()
        # The state first: another thread may open a later commit in between, whose counts then stand under the earlier
        # state and are computed again, where those of an earlier commit under the later state would stay.
        state = self._seen
        searcher = self._index.searcher()
        if (last := self._last) is None or last.state != state:
            last = self._last = Commit(state, searcher, self._queries, self._entries)
        return last

    def papers(self, documents: Sequence[str]) -> list[Paper | None]:
        firsts = self._entries_at([(document, 0) for document in documents])
        return [None if entry is None else entry.paper for entry in firsts]

    def _entries_at(self, places: Sequence[PassageKey]) -> list[Entry | None]:
        """The entries of these (document, number), read together; None for each that does not exist."""
        searcher = self._searcher()
        of = {document: self._places(searcher, document) for document in {document for document, _ in places}}
        at = [
            of[document][number] if 0 <= number < len(of[document]) else None for document, number in places
        ]
        read = iter(self._entries.read(searcher, [place for place in at if place is not None]))
        return [None if place is None else next(read) for place in at]

    def _places(self, searcher: Searcher, document: str) -> list[DocAddress]:
        """Where the passages of a document are, in its order."""
        count, rising = searcher.doc_freq("document", document), library().Order.Asc
        if not count:
            return []
        wanted = self._queries.term("document", document)
        hits = searcher.search(wanted, count, count=False, order_by_field=SLOT, order=rising).hits
        return [place for _, place in hits]

    def definitions(self, names: Sequence[Defined]) -> list[list[Definition]]:
        searcher = self._searcher()
        return [definitions(searcher, self._queries, one) for one in names]

    def _printed_form(self, stem: str) -> str:
        """A word with this stem, in lower case, as the best passage prints it."""
        for hit in self.search(tree.Query((tree.Word(stem),)), Filters(), 1):
            for word in _WORD.findall(f"{hit.passage.title} {hit.passage.heading} {hit.passage.text}"):
                if words_of(word)[:1] == [stem]:
                    return word.lower()
        return ""

    def _version(self) -> str:
        try:
            return str(read_meta(self.folder).opstamp)
        except InputError:  # the writer has not yet made the file readable, or it is damaged: reading says so
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

    def _let_all_read(self) -> None:
        """Make files readable for all that the library creates for their owner alone."""
        for name in _OF_ONE_USER:
            with suppress(OSError):  # another user's, or made anew just now
                (self.folder / name).chmod(_FOR_ALL)

    def _writing(self) -> IndexWriter:
        if self._writer is None:
            if fault := list_fault(self.folder):
                remedy = f"remove {MANAGED}; the same command makes it anew from the folder"
                raise DamagedError(fault, str(self.folder / MANAGED), remedy)
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
            searcher = self._index.searcher()
            self._added = None if searcher.num_docs else Added()
            self._slot = self._queries.free_slot(searcher)
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

    def _reload(self) -> None:
        """Open the last commit. InputError: it is damaged or cannot be read."""
        try:
            with without_panic_message():
                _, meta = self._files.read(self._index.reload)
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
