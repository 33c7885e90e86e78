"""The engine in process: tantivy's BM25 over one text field, with the title's words weighed a little more.

One entry a passage. `content` is what is searched: title, heading and text; `title` alone counts TITLE_WEIGHT beside it
(chosen on SciFact's training queries, design/search.md). A document's mark lies with its first passage, number 0.
Everything that was written is in `stored`, so that a commit is one atomic step of one library.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from anagnosis.errors import InputError, missing_extra
from anagnosis.searching.analysis import LONGEST_WORD, meaningful, searchable
from anagnosis.searching.engines import Counts, Filters, Hit, date_number
from anagnosis.searching.journals import nearest
from anagnosis.searching.passages import Passage

if TYPE_CHECKING:
    from tantivy import Index, IndexWriter, Query, Schema, Searcher, TextAnalyzer

TITLE_WEIGHT = 0.2
HEAP = 256 << 20  # bytes that wait in memory to be written
ANALYSIS = "biomedical"
_META = "meta.json"
_LOCKED = "Lockfile"
# Ties are told apart by id, not by where they happen to lie; so all that share the last score are looked at, up to so
# many. The same score can differ in its last digits with the order in which it was added up.
_FOR_TIES = 50
_MOST_TIES = 5_000
_DIGITS = 4
_ANY_DATE = (1, 99_999_999)
_JOURNALS = 20_000  # names that are looked through, those of most passages first
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Passage)


class _Meta(msgspec.Struct):
    """What is asked of tantivy's own file. opstamp: grows with all that is added, deleted and committed."""

    opstamp: int


def create(folder: Path) -> Embedded:
    """An empty one."""
    fields = schema()  # first: without the library nothing is begun
    folder.mkdir(parents=True, exist_ok=True)
    with _writing_to(folder):
        return Embedded(folder, _library().Index(fields, path=str(folder)))


def open(folder: Path) -> Embedded:
    """One that is there."""
    try:
        return Embedded(folder, _library().Index.open(str(folder)))
    except ValueError as fault:
        remedy = "let it be written to, or copy it" if _LOCKED in str(fault) else "make the index again"
        raise InputError(f"cannot be read ({fault})", str(folder), remedy) from fault


