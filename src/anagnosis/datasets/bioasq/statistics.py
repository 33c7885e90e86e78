"""What the golden files hold, counted: questions by type and by file, their documents, snippets and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_low

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


def question_statistics(dataset: Dataset, options: StatisticsOptions) -> QuestionStatistics:
    """The statistics of a dataset."""
    options.refuse_samples(str(dataset.folder))
    options.refuse_beside(str(dataset.folder))
    return QuestionStatistics(
        {
            split: split_statistics(store.instances(dataset, split, of=QuestionInstance))
            for split in dataset.sizes
        }
    )


def split_statistics(instances: Iterable[QuestionInstance]) -> SplitStatistics:
    """The statistics of the questions together."""
    of_file: dict[str, Counter[str]] = {}  # file → type → questions
    answered, documents, sections = Counter[str](), Counter[str](), Counter[str]()
    sizes = Counter[int]()  # snippets of a question → questions
    snippets: set[int] = set()
    answered_yes = 0
    for instance in instances:
        of_file.setdefault(instance.file, Counter())[instance.type] += 1
        answered[instance.type] += bool(instance.exact)
        answered_yes += instance.exact == (("yes",),)
        documents.update(instance.documents)
        sizes[len(instance.snippets)] += 1
        for snippet in instance.snippets:
            snippets.add(hash((snippet.document, snippet.text)))
            sections[snippet.begin_section.partition(".")[0]] += 1
    of_type = sum(of_file.values(), Counter[str]())
    questions = of_type.total()
    return SplitStatistics(
        questions,
        {kind: TypeCount(of_type[kind], answered[kind]) for kind in (*TYPES, "") if kind or of_type[kind]},
        answered_yes,
        documents.total(),
        len(documents),
        sections.total(),
        len(snippets),
        sections.total() / questions if questions else None,
        median_low(sizes.elements()) if questions else 0,
        dict(sorted(sections.items())),
        tuple(
            FileCount(file, counts.total(), {kind: counts[kind] for kind in (*TYPES, "") if of_type[kind]})
            for file, counts in of_file.items()
        ),
    )
