"""Table 1 of PubMedQA for any decision dataset, and what its Figure 3 and Table 3 count: topics, question types."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import itemgetter

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import LABELS, SUBSETS, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa import question_types
from anagnosis.datasets.pubmedqa.question_types import question_type
from anagnosis.datasets.sampling import rank
from anagnosis.language.words import counter

MOST_FREQUENT = 20  # topics that are listed


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
class QuestionTypeCount:
    """Questions of a type, by rule (Table 3). asks: what they ask. share: of the subset. labels: of those that have
    one. published: the paper's share, None where it has none.
    """

    type: str
    asks: str
    instances: int
    share: float | None
    labels: dict[str, int]
    published: float | None


@dataclass(frozen=True, slots=True)
class TopicCount:
    """Instances with a MeSH descriptor; share: of the subset."""

    name: str
    instances: int
    share: float


@dataclass(frozen=True, slots=True)
class SubsetStatistics:
    """A subset (L, U, A). figures, published: Table 1, here and in the paper. topics: the most frequent ones, of so
    many different_topics. dated: instances with a date, which lie between first_date and last_date.
    """

    figures: Figures
    published: Figures
    question_types: tuple[QuestionTypeCount, ...]
    topics: tuple[TopicCount, ...]
    different_topics: int
    dated: int
    first_date: str
    last_date: str


@dataclass(frozen=True, slots=True)
class DecisionStatistics:
    """Statistics of a dataset of decisions. words: how they were counted ("treebank": as the paper does, "blanks").
    samples: instances drawn of each subset.
    """

    subsets: dict[Subset, SubsetStatistics]
    words: str
    samples: dict[Subset, tuple[DecisionInstance, ...]]


# Table 1: instances in thousands as it rounds them, shares of the labels, words by NLTK.
PUBLISHED: dict[Subset, Figures] = {
    "L": Figures(1000, {"yes": 0.552, "no": 0.338, "maybe": 0.11}, 14.4, 238.9, 43.2),
    "U": Figures(61_200, {}, 15.0, 237.3, 45.9),
    "A": Figures(211_300, {"yes": 0.928, "no": 0.072, "maybe": 0.0}, 16.3, 238.0, 41.0),
}


@dataclass(slots=True)
class Sums:
    """Over the instances of a subset. counts: of instances, of their words, of labels ("label yes"). types: (question
    type by rule, label or "") → instances. topics: descriptor → instances. samples: those that a hash puts first.
    """

    counts: Counter[str] = field(default_factory=Counter[str])
    types: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    topics: Counter[str] = field(default_factory=Counter[str])
    dates: tuple[str, str] = ("", "")
    samples: list[tuple[bytes, DecisionInstance]] = field(
        default_factory=list[tuple[bytes, DecisionInstance]]
    )

    def add(self, instance: DecisionInstance, words: Callable[[str], int], samples: int, seed: int) -> None:
        """One more."""
        self.counts["instances"] += 1
        self.counts["labelled"] += instance.label is not None
        self.counts[f"label {instance.label}"] += 1
        self.counts["question"] += words(instance.question)
        self.counts["context"] += words(" ".join(section.text for section in instance.context))
        self.counts["long answers"] += instance.long_answer is not None
        self.counts["long answer"] += words(instance.long_answer or "")
        self.types[question_type(instance.question), instance.label or ""] += 1
        self.topics.update(set(instance.mesh))
        if instance.date:
            self.counts["dated"] += 1
            first, last = self.dates
            self.dates = min(first or instance.date, instance.date), max(last, instance.date)
        insort(self.samples, (rank(seed, instance.id), instance), key=itemgetter(0))
        del self.samples[samples:]

    def statistics(self, name: Subset) -> SubsetStatistics:
        """The sums as a record."""
        counts = self.counts
        figures = Figures(
            counts["instances"],
            {label: _share(counts[f"label {label}"], counts["labelled"]) for label in LABELS},
            _share(counts["question"], counts["instances"]),
            _share(counts["context"], counts["instances"]),
            _share(counts["long answer"], counts["long answers"]),
        )
        # Of topics that are as frequent the first by name, so that each run shows the same ones.
        most = sorted(self.topics.items(), key=lambda topic: (-topic[1], topic[0]))[:MOST_FREQUENT]
        return SubsetStatistics(
            figures,
            PUBLISHED[name],
            tuple(self._of_type(type_, asks, name) for type_, asks in question_types.QUESTION_TYPES.items()),
            tuple(TopicCount(topic, count, count / counts["instances"]) for topic, count in most),
            len(self.topics),
            counts["dated"],
            *self.dates,
        )

    def _of_type(self, name: str, asks: str, subset: Subset) -> QuestionTypeCount:
        count = sum(number for (kind, _), number in self.types.items() if kind == name)
        labels = {label: self.types[name, label] for label in LABELS}
        published = question_types.PUBLISHED[name] / 100 if subset == "L" else None
        return QuestionTypeCount(
            name, asks, count, _share(count, self.counts["instances"]), labels, published
        )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def decision_statistics(dataset: Dataset, samples: int = 3, seed: int = 0) -> DecisionStatistics:
    """The statistics of a dataset, which is read once. samples: of each subset, drawn by seed."""
    name, count = counter()
    every = (each for split in dataset.sizes for each in store.instances(dataset, split, of=DecisionInstance))
    found = DecisionStatistics({}, name, {})
    for subset, own in sums(every, count, samples, seed).items():
        found.subsets[subset] = own.statistics(subset)
        if own.samples:
            found.samples[subset] = tuple(instance for _, instance in own.samples)
    return found


def sums(
    instances: Iterable[DecisionInstance], words: Callable[[str], int], samples: int = 0, seed: int = 0
) -> dict[Subset, Sums]:
    """Of each subset that there is. words: counts those of a text. samples: how many of each to draw."""
    found: dict[Subset, Sums] = {}
    for instance in instances:
        found.setdefault(instance.subset, Sums()).add(instance, words, samples, seed)
    return {subset: found[subset] for subset in SUBSETS if subset in found}
