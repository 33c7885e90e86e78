"""Sentences scored by their share of the question's words, weighted by IDF; it only counts document frequencies.

    score(s) = Σ IDF(w), w in question and sentence / Σ IDF(w), w in question
    IDF(w) = ln((N + 1) / (df + 0.5))

w: distinct stems (language/words.py). N: documents, df: those with w in their title or a sentence. Scores are between 0
and 1, but no probabilities. A trained reader must exceed this baseline.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.documents.formats.detect import suffixes
from anagnosis.documents.reading import documents, inputs
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.archives import ENDINGS
from anagnosis.language.words import stems
from anagnosis.progress import print_note

SHOWN = 5  # places of what is not read


def fit(
    every: Iterable[EvidenceInstance], *, collection: str = ""
) -> Callable[[EvidenceInstance], list[float]]:
    """Sentences scored by their share of the question's words, weighted by IDF; it only counts document frequencies.

    They are counted over the documents of all instances' sentences, or over a collection.

    collection: a file or folder of documents in any format that `anagnosis index` reads.
    """
    documents_with: Counter[str] = Counter()
    count = 0
    for words in _of_collection(collection) if collection else _of_instances(every):
        documents_with.update(words)
        count += 1

    def sentence_overlap(instance: EvidenceInstance) -> list[float]:
        words = [*dict.fromkeys(stems(instance.question))]
        weights = {word: math.log((count + 1) / (documents_with[word] + 0.5)) for word in words}
        total = math.fsum(weights.values())
        of_sentences = (set(stems(sentence.text)) for sentence in instance.sentences)
        return [
            math.fsum(weights[word] for word in words if word in present) / total if total else 0.0
            for present in of_sentences
        ]

    return sentence_overlap


def _of_instances(instances: Iterable[EvidenceInstance]) -> Iterator[set[str]]:
    """The distinct words of each document, all in memory."""
    of_documents: dict[str, set[str]] = {}
    for instance in instances:
        for sentence in instance.sentences:
            words = of_documents.get(sentence.document)
            if words is None:
                words = of_documents[sentence.document] = set(stems(sentence.title))
            words.update(stems(sentence.text))
    yield from of_documents.values()


def _of_collection(path: str) -> Iterator[set[str]]:
    """The distinct words of each document. Notes tell what is not read; InputError: there is no document."""
    repairs, count = Repairs(), 0
    for _, file in inputs([Path(path)], repairs, (*suffixes(), *ENDINGS)):
        try:
            for document in documents(file, repairs, accept_truncated=True):
                count += 1
                yield set(stems(document.text))
        except InputError as fault:
            repairs.refuse_file(fault.where, fault.what)
    if not count:
        where, why = next(iter(repairs.refusals), (path, "holds no documents"))
        raise InputError(why, where, "name files that `anagnosis index` reads")
    told = {"refused": repairs.refused, **dict(sorted(repairs.counts.items()))}
    if notes := [f"{name} {number:,}" for name, number in told.items() if number]:
        print_note(f"{path}: {count:,} documents; {', '.join(notes)}")
    for where, why in repairs.refusals[:SHOWN]:
        print_note(f"  {where}: {why}")
