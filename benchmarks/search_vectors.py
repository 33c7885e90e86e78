"""Dense vectors: how good rankings with them are, and how fast a million is.

    python benchmarks/search_vectors.py quality FOLDER ENCODER [--split test] [--only scifact] [--built FOLDER]
    python benchmarks/search_vectors.py speed [--passages 1000000] [--built FOLDER]

quality: nDCG@10 and recall@100 by words, by vectors and by both. FOLDER holds collections as search_quality.py reads
them; indexes stay in the folder named by --built and are used again. speed: synthetic passages
(search_speed.py) and vectors; set OMP_NUM_THREADS=1 for times of one thread, and TMPDIR to a disk with 6 GB.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import VECTORS, Index, create_index, open_index
from anagnosis.searching.queries.asked import read_query
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import NOTHING
from anagnosis.searching.rank.ranking import by_both
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors.stored import VectorsHeader
from anagnosis.searching.vectors.updating import Growing
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
    part = parts.add_parser("quality")
    part.add_argument("folder", type=Path)
    part.add_argument("encoder")
    part.add_argument("--split", default="test")
    part.add_argument("--only", action="append")
    part.add_argument("--built", type=Path, default=Path(tempfile.gettempdir()) / "search_vectors")
    part.set_defaults(work=quality)
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
    dense.nearest(encoder.vectors([""])[0], NOTHING, Filters(), 100)
    print(f"first question: {time.perf_counter() - begun:.2f} s, this process at most {peak()} MB")
    for name, work in (
        ("lexical", lambda question: index.engine.search(words_query(question), Filters(), 100)),
        ("dense", lambda question: dense.nearest(encoder.vectors([question])[0], NOTHING, Filters(), 100)),
        (
            "hybrid",
            lambda question: by_both(index.engine, dense, read_query(question), Filters(), 100),
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
    growing = Growing(VectorsHeader("none", "none", WIDTH, 256, "", []))
    drawn = (vector for size in sizes for vector in unit(draw, size))
    for stored, vector in zip(index.engine.every(), drawn, strict=True):
        growing.add(
            stored.name, stored.digest, [Passage(stored.name, 0, "abstract", "", "", "")], vector[None]
        )
    growing.save(folder / VECTORS, index.engine.committed().version)
    index.close()
    print(f"{passages:,} vectors written in {time.perf_counter() - begun:.0f} s")


def remember(index: Index) -> None:
    index._save(encoder="none")  # pyright: ignore[reportPrivateUsage]


if __name__ == "__main__":
    main()
