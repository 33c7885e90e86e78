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
class EvidenceStatistics:
    """Of each split: `different_…`, how many differ; `documents_in_train`, of those, how many the training split has
    too, None of that split itself and without one; `sentences_mean` and `sentences_median` of an instance;
    `words_mean` of a sentence, by blanks; `gold_sentences` that hold the answer, `gold_share` of all; sentences that
    nobody has judged; `one_kind`, instances whose sentences all hold the answer, or none. Means of nothing are None.
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
    questions, documents = set[int](), set[int]()
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
    found = {
        "instances": sizes.total(),
        "different_questions": len(questions),
        "different_documents": len(documents),
        "documents_in_train": None if train is None else len(documents & train),
        "sentences": sentences,
        "sentences_mean": _share(sentences, sizes.total()),
        "sentences_median": median_low(sizes.elements()) if sizes else 0,
        "words_mean": _share(words, sentences),
        "gold_sentences": judged[True],
        "gold_share": _share(judged[True], sentences),
        "unjudged_sentences": judged[None],
        "one_kind": one_kind,
    }
    return found, documents


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