class Embedded:
    """An Engine in a folder."""

    def __init__(self, folder: Path, index: Index) -> None:
        self._folder, self._index = folder, index
        self._index.register_tokenizer(ANALYSIS, analyzer())
        self._schema = index.schema
        self._writer: IndexWriter | None = None
        self._seen = self._state()
        self._index.reload()

    def add(self, passages: Sequence[Passage], mark: str) -> None:
        writer, document = self._writing(), _library().Document
        title = searchable(passages[0].title)
        for passage in passages:
            facts = passage.facts
            text = f"{passage.heading}\n{passage.text}" if passage.heading else passage.text
            # Field by field: half the time of a table of them.
            entry = document()
            entry.add_text("document", passage.document)
            entry.add_text("content", f"{title}\n{searchable(text)}")
            entry.add_text("section", passage.section)
            entry.add_unsigned("number", passage.number)
            entry.add_bytes("stored", _ENCODER.encode(passage))
            if title:
                entry.add_text("title", title)
            if date := date_number(facts.get("date") or facts.get("year", "")):
                entry.add_unsigned("date", date)
            if journal := facts.get("journal"):
                entry.add_text("journal", journal.casefold())
            if types := facts.get("types"):
                for each in types.split("; "):
                    entry.add_text("type", each.casefold())
            if passage.number == 0:
                entry.add_bytes("mark", mark.encode())
            try:
                writer.add_document(entry)
            except ValueError as fault:
                raise _not_written(fault, self._folder) from fault

    def mark(self, document: str) -> str | None:
        searcher = self._searcher()
        if not searcher.doc_freq("document", document):
            return None
        tantivy = _library()
        both = [(tantivy.Occur.Must, self._term("document", document)), (tantivy.Occur.Must, self._first())]
        hits = searcher.search(tantivy.Query.boolean_query(both), 1, count=False).hits
        return bytes(searcher.doc(hits[0][1])["mark"][0]).decode() if hits else None

    def delete(self, document: str) -> None:
        with _writing_to(self._folder):
            self._writing().delete_documents_by_term("document", document)

    def commit(self) -> None:
        if self._writer is not None:
            with _writing_to(self._folder):
                self._writer.commit()
            self._index.reload()
            self._seen = self._state()

    def search(self, question: str, filters: Filters, limit: int) -> list[Hit]:
        words = list(dict.fromkeys(self.words(meaningful(question))))
        if not words or limit < 1:
            return []
        searcher = self._searcher()
        query, asked = self._query(words, filters), limit + _FOR_TIES
        while True:
            found = [
                (round(score, _DIGITS), at) for score, at in searcher.search(query, asked, count=False).hits
            ]
            if len(found) < asked or found[-1][0] < found[limit - 1][0] or asked >= limit + _MOST_TIES:
                break
            asked = min(10 * asked, limit + _MOST_TIES)
        last = found[min(limit, len(found)) - 1][0] if found else 0.0
        hits = [
            Hit(_DECODER.decode(searcher.doc(at)["stored"][0]), score) for score, at in found if score >= last
        ]
        return sorted(hits, key=_order)[:limit]

    def document(self, document: str) -> list[Passage]:
        searcher = self._searcher()
        number = searcher.doc_freq("document", document)
        if not number:
            return []
        hits = searcher.search(self._term("document", document), number, count=False).hits
        found = [_DECODER.decode(searcher.doc(at)["stored"][0]) for _, at in hits]
        return sorted(found, key=lambda passage: passage.number)

    def passages(self, places: Sequence[tuple[str, int]]) -> list[Passage | None]:
        tantivy, searcher = _library(), self._searcher()
        query, must = tantivy.Query, tantivy.Occur.Must
        found: list[Passage | None] = []
        for document, number in places:
            of_number = query.term_query(self._schema, "number", number)
            both = query.boolean_query([(must, self._term("document", document)), (must, of_number)])
            hits = searcher.search(both, 1, count=False).hits
            found.append(_DECODER.decode(searcher.doc(hits[0][1])["stored"][0]) if hits else None)
        return found

    def marks(self) -> Iterator[tuple[str, str]]:
        searcher = self._searcher()
        if searcher.num_docs:
            for _, at in searcher.search(self._first(), int(searcher.num_docs), count=False).hits:
                entry = searcher.doc(at)
                yield _DECODER.decode(entry["stored"][0]).document, bytes(entry["mark"][0]).decode()

    def count(self) -> Counts:
        searcher = self._searcher()
        found: Any = searcher.search(self._first(), 1)
        return Counts(int(found.count), int(searcher.num_docs))

    def undated(self) -> int:
        tantivy, searcher = _library(), self._searcher()
        of = tantivy.Query.range_query(self._schema, "date", tantivy.FieldType.Unsigned, *_ANY_DATE)
        dated = tantivy.Query.boolean_query([(tantivy.Occur.Must, self._first()), (tantivy.Occur.Must, of)])
        every: Any = searcher.search(self._first(), 1)
        those: Any = searcher.search(dated, 1)
        return int(every.count) - int(those.count)

    def journals(self, name: str, limit: int) -> list[str]:
        searcher, own = self._searcher(), name.casefold()
        found = [own]
        if not searcher.doc_freq("journal", own):
            every = searcher.terms_with_prefix("journal", "", limit=_JOURNALS)
            found = nearest(own, (term for term, _ in every), limit)
        printed = list[str]()
        for term in found:
            hits = searcher.search(self._term("journal", term), 1, count=False).hits
            printed += [
                _DECODER.decode(searcher.doc(at)["stored"][0]).facts.get("journal", "") for _, at in hits
            ]
        return printed

    def version(self) -> str:
        return str(msgspec.json.decode((self._folder / _META).read_bytes(), type=_Meta).opstamp)

    def frequency(self, words: Sequence[str]) -> list[int]:
        searcher = self._searcher()
        return [searcher.doc_freq("content", word) for word in words]

    def words(self, text: str) -> list[str]:
        return analyzer().analyze(searchable(text))

    def close(self) -> None:
        if self._writer is not None:
            with suppress(ValueError):  # what a full disk has stopped cannot be rolled back either
                self._writer.rollback()
                self._writer.wait_merging_threads()
            self._writer = None

    def _writing(self) -> IndexWriter:
        if self._writer is None:
            try:
                self._writer = self._index.writer(HEAP)
            except ValueError as fault:
                busy = "LockBusy" in str(fault)
                what = "another process is writing" if busy else f"cannot be written ({fault})"
                remedy = (
                    "wait until it has ended" if busy else "free some space, or give yourself the right to"
                )
                raise InputError(what, str(self._folder), remedy) from fault
        return self._writer

    def _searcher(self) -> Searcher:
        """Of the last commit, whoever made it."""
        if self._writer is None and (state := self._state()) != self._seen:
            self._index.reload()
            self._seen = state
        return self._index.searcher()

    def _state(self) -> tuple[int, int]:
        meta = (self._folder / _META).stat()
        return meta.st_mtime_ns, meta.st_ino

    def _query(self, words: Sequence[str], filters: Filters) -> Query:
        tantivy = _library()
        query, should, must = tantivy.Query, tantivy.Occur.Should, tantivy.Occur.Must
        told = [(should, self._term("content", word)) for word in words]
        told += [(should, query.boost_query(self._term("title", word), TITLE_WEIGHT)) for word in words]
        asked = query.boolean_query(told)
        limits = [(must, query.const_score_query(one, 0.0)) for one in self._limits(filters)]
        return query.boolean_query([(must, asked), *limits]) if limits else asked

    def _limits(self, filters: Filters) -> list[Query]:
        query = _library().Query
        found = [
            query.term_set_query(self._schema, field, list(values))
            for field, values in (
                ("section", filters.sections),
                ("journal", [one.casefold() for one in filters.journals]),
                ("type", [one.casefold() for one in filters.types]),
                ("document", filters.documents),
            )
            if values
        ]
        if filters.since or filters.until:
            low = date_number(filters.since) or _ANY_DATE[0]
            high = date_number(filters.until, last=True) or _ANY_DATE[1]
            unsigned = _library().FieldType.Unsigned
            found.append(query.range_query(self._schema, "date", unsigned, low, high))
        return found

    def _first(self) -> Query:
        return _library().Query.term_query(self._schema, "number", 0)

    def _term(self, field: str, value: str) -> Query:
        return _library().Query.term_query(self._schema, field, value)


