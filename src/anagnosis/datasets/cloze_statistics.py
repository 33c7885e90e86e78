"""The size of any cloze dataset, beside that of a published set: instances, candidates, lengths.

BIOMRC's Table 2 and BioRead's Table 1 have the same rows. "All lengths are measured in tokens using a whitespace
tokenizer": of the text with @entityN and XXXX in it, so that an entity or the placeholder is one token. Global and
local numbers give the same lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import by_numbers, view
from anagnosis.datasets.published_sets import Lengths, PublishedSet, Size, published_sets, set_like
from anagnosis.datasets.shortcuts import CardCounts, Shortcut, card
from anagnosis.errors import unknown_name

TOTAL = "total"


@dataclass(frozen=True, slots=True)
class ClozeStatistics:
    """Statistics of a dataset of cloze questions.

    splits: each split and "total". beside: the published set that the dataset is compared with, None for none.
    shortcuts: what instances have that can be answered without reading.
    """

    splits: dict[str, Size]
    beside: PublishedSet | None
    shortcuts: tuple[Shortcut, ...]


def cloze_statistics(dataset: Dataset, beside: str | None = None) -> ClozeStatistics:
    """The statistics of a dataset. Each split is read once. beside: a published set, None for the usual one."""
    compared = published_set(dataset, beside)
    counts = CardCounts()
    sizes = statistics(
        {
            split: counts.passing(split, store.instances(dataset, split, of=ClozeInstance))
            for split in dataset.sizes
        },
        text_form=dataset.text_form,
        numbering=dataset.numbering,
    )
    return ClozeStatistics(sizes, compared, counts.shortcuts())


def shortcut_card(dataset: Dataset) -> tuple[Shortcut, ...]:
    """The structural shortcuts of a dataset alone."""
    splits = {split: store.instances(dataset, split, of=ClozeInstance) for split in dataset.sizes}
    return card(splits)


def statistics(
    splits: Mapping[str, Iterable[ClozeInstance]],
    *,
    text_form: str,
    numbering: str = "global",
) -> dict[str, Size]:
    """The size of each split, in their order, and "total". Reads each split once, an instance at a time."""
    every = [Counter[int]() for _ in range(3)]  # candidates, passage, question
    sizes: dict[str, Size] = {}
    for split, instances in splits.items():
        counts = [Counter[int]() for _ in range(3)]
        for instance in instances:
            viewed = view(instance, by_numbers(numbering), text_form, numbering=numbering)
            of_passage, of_question = viewed.passage.split(), viewed.question.split()
            for count, of in zip(counts, (instance.candidates, of_passage, of_question), strict=True):
                count[len(of)] += 1
        sizes[split] = Size(counts[0].total(), *map(_lengths, counts))
        every = [all_counts + count for all_counts, count in zip(every, counts, strict=True)]
    return {**sizes, TOTAL: Size(every[0].total(), *map(_lengths, every))}


def _lengths(counts: Counter[int]) -> Lengths:
    if not counts:
        return Lengths(0.0, 0, 0)
    mean = sum(length * count for length, count in counts.items()) / counts.total()
    return Lengths(mean, max(counts), min(counts))


def table(columns: Mapping[str, Size], passage: str, question: str) -> list[tuple[str, list[float | None]]]:
    """The rows of both papers, in their order: label, figures of the columns. passage, question: as they call these."""
    rows: list[tuple[str, list[float | None]]] = [
        ("Instances", [each.instances for each in columns.values()])
    ]
    parts = {"candidates": "candidates", "passage": f"{passage} len.", "question": f"{question} len."}
    for part, label in parts.items():
        lengths = [getattr(column, part) for column in columns.values()]
        for word, what in (("Avg", "mean"), ("Max", "largest"), ("Min", "smallest")):
            rows.append((f"{word} {label}", [getattr(each, what, None) for each in lengths]))
    return rows


def published_set(dataset: Dataset, key: str | None) -> PublishedSet | None:
    """The published set of that key, such as "lite"; for None the one that the dataset resembles, if any."""
    if not (name := key or set_like(dataset)):
        return None
    if name not in published_sets():
        raise unknown_name("published set", name, published_sets())
    return published_sets()[name]
