"""Sentences by the share of the question's words that stand in them, by weight: only how common words are is learnt.

    score(s) = Σ IDF(w), w in question and sentence / Σ IDF(w), w in question
    IDF(w) = ln((N + 1) / (df + 0.5))

w: stems (language/stems.py), each once. N: documents, df: those that have w in their title or a sentence. Between 0
and 1, and no probability. It is the level that a trained reader has to pass.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from anagnosis.archives import ENDINGS
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.documents.formats.detect import suffixes
from anagnosis.documents.reading import documents, inputs
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.language.stems import stems
from anagnosis.progress import tell

UNLABELLED = True  # counts words, so every split will do
_SHOWN = 10  # places of what is refused


def fit(
    instances: Iterable[EvidenceInstance], *, collection: str = ""
) -> Callable[[EvidenceInstance], list[float]]:
    """Count documents: those that the instances' sentences are of, or those of a collection.

    collection: a file or folder of documents in any format that `anagnosis index` reads.
    """
    found: Counter[str] = Counter()
    count = 0
    for words in _of_collection(collection) if collection else _of_instances(instances):
        found.update(words)
        count += 1

    def sentence_overlap(instance: EvidenceInstance) -> list[float]:
        words = [*dict.fromkeys(stems(instance.question))]
        weights = {word: math.log((count + 1) / (found[word] + 0.5)) for word in words}
        whole = math.fsum(weights.values())
        own = (set(stems(sentence.text)) for sentence in instance.sentences)
        return [
            math.fsum(weights[word] for word in words if word in there) / whole if whole else 0.0
            for there in own
        ]

    return sentence_overlap


def _of_instances(instances: Iterable[EvidenceInstance]) -> Iterator[set[str]]:
    """The words of each document, each once; all of them are in memory."""
    found: dict[str, set[str]] = {}
    for instance in instances:
        for sentence in instance.sentences:
            own = found.get(sentence.document)
            if own is None:
                own = found[sentence.document] = set(stems(sentence.title))
            own.update(stems(sentence.text))
    yield from found.values()


def _of_collection(path: str) -> Iterator[set[str]]:
    """The words of each document; what cannot be read is told, and is a fault where nothing else is there."""
    repairs, count = Repairs(), 0
    for _, file in inputs([Path(path)], (*suffixes(), *ENDINGS)):
        try:
            for document in documents(file, repairs):
                count += 1
                yield set(stems(document.text))
        except InputError as fault:
            repairs.refuse(fault.where, f"{fault.what}; {fault.remedy}" if fault.remedy else fault.what)
    if not count:
        where, why = repairs.refusals[0] if repairs.refusals else (path, "holds no documents")
        raise InputError(why, where, "name files that `anagnosis index` reads")
    told = [f"{repairs.refused:,} refused"] if repairs.refused else []
    told += [f"{name} {number:,}" for name, number in sorted(repairs.counts.items())]
    if told:
        tell(f"{path}: {count:,} documents; {', '.join(told)}")
    for where, why in repairs.refusals[:_SHOWN]:
        tell(f"  {where}: {why}")
