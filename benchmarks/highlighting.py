"""How well the sentences that prove a claim are told from the others of the same abstract (SciFact).

    python benchmarks/highlighting.py scifact.tar.gz [--claims claims_validation]

The archive holds corpus_sentences.jsonl and the claims in the authors' form. Every pair of a claim and an abstract with
evidence counts: AUC over all its sentences, pooled and as a mean of the pairs (with an interval by claim-abstract pairs
drawn anew), and how often the best sentence is evidence. Untrained: searching/overlap.py, an index of the abstracts.
Level (the same idea by another program): pooled .7169, mean .7857, best sentence 51.7 % on claims_validation.
"""

from __future__ import annotations

import argparse
import json
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anagnosis.documents.document import Document, Section
from anagnosis.searching import overlap
from anagnosis.searching.index import create_index

Floats = npt.NDArray[np.float64]
DRAWS = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path)
    parser.add_argument("--claims", default="claims_validation")
    options = parser.parse_args()
    abstracts = {str(row["doc_id"]): row for row in rows(options.archive, "corpus_sentences")}
    with tempfile.TemporaryDirectory() as scratch:
        index, counts = create_index(Path(scratch) / "index"), Counter[str]()
        for ident, row in abstracts.items():
            parts = (Section("title", row["title"]), Section("abstract", " ".join(row["abstract"])))
            index.add(Document(ident, parts), counts)
        index.commit()
        pairs: list[tuple[Floats, Floats]] = []
        for claim in rows(options.archive, options.claims):
            score = overlap.scorer(index.engine, claim["claim"])
            for ident, rationales in claim["evidence"].items():
                sentences = abstracts[ident]["abstract"]
                gold = np.zeros(len(sentences))
                gold[[place for rationale in rationales for place in rationale["sentences"]]] = 1
                pairs.append((gold, np.array([score(sentence) for sentence in sentences])))
        index.close()
    report(options.claims, pairs)


def rows(archive: Path, name: str) -> Iterator[dict[str, Any]]:
    with tarfile.open(archive) as tar:
        member = next(each for each in tar.getnames() if each.endswith(f"/{name}.jsonl"))
        stream = tar.extractfile(member)
        assert stream is not None
        yield from map(json.loads, stream)


def auc(gold: Floats, scores: Floats) -> float:
    """The chance that an evidence sentence is scored above another one, ties as half."""
    above = scores[gold == 1][:, None] - scores[gold == 0][None, :]
    return float(((above > 0) + 0.5 * (above == 0)).mean())


def report(name: str, pairs: list[tuple[Floats, Floats]]) -> None:
    gold = np.concatenate([own for own, _ in pairs])
    scores = np.concatenate([own for _, own in pairs])
    both = [(g, s) for g, s in pairs if 0 < g.sum() < len(g)]
    means = np.array([auc(g, s) for g, s in both])
    best = np.array([g[s == s.max()].mean() for g, s in pairs])
    draw = np.random.default_rng(0)

    def interval(values: Floats) -> str:
        drawn = values[draw.integers(0, len(values), (DRAWS, len(values)))].mean(1)
        low, high = np.percentile(drawn, [2.5, 97.5])
        return f"{values.mean():.4f} [{low:.4f}, {high:.4f}]"

    print(f"{name}: {len(pairs)} claim-abstract pairs, {len(gold):,} sentences, {int(gold.sum())} evidence")
    print(f"  AUC pooled {auc(gold, scores):.4f}, mean of the pairs {interval(means)}")
    print(f"  the best sentence is evidence (ties shared): {interval(best)}")


if __name__ == "__main__":
    main()
