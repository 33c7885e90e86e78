"""How fast passages are indexed and found, beside the bare engine with the same analysis, in one run.

    python benchmarks/search_speed.py [--passages 1000000] [--questions 200] [--folder FOLDER] [--block 100000]
        [--facts] [--others]

Passages of about 164 words, made of the bundled corpus (synthetic_papers.py). The bare engine gets the same texts ready
made: what it takes is the floor. "all fields" is the same engine handed, ready made too, what ours
hands it: also the fields to filter by, and what is kept of a passage. Ours makes documents into passages, asks whether
each is there, and spells names. Times are of the processor where they say CPU. Questions are titles with such words.

The passages come in blocks, committed one by one; the engines take turns, each time another one first. On a machine
that does other things look at the ratio of the processor's time, of the median block. --others: SQLite's full-text
search (sqlite_search.py) and bm25s (with bm25s and PyStemmer) too; bm25s keeps all texts in memory. --facts: with
journals, types, authors and MeSH terms.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import tantivy

from anagnosis.documents.document import Document
from anagnosis.language.plain_letters import searchable
from anagnosis.searching.engines.embedded import fields
from anagnosis.searching.engines.embedded.engine import HEAP
from anagnosis.searching.engines.embedded.entries import entries
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, create_index, open_index
from anagnosis.searching.index.paper_display import shown
from anagnosis.searching.index.paper_marks import IndexedPaper, encoded
from anagnosis.searching.index.paper_records import record_of
from anagnosis.searching.papers import paper_of
from anagnosis.searching.passages import passages
from anagnosis.searching.words import analyzer, printed_analyzer
from sqlite_search import Fts5
from synthetic_papers import WORDS, documents, texts
from timing import peak, spread, timed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--block", type=int, default=100_000)
    parser.add_argument("--facts", action="store_true")
    parser.add_argument("--others", action="store_true")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    # In blocks, since all texts of a million would not fit beside the index.
    source, left = documents(options.passages, facts=options.facts), options.passages
    index = create_index(folder / "ours")
    index.begin()
    bare, ready = (
        bare_writer(folder / "bare", plain_schema()),
        bare_writer(folder / "ready", fields.schema()),
    )
    sqlite = Fts5(folder / "sqlite") if options.others else None
    spent: dict[str, list[tuple[float, float]]] = {}
    everything: list[str] = []
    turn = 0
    while left:
        found = [next(source) for _ in range(min(options.block, left))]
        done = options.passages - left
        plain = [tantivy.Document.from_dict(bare_entry(document)) for document in found]
        work = {
            "ours": partial(take, index, found),
            "bare": partial(bare, plain),
            "all fields": partial(ready, ready_entries(found, 2 * done)),
        }
        if sqlite is not None:
            pairs = [(document.title, document.sections[1].text) for document in found]
            work["sqlite"] = partial(filled, sqlite, done, pairs)
            everything += (f"{title} {text}" for title, text in pairs)
        names = list(work)
        for name in (*names[turn:], *names[:turn]):
            spent.setdefault(name, []).append(timed(work[name]))
        turn = (turn + 1) % len(names)
        left -= len(found)
    index.close()
    size = sum(path.stat().st_size for path in (folder / "ours").rglob("*") if path.is_file())
    print(f"{options.passages:,} passages of {WORDS} words and a title; this process at most {peak()} MB")
    print(f"  ours: {size / options.passages:,.0f} bytes a passage")
    for name, own in spent.items():
        wall, cpu = (sum(each) for each in zip(*own, strict=True))
        print(f"  {name}: {options.passages / wall:,.0f}/s, {options.passages / cpu:,.0f} a CPU second")
        print(f"    takes {ratios(own, spent['bare'])} times the bare engine's time")
    asked("ours", partial(ours_asked, open_index(folder / "ours")), options.questions)
    if sqlite is not None:
        asked("sqlite", partial(sqlite_asked, sqlite), options.questions)
        sqlite.close()
        asked("bm25s", bm25s_asked(everything), options.questions, filters=False)
    if options.folder is None:
        shutil.rmtree(folder)


def ratios(own: list[tuple[float, float]], bare: list[tuple[float, float]]) -> str:
    """Of all blocks together by the clock, and of the processor: the median block, the least and the greatest."""
    of_blocks = sorted(one[1] / other[1] for one, other in zip(own, bare, strict=True))
    clock = sum(one[0] for one in own) / sum(one[0] for one in bare)
    return f"{clock:.2f} (CPU {statistics.median(of_blocks):.2f}, blocks {of_blocks[0]:.2f} to {of_blocks[-1]:.2f})"


def ready_entries(documents: list[Document], slot: int) -> list[tantivy.Document]:
    """The entries that ours has of documents. slot: of the first one."""
    made = list[tantivy.Document]()
    for document in documents:
        record = IndexedPaper(document.id, (record_of(document, "", 1),))
        mark = encoded(record, shown(record.name, record.records))
        made += entries(passages(document), mark, paper_of(document), slot + len(made))
    return made


def take(index: Index, documents: list[Document]) -> None:
    """Index them and commit."""
    counts = Counter[str]()
    for document in documents:
        index.add(document, counts)
    index.commit()


def filled(engine: Fts5, first: int, found: list[tuple[str, str]]) -> None:
    engine.add(
        (str(first + n), 0, "abstract", 20200000, title, text) for n, (title, text) in enumerate(found)
    )
    engine.commit()


def plain_schema() -> tantivy.Schema:
    """The same fields searched, the text stored."""
    builder = tantivy.SchemaBuilder()
    for name in ("content", "title"):
        builder.add_text_field(name, tokenizer_name=fields.ANALYSIS, index_option="freq")
    builder.add_bytes_field("stored", stored=True, indexed=False)
    return builder.build()


def bare_entry(document: Document) -> dict[str, str | bytes]:
    """A document in the fields of plain_schema."""
    title, text = document.title, document.sections[1].text
    return {"content": searchable(f"{title}\n\n{text}"), "title": searchable(title), "stored": text.encode()}


def bare_writer(folder: Path, schema: tantivy.Schema) -> Callable[[list[tantivy.Document]], None]:
    """A function that adds entries to a bare engine and commits."""
    folder.mkdir()
    index = tantivy.Index(schema, path=str(folder))
    index.register_tokenizer(fields.ANALYSIS, analyzer())
    index.register_tokenizer(fields.PRINTED_ANALYSIS, printed_analyzer())
    writer = index.writer(HEAP)

    def add(entries: list[tantivy.Document]) -> None:
        for entry in entries:
            writer.add_document(entry)
        writer.commit()

    return add


def asked(name: str, search: Callable[[str, int, bool], object], count: int, *, filters: bool = True) -> None:
    """Times of questions, each asked once, in CPU milliseconds of one thread. search(question, limit, with filters)"""
    questions = [title for title, _ in texts(count)]
    ways = [(100, False, "top 100"), (10, False, "top 10")]
    for limit, limited, called in (*ways, (10, True, "top 10, two filters")) if filters else ways:
        search(questions[0], limit, limited)
        spent = [1000 * timed(partial(search, question, limit, limited)).processor for question in questions]
        print(f"  {name}, {called}: {spread(spent)}")
    print(f"  this process at most {peak()} MB")


def ours_asked(index: Index, question: str, limit: int, limited: bool) -> object:
    return index.search(question, Filters(("abstract",), "2019") if limited else Filters(), limit)


def sqlite_asked(engine: Fts5, question: str, limit: int, limited: bool) -> object:
    return engine.search(
        question, limit, section="abstract" if limited else "", since=20190000 if limited else 0
    )


def bm25s_asked(everything: list[str]) -> Callable[[str, int, bool], object]:
    """A function that asks bm25s, which is made of all texts first, and that timed; a question's words are cut too."""
    import bm25s
    import Stemmer

    stemmer, engine = Stemmer.Stemmer("english"), bm25s.BM25(method="lucene")

    def tokens(given: list[str]) -> Any:
        return bm25s.tokenize(given, stopwords="en", stemmer=stemmer, show_progress=False)

    wall, cpu = timed(lambda: engine.index(tokens(everything), show_progress=False))
    print(
        f"  bm25s: {len(everything) / wall:,.0f}/s, {len(everything) / cpu:,.0f} a CPU second, in one piece"
    )

    def search(question: str, limit: int, limited: bool) -> object:
        return engine.retrieve(tokens([question]), k=limit, show_progress=False)

    return search


if __name__ == "__main__":
    main()
