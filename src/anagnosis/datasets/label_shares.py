"""The shares of a user's labels among the instances that have any (CliCR, Figure 4; PubMedQA, Table 3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from anagnosis.datasets.label_file import LabelFile


@dataclass(frozen=True, slots=True)
class LabelShare:
    """share: of the instances that have a label in the column; published: the paper's, None where it has none."""

    label: str
    instances: int
    share: float | None
    published: float | None


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """A column of a label file. published: whether a paper has it.

    instances: with a label in it. mean: labels of such an instance, without the one that stands alone; None where
    there is no instance. published_mean: the paper's, None where it has none.
    """

    name: str
    published: bool
    labels: tuple[LabelShare, ...]
    instances: int
    mean: float | None
    published_mean: float | None = None


@dataclass(frozen=True, slots=True)
class LabelShares:
    """A user's labels. file: its name and how many instances it labels, in words. instances: with a label."""

    file: str
    instances: int
    columns: tuple[LabelColumn, ...]


def label_shares(file: LabelFile) -> LabelShares:
    """The shares by column: the labels of its list in their order, then others, the most frequent first."""
    labelled = len(file.labelled())
    return LabelShares(
        file.described(labelled), labelled, tuple(_column(file, name) for name in file.columns)
    )


def _column(file: LabelFile, name: str) -> LabelColumn:
    given, listed = file.columns[name], file.lists.get(name)
    counts = Counter(label for labels in given.values() for label in labels)
    known = listed.labels if listed else ()
    others = sorted(counts.keys() - {*known}, key=lambda label: (-counts[label], label))
    total = len(given)
    of_each = {label: counts[label] / total if total else None for label in (*known, *others)}
    published = listed.published if listed else {}
    shares = (
        LabelShare(label, counts[label], share, published.get(label)) for label, share in of_each.items()
    )
    several = counts.total() - (counts[listed.alone] if listed else 0)
    return LabelColumn(
        name=name,
        published=bool(published),
        labels=tuple(shares),
        instances=total,
        mean=several / total if total else None,
        published_mean=listed.published_mean if listed else None,
    )
