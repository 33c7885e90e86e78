"""Table 3 of PubMedQA, of a user's labels: reasoning types and interpretation of numbers, and how they go together.

The paper's shares are of 200 questions of PQA-L that its authors labelled; those labels are not published. A column
`reasoning`, `numbers` or `question type` of a label file that uses the labels below, or Table 3's own words for them,
stands beside them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.label_file import LabelFile
from anagnosis.datasets.pubmedqa import question_types
from anagnosis.datasets.pubmedqa.question_types import question_type

QUESTION_TYPE = "question type"
# Column → label → share in percent (Table 3); question types are 98.5 together, reasoning types 90.0.
PUBLISHED: dict[str, dict[str, float]] = {
    QUESTION_TYPE: question_types.PUBLISHED,
    "reasoning": {"inter-group": 57.5, "subgroup": 16.5, "group": 16.0},
    "numbers": {"interpreted": 75.5, "numbers only": 21.0, "texts only": 3.5},
}
# Column → label as Table 3 prints it, in small letters → ours; what stands in brackets may be left out.
_PRINTED = {
    QUESTION_TYPE: {asks.lower().rstrip("?"): name for name, asks in question_types.QUESTION_TYPES.items()},
    "reasoning": {
        "inter-group comparison": "inter-group",
        "interpreting subgroup statistics": "subgroup",
        "interpreting group statistics": "group",
        "interpreting single group statistics": "group",
    },
    "numbers": {
        "existing interpretations of numbers": "interpreted",
        "no interpretations": "numbers only",
        "no numbers": "texts only",
    },
}
_PRINTED_COLUMNS = {"reasoning type": "reasoning", "text interpretations of numbers": "numbers"}
_BRACKETS = re.compile(r"\s*\([^()]*\)")


def in_short(file: LabelFile) -> LabelFile:
    """The same, with Table 3's own words for columns and labels made the short ones."""
    columns: dict[str, dict[str, str]] = {}
    for column, labels in file.columns.items():
        short = _PRINTED_COLUMNS.get(column, column)
        own = column if short in file.columns else short
        words = _PRINTED.get(own, {})
        columns[own] = {
            ident: words.get(_BRACKETS.sub("", label).rstrip("?").rstrip(), label)
            for ident, label in labels.items()
        }
    return replace(file, columns=columns)


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
        labels = [self.file.columns[column].get(instance.id, "") for column in self.columns[1:]]
        self.found[self._type(instance), *labels] += 1

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
