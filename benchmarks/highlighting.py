"""How well the sentences that prove a claim are told from the others of the same abstract (SciFact).

    python benchmarks/highlighting.py scifact.tar.gz [--claims claims_validation] [--readers FOLDER]

The archive holds corpus_sentences.jsonl and the claims in the authors' form. Every pair of a claim and an abstract with
evidence counts: AUC over all its sentences, pooled and as a mean of the pairs (with an interval by claim-abstract pairs
drawn anew), and how often the best sentence is evidence. Untrained: searching/sentences/overlap.py,
an index of the abstracts.
Level (the same idea by another program): pooled .7169, mean .7857, best sentence 51.7 % on claims_validation.

Then each claim with evidence is asked over all abstracts, untrained and with the readers of FOLDER: how often the first
sentence is a gold one, and one of the first five, by several orders, and by several rules about titles (no title is a
gold sentence); what share of the sentences marked strong are; and
how long a whole answer takes.
"""

from __future__ import annotations

import argparse
import json
import math
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from anagnosis.api.searching import load_readers
from anagnosis.documents.document import Document, Section
from anagnosis.evaluation.measures.sentences import auc
from anagnosis.evaluation.probabilities import calibration
from anagnosis.evaluation.probabilities import words as in_words
from anagnosis.searching.answers.asking import READ, SHOWN, ask, highlighted
from anagnosis.searching.answers.readers import Readers
from anagnosis.searching.fit.collection_fitting import holds, plain
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.answers import Hit
from anagnosis.searching.records.evidence import TITLE, Evidence
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.sentences import best
from timing import spread, timed

Floats = npt.NDArray[np.float64]
DRAWS = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path)
    parser.add_argument("--claims", default="claims_validation")
    parser.add_argument("--readers", type=Path)
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
            score = overlap.asked_words(index.engine, Topic(claim["claim"])).score
            for ident, rationales in claim["evidence"].items():
                sentences = abstracts[ident]["abstract"]
                gold = np.zeros(len(sentences))
                gold[[place for rationale in rationales for place in rationale["sentences"]]] = 1
                pairs.append((gold, np.array([score(sentence) for sentence in sentences])))
        report(options.claims, pairs)
        asked = [(claim, gold_of(claim, abstracts)) for claim in rows(options.archive, options.claims)]
        asked = [(claim, gold) for claim, gold in asked if gold]
        for readers in [None, options.readers] if options.readers else [None]:
            over_collection(index, load_readers(readers), asked)
        index.close()


def rows(archive: Path, name: str) -> Iterator[dict[str, Any]]:
    with tarfile.open(archive) as tar:
        member = next(each for each in tar.getnames() if each.endswith(f"/{name}.jsonl"))
        stream = tar.extractfile(member)
        assert stream is not None
        yield from map(json.loads, stream)


