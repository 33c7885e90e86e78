"""What `show` shows, as records: a dataset's statistics, one of its instances with answers.

Each holds a record of the dataset's kind (datasets/kinds/), so a kind has a schema of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.receipt import Receipt
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold, ids_of
from anagnosis.datasets.kinds.cloze_views import by_numbers
from anagnosis.errors import InputError
from anagnosis.io.files import display_name
from anagnosis.io.paths import PathLike
from anagnosis.predictions import OUTSIDE, Matched, match_files, split_of
from anagnosis.showing import WithReport

SYSTEMS = "systems"
PEOPLE = "people"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SplitFacts:
    """instances: of the split. fingerprint: SHA-256 over its sorted ids and candidate keys."""

    instances: int
    fingerprint: str


@dataclass(frozen=True, slots=True, repr=False)
class DatasetStatistics(WithReport, Generic[T]):
    """A dataset's statistics. folder: its name. dataset: what the recipe calls it. text_form, numbering: None where the
    kind has no entities. statistics: those of the kind.
    """

    folder: str
    dataset: str
    kind: str
    text_form: str | None
    numbering: str | None
    splits: dict[str, SplitFacts]
    statistics: T
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What a person or a system answered.

    name: the annotator or the system. group: "experts", "systems", …: the line it stands in. candidate: index into the
    instance's candidates, or None; then note says why. scores: of sentences alone, one each, None where the
    system gave none; empty for other kinds.
    """

    name: str
    group: str
    candidate: int | None
    note: str = ""
    scores: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class InstanceWithAnswers(WithReport, Generic[T]):
    """One instance. dataset: the folder's name. instance: as the dataset holds it. view: None where the kind is shown
    in none; viewed: what a reader sees of the instance in that view.
    """

    dataset: str
    kind: str
    split: str
    view: str | None
    instance: T
    viewed: Any
    answers: tuple[GivenAnswer, ...]


def dataset_statistics(dataset: Dataset, beside: str | None = None) -> DatasetStatistics[Any]:
    """Facts of a dataset, and the statistics of its kind. beside: as of `Dataset.statistics`."""
    entities = dataset.kind.entities
    return DatasetStatistics(
        folder=_name(dataset),
        dataset=dataset.name,
        kind=dataset.kind.name,
        text_form=dataset.text_form if entities else None,
        numbering=dataset.numbering if entities else None,
        splits={
            split: SplitFacts(rows, store.fingerprint(dataset, split))
            for split, rows in dataset.sizes.items()
        },
        statistics=dataset.statistics(beside),
        receipt=dataset.receipt,
    )


def instance_with_answers(
    dataset: Dataset, split: str, instance: Any, *, view: str | None = None, files: Sequence[PathLike] = ()
) -> InstanceWithAnswers[Any]:
    """view: None for the usual one of the kind. files: of predictions, all for the instance's split."""
    given = view
    if dataset.kind.entities:
        view = view or ("names" if dataset.text_form == "original" else by_numbers(dataset.numbering))
    elif view is not None:
        raise InputError("has no views", str(dataset.folder), "leave --view away")
    return InstanceWithAnswers(
        dataset=_name(dataset),
        kind=dataset.kind.name,
        split=split,
        view=view,
        instance=instance,
        viewed=None if view is None else dataset.viewer(view)(instance),
        answers=_answers(dataset, split, instance.id, files, given) if files else (),
    )


def _answers(
    dataset: Dataset, split: str, ident: str, files: Sequence[PathLike], view: str | None
) -> tuple[GivenAnswer, ...]:
    ids = {name: ids_of(dataset, name) for name in dataset.sizes}
    for path in files:
        answered = split_of(path, ids)
        if answered != split:
            what = f"its answers are for {answered}, and {ident} is in {split}"
            raise InputError(what, display_name(path), f"give the file for {split}")
    gold, matched = match_files(files, dataset, split, view=view)
    return given_answers(matched, gold, int(gold.ids.rows([ident])[0]))


def given_answers(matched: Iterable[Matched], gold: Gold, row: int) -> tuple[GivenAnswer, ...]:
    """The answers that predictions hold for one instance, by its row in the split."""
    answers: list[GivenAnswer] = []
    for each in matched:
        choice = int(each.choice[row])
        group = each.group or (PEOPLE if each.annotator else SYSTEMS)
        note = (
            "no candidate of this instance" if choice == OUTSIDE else "" if each.has_line[row] else "no line"
        )
        scores = () if each.scores is None else tuple(gold.scores_of(each.scores, row))
        name = each.annotator or each.name
        answers.append(GivenAnswer(name, group, choice if choice >= 0 else None, note, scores))
    return tuple(answers)


def _name(dataset: Dataset) -> str:
    return dataset.folder.resolve().name
