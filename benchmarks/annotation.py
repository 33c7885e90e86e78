"""Precision, recall, F1 and speed of the dictionary annotator, beside a bare longest match in the same run.

    python benchmarks/annotation.py quality FOLDER
    python benchmarks/annotation.py speed FOLDER

The folder holds `pubtator/bc5cdr.pubtator.gz`, `vocabularies/` and `jats/`. The rules were fixed on BC5CDR's first
1,000 documents; its last 500 are held out. A mention counts as right if its place and type are exactly the gold's; an
identifier is right if the gold mention has it. "bare": no rule, types as below.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from itertools import islice
from pathlib import Path

from anagnosis import api
from anagnosis.annotation.annotator import mentions
from anagnosis.annotation.dictionary import RULES, Dictionary
from anagnosis.documents.document import Document
from anagnosis.terms.concepts import Concept, concepts
from anagnosis.terms.reading import terms

MESH = (
    "mesh_descriptors.tsv.gz",
    "mesh_supplementary_diseases.tsv.gz",
    "mesh_supplementary_chemicals_sample.tsv.gz",
)
ALL = (*MESH, "doid.tsv.gz", "mondo.tsv.gz", "go.tsv.gz", "hp.obo.gz")
FIXED_ON = 1000  # documents of BC5CDR
KINDS = ("Disease", "Chemical")
TEXT = 4_000_000  # characters for the speed


def read(folder: Path, files: tuple[str, ...], kinds: tuple[str, ...] = ()) -> list[Concept]:
    found = concepts(
        terms([folder / "vocabularies" / file for file in files], Counter()), ("obsolete_term",), Counter()
    )
    return [concept for concept in found if not kinds or (concept.types and concept.types[0] in kinds)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["quality", "speed"])
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    {"quality": quality, "speed": speed}[given.what](given.folder)


def quality(folder: Path) -> None:
    documents = list(api.read(folder / "pubtator" / "bc5cdr.pubtator.gz"))
    parts = {"fixed on": documents[:FIXED_ON], "held out": documents[FIXED_ON:]}
    print("vocabulary       rules  part      type       P     R     F1    identifiers right")
    for vocabulary, files in (("MeSH", MESH), ("MeSH and DOID", (*MESH, "doid.tsv.gz"))):
        chosen = read(folder, files, KINDS)
        for name, rules in (("bare", ()), ("all", RULES)):
            dictionary = Dictionary(chosen, rules)
            for part, of_part in parts.items():
                for kind in KINDS:
                    print(
                        f"{vocabulary:16} {name:6} {part:9} {kind:9} {_line(_counts(of_part, dictionary, kind))}"
                    )


def _counts(documents: list[Document], dictionary: Dictionary, kind: str) -> Counter[str]:
    counts = Counter[str]()
    for document in documents:
        gold = {(m.start, m.end): m.identifier for m in document.mentions if m.type == kind}
        ours = {
            (m.start, m.end): m.identifier
            for m in mentions(document.text, dictionary, Counter())
            if m.type == kind
        }
        both = gold.keys() & ours.keys()
        counts["gold"] += len(gold)
        counts["ours"] += len(ours)
        counts["both"] += len(both)
        counts["identifier"] += sum(ours[place] in gold[place].split("|") for place in both)
    return counts


def _line(counts: Counter[str]) -> str:
    precision, recall = counts["both"] / counts["ours"], counts["both"] / counts["gold"]
    f1 = 2 * precision * recall / (precision + recall)
    return f"{precision:.3f} {recall:.3f} {f1:.3f} {counts['identifier'] / counts['both']:.3f}"


def speed(folder: Path) -> None:
    before = _peak()
    start = time.process_time()
    every = read(folder, ALL)
    names = {name.lower() for concept in every for name in concept.names}
    print(f"{len(names):,} distinct names")
    del names
    dictionary = Dictionary(every)
    print(
        f"built in {time.process_time() - start:.1f} processor seconds; peak {_peak():,.0f} MB, {before:,.0f} before"
    )
    texts = _texts(folder)
    size = sum(len(text.encode()) for text in texts) / 1e6
    start = time.process_time()
    matched = sum(1 for text in texts for _ in mentions(text, dictionary, Counter()))
    ours = time.process_time() - start
    known = dict.fromkeys((name.lower() for concept in every for name in concept.names), 1)
    start = time.process_time()
    bare = sum(_bare(dictionary.tokenizer(text).keys, known) for text in texts)
    loop = time.process_time() - start
    print(f"annotator: {size / ours:.2f} MB/s ({matched:,} mentions in {size:.1f} MB)")
    print(f"bare loop of look-ups of one to three tokens, tokens included: {size / loop:.2f} MB/s ({bare:,})")


def _bare(keys: list[str], known: dict[str, int]) -> int:
    """The tokens at which a name of one to three tokens begins, by three look-ups each."""
    hits = 0
    for place in range(len(keys)):
        for length in (3, 2, 1):
            if " ".join(keys[place : place + length]) in known:
                hits += 1
                break
    return hits


def _texts(folder: Path) -> list[str]:
    texts: list[str] = []
    total = 0
    for document in islice(api.read(folder / "jats" / "mixed.tar.xz", full_text=True), 400):
        texts.append(document.text)
        total += len(document.text)
        if total > TEXT:
            break
    return texts


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