def gold_of(claim: dict[str, Any], abstracts: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """abstract → its evidence sentences, for or against."""
    return {
        ident: [plain(abstracts[ident]["abstract"][place]) for each in own for place in each["sentences"]]
        for ident, own in claim["evidence"].items()
    }


# The order of sentences, from score, overlap's best in the passage, rank from 0, and the passage's score, best = 1.
ORDERS: dict[str, Callable[[float, float, int, float], float]] = {
    "score": lambda score, best, rank, hit: score,
    "score * best overlap of the passage": lambda score, best, rank, hit: score * best,
    "score * passage's score": lambda score, best, rank, hit: score * hit,
    "score / (rank + 1)": lambda score, best, rank, hit: score / (rank + 1),
    "score / sqrt(rank + 1), ours": lambda score, best, rank, hit: score / math.sqrt(rank + 1),
}


def over_collection(
    index: Index, readers: Readers, asked: list[tuple[dict[str, Any], dict[str, list[str]]]]
) -> None:
    first, five, strong, seconds = Counter[str](), Counter[str](), Counter[bool](), list[float]()
    scorer, said = readers.highlighter.over_collection(), list[tuple[float, bool, int]]()
    titles = Counter[str]()
    for claim, gold in asked:
        seconds.append(timed(partial(ask, index, claim["claim"], readers=readers)).clock)
        of_claim = index.read(claim["claim"])
        hits = index.search(of_claim, None, READ)
        words = highlighted(index, of_claim.topic, hits)
        found: list[tuple[tuple[float, float, int, float], bool]] = []
        judged = highlighted(index, of_claim.topic, hits, scorer)
        for rank, (each, by_words) in enumerate(zip(judged, words, strict=True)):
            best = max((one.score for one in by_words.sentences), default=0.0)
            for one in each.sentences:
                text = each.passage.text[one.begin : one.end]
                right = holds(text, gold.get(each.passage.document, ()))
                found.append(((one.score, best, rank, each.score / hits[0].score), right))
                if one.strength == 3:
                    strong[right] += 1
                if one.strength:
                    said.append((one.score, right, len(seconds)))
        for name, quoted in with_titles(judged, ranked=scorer.about.calibrated).items():
            right = [is_gold(one, gold) for one in quoted]
            ours = [one for one in quoted if one.stands_in == TITLE]
            titles[f"{name}, first"] += bool(right and right[0])
            titles[f"{name}, five"] += any(right)
            titles[f"{name}, titles"] += len(ours)
            titles[f"{name}, of gold papers"] += sum(one.passage.document in gold for one in ours)
        for name, order in ORDERS.items():
            top = [right for _, right in sorted(found, key=lambda each: -order(*each[0]))[:5]]
            first[name] += bool(top and top[0])
            five[name] += any(top)
    print(f"{scorer.about.name}, {len(asked)} claims over {index.count().documents:,} abstracts")
    for name in ORDERS:
        print(f"  {name}: first {first[name] / len(asked):.1%}, in five {five[name] / len(asked):.1%}")
    print(f"  marked strong: {strong[True]} of {strong.total()} are gold ones")
    if scorer.about.calibrated:
        scores, right, claims = (np.array(each) for each in zip(*said, strict=True))
        off = calibration(scores, right.astype(np.float64), claims)
        print(f"  {len(said):,} marked: said {off.confidence:.3f}, gold {right.mean():.3f}, {in_words(off)}")
    for name in with_titles([]):
        told = [titles[f"{name}, {what}"] for what in ("first", "five", "titles", "of gold papers")]
        print(
            f"  marked sentences, {name}: first {told[0] / len(asked):.1%}, in five {told[1] / len(asked):.1%}; "
            f"{told[2]} titles, {told[3]} of gold papers"
        )
    print(f"  an answer: {spread(seconds, 's', 2)}")


def with_titles(found: list[Hit], *, ranked: bool = False) -> dict[str, list[Evidence]]:
    """What is quoted by several rules about titles. ranked: the rank is a part of the score."""
    texts = [replace(each, title=None) for each in found]
    titles = [replace(each, sentences=()) for each in found]
    every = best(texts, READ * 100, ranked=ranked), best(titles, READ, ranked=ranked)

    def compete(rivals: list[Evidence]) -> list[Evidence]:
        def worth(one: Evidence) -> float:
            return -one.score / (1 if ranked else math.sqrt(one.rank))

        return sorted([*every[0], *rivals], key=worth)[:SHOWN]

    bare = [one for one in every[1] if all(other.rank != one.rank for other in every[0])]
    return {
        "no titles": best(texts, SHOWN, ranked=ranked),
        "titles as sentences": compete(every[1]),
        "titles where no sentence of their passage is marked": compete(bare),
        "titles where sentences leave room": (every[0] + every[1])[:SHOWN],
        "and a strong one in the last place, ours": best(found, SHOWN, ranked=ranked),
    }


def is_gold(one: Evidence, gold: dict[str, list[str]]) -> bool:
    return one.stands_in != TITLE and holds(one.text, gold.get(one.passage.document, ()))


def report(name: str, pairs: list[tuple[Floats, Floats]]) -> None:
    gold = np.concatenate([own for own, _ in pairs])
    scores = np.concatenate([own for _, own in pairs])
    both = [(g, s) for g, s in pairs if 0 < g.sum() < len(g)]
    means = np.array([auc(s, g == 1) for g, s in both])
    best = np.array([g[s == s.max()].mean() for g, s in pairs])
    draw = np.random.default_rng(0)

    def interval(values: Floats) -> str:
        drawn = values[draw.integers(0, len(values), (DRAWS, len(values)))].mean(1)
        low, high = np.percentile(drawn, [2.5, 97.5])
        return f"{values.mean():.4f} [{low:.4f}, {high:.4f}]"

    print(f"{name}: {len(pairs)} claim-abstract pairs, {len(gold):,} sentences, {int(gold.sum())} evidence")
    print(f"  AUC pooled {auc(scores, gold == 1) or 0:.4f}, mean of the pairs {interval(means)}")
    print(f"  the best sentence is evidence (ties shared): {interval(best)}")


if __name__ == "__main__":
    main()
