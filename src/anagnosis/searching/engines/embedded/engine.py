"""An open embedded index: `Engine` over tantivy's BM25 in this process.

Ties are broken by names, never by places. Papers without scores come in the order of fields.ORDER.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.errors import DamagedError
from anagnosis.searching.engines import BY_DATE, BY_SCORE, Committed, Scored, best_first
from anagnosis.searching.engines.embedded.fields import (
    ANALYSIS,
    ORDER,
    PAPER,
    PRINTED_ANALYSIS,
    document_of,
    name_in,
    stored_in,
)
from anagnosis.searching.engines.embedded.library_faults import (
    guard,
    guarded,
    without_panic_message,
)
from anagnosis.searching.engines.embedded.queries import native
from anagnosis.searching.engines.embedded.segments import (
    MANAGED,
    META,
    Segments,
    read_meta,
)
from anagnosis.searching.engines.queries import Json, Queries
from anagnosis.searching.engines.terms import printed_in
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.papers.bm25 import CONTENT, TITLE, Rarity
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import AGAIN, StoredPaper
from anagnosis.searching.queries import tree
from anagnosis.searching.records.hits import Counts, Facet, Facets
from anagnosis.searching.words import library, printed_analyzer, split_analyzer

if TYPE_CHECKING:
    from tantivy import DocAddress, Index, IndexWriter, Query, Searcher

HEAP = 256 << 20  # bytes that wait in memory to be written
_OF_ONE_USER = (META, MANAGED)  # as the library writes them
_FOR_ALL = 0o644
ADDED_BITS = 1 << 27
_REMEMBERED = 400  # papers; those of one question are read several times
_YEAR = 10_000  # of filters.date_number
_BUCKETS = 200  # of a facet: more are asked for only where the last one shown ties with the last one counted
_MOST_BUCKETS = 65_000  # the library refuses more
_QUERIES = Queries()


class _Commit:
    """A commit of the index in a folder, and what is computed of it once."""

    def __init__(self, index: Index, folder: Path) -> None:
        self.searcher, self._schema = index.searcher(), index.schema
        self._read = lru_cache(_REMEMBERED)(partial(_read, self.searcher, folder))
        self._printed = dict[tuple[str, str], str]()  # (field, folded name) → as printed

    def native(self, query: Json) -> Query:
        """A query as the library's own."""
        return native(self._schema, query)

    def stored(self, at: DocAddress) -> StoredPaper:
        """The paper at a place."""
        return self._read(at.segment_ord, at.doc)

    def in_order(self, query: Query, limit: int) -> list[tuple[str, DocAddress]]:
        """(what they are sorted by, place) of the latest papers of a query."""
        rising = library().Order.Asc
        return self.searcher.search(query, limit, count=False, order_by_field=ORDER, order=rising).hits

    def matching(self, query: Query) -> Iterator[StoredPaper]:
        """All papers of a query, in no order."""
        found: Any = self.searcher.search(query, _BUCKETS)
        if found.count > len(found.hits):
            found = self.searcher.search(query, found.count)
        return (self.stored(at) for _, at in found.hits)

    def as_printed(self, field: str, name: str) -> str:
        """A folded name as the latest paper with it prints it; "" without one."""
        if (field, name) not in self._printed:
            for _, at in self.in_order(self.native(_QUERIES.named(field, name)), 1):
                self._printed[field, name] = printed_in(self.stored(at), field, name)
        return self._printed.get((field, name), "")

    @cached_property
    def sums(self) -> tuple[int, int]:
        """The passages of all papers, and their letters."""
        asked = {name: {"sum": {"field": name}} for name in ("passages", "letters")}
        found: Any = self.searcher.aggregate(library().Query.all_query(), asked)
        return int(found["passages"]["value"] or 0), int(found["letters"]["value"] or 0)


