"""An open embedded index: `Engine` over tantivy's BM25 in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.errors import DamagedError
from anagnosis.searching.engines import BY_SCORE, Committed, Scored
from anagnosis.searching.engines.embedded.commit import Commit
from anagnosis.searching.engines.embedded.fields import (
    ANALYSIS,
    PAPER,
    PRINTED_ANALYSIS,
    document_of,
)
from anagnosis.searching.engines.embedded.library_faults import (
    guard,
    guarded,
    without_panic_message,
)
from anagnosis.searching.engines.embedded.segments import (
    MANAGED,
    META,
    Segments,
    read_meta,
)
from anagnosis.searching.filters import Filters
from anagnosis.searching.papers.bm25 import Rarity
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import AGAIN, StoredPaper
from anagnosis.searching.queries import tree
from anagnosis.searching.records.hits import Counts, Facets
from anagnosis.searching.words import analyzer, library, printed_analyzer

if TYPE_CHECKING:
    from tantivy import Index, IndexWriter

HEAP = 256 << 20  # bytes that wait in memory to be written
_OF_ONE_USER = (META, MANAGED)  # as the library writes them
_FOR_ALL = 0o644
ADDED_BITS = 1 << 27


@guarded
class Embedded:
    """An Engine in a folder."""

    def __init__(self, folder: Path, index: Index, files: Segments) -> None:
        self.folder, self._index, self._files = folder, index, files
        self._index.register_tokenizer(ANALYSIS, analyzer())
        self._index.register_tokenizer(PRINTED_ANALYSIS, printed_analyzer())
        self._writer: IndexWriter | None = None
        # Which keys a writer has put into an empty index, one bit each (a Bloom filter): it saves lookups.
        self._added: bytearray | None = None
        # The state of its file and the commit, set together, since threads read them.
        self._last = (self._state(), self._reloaded())

    def begin(self) -> None:
        self._writing()

    def put(self, stored: StoredPaper) -> None:
        writer, paper = self._writing(), shown(stored)
        if self._is_known(stored.name):
            self.delete(stored.name)
        if self._added is not None:
            for key in (stored.name, *paper.keys):
                bit = hash(key) % ADDED_BITS
                self._added[bit >> 3] |= 1 << (bit & 7)
        writer.add_document(document_of(stored, paper))

    def delete(self, name: str) -> None:
        self._writing().delete_documents_by_term("name", name)

    def commit(self) -> None:
        if self._writer is not None:
            self._writer.commit()
            self._let_all_read()
            self._index.reload()  # without verification: this process has just written it
            self._last = (self._state(), Commit(self._index, self.folder))

    def search(
        self, query: tree.Query, filters: Filters, limit: int, *, sort: str = BY_SCORE
    ) -> list[Scored]:
        return self._commit().search(query, filters, limit, sort) if limit > 0 else []

    def facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        return self._commit().facets(query, filters, limit)

    def meeting(self, names: Sequence[str], query: tree.Query, filters: Filters) -> set[str]:
        return self._commit().meeting(names, query, filters)

    def papers(self, names: Sequence[str]) -> list[StoredPaper | None]:
        there = {one.name: one for one in self._commit().with_any("name", names)} if names else {}
        return [there.get(name) for name in names]

    def with_keys(self, keys: Sequence[str]) -> list[StoredPaper]:
        known = [key for key in keys if self._is_known(key)]
        return self._commit().with_any("key", known) if known else []

    def every(self) -> Iterator[StoredPaper]:
        with guard(self.folder):
            commit = self._commit()
            for _, at in commit.matching(library().Query.all_query()):
                yield commit.stored(at)

    def rarity(self, words: Sequence[str]) -> Rarity:
        return self._commit().rarity(words)

    def names(self, field: str, letters: str, limit: int) -> list[str]:
        field = "printed" if field == tree.TITLE else field
        return [name for name, _ in self._commit().searcher.terms_with_prefix(field, letters, limit=limit)]

    def printed(self, field: str, names: Sequence[str]) -> list[str]:
        commit = self._commit()
        return [commit.as_printed(field, name) for name in names]

    def committed(self) -> Committed:
        # The version is read last: an earlier one beside a later commit would vouch for vectors that are outdated.
        commit, version = self._commit(), ""
        with suppress(PermissionError):
            version = str(read_meta(self.folder).opstamp)
        return Committed(version, Counts(commit.searcher.num_docs, commit.sums[0]))

    def close(self) -> None:
        if self._writer is not None:
            with suppress(ValueError):  # with a full disk the rollback fails too
                self._writer.rollback()
                self._writer.wait_merging_threads()
            self._writer = self._added = None
            self._let_all_read()

    def _is_known(self, key: str) -> bool:
        """Whether a name or key may be there."""
        bit = hash(key) % ADDED_BITS
        return self._added is None or bool(self._added[bit >> 3] & 1 << (bit & 7))

    def _commit(self) -> Commit:
        """The last commit, whichever process made it."""
        if self._writer is None and (state := self._state()) != self._last[0]:
            with suppress(PermissionError):  # its writer is about to let all read it
                self._last = (state, self._reloaded())
        return self._last[1]

    def _reloaded(self) -> Commit:
        """Open the last commit. InputError: it is damaged or cannot be read."""
        with without_panic_message():
            _, meta = self._files.read(self._index.reload)
        commit = Commit(self._index, self.folder)
        if commit.searcher.doc_freq("kind", PAPER) != meta.entries:
            raise DamagedError("contradicts the files that it names", str(self.folder / META), AGAIN)
        return commit

    def _let_all_read(self) -> None:
        """Make files readable for all that the library creates for their owner alone."""
        for name in _OF_ONE_USER:
            with suppress(OSError):  # another user's, or made anew just now
                (self.folder / name).chmod(_FOR_ALL)

    def _writing(self) -> IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(HEAP)
            self._last = (self._state(), self._reloaded())
            self._added = None if self._last[1].searcher.num_docs else bytearray(ADDED_BITS // 8)
        return self._writer

    def _state(self) -> tuple[int, int]:
        """Another one after every commit."""
        meta = (self.folder / META).stat()
        return meta.st_mtime_ns, meta.st_ino
