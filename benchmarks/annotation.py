"""Precision, recall, F1 and speed of the dictionary annotator, beside a bare longest match in the same run.

    python benchmarks/annotation.py quality FOLDER [--set NAME]
    python benchmarks/annotation.py speed FOLDER

The folder holds `pubtator/bc5cdr.pubtator.gz`, `vocabularies/`, `craft/`, `e3c/` and `jats/`. annotation_sets.py has
the data sets. A mention counts as right if its place and type are exactly the gold's; an identifier is right if the
gold mention has it. "known": the share of gold mentions of which the vocabulary has an identifier. "bare": no rule.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from anagnosis import api
from anagnosis.annotation.annotator import mentions
from anagnosis.annotation.dictionary import RULES, Dictionary
from anagnosis.documents.document import Mention
from annotation_sets import ALL, ANY, DATA_SETS, GoldText, read_concepts

TEXT = 4_000_000  # characters for the speed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["quality", "speed"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", dest="sets", action="append", choices=[*DATA_SETS])
    given = parser.parse_args()
    if given.what == "speed":
        speed(given.folder)
    else:
        quality(given.folder, given.sets or [*DATA_SETS])


def quality(folder: Path, sets: Sequence[str]) -> None:
    print("set     vocabulary     rules  part      type         gold  P     R     F1    identifiers  known")
    for name in sets:
        parts, vocabularies, types = DATA_SETS[name](folder)
        for vocabulary, concepts in vocabularies.items():
            known = {concept.identifier for concept in concepts}
            for of_rules, rules in (("bare", ()), ("all", RULES)):
                dictionary = Dictionary(concepts, rules)
                for part, texts in parts.items():
                    matched = [list(mentions(text.text, dictionary, Counter())) for text in texts]
                    for kind in types:
                        line = _line(_counts(texts, matched, kind, known))
                        print(f"{name:7} {vocabulary:14} {of_rules:6} {part:9} {kind:10} {line}", flush=True)


def _counts(
    texts: Sequence[GoldText], matched: Sequence[Sequence[Mention]], kind: str, known: set[str]
) -> Counter[str]:
    counts = Counter[str]()
    for text, of_text in zip(texts, matched, strict=True):
        gold: dict[tuple[int, int], set[str]] = {}
        for of_type, places in text.entities.items():
            if kind in (of_type, ANY):
                for place, identifiers in places.items():
                    gold.setdefault(place, set()).update(identifiers)
        ours = {
            (mention.start, mention.end): mention.identifier
            for mention in of_text
            if kind in (mention.type, ANY)
            and text.window[0] <= mention.start
            and mention.end <= text.window[1]
        }
        both = gold.keys() & ours.keys()
        counts["gold"] += len(gold)
        counts["ours"] += len(ours)
        counts["both"] += len(both)
        counts["identifier"] += sum(ours[place] in gold[place] for place in both)
        counts["known"] += sum(not known.isdisjoint(identifiers) for identifiers in gold.values())
    return counts


def _line(counts: Counter[str]) -> str:
    precision, recall = counts["both"] / counts["ours"], counts["both"] / counts["gold"]
    f1 = 2 * precision * recall / (precision + recall)
    right, known = counts["identifier"] / counts["both"], counts["known"] / counts["gold"]
    return f"{counts['gold']:6} {precision:.3f} {recall:.3f} {f1:.3f} {right:.3f}        {known:.3f}"


def speed(folder: Path) -> None:
    before = _peak()
    start = time.process_time()
    every = read_concepts(folder, ALL)
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
