"""Table 3 of PubMedQA, of a user's labels: reasoning types and interpretation of numbers.

The paper's shares are of 200 questions of PQA-L that its authors labelled; those labels are not published. A column
`reasoning`, `numbers` or `question type` of a label file that uses the labels below, or Table 3's own words for them,
stands beside them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.label_file import LabelFile, Labels
from anagnosis.datasets.label_shares import LabelColumn, LabelShare
from anagnosis.datasets.pubmedqa import question_types

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
    """The table, with Table 3's own words for columns and labels made the short ones."""
    columns: dict[str, dict[str, Labels]] = {}
    for column, labels in file.columns.items():
        short = _PRINTED_COLUMNS.get(column, column)
        own = column if short in file.columns else short
        words = _PRINTED.get(own, {})
        columns[own] = {
            ident: tuple(words.get(_BRACKETS.sub("", label).rstrip("?").rstrip(), label) for label in given)
            for ident, given in labels.items()
        }
    return replace(file, columns=columns)


@dataclass(frozen=True, slots=True)
class LabelStatistics:
    """A user's labels. file: its name and how many instances it labels, in words. instances: of the dataset, with a
    label.
    """

    file: str
    instances: int
    columns: tuple[LabelColumn, ...]


@dataclass(slots=True)
class Characteristics:
    """found: the labels in each of the columns, none where there is none → labelled instances."""

    file: LabelFile
    columns: tuple[str, ...] = ()
    found: Counter[tuple[Labels, ...]] = field(default_factory=Counter[tuple[Labels, ...]])
    _labelled: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self.columns = tuple(sorted(self.file.columns, key=lambda column: column != QUESTION_TYPE))
        self._labelled = self.file.labelled()

    def add(self, instance: DecisionInstance) -> None:
        """One more, if it has a label."""
        if instance.id not in self._labelled:
            return
        self.found[tuple(self.file.columns[column].get(instance.id, ()) for column in self.columns)] += 1

    @property
    def instances(self) -> int:
        """Those with a label."""
        return self.found.total()

    def shares(self, column: str) -> list[tuple[str, int]]:
        """(label, instances) of a column, those of the paper first in its order, the others by number."""
        place = self.columns.index(column)
        counts: Counter[str] = Counter()
        for labels, count in self.found.items():
            for label in labels[place]:
                counts[label] += count
        known = [*PUBLISHED.get(column, ())]
        others = sorted(counts.keys() - {*known}, key=lambda label: (-counts[label], label))
        return [(label, counts[label]) for label in (*known, *others)]

    def statistics(self) -> LabelStatistics:
        """The shares of the labels."""
        columns = tuple(map(self._column, self.columns))
        return LabelStatistics(self.file.described(self.instances), self.instances, columns)

    def _column(self, name: str) -> LabelColumn:
        shares, paper = self.shares(name), PUBLISHED.get(name, {})
        place = self.columns.index(name)
        total = sum(count for labels, count in self.found.items() if labels[place])
        labels = (
            LabelShare(
                label,
                count,
                count / total if total else None,
                paper[label] / 100 if label in paper else None,
            )
            for label, count in shares
        )
        given = sum(count for _, count in shares)
        return LabelColumn(name, bool(paper), tuple(labels), total, given / total if total else None)