@guarded
class Embedded:
    """An Engine in a folder."""

    def __init__(self, folder: Path, index: Index, files: Segments) -> None:
        self.folder, self._index, self._files = folder, index, files
        self._index.register_tokenizer(ANALYSIS, split_analyzer())
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
            self._last = (self._state(), _Commit(self._index, self.folder))

    def search(
        self, query: tree.Query, filters: Filters, limit: int, *, sort: str = BY_SCORE
    ) -> list[Scored]:
        if limit < 1:
            return []
        commit = self._commit()
        wanted = commit.native(_QUERIES.scored(query, filters))
        if not query.ranked or sort == BY_DATE:
            return [Scored(0.0, commit.stored(at)) for _, at in commit.in_order(wanted, limit)]
        return best_first(
            lambda depth: commit.searcher.search(wanted, depth, count=False).hits, commit.stored, limit
        )

    def facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        commit = self._commit()
        wanted = commit.native(_QUERIES.scored(query, filters))
        if not limit:
            found: Any = commit.searcher.search(wanted, 1)
            return Facets(int(found.count))
        asked: dict[str, Any] = {one.names: _terms(one.field, _BUCKETS) for one in NAME_FILTERS}
        asked["sections"] = _terms("section", _BUCKETS)
        asked["years"] = {"histogram": {"field": "date", "interval": _YEAR, "min_doc_count": 1}}
        asked["papers"] = {"value_count": {"field": "passages"}}
        found: Any = commit.searcher.aggregate(wanted, asked)
        years = [(int(one["key"]) // _YEAR, one["doc_count"]) for one in found["years"]["buckets"]]
        names: dict[str, tuple[Facet, ...]] = {}
        for one in NAME_FILTERS:
            best = _commonest(found[one.names])
            if found[one.names]["sum_other_doc_count"] and best[-1][1] >= best[limit - 1][1]:
                every = commit.searcher.aggregate(wanted, {"all": _terms(one.field, _MOST_BUCKETS)})
                best = _commonest(every["all"])
            best_names = [Facet(commit.as_printed(one.field, name), count) for name, count in best[:limit]]
            names[one.names] = tuple(best_names)
        return Facets(
            int(found["papers"]["value"]),
            tuple([Facet(str(year), count) for year, count in years]),
            sections=tuple([Facet(*one) for one in _commonest(found["sections"])]),
            **names,
        )

    def meeting(self, names: Sequence[str], query: tree.Query, filters: Filters) -> set[str]:
        commit = self._commit()
        wanted = commit.native(_QUERIES.meeting(names, query, filters))
        return {name_in(order) for order, _ in commit.in_order(wanted, max(1, len(names)))}

    def papers(self, names: Sequence[str]) -> list[StoredPaper | None]:
        there = {one.name: one for one in self._with_any("name", names)}
        return [there.get(name) for name in names]

    def with_keys(self, keys: Sequence[str]) -> list[StoredPaper]:
        return self._with_any("key", [key for key in keys if self._is_known(key)])

    def _with_any(self, field: str, values: Sequence[str]) -> list[StoredPaper]:
        """The papers with any of these values in a field."""
        if not values:
            return []
        commit = self._commit()
        return [*commit.matching(commit.native(_QUERIES.among(field, values)))]

    def every(self) -> Iterator[StoredPaper]:
        with guard(self.folder):
            yield from self._commit().matching(library().Query.all_query())

    def rarity(self, words: Sequence[str]) -> Rarity:
        commit = self._commit()
        asked = [(field, word) for word in words for field in (CONTENT, TITLE)]
        counts = {one: commit.searcher.doc_freq(*one) for one in asked}
        return Rarity(commit.searcher.num_docs, *commit.sums, counts)

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

    def _commit(self) -> _Commit:
        """The last commit, whichever process made it."""
        if self._writer is None and (state := self._state()) != self._last[0]:
            with suppress(PermissionError):  # its writer is about to let all read it
                self._last = (state, self._reloaded())
        return self._last[1]

    def _reloaded(self) -> _Commit:
        """Open the last commit. InputError: it is damaged or cannot be read."""
        with without_panic_message():
            _, meta = self._files.read(self._index.reload)
        commit = _Commit(self._index, self.folder)
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


def _read(searcher: Searcher, folder: Path, segment: int, number: int) -> StoredPaper:
    with without_panic_message():
        return stored_in(searcher.doc(library().DocAddress(segment, number)), folder)


def _terms(field: str, size: int) -> dict[str, Any]:
    return {"terms": {"field": field, "size": size, "segment_size": _MOST_BUCKETS}}


def _commonest(found: Any) -> list[tuple[str, int]]:
    counts = [(one["key"], one["doc_count"]) for one in found["buckets"]]
    return sorted(counts, key=lambda one: (-one[1], one[0]))
