"""Table 3 of PubMedQA, of a user's labels: reasoning types and interpretation of numbers, and how they go together.

The paper's shares are of 200 questions of PQA-L that its authors labelled; those labels are not published. A column
`reasoning` or `numbers` of a label file that uses the labels below stands beside them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from anagnosis.datasets.decision import DecisionInstance
from anagnosis.datasets.label_file import LabelFile
from anagnosis.datasets.pubmedqa.question_types import question_type

QUESTION_TYPE = "question type"
# Column → label → share in percent (Table 3); the reasoning types are 90.0 together.
PUBLISHED: dict[str, dict[str, float]] = {
    "reasoning": {"inter-group": 57.5, "subgroup": 16.5, "group": 16.0},
    "numbers": {"interpreted": 75.5, "numbers only": 21.0, "texts only": 3.5},
}


@dataclass(slots=True)
class Characteristics:
    """columns: the question type by rule, but where the file has a column of that name, and the file's columns.

    found: a label for each of them, "" for none → labelled instances.
    """

    file: LabelFile
    columns: tuple[str, ...] = ()
    found: Counter[tuple[str, ...]] = field(default_factory=Counter[tuple[str, ...]])
    _labelled: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        own = tuple(self.file.columns)
        first = (QUESTION_TYPE,)
        self.columns = (*first, *(column for column in own if column != QUESTION_TYPE))
        self._labelled = self.file.labelled()

    def add(self, instance: DecisionInstance) -> None:
        """One more, if it has a label."""
        if instance.id not in self._labelled:
            return
        told = [self.file.columns[column].get(instance.id, "") for column in self.columns[1:]]
        self.found[self._type(instance), *told] += 1

    def _type(self, instance: DecisionInstance) -> str:
        if QUESTION_TYPE in self.file.columns:
            return self.file.columns[QUESTION_TYPE].get(instance.id, "")
        return question_type(instance.question)

    @property
    def instances(self) -> int:
        """Those with a label."""
        return self.found.total()

    def shares(self, column: str) -> list[tuple[str, int]]:
        """(label, instances) of a column, those of the paper first in its order, the others by number."""
        place = self.columns.index(column)
        counts: Counter[str] = Counter()
        for labels, count in self.found.items():
            counts[labels[place]] += count
        known = [*PUBLISHED.get(column, ())]
        others = sorted(counts.keys() - {*known, ""}, key=lambda label: (-counts[label], label))
        return [(label, counts[label]) for label in (*known, *others)]

    def together(self, first: str, second: str) -> Counter[tuple[str, str]]:
        """Instances by their labels in two columns, of those that have both."""
        places = self.columns.index(first), self.columns.index(second)
        counts: Counter[tuple[str, str]] = Counter()
        for labels, count in self.found.items():
            one, other = labels[places[0]], labels[places[1]]
            if one and other:
                counts[one, other] += count
        return counts
