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

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.language.words import stems


def fit(every: Iterable[EvidenceInstance]) -> Callable[[EvidenceInstance], list[float]]:
    """Sentences scored by their share of the question's words, weighted by IDF; it only counts document frequencies.

    They are counted over the documents of all instances' sentences.
    """
    documents_with: Counter[str] = Counter()
    count = 0
    for words in _of_documents(every):
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


def _of_documents(instances: Iterable[EvidenceInstance]) -> Iterator[set[str]]:
    """The distinct words of each document, all in memory."""
    of_documents: dict[str, set[str]] = {}
    for instance in instances:
        for sentence in instance.sentences:
            words = of_documents.get(sentence.document)
            if words is None:
                words = of_documents[sentence.document] = set(stems(sentence.title))
            words.update(stems(sentence.text))
    yield from of_documents.values()
