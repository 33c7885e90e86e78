"""What a dataset of questions with sentences holds, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.kind import StatisticsOptions

TRAIN = "train"


@dataclass(frozen=True, slots=True)
class SplitStatistics:
    """A split. different_questions, different_documents: how many differ. documents_in_train: of those, how many are in
    the training split too; None of the training split itself, and without one. sentences_mean, sentences_median: of an
    instance. words_mean: of a sentence, by blanks. gold_sentences: that hold the answer; gold_share: of all sentences.
    unjudged_sentences: that nobody has judged. one_kind: instances whose sentences all hold the answer, or none does.
    Means and shares of nothing are None.
    """

    instances: int
    different_questions: int
    different_documents: int
    documents_in_train: int | None
    sentences: int
    sentences_mean: float | None
    sentences_median: int
    words_mean: float | None
    gold_sentences: int
    gold_share: float | None
    unjudged_sentences: int
    one_kind: int


@dataclass(frozen=True, slots=True)
class EvidenceStatistics:
    """Statistics of a dataset of questions with sentences, split by split."""

    splits: dict[str, SplitStatistics]


@dataclass(slots=True)
class Statistics:
    """Sums over instances.

    questions, documents: that differ. sizes: of each instance with n sentences, n → instances. gold, others, unjudged:
    sentences. one_kind: instances whose sentences all hold the answer, or none does. words: of all sentences.
    """

    instances: int = 0
    questions: set[int] = field(default_factory=set[int])
    documents: set[int] = field(default_factory=set[int])
    sizes: Counter[int] = field(default_factory=Counter[int])
    gold: int = 0
    others: int = 0
    unjudged: int = 0
    one_kind: int = 0
    words: int = 0

    def add(self, instance: EvidenceInstance) -> None:
        """One more."""
        self.instances += 1
        self.questions.add(hash(instance.question))
        judged = Counter(sentence.held for sentence in instance.sentences)
        self.gold += judged[True]
        self.others += judged[False]
        self.unjudged += judged[None]
        self.one_kind += not (judged[True] and judged[False])
        self.sizes[len(instance.sentences)] += 1
        for sentence in instance.sentences:
            self.documents.add(hash(sentence.document))
            self.words += len(sentence.text.split())

    @property
    def sentences(self) -> int:
        return self.gold + self.others + self.unjudged

    @property
    def median(self) -> int:
        """The lower median of sentences an instance; 0 where there is none."""
        seen = 0
        for size in sorted(self.sizes):
            seen += self.sizes[size]
            if 2 * seen >= self.instances:
                return size
        return 0

    def split(self, train: set[int] | None) -> SplitStatistics:
        """The counts as a record. train: the documents of the training split, None where there are none to compare."""
        return SplitStatistics(
            self.instances,
            len(self.questions),
            len(self.documents),
            None if train is None else len(self.documents & train),
            self.sentences,
            _share(self.sentences, self.instances),
            self.median,
            _share(self.words, self.sentences),
            self.gold,
            _share(self.gold, self.sentences),
            self.unjudged,
            self.one_kind,
        )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def evidence_statistics(dataset: Dataset, options: StatisticsOptions) -> EvidenceStatistics:
    """The statistics of a dataset."""
    options.refuse_labels(str(dataset.folder))
    options.refuse_of_cloze(str(dataset.folder))
    counted = {
        split: statistics(store.instances(dataset, split, of=EvidenceInstance)) for split in dataset.rows
    }
    train = counted[TRAIN].documents if TRAIN in counted else None
    return EvidenceStatistics(
        {split: counts.split(None if split == TRAIN else train) for split, counts in counted.items()}
    )


def statistics(instances: Iterable[EvidenceInstance]) -> Statistics:
    """The statistics of the instances together."""
    found = Statistics()
    for instance in instances:
        found.add(instance)
    return found
