"""Which topics a dataset has more often than other documents (PubMedQA, appendix B).

A two-proportion z-test for each descriptor, with the pooled proportion; two-tailed p, corrected by Holm for all that
are tested. Those of which fewer than five are expected on a side are not: there z is far from normal. The paper tests
each at .05 and says nothing of a correction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.documents.formats.detect import suffixes
from anagnosis.documents.reading import documents
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.ranked_pairs import holm
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike

ALPHA = 0.05
EXPECTED = 5


@dataclass(frozen=True, slots=True)
class Topic:
    """share, documents_share: of the instances and of the documents outside that have it. p, holm: two-tailed, and
    corrected."""

    name: str
    share: float
    documents_share: float
    z: float
    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class OverRepresented:
    """Topics that a dataset has more often than documents outside it. documents: those with topics."""

    documents: int
    topics: tuple[Topic, ...]


def compared_topics(dataset: Dataset, against: Sequence[PathLike]) -> OverRepresented:
    """The topics of a dataset's instances beside those of documents in files. InputError: its kind has no topics."""
    topics_of = dataset.kind.topics
    if topics_of is None:
        raise InputError("has no topics to compare", str(dataset.folder), "leave --against away")
    here, instances, members = Counter[str](), 0, set[str]()
    for split in dataset.sizes:
        for instance in store.instances(dataset, split):
            topics = set(topics_of(instance))
            members.add(instance.id)
            here.update(topics)
            instances += bool(topics)
    there, read = Counter[str](), 0
    for _, path in input_files(against, suffixes()):
        for document in documents(path, Repairs()):
            if document.id not in members:
                topics = {topic for topic in document.facts.get("mesh", "").split("; ") if topic}
                there.update(topics)
                read += bool(topics)
    if not read or not instances:
        what = "there are no MeSH headings on one side"
        raise InputError(what, "--against", "name MEDLINE files that have them")
    return OverRepresented(read, tuple(over_represented(here, instances, there, read)))


def over_represented(
    here: Mapping[str, int], instances: int, there: Mapping[str, int], documents: int
) -> list[Topic]:
    """The topics with a larger share here at a corrected p of .05, by z. here, there: topic → how many have it."""
    both = {name: (here.get(name, 0), there.get(name, 0)) for name in {**here, **there}}
    tested = [
        _tested(name, count, instances, other, documents)
        for name, (count, other) in both.items()
        if _expected(count + other, instances, documents) >= EXPECTED
    ]
    corrected = holm([topic.p for topic in tested])
    found = [
        Topic(topic.name, topic.share, topic.documents_share, topic.z, topic.p, adjusted)
        for topic, adjusted in zip(tested, corrected, strict=True)
        if topic.z > 0 and adjusted < ALPHA
    ]
    return sorted(found, key=lambda topic: (-topic.z, topic.name))


def _expected(count: int, n: int, m: int) -> float:
    """Of so many among n + m, how many on the smaller side if both had alike."""
    return count / (n + m) * min(n, m)


def _tested(name: str, count: int, n: int, other: int, m: int) -> Topic:
    here, there = count / n, other / m
    pooled = (count + other) / (n + m)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    z = (here - there) / error if error else 0.0
    return Topic(name, here, there, z, math.erfc(abs(z) / math.sqrt(2)), 1.0)