@contextmanager
def _writing_to(folder: Path) -> Generator[None]:
    """What the library says of a disk that does not take it, in one line."""
    try:
        yield
    except ValueError as fault:
        raise _not_written(fault, folder) from fault


def _not_written(fault: ValueError, folder: Path) -> InputError:
    return InputError(f"writing failed: {fault}", str(folder), "free some space")


def _order(hit: Hit) -> tuple[float, str, int]:
    return -hit.score, hit.passage.document, hit.passage.number


@cache
def _library() -> Any:
    try:
        import tantivy
    except ImportError as fault:
        raise missing_extra("tantivy", "search", "searching") from fault
    return tantivy


@cache
def analyzer() -> TextAnalyzer:
    """What makes words of `searchable` text."""
    tantivy = _library()
    of = tantivy.Filter
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for each in (
        of.remove_long(LONGEST_WORD),
        of.lowercase(),
        of.ascii_fold(),
        of.stemmer("english"),
    ):
        builder = builder.filter(each)
    return builder.build()


def schema() -> Schema:
    """The fields of an entry."""
    builder = _library().SchemaBuilder()
    builder.add_text_field("document", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("content", tokenizer_name=ANALYSIS, index_option="freq")
    builder.add_text_field("title", tokenizer_name=ANALYSIS, index_option="freq")
    for name in ("section", "journal", "type"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("date", fast=True)
    builder.add_unsigned_field("number", indexed=True)
    for name in ("mark", "stored"):
        builder.add_bytes_field(name, stored=True, indexed=False)
    return builder.build()
