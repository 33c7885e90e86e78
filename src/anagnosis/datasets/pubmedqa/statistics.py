"""Table 1 of PubMedQA for any decision dataset, and what its Figure 3 and Table 3 count: topics, question types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from anagnosis.datasets.kinds.decision import LABELS, SUBSETS, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa.question_types import question_type

# Table 1: instances in thousands as it rounds them, shares of the labels in percent, words by NLTK.
PUBLISHED: dict[str, dict[str, float]] = {
    "L": {
        "instances": 1000,
        "yes": 55.2,
        "no": 33.8,
        "maybe": 11.0,
        "question": 14.4,
        "context": 238.9,
        "long": 43.2,
    },
    "U": {"instances": 61_200, "question": 15.0, "context": 237.3, "long": 45.9},
    "A": {
        "instances": 211_300,
        "yes": 92.8,
        "no": 7.2,
        "maybe": 0.0,
        "question": 16.3,
        "context": 238.0,
        "long": 41.0,
    },
}


@dataclass(slots=True)
class Statistics:
    """Sums over instances. labels: of those that have one. question, context, long: words; long_answers: how many
    have one. types: (question type by rule, label or "") → instances. topics: descriptor → instances;
    with_topics: those that have any. dated: those with a date.
    """

    instances: int = 0
    labels: Counter[str] = field(default_factory=Counter[str])
    question: int = 0
    context: int = 0
    long: int = 0
    long_answers: int = 0
    types: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    topics: Counter[str] = field(default_factory=Counter[str])
    with_topics: int = 0
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
        self.with_topics += bool(instance.mesh)
        if instance.date:
            self.dated += 1
            self.first_date = min(self.first_date or instance.date, instance.date)
            self.last_date = max(self.last_date, instance.date)

    def share(self, label: str) -> float | None:
        """Of the labelled instances, in percent; None where none is."""
        total = self.labels.total()
        return 100 * self.labels[label] / total if total else None

    def figures(self) -> dict[str, float | None]:
        """Table 1's rows, by the names of PUBLISHED."""
        return {
            "instances": self.instances,
            **{label: self.share(label) for label in LABELS},
            "question": self.question / self.instances if self.instances else None,
            "context": self.context / self.instances if self.instances else None,
            "long": self.long / self.long_answers if self.long_answers else None,
        }


def statistics(
    instances: Iterable[DecisionInstance], count: Callable[[str], int]
) -> dict[Subset, Statistics]:
    """Of each subset that there is. count: words of a text."""
    found: dict[Subset, Statistics] = {}
    for instance in instances:
        found.setdefault(instance.subset, Statistics()).add(instance, count)
    return {subset: found[subset] for subset in SUBSETS if subset in found}
