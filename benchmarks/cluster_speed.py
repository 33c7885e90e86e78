"""How fast a cluster is filled and asked, beside bare requests with the same JSON, the nodes warm.

    python benchmarks/cluster_speed.py FOLDER --connection cluster.toml [--passages 1000000] [--of-a-paper 3]
        [--questions 200]

FOLDER keeps papers.jsonl and the index. Papers are made of the bundled corpus (synthetic_papers.py): passages of 164
words, so many of each paper. The bare load sends ready lines in bulks of our size, two at a time, to an index of the
same fields, and waits for nothing else. Ours is `anagnosis index`, which reads the papers, makes the words, and asks
what is there; then the same again, unchanged. The bare search sends the query of ours for no more than 100, and makes
no passages of the answer. Times are of the clock; on a machine with the nodes on it, all share its processors.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.searching.engines.opensearch.connection import Cluster, read_connection
from anagnosis.searching.engines.opensearch.entries import MAPPING, document_of, ident, settings
from anagnosis.searching.engines.opensearch.searches import STORED, many
from anagnosis.searching.engines.opensearch.writing import MOST_PAPERS
from anagnosis.searching.engines.queries import Queries
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import open_index
from anagnosis.searching.papers.records import StoredPaper, record_of
from anagnosis.searching.queries.meaning import words_query
from synthetic_papers import documents, texts
from timing import spread

TOP, AT_ONCE = 100, 4
# The command, and the peak of its own memory: getrusage would count what this process had when it started the other.
INDEX = """
import re, sys
from anagnosis.cli import run
code = run(sys.argv[1:])
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) >> 10)
sys.exit(code)
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--connection", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--of-a-paper", type=int, default=3)
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    source = given.folder / "papers.jsonl"
    if not source.exists():
        with source.open("wb") as out:
            for paper in papers(given.passages, given.of_a_paper):
                out.write(
                    msgspec.json.encode(
                        {
                            "id": paper.id,
                            "title": paper.title,
                            "sections": [
                                {"text": one.text, "title": one.title} for one in paper.sections[1:]
                            ],
                        }
                    )
                    + b"\n"
                )
    bare = bare_load(given.connection, given.passages, given.of_a_paper)
    print(f"bare: {given.passages / bare:,.0f} passages/s, {bare:.0f} s", flush=True)
    for told in ("ours", "ours again, unchanged"):
        seconds, memory = ours(given.folder, source, given.connection)
        rate = f"{given.passages / seconds:,.0f} passages/s, {seconds:.0f} s"
        print(f"{told}: {rate}, {seconds / bare:.2f} times bare, at most {memory} MB", flush=True)
    asked(given.folder / "index", given.connection, given.questions)


def papers(passages: int, of_each: int) -> Iterator[Document]:
    """Papers of so many passages each."""
    source = documents(passages)
    for number in range(passages // of_each):
        parts = list(islice(source, of_each))
        sections = [Section("abstract", one.sections[1].text, f"PART {at}") for at, one in enumerate(parts)]
        yield Document(str(number), (Section("title", parts[0].title), *sections))


def lines(paper: Document) -> bytes:
    """The lines that a bulk has of a paper."""
    stored = StoredPaper(paper.id, (record_of(paper, "jsonl", 1),))
    return msgspec.json.encode({"create": {"_id": ident(paper.id)}}) + b"\n" + document_of(stored) + b"\n"


def bare_load(connection: Path, passages: int, of_each: int) -> float:
    """Seconds in which the cluster takes ready lines in bulks."""
    own = read_connection(connection)
    bare = Cluster(msgspec.structs.replace(own, index=f"{own.index}-bare"))
    made: dict[str, Any] = {
        "settings": {"index": settings(own.shards, own.replicas)},
        "mappings": MAPPING,
    }
    bare.send("PUT", bare.alias, made)
    spent = 0.0
    source = papers(passages, of_each)
    with ThreadPoolExecutor(2) as pool:
        while bulks := list(islice(bulks_of(source), 40)):
            begun = time.perf_counter()
            list(pool.map(lambda data: bare.send("POST", f"{bare.alias}/_bulk", data, seconds=120), bulks))
            spent += time.perf_counter() - begun
    bare.send("DELETE", bare.alias)
    return spent


def bulks_of(source: Iterator[Document]) -> Iterator[bytes]:
    """Bulks of our size."""
    while bulk := b"".join(map(lines, islice(source, MOST_PAPERS))):
        yield bulk


def ours(folder: Path, source: Path, connection: Path) -> tuple[float, int]:
    """(seconds of `anagnosis index`, the greatest memory of its process in MB)."""
    command = ["index", str(source), "--out", str(folder / "index")]
    if not (folder / "index").exists():
        command += ["--connection", str(connection)]
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", INDEX, *command], check=True, stdout=subprocess.PIPE, text=True
    )
    return time.perf_counter() - begun, int(done.stdout.split()[-1])


def asked(folder: Path, connection: Path, count: int) -> None:
    """Print times and requests of the best 100 papers, bare and ours, of the page's ten results, and of `ask`."""
    index = open_index(folder)
    cluster = Cluster(read_connection(connection))

    def bare(title: str, top: int = TOP) -> object:
        query = Queries().scored(words_query(title), Filters())
        return many(cluster, [{**STORED, "query": query, "size": top}])

    ways: dict[str, Callable[[str], object]] = {
        "bare, top 100": bare,
        "ours, top 100": lambda title: index.engine.search(words_query(title), Filters(), TOP),
        "search": lambda title: api.search(index, title),
        "ask": lambda title: api.ask(index, title),
    }
    sent, send = 0, Cluster.send

    def counted(*given: Any, **others: Any) -> Any:
        nonlocal sent
        sent += 1
        return send(*given, **others)

    Cluster.send = counted
    titles = [title for title, _ in islice(texts(count), count)]
    spent: dict[str, list[float]] = {name: [] for name in ways}
    requests = dict.fromkeys(ways, 0)
    for way in ways.values():
        way(titles[0])
    for title in titles:
        for name, way in ways.items():
            before, begun = sent, time.perf_counter()
            way(title)
            spent[name].append(1_000 * (time.perf_counter() - begun))
            requests[name] += sent - before
    for name, each in spent.items():
        print(f"  {name}: {spread(each)}, {requests[name] / len(titles):.0f} requests")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun = time.perf_counter()
        list(pool.map(lambda title: bare(title, 10), titles))
        rate = len(titles) / (time.perf_counter() - begun)
    print(f"  bare, top 10, {AT_ONCE} at a time: {rate:.0f}/s")
    index.close()


if __name__ == "__main__":
    main()
