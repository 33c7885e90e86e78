"""How fast passages are indexed and found, beside the bare engine with the same analysis, in one run.

    python benchmarks/search_speed.py [--passages 1000000] [--questions 200] [--folder FOLDER]

Passages of about 164 words, made of the carried corpus: sentences of two papers shuffled, every tenth word another one,
drawn from a vocabulary that grows with the collection as real ones do, so that postings grow. The bare engine gets the
same texts ready made: what it takes is the floor; ours makes documents into passages, asks whether each is there, and
spells names. Times are of the processor where they say CPU. Questions are titles with such words, top 100.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import tantivy

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section
from anagnosis.searching.analysis import searchable
from anagnosis.searching.engines import Filters, embedded
from anagnosis.searching.index import Index, create_index, open_index

WORDS, FRESH, SEED = 164, 0.1, 7


def texts(count: int) -> Iterator[tuple[str, str]]:
    """(title, text) of so many passages."""
    draw = random.Random(SEED)
    papers = [document for kind in ("pubtator", "medline") for document in api.read(carried(kind))]
    sentences = [s.strip() for paper in papers for s in paper.text.split(". ") if s.strip()]
    titles = [paper.title for paper in papers if paper.title]
    for number in range(count):
        words = " ".join(draw.choices(sentences, k=11)).split()[:WORDS]
        for place in range(len(words)):
            if draw.random() < FRESH:
                words[place] = fresh(draw, number)
        yield f"{draw.choice(titles)} {fresh(draw, number)}", " ".join(words)


def fresh(draw: random.Random, number: int) -> str:
    """A word of a vocabulary that has grown to 1,000 and one for every fifth passage; the first are the commonest."""
    rank, letters = int((1000 + number / 5) ** draw.random()), ""
    while rank:
        rank, letter = divmod(rank, 26)
        letters += chr(97 + letter)
    return f"{letters}q"


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """(seconds, CPU seconds of this process)"""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    block = 100_000
    spent = {"ours": [0.0, 0.0], "bare": [0.0, 0.0]}
    # In blocks, since all texts of a million would not fit beside the index; both engines take each block.
    source, left = texts(options.passages), options.passages
    index = create_index(folder / "ours")
    floor = bare_writer(folder / "bare")
    while left:
        found = [next(source) for _ in range(min(block, left))]
        done = options.passages - left
        documents = [
            Document(
                str(done + n), (Section("title", title), Section("abstract", text)), facts={"date": "2020"}
            )
            for n, (title, text) in enumerate(found)
        ]
        entries = [
            {"content": searchable(f"{title}\n\n{text}"), "title": searchable(title), "stored": text.encode()}
            for title, text in found
        ]

        for name, work in (("ours", partial(take, index, documents)), ("bare", partial(floor, entries))):
            for place, value in enumerate(timed(work)):
                spent[name][place] += value
        left -= len(found)
    index.close()
    print(f"{options.passages:,} passages of {WORDS} words and a title; this process at most {memory()} MB")
    for name, (wall, cpu) in spent.items():
        print(f"  {name}: {options.passages / wall:,.0f}/s, {options.passages / cpu:,.0f} a CPU second")
    print(f"  ours takes {spent['ours'][0] / spent['bare'][0]:.2f} times the bare engine's time")
    asked(folder / "ours", options.questions, options.passages)
    if options.folder is None:
        shutil.rmtree(folder)


def take(index: Index, documents: list[Document]) -> None:
    """Index them and commit."""
    counts = Counter[str]()
    for document in documents:
        index.add(document, counts)
    index.commit()


def bare_writer(folder: Path) -> Callable[[list[dict[str, str | bytes]]], None]:
    """A function that adds entries to a bare engine and commits: the same fields searched, the text stored."""
    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("content", tokenizer_name="x", index_option="freq")
    builder.add_text_field("title", tokenizer_name="x", index_option="freq")
    builder.add_bytes_field("stored", stored=True, indexed=False)
    schema = builder.build()
    index = tantivy.Index(schema, path=str(folder))
    index.register_tokenizer("x", embedded.analyzer())
    writer = index.writer(embedded.HEAP)

    def add(entries: list[dict[str, str | bytes]]) -> None:
        for entry in entries:
            writer.add_document(tantivy.Document.from_dict(entry, schema))
        writer.commit()

    return add


def asked(folder: Path, count: int, passages: int) -> None:
    """Times of questions, each asked once, in CPU milliseconds of one thread."""
    questions = [title for title, _ in texts(count)]
    index = open_index(folder)
    for limit, filters, called in (
        (100, Filters(), "top 100"),
        (10, Filters(), "top 10"),
        (10, Filters(sections=("abstract",), since="2019"), "top 10, two filters"),
    ):
        index.search(questions[0], filters, limit)
        each = (partial(index.search, question, filters, limit) for question in questions)
        spent = [1000 * timed(work)[1] for work in each]
        ranked = sorted(spent)
        p95 = ranked[int(0.95 * len(ranked))]
        print(
            f"  {called}: median {statistics.median(spent):.1f} ms, 95th {p95:.1f} ms, longest {ranked[-1]:.1f} ms"
        )
    print(
        f"  {index.count().passages:,} passages found again of {passages:,}; this process at most {memory()} MB"
    )


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
