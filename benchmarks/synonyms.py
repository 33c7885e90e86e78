"""What names that mean the same are worth: nDCG@10 with and without them, and what two names of a thing have in common.

    python benchmarks/synonyms.py quality FOLDER --terms mesh.tsv [--split train] [--only scifact]
    python benchmarks/synonyms.py pairs built/index

FOLDER holds collections as of search_quality.py. Each is asked three times: for the question's words alone
(`--no-synonyms`), with other spellings, and with the names of the terms too; each of the latter is tested against the
first. Weights are chosen on train, never on test. `pairs` asks an index for the two names of a pair, each alone, and
counts the passages that both have among their best twenty.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from anagnosis import api
from search_quality import unpacked

MEASURE = "ndcg@10"
DEPTH = 100
BEST = 20
PAIRS = """
haemoglobin / hemoglobin
anaemia / anemia
tumour / tumor
oedema / edema
leukaemia / leukemia
diarrhoea / diarrhea
heart attack / myocardial infarction
COVID-19 / coronavirus disease 2019
paracetamol / acetaminophen
TP53 / p53
IL-6 / interleukin-6
high blood pressure / hypertension
HIV / human immunodeficiency virus
COPD / chronic obstructive pulmonary disease
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    quality = commands.add_parser("quality")
    quality.add_argument("folder", type=Path)
    quality.add_argument("--terms", type=Path, required=True)
    quality.add_argument("--split", default="test")
    quality.add_argument("--only", action="append", help="a collection's name")
    quality.set_defaults(run=lambda given: compare_all(given.folder, given.terms, given.split, given.only))
    pairs = commands.add_parser("pairs")
    pairs.add_argument("index", type=Path)
    pairs.set_defaults(run=lambda given: count_pairs(given.index))
    given = parser.parse_args()
    given.run(given)


def compare_all(folder: Path, terms: Path, split: str, only: list[str] | None) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for archive in sorted(folder.glob("*.tar.gz")):
            name = archive.name.removesuffix(".tar.gz")
            at = Path(scratch) / name
            if (not only or name in only) and unpacked(archive, split, at):
                compare(name, at, terms)


def compare(name: str, at: Path, terms: Path) -> None:
    """Print the level of the words alone, and the differences from it."""
    index = at / "index"
    api.index([at / "corpus.jsonl"], index)
    for system, alone, given in (("words", True, None), ("defined", False, None), ("terms", False, terms)):
        if given:
            api.index([], index, terms=[given])
        api.evaluate_search(
            [f"{system}={index}"],
            judgements=at / "qrels.tsv",
            topics=at / "queries.jsonl",
            measures=[MEASURE],
            depth=DEPTH,
            no_synonyms=alone,
            runs=at,
        )
    for system in ("defined", "terms"):
        beside = api.evaluate_search(
            [at / f"{system}.run", at / "words.run"],
            judgements=at / "qrels.tsv",
            measures=[MEASURE],
            ties="rank",
        )
        levels = {one.name: one.estimates[MEASURE].value for one in beside.systems}
        (pair,) = beside.comparisons[MEASURE].against_next
        sign = 1 if pair.first == system else -1
        low, high = sorted((sign * pair.interval.low, sign * pair.interval.high))
        print(
            f"{name:<16} {len(beside.queries):>4} queries  words {levels['words']:.4f}"
            f"  {system:<7} {levels[system]:.4f}"
            f"  {sign * pair.difference:+.4f} [{low:+.4f}, {high:+.4f}]  p {pair.p_two_tailed:.3f}",
            flush=True,
        )


def count_pairs(index: Path) -> None:
    for line in PAIRS.strip().splitlines():
        first, second = line.split(" / ")
        counts = [
            len(best(index, first, alone=alone) & best(index, second, alone=alone)) for alone in (True, False)
        ]
        print(f"{line:<50} {counts[0]:>2} → {counts[1]:>2} of {BEST}")


def best(index: Path, name: str, *, alone: bool) -> set[str]:
    """Ids of the best passages for a name."""
    answer = api.search(index, name, limit=BEST, no_synonyms=alone)
    return {hit.passage.id for hit in answer.found}


if __name__ == "__main__":
    main()
