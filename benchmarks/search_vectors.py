"""Dense vectors: how good rankings with them are, how near compact ones come to exact ones, and how fast a million is.

    python benchmarks/search_vectors.py quality FOLDER ENCODER [--split test] [--only scifact] [--built FOLDER]
    python benchmarks/search_vectors.py fusion FOLDER ENCODER [--only scifact] [--built FOLDER]
    python benchmarks/search_vectors.py recall VECTORS.npy QUESTIONS.npy
    python benchmarks/search_vectors.py speed [--passages 1000000] [--built FOLDER]

quality: nDCG@10 and recall@100 by words, by vectors and by both. FOLDER holds collections as search_quality.py reads
them; indexes stay in the folder named by --built and are used again. fusion: kinds of fusion and their numbers, on the
training queries. recall: float32 [vectors, width] of real texts and questions. speed: synthetic passages
(search_speed.py) and vectors; set OMP_NUM_THREADS=1 for times of one thread, and TMPDIR to a disk with 6 GB.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.evaluation.retrieval import scoring
from anagnosis.evaluation.retrieval.judgements import read_judgements, read_topics
from anagnosis.evaluation.retrieval.measures import asked
from anagnosis.evaluation.retrieval.runs import of_results
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import VECTORS, Index, create_index, open_index
from anagnosis.searching.queries.asked import read_query
from anagnosis.searching.queries.plain_words import words_query
from anagnosis.searching.rank.fusion import DEPTH, reciprocal_ranks, weighted
from anagnosis.searching.rank.ranking import by_both, hits
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors import scanning
from anagnosis.searching.vectors.layout import VectorsState
from anagnosis.searching.vectors.reading import Vectors
from anagnosis.searching.vectors.scanning import Scan
from anagnosis.searching.vectors.writing import create, writing
from search_quality import unpacked
from synthetic_papers import texts
from timing import peak, spread, timed

MEASURES = ("ndcg@10", "recall@100")
WIDTH, SEED = 384, 7


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(required=True)
    for name, work, split in (("quality", quality, "test"), ("fusion", fusion, "train")):
        part = parts.add_parser(name)
        part.add_argument("folder", type=Path)
        part.add_argument("encoder")
        part.add_argument("--split", default=split)
        part.add_argument("--only", action="append")
        part.add_argument("--built", type=Path, default=Path(tempfile.gettempdir()) / "search_vectors")
        part.set_defaults(work=work)
    part = parts.add_parser("recall")
    part.add_argument("vectors", type=Path)
    part.add_argument("questions", type=Path)
    part.set_defaults(work=recall)
    part = parts.add_parser("speed")
    part.add_argument("--passages", type=int, default=1_000_000)
    part.add_argument("--questions", type=int, default=200)
    part.add_argument("--built", type=Path)
    part.set_defaults(work=speed)
    given = parser.parse_args()
    given.work(given)


def collections(given: argparse.Namespace) -> Iterator[tuple[str, Path, Path]]:
    """(name, folder of topics and judgements, folder of the index) of those that have the split."""
    for archive in sorted(given.folder.glob("*.tar.gz")):
        name = archive.name.removesuffix(".tar.gz")
        if given.only and name not in given.only:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            at = Path(scratch) / name
            if unpacked(archive, given.split, at):
                index = given.built / name
                api.index([at / "corpus.jsonl"], index, encoder=given.encoder)
                yield name, at, index


def quality(given: argparse.Namespace) -> None:
    for name, at, index in collections(given):
        found = api.evaluate_search(
            [index],
            judgements=at / "qrels.tsv",
            topics=at / "queries.jsonl",
            measures=MEASURES,
            rankings=["lexical", "dense", "hybrid"],
        )
        print(f"{name}, {given.split}: {len(found.queries)} queries")
        for system in found.systems:
            told = ", ".join(f"{each} {system.estimates[each].value:.4f}" for each in MEASURES)
            print(f"  {system.name}: {told}")


def fusion(given: argparse.Namespace) -> None:
    """Both rankings are asked once; what is made of them is cheap."""
    for name, at, folder in collections(given):
        gold = read_judgements(at / "qrels.tsv")
        topics, _ = read_topics(at / "queries.jsonl", None)
        index = open_index(folder)
        assert index.dense is not None
        rankings: dict[str, tuple[dict[str, float], dict[str, float]]] = {}
        for query in scoring.scored_queries(gold, topics)[0]:
            vector = index.dense.question(topics[query])
            words = {
                hit.passage.id: hit.score
                for hit in index.engine.search(words_query(topics[query]), Filters(), DEPTH)
            }
            near = index.dense.nearest(vector, Filters(), DEPTH)
            places = [(ident, int(number)) for ident, _, number in (each.rpartition("#") for each in words)]
            near |= index.dense.cosines(vector, [place for place in places if place not in near])
            rankings[query] = words, {f"{ident}#{number}": score for (ident, number), score in near.items()}
        kinds: dict[str, Callable[[dict[str, float], dict[str, float]], dict[str, float]]] = {}
        for constant in (5, 10, 20, 60):
            kinds[f"reciprocal ranks, k {constant}"] = lambda words, near, k=constant: reciprocal_ranks(
                [list(words), sorted(near, key=near.__getitem__, reverse=True)[:DEPTH]], k
            )
        for weight in (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9):
            kinds[f"weighted, {weight}"] = lambda words, near, w=weight: weighted(words, near, w)
        print(f"{name}, {given.split}")
        for kind, fused in kinds.items():
            results = {query: documents(fused(*both)) for query, both in rankings.items()}
            run = of_results(kind, results, ties="rank")
            found = scoring.evaluate(
                gold, [run], [asked(each) for each in MEASURES], topics=topics, seed=0, draws=1
            )
            told = ", ".join(f"{each} {found.systems[0].estimates[each].value:.4f}" for each in MEASURES)
            print(f"  {kind}: {told}", flush=True)


def documents(scores: dict[str, float]) -> list[tuple[str, float]]:
    """Documents by their best passage."""
    best: dict[str, float] = {}
    for ident, score in sorted(scores.items(), key=lambda one: -one[1]):
        best.setdefault(ident.rpartition("#")[0], score)
    return list(best.items())


def recall(given: argparse.Namespace) -> None:
    vectors: NDArray[np.float32] = np.load(given.vectors)
    questions: NDArray[np.float32] = np.load(given.questions)
    exact = [np.argsort(-(vectors @ question), kind="stable")[:100] for question in questions]
    print(
        f"{len(vectors):,} vectors of {vectors.shape[1]} numbers, {len(questions):,} questions; float32 exact:"
    )
    spent = [1000 * timed(partial(np.matmul, vectors, question)).processor for question in questions]
    print(f"  median {statistics.median(spent):.2f} ms")
    with tempfile.TemporaryDirectory() as folder:
        there = filled(Path(folder) / "v", iter(np.array_split(vectors, -(-len(vectors) // 10_000))))
        size = sum(path.stat().st_size for path in there.folder.iterdir())
        print(f"  on disk {size / len(vectors):.0f} bytes a vector; float32 {4 * vectors.shape[1]}")
        for name, whole, least in (
            *(
                (f"signs, best {count:,} looked at whole", 0, count)
                for count in (100, 200, 500, 1_000, 2_000, 5_000)
            ),
            ("int8 alone", len(vectors), 0),
        ):
            scanning.WHOLE, scanning.LEAST, scanning.FOR_EACH = whole, least, 0
            scan = Scan(there)
            scan.nearest(questions[0], 100)
            spent, found = [], []
            for question in questions:
                spent.append(1000 * timed(partial(keep_nearest, scan, question, found)).processor)
            shares = [
                np.mean(
                    [
                        len(np.intersect1d(own[:k], best[:k])) / k
                        for own, best in zip(found, exact, strict=True)
                    ]
                )
                for k in (100, 10)
            ]
            print(
                f"  {name}: recall@100 {shares[0]:.4f}, @10 {shares[1]:.4f}, median {statistics.median(spent):.2f} ms"
            )


def filled(folder: Path, blocks: Iterator[NDArray[np.float32]], first: int = 0) -> Vectors:
    """A store in which each vector is of a document's one passage, numbered from `first`."""
    number = first
    create(folder, VectorsState("none", "none", WIDTH, 256))
    with writing(folder) as writer:
        for block in blocks:
            for vector in block:
                writer.add(
                    "", [Passage(str(number), 0, "abstract", "", "", "", {"date": "2020"})], vector[None]
                )
                number += 1
        writer.commit()
    return Vectors(folder)


