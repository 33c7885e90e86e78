"""Whether a cluster gives the answers of the embedded engine: lists of ten, nDCG@10 and recall@100.

    python benchmarks/cluster_answers.py FOLDER --connection cluster.toml [--only scifact] [--split test]

FOLDER holds collections in BEIR's form, as of search_quality.py. Each is indexed by the embedded engine, in one shard,
and in the shards that cluster.toml says. Questions are searched for their words, and also with synonyms. Scores of two
engines differ in their last digits; two lists are equal up to the order of passages whose scores differ by less than
1e-4. Papers without a title are named beside them: BM25's mean length of titles leaves them out in a cluster.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import msgspec

from anagnosis import api
from anagnosis.searching.engines.opensearch.connection import read_connection
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.records.hits import EXPANDED, ExpansionOptions, Hit
from search_quality import lines, unpacked

NEAR = 1e-4
MEASURES = ("ndcg@10", "recall@100")
WORDS = ExpansionOptions(synonyms=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--connection", type=Path, required=True)
    parser.add_argument("--only", action="append", help="a collection's name")
    parser.add_argument("--split", default="test")
    given = parser.parse_args()
    own = read_connection(given.connection)
    with tempfile.TemporaryDirectory() as scratch:
        for archive in sorted(given.folder.glob("*.tar.gz")):
            name, at = archive.name.removesuffix(".tar.gz"), Path(scratch) / archive.name
            if (given.only and name not in given.only) or not unpacked(archive, given.split, at):
                continue
            folders = {"embedded": at / "embedded"}
            api.index([at / "corpus.jsonl"], folders["embedded"])
            for shards in (1, own.shards):
                written = at / f"{shards}.toml"
                keys = {"hosts": list(own.hosts), "index": f"{own.index}-{name.replace('_', '-')}-{shards}"}
                written.write_bytes(msgspec.toml.encode({**keys, "shards": shards, "replicas": own.replicas}))
                folders[f"shards-{shards}"] = at / f"of {shards}"
                api.index([at / "corpus.jsonl"], at / f"of {shards}", connection=written)
            compared(name, at, folders)
            for folder in folders.values():
                open_index(folder).discard()


def compared(name: str, at: Path, folders: dict[str, Path]) -> None:
    """Print how many lists of ten are equal, and the measures of each engine."""
    judged = {line.split()[0] for line in (at / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]}
    questions = [one["text"] for one in lines(at / "queries.jsonl") if one["_id"] in judged]
    indexes = {label: open_index(folder) for label, folder in folders.items()}
    print(f"\n{name}: {len(questions)} questions")
    for told, options in (("words", WORDS), ("synonyms", EXPANDED)):
        found = {label: lists(index.expanding(options), questions) for label, index in indexes.items()}
        for label, own in found.items():
            if label != "embedded":
                same = [equal(*pair) for pair in zip(found["embedded"], own, strict=True)]
                untitled = sum(
                    not one and any(not hit.passage.title for hit in hits)
                    for one, hits in zip(same, own, strict=True)
                )
                rest = f", {untitled} others have papers without a title" if untitled else ""
                print(f"  {told}, {label}: {sum(same)} of {len(same)} lists of ten are equal{rest}")
    for index in indexes.values():
        index.close()
    figures = api.evaluate_search(
        [f"{label}={folder}" for label, folder in folders.items()],
        judgements=at / "qrels.tsv",
        topics=at / "queries.jsonl",
        measures=MEASURES,
    )
    for system in figures.systems:
        print(
            f"  {system.name}: " + ", ".join(f"{one} {system.estimates[one].value:.4f}" for one in MEASURES)
        )


def lists(index: Index, questions: list[str]) -> list[list[Hit]]:
    return [index.search(question, limit=10) for question in questions]


def equal(one: list[Hit], other: list[Hit]) -> bool:
    """Whether two lists differ at most in the order of passages with nearly the same score."""
    ids = [hit.passage.id for hit in one], [hit.passage.id for hit in other]
    scores = {hit.passage.id: hit.score for hit in (*other, *one)}
    last = one[-1].score if one else 0.0
    return len(one) == len(other) and all(
        a == b or abs(scores[a] - scores[b]) < NEAR or max(scores[a], scores[b]) - last < NEAR
        for a, b in zip(*ids, strict=True)
    )


if __name__ == "__main__":
    main()
