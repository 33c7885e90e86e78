"""What reading the best passages once more brings: hybrid beside reranked, with the carried weights and fitted ones.

    python benchmarks/search_reranking.py FOLDER ENCODER [--built FOLDER]

FOLDER holds collections as search_quality.py reads them, scifact.tar.gz among them: weights are fitted on its training
queries, and every collection's test queries are then asked, once. Its test queries are told apart by whether a relevant
document is relevant to a training query too. Indexes stay in the folder named by --built and are used again.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from argparse import Namespace
from collections.abc import Collection
from pathlib import Path

from anagnosis import api
from anagnosis.evaluation.retrieval.judgements import read_judgements, read_topics
from anagnosis.evaluation.retrieval.scoring import Evaluation
from anagnosis.searching.index.index import open_index
from anagnosis.searching.rank.ranking import HYBRID, RERANKED
from anagnosis.searching.rank.reranking import FILE
from search_vectors import collections

MEASURE = "ndcg@10"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("encoder")
    parser.add_argument("--built", type=Path, default=Path(tempfile.gettempdir()) / "search_vectors")
    given = parser.parse_args()
    own = Namespace(folder=given.folder, encoder=given.encoder, built=given.built, only=None, split="test")
    with tempfile.TemporaryDirectory() as scratch:
        fitted, seen = Path(scratch) / FILE, set[str]()
        for name, at, index in collections(Namespace(**{**vars(own), "only": ["scifact"], "split": "train"})):
            asked = {"topics": at / "queries.jsonl", "judgements": at / "qrels.tsv"}
            for features_only in (True, False):
                made = api.fit_reranking(index, **asked, features_only=features_only)
                print(
                    f"{name}, train, {'features' if features_only else 'features and vector dimensions'}:",
                    end=" ",
                )
                print(f"{made.before:.4f} to {made.after:.4f} by parts, p {made.pair.p_two_tailed:.4f}")
            seen = relevant(at / "qrels.tsv")
            shutil.move(index / FILE, fitted)
        for name, at, index in collections(own):
            (index / FILE).unlink(missing_ok=True)
            tell(f"{name}, carried weights", evaluated(index, at), at, seen)
            shutil.copy(fitted, index / FILE)
            tell(f"{name}, fitted on SciFact", evaluated(index, at), at, seen)
            for ranking in (HYBRID, RERANKED):
                spent = times(index, at, ranking)
                middle, late = statistics.median(spent), statistics.quantiles(spent, n=20)[-1]
                print(f"  {ranking}: {middle:.0f} ms a question, 95th {late:.0f} ms")
            (index / FILE).unlink()


def evaluated(index: Path, at: Path) -> Evaluation:
    return api.evaluate_search(
        [index],
        judgements=at / "qrels.tsv",
        topics=at / "queries.jsonl",
        measures=[MEASURE],
        depth=100,
        rankings=[HYBRID, RERANKED],
    )


def tell(what: str, found: Evaluation, at: Path, seen: Collection[str]) -> None:
    """Both means, the test between them, and the means where documents are new or not."""
    first, again = found.systems
    (pair,) = found.comparisons[MEASURE].against_next
    print(f"{what}: {mean(first.values[MEASURE]):.4f} to {mean(again.values[MEASURE]):.4f},", end=" ")
    print(f"p {pair.p_two_tailed:.4f} ({pair.verdict})")
    gold = read_judgements(at / "qrels.tsv").grades
    known = [
        any(grade > 0 and document in seen for document, grade in gold[query].items())
        for query in found.queries
    ]
    for label, wanted in (("documents of train", True), ("new documents", False)):
        places = [place for place, here in enumerate(known) if here is wanted]
        if any(known) and places:
            means = (mean([own.values[MEASURE][place] for place in places]) for own in (first, again))
            print(f"  {label}, {len(places)}: " + " to ".join(f"{value:.4f}" for value in means))


def times(index: Path, at: Path, ranking: str) -> list[float]:
    """Milliseconds of every question, ten passages asked for."""
    opened, spent = open_index(index), list[float]()
    topics, _ = read_topics(at / "queries.jsonl", None)
    gold = read_judgements(at / "qrels.tsv").grades
    for query in (query for query in topics if query in gold):
        begun = time.perf_counter()
        opened.search(topics[query], limit=10, ranking=ranking)
        spent.append(1000 * (time.perf_counter() - begun))
    opened.close()
    return spent


def relevant(path: Path) -> set[str]:
    return {
        document
        for own in read_judgements(path).grades.values()
        for document, grade in own.items()
        if grade > 0
    }


def mean(values: Collection[float]) -> float:
    return statistics.fmean(values)


if __name__ == "__main__":
    main()
