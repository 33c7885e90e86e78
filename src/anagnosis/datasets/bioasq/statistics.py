"""What the golden files hold, counted: questions by type and by file, their documents, snippets and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.question import QuestionInstance


@dataclass(frozen=True, slots=True)
class QuestionStatistics:
    """Of a dataset of BioASQ's questions. splits: split → what is counted → how many.

    files: split → file → its questions.
    """

    splits: dict[str, dict[str, int]]
    files: dict[str, dict[str, int]]


def question_statistics(dataset: Dataset) -> QuestionStatistics:
    """The statistics of a dataset."""
    found = QuestionStatistics({}, {})
    for split in dataset.sizes:
        instances = store.instances(dataset, split, of=QuestionInstance)
        found.splits[split], found.files[split] = counted(instances)
    return found


def counted(instances: Iterable[QuestionInstance]) -> tuple[dict[str, int], dict[str, int]]:
    """(what → how many, file → questions) of these questions."""
    counts, files = Counter[str](questions=0), Counter[str]()
    documents: set[str] = set()
    for instance in instances:
        files[instance.file] += 1
        kind = instance.type or "no type"
        counts["questions"] += 1
        counts[kind] += 1
        counts[f"{kind} with an exact answer"] += bool(instance.exact)
        counts["yesno answered yes"] += instance.exact == (("yes",),)
        counts["snippets"] += len(instance.snippets)
        documents.update(instance.documents)
    counts["documents that differ"] = len(documents)
    return {name: count for name, count in counts.items() if count}, dict(files)
