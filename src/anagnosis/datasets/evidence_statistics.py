"""What a dataset of questions with sentences holds, counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.evidence import EvidenceInstance

TRAIN = "train"


@dataclass(frozen=True, slots=True)
class EvidenceStatistics:
    """Of each split: `documents`, how many differ; `documents_in_train`, of those, how many the training split has too,
    None of that split itself and without one; `gold_sentences` that hold the answer, `gold_share` of all.
    """

    splits: dict[str, dict[str, float | None]]


def evidence_statistics(dataset: Dataset) -> EvidenceStatistics:
    """The statistics of a dataset."""
    splits: dict[str, dict[str, float | None]] = {}
    train: set[int] | None = None
    for split in dataset.sizes:
        found = store.instances(dataset, split, of=EvidenceInstance)
        splits[split], documents = split_statistics(found, train)
        train = documents if split == TRAIN else train
    return EvidenceStatistics(splits)


def split_statistics(
    instances: Iterable[EvidenceInstance], train: set[int] | None = None
) -> tuple[dict[str, float | None], set[int]]:
    """The statistics of the instances together, and hashes of their documents. train: those of the training split."""
    documents = set[int]()
    count = sentences = gold = 0
    for instance in instances:
        count += 1
        sentences += len(instance.sentences)
        gold += sum(bool(sentence.held) for sentence in instance.sentences)
        documents.update(hash(sentence.document) for sentence in instance.sentences)
    found = {
        "instances": count,
        "documents": len(documents),
        "documents_in_train": None if train is None else len(documents & train),
        "sentences": sentences,
        "gold_sentences": gold,
        "gold_share": gold / sentences if sentences else None,
    }
    return found, documents
