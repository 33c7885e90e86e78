"""Table 1 of PubMedQA for any decision dataset, and what its Figure 3 and Table 3 count: topics, question types."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
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


@dataclass(slots=True)
class Statistics:
    """Sums over instances. labels: of those that have one. question, context, long: words; long_answers: how many
    have one. types: (question type by rule, label or "") → instances. topics: descriptor → instances.
    dated: those with a date.
    """

    instances: int = 0
    labels: Counter[str] = field(default_factory=Counter[str])
    question: int = 0
    context: int = 0
    long: int = 0
    long_answers: int = 0
    types: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    topics: Counter[str] = field(default_factory=Counter[str])
    dated: int = 0
    first_date: str = ""
    last_date: str = ""

    def add(self, instance: DecisionInstance, count: Callable[[str], int]) -> None:
        """One more."""
        self.instances += 1
        if instance.label is not None:
            self.labels[instance.label] += 1
        self.question += count(instance.question)
        self.context += count(" ".join(section.text for section in instance.context))
        if instance.long_answer is not None:
            self.long_answers += 1
            self.long += count(instance.long_answer)
        self.types[question_type(instance.question), instance.label or ""] += 1
        self.topics.update(set(instance.mesh))
        if instance.date:
            self.dated += 1
            self.first_date = min(self.first_date or instance.date, instance.date)
            self.last_date = max(self.last_date, instance.date)

    def figures(self) -> Figures:
        """Table 1's column."""
        return Figures(
            self.instances,
            {label: _share(self.labels[label], self.labels.total()) for label in LABELS},
            _share(self.question, self.instances),
            _share(self.context, self.instances),
            _share(self.long, self.long_answers),
        )

    def subset(self, name: Subset) -> SubsetStatistics:
        """The sums as a record."""
        # Of topics that are as frequent the first by name, so that each run shows the same ones.
        most = sorted(self.topics.items(), key=lambda topic: (-topic[1], topic[0]))[:MOST_FREQUENT]
        return SubsetStatistics(
            self.figures(),
            PUBLISHED[name],
            tuple(self._of_type(type_, asks, name) for type_, asks in question_types.QUESTION_TYPES.items()),
            tuple(TopicCount(topic, count, count / self.instances) for topic, count in most),
            len(self.topics),
            self.dated,
            self.first_date,
            self.last_date,
        )

    def _of_type(self, name: str, asks: str, subset: Subset) -> QuestionTypeCount:
        count = sum(number for (kind, _), number in self.types.items() if kind == name)
        labels = {label: self.types[name, label] for label in LABELS}
        published = question_types.PUBLISHED[name] / 100 if subset == "L" else None
        return QuestionTypeCount(name, asks, count, _share(count, self.instances), labels, published)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


# Table 1: instances in thousands as it rounds them, shares of the labels, words by NLTK.
PUBLISHED: dict[Subset, Figures] = {
    "L": Figures(1000, {"yes": 0.552, "no": 0.338, "maybe": 0.11}, 14.4, 238.9, 43.2),
    "U": Figures(61_200, {}, 15.0, 237.3, 45.9),
    "A": Figures(211_300, {"yes": 0.928, "no": 0.072, "maybe": 0.0}, 16.3, 238.0, 41.0),
}


def decision_statistics(dataset: Dataset, samples: int = 3, seed: int = 0) -> DecisionStatistics:
    """The statistics of a dataset, which is read once. samples: of each subset, drawn by seed."""
    name, count = counter()
    drawn = Samples(samples, seed)

    def watched() -> Iterator[DecisionInstance]:
        for split in dataset.sizes:
            for instance in store.instances(dataset, split, of=DecisionInstance):
                drawn.add(instance)
                yield instance

    sums = statistics(watched(), count)
    return DecisionStatistics(
        {subset: each.subset(subset) for subset, each in sums.items()},
        name,
        {subset: tuple(instances) for subset, instances in drawn.drawn().items()},
    )


def statistics(
    instances: Iterable[DecisionInstance], count: Callable[[str], int]
) -> dict[Subset, Statistics]:
    """Of each subset that there is. count: words of a text."""
    found: dict[Subset, Statistics] = {}
    for instance in instances:
        found.setdefault(instance.subset, Statistics()).add(instance, count)
    return {subset: found[subset] for subset in SUBSETS if subset in found}


class Samples:
    """Watches instances go by and keeps `number` of each subset: those that a hash of seed and id puts first."""

    def __init__(self, number: int, seed: int) -> None:
        self._number = number
        self._seed = seed
        self._kept: dict[Subset, list[tuple[bytes, DecisionInstance]]] = {}

    def add(self, instance: DecisionInstance) -> None:
        """One more."""
        kept = self._kept.setdefault(instance.subset, [])
        insort(kept, (rank(self._seed, instance.id), instance), key=itemgetter(0))
        del kept[self._number :]

    def drawn(self) -> dict[Subset, list[DecisionInstance]]:
        """Of each subset that there is, in the order of the draw."""
        return {
            subset: [instance for _, instance in kept]
            for subset in SUBSETS
            if (kept := self._kept.get(subset))
        }
