"""Table 1 of PubMedQA for any decision dataset."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import LABELS, SUBSETS, DecisionInstance, Subset
from anagnosis.language.words import counter


@dataclass(frozen=True, slots=True)
class Figures:
    """A column of Table 1. labels: the share of each; None, or no label, where nothing is labelled. question, context,
    long_answer: mean words.
    """

    instances: int
    labels: dict[str, float | None]
    question: float | None
    context: float | None
    long_answer: float | None


@dataclass(frozen=True, slots=True)
class SubsetStatistics:
    """A subset (L, U, A). figures, published: Table 1, here and in the paper."""

    figures: Figures
    published: Figures


@dataclass(frozen=True, slots=True)
class DecisionStatistics:
    """Statistics of a dataset of decisions. words: how they were counted ("treebank": as the paper does, "blanks")."""

    subsets: dict[Subset, SubsetStatistics]
    words: str


# Table 1: instances in thousands as it rounds them, shares of the labels, words by NLTK.
PUBLISHED: dict[Subset, Figures] = {
    "L": Figures(1000, {"yes": 0.552, "no": 0.338, "maybe": 0.11}, 14.4, 238.9, 43.2),
    "U": Figures(61_200, {}, 15.0, 237.3, 45.9),
    "A": Figures(211_300, {"yes": 0.928, "no": 0.072, "maybe": 0.0}, 16.3, 238.0, 41.0),
}


def decision_statistics(dataset: Dataset) -> DecisionStatistics:
    """The statistics of a dataset, which is read once."""
    name, words = counter()
    counts: dict[Subset, Counter[str]] = {}
    for one in (
        each for split in dataset.sizes for each in store.instances(dataset, split, of=DecisionInstance)
    ):
        own = counts.setdefault(one.subset, Counter())
        own["instances"] += 1
        own[f"label {one.label}"] += 1
        own["question"] += words(one.question)
        own["context"] += words(" ".join(section.text for section in one.context))
        own["long answers"] += one.long_answer is not None
        own["long answer"] += words(one.long_answer or "")
    there: list[Subset] = [subset for subset in SUBSETS if subset in counts]
    return DecisionStatistics(
        {subset: SubsetStatistics(_figures(counts[subset]), PUBLISHED[subset]) for subset in there}, name
    )


def _figures(counts: Counter[str]) -> Figures:
    labels = {label: counts[f"label {label}"] for label in LABELS}
    return Figures(
        counts["instances"],
        {label: _share(count, sum(labels.values())) for label, count in labels.items()},
        _share(counts["question"], counts["instances"]),
        _share(counts["context"], counts["instances"]),
        _share(counts["long answer"], counts["long answers"]),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
