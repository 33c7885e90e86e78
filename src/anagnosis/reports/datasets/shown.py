"""What a kind's file in kinds/ defines, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anagnosis import registry
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.paths import PathLike
from anagnosis.predictions import OUTSIDE, Matched
from anagnosis.reports.datasets.kinds import GROUP, SHOWN
from anagnosis.reports.report import Report

if TYPE_CHECKING:
    from anagnosis.datasets.gold import Gold
    from anagnosis.datasets.label_file import LabelFile

SYSTEMS = "systems"
PEOPLE = "people"
NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class Asked:
    """What `show` is asked for, beside the dataset. See api/showing.py.

    beside: a published set. against: files of documents. samples: how many instances of each subset, drawn by seed.
    """

    beside: str | None = None
    against: Sequence[PathLike] = ()
    labels: LabelFile | None = None
    samples: int = 0
    seed: int = 0

    def refuse_topics(self, dataset: Dataset) -> None:
        """Refuse what a kind does not show: topics, labels of a file, samples."""
        if self.against:
            raise InputError("has no topics to compare", str(dataset.folder), "leave --against away")
        if self.labels is not None or self.samples:
            what = "labels and samples are shown of questions for yes, no or maybe"
            raise InputError(what, str(dataset.folder), "leave --labels and --samples away")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One instance of a dataset. view: None for the usual one. matched: systems with answers, in `row` of the gold."""

    dataset: Dataset
    split: str
    instance: Any
    view: str | None = None
    gold: Gold | None = None
    row: int = 0
    matched: Sequence[Matched] = ()

    def refuse_view(self) -> None:
        """Refuse a view: all of the instance is shown."""
        if self.view is not None:
            raise InputError("has no views", str(self.dataset.folder), "leave --view away")

    def answers(self) -> list[GivenAnswer]:
        """What people and systems answered."""
        return given_answers(self.matched, self.row)


@dataclass(frozen=True, slots=True)
class Shown:
    """How a kind is shown. dataset: its tables and pictures. instance: one of it.

    document: (id, its (split, instance) pairs) → a list of them; None where instances name no document. samples: as
    many are drawn of each subset for a page.
    """

    dataset: Callable[[Dataset, Asked], Report]
    instance: Callable[[Chosen], Report]
    document: Callable[[str, Sequence[tuple[str, Any]]], Report] | None = None
    samples: int = 0


def shown(kind: str) -> Shown:
    """How a kind is shown. InputError: nothing shows it."""
    return registry.find(SHOWN, GROUP, kind, "report of the kind")


def fingerprints(dataset: Dataset) -> dict[str, str]:
    """Split → its fingerprint."""
    return {split: store.fingerprint(dataset, split) for split in dataset.rows}


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What somebody or some system answered.

    who: the annotator or the file's name. group: "experts", "systems", …: the line it stands in.
    candidate: index into the instance's candidates, or None; then note says why.
    """

    who: str
    group: str
    candidate: int | None
    note: str = ""


def given_answers(matched: Iterable[Matched], row: int) -> list[GivenAnswer]:
    """The answers that predictions hold for one instance, by its row in the split."""
    answers: list[GivenAnswer] = []
    for each in matched:
        choice = int(each.choice[row])
        group = each.group or (PEOPLE if each.annotator else SYSTEMS)
        note = "no candidate of this instance" if choice == OUTSIDE else "" if each.heard[row] else "no line"
        answers.append(GivenAnswer(each.annotator or each.name, group, choice if choice >= 0 else None, note))
    return answers
