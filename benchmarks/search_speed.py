"""How fast passages are indexed and found, beside the bare engine with its own analysis, in one run.

    python benchmarks/search_speed.py [--passages 1000000] [--questions 200] [--folder FOLDER] [--block 100000]
        [--facts]

Passages of about 164 words, made of the bundled corpus (synthetic_papers.py). The bare engine gets the same texts ready
made: what it takes is the floor. "all fields" is the same engine handed, ready made too, what ours
hands it: also the fields to filter by, and what is kept of a passage. Ours makes documents into passages, asks whether
each is there, and spells names. Times are of the processor where they say CPU. Questions are titles with such words.

The passages come in blocks, committed one by one; the engines take turns, each time another one first. On a machine
that does other things look at the ratio of the processor's time, of the median block. --facts: with
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

import tantivy

from anagnosis.documents.document import Document
from anagnosis.language.plain_letters import searchable
from anagnosis.searching.engines.embedded import create, fields
from anagnosis.searching.engines.embedded.engine import HEAP
from anagnosis.searching.index.index import Index, create_index, open_index
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import StoredPaper, record_of
from anagnosis.searching.words import printed_analyzer, split_analyzer
from synthetic_papers import WORDS, documents, texts
from timing import peak, spread, timed

TOGETHER = 2_000  # documents, as `index` adds them


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--block", type=int, default=100_000)
    parser.add_argument("--facts", action="store_true")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    # In blocks, since all texts of a million would not fit beside the index.
    source, left = documents(options.passages, facts=options.facts), options.passages
    index = create_index(folder / "ours")
    index.begin()
    bare, ready = (
        bare_writer(tantivy.Index(plain_schema(), path=made(folder / "bare")), stemming()),
        bare_writer(ready_index(folder / "ready"), split_analyzer()),
    )
    spent: dict[str, list[tuple[float, float]]] = {}
    turn = 0
    while left:
        found = [next(source) for _ in range(min(options.block, left))]
        plain = [tantivy.Document.from_dict(bare_entry(document)) for document in found]
        work = {
            "ours": partial(take, index, found),
            "bare": partial(bare, plain),
            "all fields": partial(ready, ready_entries(found)),
        }
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
    asked(open_index(folder / "ours"), options.questions)
    if options.folder is None:
        shutil.rmtree(folder)


def ratios(own: list[tuple[float, float]], bare: list[tuple[float, float]]) -> str:
    """Of all blocks together by the clock, and of the processor: the median block, the least and the greatest."""
    of_blocks = sorted(one[1] / other[1] for one, other in zip(own, bare, strict=True))
    clock = sum(one[0] for one in own) / sum(one[0] for one in bare)
    return f"{clock:.2f} (CPU {statistics.median(of_blocks):.2f}, blocks {of_blocks[0]:.2f} to {of_blocks[-1]:.2f})"


def ready_entries(documents: list[Document]) -> list[tantivy.Document]:
    """The entries that ours has of documents."""
    papers = [StoredPaper(one.id, (record_of(one, "", 1),)) for one in documents]
    return [fields.document_of(paper, shown(paper)) for paper in papers]


def take(index: Index, documents: list[Document]) -> None:
    """Index them and commit."""
    for begin in range(0, len(documents), TOGETHER):
        index.add_all([("", one) for one in documents[begin : begin + TOGETHER]], Counter())
    index.commit()


def plain_schema() -> tantivy.Schema:
    """The same fields searched, the text stored."""
    builder = tantivy.SchemaBuilder()
    for name in ("content", "title"):
        builder.add_text_field(name, tokenizer_name=fields.ANALYSIS, index_option="position")
    builder.add_bytes_field("stored", stored=True, indexed=False)
    return builder.build()


def bare_entry(document: Document) -> dict[str, str | bytes]:
    """A document in the fields of plain_schema."""
    title, text = document.title, document.sections[1].text
    return {"content": searchable(f"{title}\n\n{text}"), "title": searchable(title), "stored": text.encode()}


def made(folder: Path) -> str:
    folder.mkdir()
    return str(folder)


def ready_index(folder: Path) -> tantivy.Index:
    """An empty index with our fields."""
    create(folder).close()
    return tantivy.Index.open(str(folder))


def stemming() -> tantivy.TextAnalyzer:
    """The library's own analysis."""
    of, builder = tantivy.Filter, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for each in (of.remove_long(60), of.lowercase(), of.ascii_fold(), of.stemmer("english")):
        builder = builder.filter(each)
    return builder.build()


def bare_writer(
    index: tantivy.Index, analyzer: tantivy.TextAnalyzer
) -> Callable[[list[tantivy.Document]], None]:
    """A function that adds entries to a bare engine and commits."""
    index.register_tokenizer(fields.ANALYSIS, analyzer)
    index.register_tokenizer(fields.PRINTED_ANALYSIS, printed_analyzer())
    writer = index.writer(HEAP)

    def add(entries: list[tantivy.Document]) -> None:
        for entry in entries:
            writer.add_document(entry)
        writer.commit()

    return add


def asked(index: Index, count: int) -> None:
    """Times of questions, each asked once, in CPU milliseconds of one thread."""
    questions = [title for title, _ in texts(count)]
    for limit in (100, 10):
        index.search(questions[0], limit=limit)
        spent = [
            1000 * timed(partial(index.search, question, limit=limit)).processor for question in questions
        ]
        print(f"  top {limit}: {spread(spent)}")
    print(f"  this process at most {peak()} MB")


if __name__ == "__main__":
    main()
