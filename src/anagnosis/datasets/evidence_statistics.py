"""What a dataset of questions with sentences holds, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_low

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.evidence import EvidenceInstance

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


def evidence_statistics(dataset: Dataset) -> EvidenceStatistics:
    """The statistics of a dataset."""
    splits: dict[str, SplitStatistics] = {}
    train: set[int] | None = None
    for split in dataset.sizes:
        found = store.instances(dataset, split, of=EvidenceInstance)
        splits[split], documents = split_statistics(found, train)
        train = documents if split == TRAIN else train
    return EvidenceStatistics(splits)


def split_statistics(
    instances: Iterable[EvidenceInstance], train: set[int] | None = None
) -> tuple[SplitStatistics, set[int]]:
    """The statistics of the instances together, and hashes of their documents. train: those of the training split."""
    questions: set[int] = set()
    documents: set[int] = set()
    sizes = Counter[int]()  # sentences of an instance → instances
    judged = Counter[bool | None]()
    one_kind = words = 0
    for instance in instances:
        questions.add(hash(instance.question))
        sizes[len(instance.sentences)] += 1
        own = Counter(sentence.held for sentence in instance.sentences)
        judged.update(own)
        one_kind += not (own[True] and own[False])
        for sentence in instance.sentences:
            documents.add(hash(sentence.document))
            words += len(sentence.text.split())
    sentences = judged.total()
    found = SplitStatistics(
        sizes.total(),
        len(questions),
        len(documents),
        None if train is None else len(documents & train),
        sentences,
        _share(sentences, sizes.total()),
        median_low(sizes.elements()) if sizes else 0,
        _share(words, sentences),
        judged[True],
        _share(judged[True], sentences),
        judged[None],
        one_kind,
    )
    return found, documents


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
