"""What a dataset of questions with sentences holds, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from anagnosis.datasets.kinds.evidence import EvidenceInstance


@dataclass(slots=True)
class Statistics:
    """Sums over instances.

    questions, documents: that differ. sizes: of each instance with n sentences, n → instances. held, not_held, unsaid:
    sentences. one_kind: instances whose sentences are all held, or none of them. words: of all sentences, by blanks.
    """

    instances: int = 0
    questions: set[int] = field(default_factory=set[int])
    documents: set[int] = field(default_factory=set[int])
    sizes: Counter[int] = field(default_factory=Counter[int])
    held: int = 0
    not_held: int = 0
    unsaid: int = 0
    one_kind: int = 0
    words: int = 0

    def add(self, instance: EvidenceInstance) -> None:
        """One more."""
        self.instances += 1
        self.questions.add(hash(instance.question))
        said = Counter(sentence.held for sentence in instance.sentences)
        self.held += said[True]
        self.not_held += said[False]
        self.unsaid += said[None]
        self.one_kind += not (said[True] and said[False])
        self.sizes[len(instance.sentences)] += 1
        for sentence in instance.sentences:
            self.documents.add(hash(sentence.document))
            self.words += len(sentence.text.split())

    @property
    def sentences(self) -> int:
        return self.held + self.not_held + self.unsaid

    @property
    def median(self) -> int:
        """The lower median of sentences an instance; 0 where there is none."""
        seen = 0
        for size in sorted(self.sizes):
            seen += self.sizes[size]
            if 2 * seen >= self.instances:
                return size
        return 0


def statistics(instances: Iterable[EvidenceInstance]) -> Statistics:
    """Of these instances together."""
    found = Statistics()
    for instance in instances:
        found.add(instance)
    return found
