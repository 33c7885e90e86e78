"""How good our search is on small collections, beside bm25s: nDCG@10, MAP, recall@100, with paired tests.

    python benchmarks/search_quality.py FOLDER [--split train] [--only scifact] [--runs FOLDER]

FOLDER holds collections in BEIR's form as NAME.tar.gz (corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv), which are read as
they are. Questions are searched for their words alone; synonyms.py measures the others. Needs bm25s and PyStemmer (pip
install bm25s PyStemmer). Settings are chosen on train, never on test.

bm25s runs with its defaults (k1 1.5, b 0.75, `lucene`), title and text in one, English stop words and stemming. Its
levels, printed first, are of its own order and of up to 1,000 documents, some of which share no word with the query;
the run that is compared leaves those out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from anagnosis import api
from anagnosis.evaluation.retrieval.runs import write
from anagnosis.evaluation.retrieval.scoring import Evaluation

DEPTH = 1_000
MEASURES = ("ndcg@10", "map", "reciprocal_rank@10", "recall@100")
Results = dict[str, list[tuple[str, float]]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--only", action="append", help="a collection's name")
    parser.add_argument("--runs", type=Path, help="keep the run files here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for archive in sorted(given.folder.glob("*.tar.gz")):
            name = archive.name.removesuffix(".tar.gz")
            if given.only and name not in given.only:
                continue
            at = Path(scratch) / name
            if unpacked(archive, given.split, at):
                measured(name, at, given.runs)
            else:
                print(f"\n{name}: no queries judged in {given.split}")


def unpacked(archive: Path, split: str, at: Path) -> bool:
    """corpus.jsonl, queries.jsonl and qrels.tsv of a collection in a folder; False where the split is not there."""
    wanted = {
        "corpus.jsonl": "corpus.jsonl",
        "queries.jsonl": "queries.jsonl",
        f"qrels/{split}.tsv": "qrels.tsv",
    }
    at.mkdir()
    with tarfile.open(archive) as members:
        for member in members:
            name = wanted.get(member.name.partition("/")[2])
            stream = members.extractfile(member) if name else None
            if name and stream:
                (at / name).write_bytes(stream.read())
    return (at / "qrels.tsv").exists()


def measured(name: str, at: Path, keep: Path | None) -> None:
    """Print the levels of bm25s, and ours beside the others. keep: where the run files stay."""
    topics, judgements, runs = at / "queries.jsonl", at / "qrels.tsv", keep or at
    everything = bm25s_results(at)
    levels = runs / f"{name}.bm25s-all.run"
    others = {"bm25s": runs / f"{name}.bm25s.run"}
    write(levels, "bm25s", everything.items())
    write(
        others["bm25s"],
        "bm25s",
        ((query, [one for one in own if one[1] > 0]) for query, own in everything.items()),
    )
    found = api.evaluate_search(
        [f"bm25s={levels}"], judgements=judgements, topics=topics, measures=MEASURES, ties="rank"
    )
    print(f"\n{name}: {len(found.queries)} queries, {found.relevant:,} relevant documents")
    print("  levels of bm25s: " + ", ".join(told(found, measure) for measure in MEASURES))
    started = time.perf_counter()
    api.index([at / "corpus.jsonl"], at / "index")
    indexed = time.perf_counter()
    ours = f"ours={at / 'index'}"
    for other, theirs in others.items():
        # The first time the index is asked, then its run file.
        found = api.evaluate_search(
            [ours, f"{other}={theirs}"],
            judgements=judgements,
            topics=topics,
            measures=MEASURES,
            depth=DEPTH,
            no_synonyms=True,
            runs=at if ours.endswith("index") else None,
        )
        if ours.endswith("index"):
            passed = time.perf_counter() - indexed
            print(f"  indexed in {indexed - started:.1f} s; asked and evaluated in {passed:.1f} s")
            ours = f"ours={at / 'ours.run'}"
        for line in beside(found):
            print(f"  {line}")
    if keep:
        shutil.copy(at / "ours.run", keep / f"{name}.ours.run")
    for problem, own in found.systems[0].problems.items():
        print(f"  {problem} {own.count:,}, such as {', '.join(own.first[:3])}")


def bm25s_results(at: Path) -> Results:
    """What bm25s gives for every query of a collection, documents that share no word among them."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    documents = list(lines(at / "corpus.jsonl"))
    queries = list(lines(at / "queries.jsonl"))
    engine = bm25s.BM25(method="lucene")
    engine.index(tokens([f"{one['title']} {one['text']}" for one in documents]), show_progress=False)
    found, scores = engine.retrieve(
        tokens([one["text"] for one in queries]), k=min(DEPTH, len(documents)), show_progress=False
    )
    return {
        query["_id"]: [(documents[place]["_id"], float(score)) for place, score in zip(*own, strict=True)]
        for query, *own in zip(queries, found, scores, strict=True)
    }


def lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def told(found: Evaluation, measure: str) -> str:
    return f"{measure} {found.systems[0].estimates[measure].value:.4f}"


def beside(found: Evaluation) -> Iterator[str]:
    """A line a measure: ours, theirs, the difference with its interval, and whether it is real."""
    ours, theirs = found.systems
    for measure in MEASURES:
        (pair,) = found.comparisons[measure].against_next
        sign = 1 if pair.first == ours.name else -1
        ends = sorted((sign * pair.interval.low, sign * pair.interval.high))
        yield (
            f"{measure:<19} ours {ours.estimates[measure].value:.4f}  "
            f"{theirs.name} {theirs.estimates[measure].value:.4f}  "
            f"{sign * pair.difference:+.4f} [{ends[0]:+.4f}, {ends[1]:+.4f}]  p {pair.p_two_tailed:.4f}  "
            f"{pair.first + ' better' if pair.verdict == 'better' else 'not shown to differ'}"
        )


if __name__ == "__main__":
    main()
