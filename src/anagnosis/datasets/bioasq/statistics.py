"""What the golden files hold, counted: questions by type and by file, their documents, snippets and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.kind import StatisticsOptions
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance


@dataclass(frozen=True, slots=True)
class TypeCount:
    """Questions of a type, and how many of them have an exact answer."""

    questions: int
    answered: int


@dataclass(frozen=True, slots=True)
class FileCount:
    """Questions that were read from a file, in all and by type ("" for no type)."""

    file: str
    questions: int
    types: dict[str, int]


@dataclass(frozen=True, slots=True)
class SplitStatistics:
    """A split. answered_yes: yes/no questions whose exact answer is yes. different_documents, different_snippets: how
    many of the questions' documents and snippets differ. snippets_mean, snippets_median: of a question; None without
    questions. sections: snippets by section.
    """

    questions: int
    types: dict[str, TypeCount]
    answered_yes: int
    documents: int
    different_documents: int
    snippets: int
    different_snippets: int
    snippets_mean: float | None
    snippets_median: int
    sections: dict[str, int]
    files: tuple[FileCount, ...]


@dataclass(frozen=True, slots=True)
class QuestionStatistics:
    """Statistics of a dataset of BioASQ's questions, split by split."""

    splits: dict[str, SplitStatistics]


@dataclass(slots=True)
class Statistics:
    """Sums over questions.

    types: (file, type) → questions. answered: type → those with an exact answer. yes: yes/no questions whose answer it
    is. documents, distinct: of the questions together, and of those how many differ. snippets: of each question that
    has n of them, n → questions; unlike: (document, text) that differ in all. sections: of snippets.
    """

    questions: int = 0
    types: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    answered: Counter[str] = field(default_factory=Counter[str])
    yes: int = 0
    documents: int = 0
    distinct: set[str] = field(default_factory=set[str])
    snippets: Counter[int] = field(default_factory=Counter[int])
    unlike: set[int] = field(default_factory=set[int])
    sections: Counter[str] = field(default_factory=Counter[str])

    def add(self, instance: QuestionInstance) -> None:
        """One more."""
        self.questions += 1
        self.types[instance.file, instance.type] += 1
        if instance.exact is not None:
            self.answered[instance.type] += 1
            self.yes += instance.exact == (("yes",),)
        self.documents += len(instance.documents)
        self.distinct.update(instance.documents)
        self.snippets[len(instance.snippets)] += 1
        for snippet in instance.snippets:
            self.unlike.add(hash((snippet.document, snippet.text)))
            self.sections[snippet.begin_section.partition(".")[0]] += 1

    def of_type(self, kind: str) -> int:
        """Questions of a type."""
        return sum(count for (_, own), count in self.types.items() if own == kind)

    @property
    def all_snippets(self) -> int:
        return sum(number * questions for number, questions in self.snippets.items())

    @property
    def median_snippets(self) -> int:
        """The lower median of snippets a question; 0 where there is no question."""
        seen = 0
        for number in sorted(self.snippets):
            seen += self.snippets[number]
            if 2 * seen >= self.questions:
                return number
        return 0

    def split(self) -> SplitStatistics:
        """The counts as a record."""
        types = [kind for kind in (*TYPES, "") if kind or self.of_type(kind)]
        files = dict.fromkeys(file for file, _ in self.types)
        by_file = {
            file: {kind: self.types[file, kind] for kind in types if self.of_type(kind)} for file in files
        }
        return SplitStatistics(
            self.questions,
            {kind: TypeCount(self.of_type(kind), self.answered[kind]) for kind in types},
            self.yes,
            self.documents,
            len(self.distinct),
            self.all_snippets,
            len(self.unlike),
            self.all_snippets / self.questions if self.questions else None,
            self.median_snippets,
            {section: self.sections[section] for section in sorted(self.sections)},
            tuple(FileCount(file, sum(counts.values()), counts) for file, counts in by_file.items()),
        )


def question_statistics(dataset: Dataset, options: StatisticsOptions) -> QuestionStatistics:
    """The statistics of a dataset."""
    options.refuse_labels(str(dataset.folder))
    options.refuse_of_cloze(str(dataset.folder))
    return QuestionStatistics(
        {
            split: statistics(store.instances(dataset, split, of=QuestionInstance)).split()
            for split in dataset.rows
        }
    )


def statistics(instances: Iterable[QuestionInstance]) -> Statistics:
    """The statistics of the questions together."""
    found = Statistics()
    for instance in instances:
        found.add(instance)
    return found
