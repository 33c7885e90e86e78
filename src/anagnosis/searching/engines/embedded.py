"""The engine in process: tantivy's BM25 over one text field, with the title's words weighed a little more.

One entry a passage. `content` is what is searched: title, heading and text; `title` alone counts TITLE_WEIGHT beside it
(chosen on SciFact's training queries, design/search.md). A document's mark lies with its first passage, number 0.
Everything that was written is in `stored`, so that a commit is one atomic step of one library. A folder that cannot be
written is read through links (links.py).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from anagnosis.errors import InputError, missing_extra
from anagnosis.searching.analysis import LONGEST_WORD, meaningful, searchable
from anagnosis.searching.engines import Counts, Filters, Hit, date_number
from anagnosis.searching.engines.added import Added
from anagnosis.searching.engines.links import META, Links
from anagnosis.searching.near_names import nearest
from anagnosis.searching.passages import Passage

if TYPE_CHECKING:
    from tantivy import Index, IndexWriter, Query, Schema, Searcher, TextAnalyzer

TITLE_WEIGHT = 0.2
HEAP = 256 << 20  # bytes that wait in memory to be written
ANALYSIS = "biomedical"
_LOCKED = "Lockfile"
_OF_ONE_USER = (META, ".managed.json")  # as the library writes them
_FOR_ALL = 0o644
# Ties are told apart by id, not by where they happen to lie; so all that share the last score are looked at, up to so
# many. The same score can differ in its last digits with the order in which it was added up.
_FOR_TIES = 50
_MOST_TIES = 5_000
_DIGITS = 4
_ANY_DATE = (1, 99_999_999)
_NAMES = 20_000  # that are looked through, those of most passages first
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
    """One that is there. Where it cannot be written, it can be searched."""
    index = _library().Index
    try:
        try:
            return Embedded(folder, index.open(str(folder)))
        except ValueError as fault:
            if _LOCKED not in str(fault):
                raise
        links = Links(folder)
        return Embedded(folder, links.read(lambda: index.open(str(links.at))), links)
    except ValueError as fault:
        raise _not_read(fault, folder) from fault


class Embedded:
    """An Engine in a folder. links: through which it is read where it cannot be written."""

    def __init__(self, folder: Path, index: Index, links: Links | None = None) -> None:
        self._folder, self._index, self._links = folder, index, links
        self._index.register_tokenizer(ANALYSIS, analyzer())
        self._schema = index.schema
        self._writer: IndexWriter | None = None
        self._added: Added | None = None
        self._buffer = bytearray()
        self._seen = self._state()
        self._reload()

    def begin(self) -> None:
        self._writing()

    def add(self, passages: Sequence[Passage], mark: str) -> None:
        writer, document, buffer = self._writing(), _library().Document, self._buffer
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
            entry.add_bytes("stored", bytes(buffer))
            if title:
                entry.add_text("title", title)
            if date:
                entry.add_unsigned("date", date)
            if journal:
                entry.add_text("journal", journal)
            for each in types:
                entry.add_text("type", each.casefold())
            if passage.number == 0:
                entry.add_bytes("mark", mark.encode())
            try:
                writer.add_document(entry)
            except ValueError as fault:
                raise _not_written(fault, self._folder) from fault

    def mark(self, document: str) -> str | None:
        if self._added is not None and document not in self._added:
            return None
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
            self._let_all_read()
            self._reload()
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
        return self._named("journal", lambda facts: [facts.get("journal", "")], name, limit)

    def types(self, name: str, limit: int) -> list[str]:
        return self._named("type", _types, name, limit)

    def _named(
        self, field: str, printed: Callable[[Mapping[str, str]], list[str]], name: str, limit: int
    ) -> list[str]:
        """That name in a field of names, or those near it. printed: of a passage's facts."""
        searcher, own = self._searcher(), name.casefold()
        found = [own]
        if not searcher.doc_freq(field, own):
            every = searcher.terms_with_prefix(field, "", limit=_NAMES)
            found = nearest(own, (term for term, _ in every), limit)
        names = list[str]()
        for term in found:
            for _, at in searcher.search(self._term(field, term), 1, count=False).hits:
                facts = _DECODER.decode(searcher.doc(at)["stored"][0]).facts
                names += [each for each in printed(facts) if each.casefold() == term]
        return names

    def version(self) -> str:
        try:
            meta = (self._folder / META).read_bytes()
        except OSError:  # who writes has not let others read it yet
            return ""
        return str(msgspec.json.decode(meta, type=_Meta).opstamp)

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
            self._writer = self._added = None
            self._let_all_read()
        if self._links is not None:
            self._links.close()

    def _let_all_read(self) -> None:
        """Give files that the library makes for their owner alone the rights of the others."""
        for name in _OF_ONE_USER:
            with suppress(OSError):  # another user's, or made anew just now
                (self._folder / name).chmod(_FOR_ALL)

    def _writing(self) -> IndexWriter:
        if self._links is not None:
            raise InputError("cannot be written", str(self._folder), "give yourself the right to, or copy it")
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
            self._reload()
            self._added = None if self._index.searcher().num_docs else Added()
        return self._writer

    def _searcher(self) -> Searcher:
        """Of the last commit, whoever made it."""
        if self._writer is None:
            with suppress(InputError):  # who writes has not let others read it yet: what was read stays
                if (state := self._state()) != self._seen:
                    self._reload()
                    self._seen = state
        return self._index.searcher()

    def _reload(self) -> None:
        """Refused (InputError): a commit that cannot be read, now or at all."""
        try:
            if self._links is None:
                self._index.reload()
            else:
                self._links.read(self._index.reload)
        except ValueError as fault:
            raise _not_read(fault, self._folder) from fault

    def _state(self) -> tuple[int, int]:
        try:
            meta = (self._folder / META).stat()
        except OSError as fault:
            raise InputError(
                f"cannot be read ({fault.strerror})", str(self._folder), "let it be read"
            ) from fault
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


def _types(facts: Mapping[str, str]) -> list[str]:
    """Types of publication, as printed."""
    types = facts.get("types")
    return types.split("; ") if types else []


@contextmanager
def _writing_to(folder: Path) -> Generator[None]:
    """What the library says of a disk that does not take it, in one line."""
    try:
        yield
    except ValueError as fault:
        raise _not_written(fault, folder) from fault


def _not_read(fault: ValueError, folder: Path) -> InputError:
    remedy = "let it be read" if "PermissionDenied" in str(fault) else "make the index again"
    return InputError(f"cannot be read ({fault})", str(folder), remedy)


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