class Asked:
    """In place of an encoder: questions are drawn vectors."""

    name, digest, width, limit = "none", "none", WIDTH, 256

    def __init__(self) -> None:
        self._draw = np.random.default_rng(SEED)

    def vectors(self, given: list[str]) -> NDArray[np.float32]:
        return unit(self._draw, len(given))


def unit(draw: np.random.Generator, count: int) -> NDArray[np.float32]:
    found = draw.standard_normal((count, WIDTH), np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def speed(given: argparse.Namespace) -> None:
    folder: Path = given.built or Path(tempfile.mkdtemp()) / "index"
    if not folder.exists():
        built(folder, given.passages)
    index = open_index(folder)
    encoder = Asked()
    index.dense = type(index.dense)(folder / VECTORS, index.engine, "none", encoder)  # pyright: ignore
    questions = [title for title, _ in texts(given.questions)]
    dense = index.dense
    begun = time.perf_counter()
    dense.nearest(encoder.vectors([""])[0], Filters(), 100)
    print(f"first question: {time.perf_counter() - begun:.2f} s, this process at most {peak()} MB")
    half = Filters(sections=("abstract",), since="2019")
    vector = encoder.vectors([""])[0]
    for name, work in (
        ("lexical", lambda question: index.engine.search(words_query(question), Filters(), 100)),
        ("dense", lambda question: dense.nearest(encoder.vectors([question])[0], Filters(), 100)),
        ("dense, two filters", lambda question: dense.nearest(vector, half, 100)),
        (
            "hybrid",
            lambda question: hits(
                index.engine, by_both(index.engine, dense, read_query(question), Filters(), 100)
            ),
        ),
        (
            "hybrid, two filters",
            lambda question: hits(
                index.engine, by_both(index.engine, dense, read_query(question), half, 100)
            ),
        ),
    ):
        spent = [1000 * timed(partial(work, question)).processor for question in questions]
        print(f"  {name}, top 100: {spread(spent)}")
    print(f"  {index.count().passages:,} passages; this process at most {peak()} MB")


def built(folder: Path, passages: int) -> None:
    """An index of synthetic passages with drawn vectors."""
    index, counts = create_index(folder), Counter[str]()
    for number, (title, text) in enumerate(texts(passages)):
        parts = (Section("title", title), Section("abstract", text))
        index.add(Document(str(number), parts, facts={"date": "2020"}), counts)
    index.commit()
    remember(index)
    draw = np.random.default_rng(SEED)
    begun = time.perf_counter()
    sizes = [10_000] * (passages // 10_000) + [passages % 10_000]
    create(folder / VECTORS, VectorsState("none", "none", WIDTH, 256))
    with writing(folder / VECTORS) as writer:
        for (ident, mark), vector in zip(
            index.engine.marks(), (v for size in sizes for v in unit(draw, size)), strict=True
        ):
            writer.add(mark, [Passage(ident, 0, "abstract", "", "", "", {"date": "2020"})], vector[None])
        writer.commit(index.engine.version())
    index.close()
    print(f"{passages:,} vectors written in {time.perf_counter() - begun:.0f} s")


def remember(index: Index) -> None:
    index._save(encoder="none")  # pyright: ignore[reportPrivateUsage]


def keep_nearest(scan: Scan, question: NDArray[np.float32], found: list[NDArray[np.int64]]) -> None:
    found.append(scan.nearest(question, 100).rows[:100])


if __name__ == "__main__":
    main()
