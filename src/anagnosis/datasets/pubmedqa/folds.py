"""The authors' splits, as their script draws them (their repository, preprocess/split_dataset.py, commit 1cbae8e).

The labelled set: half for cross validation, half for the test, then ten folds of the first half, everything by label.
One generator, seeded once with 0, draws all of it. The set with labels by rule: 200,000 shuffled ones for training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.errors import InputError

FOLDS = 10
ARTIFICIAL_TRAIN = 200_000


@dataclass(frozen=True, slots=True)
class OfficialSplit:
    """Ids. test: of the test set. folds: the development part of each fold, which the other nine are trained beside."""

    test: tuple[str, ...]
    folds: tuple[tuple[str, ...], ...]

    def train(self, fold: int) -> tuple[str, ...]:
        """The training part of a fold: the development parts of the other nine, in their order."""
        return tuple(ident for other, own in enumerate(self.folds) if other != fold for ident in own)


def official_split(labels: Mapping[str, str]) -> OfficialSplit:
    """Test set and folds of a labelled set. labels: id → label, in the order of the authors' file."""
    draw = Random(0)
    validation, test = _parts(labels, 2, draw)
    folds = _parts({ident: labels[ident] for ident in validation}, FOLDS, draw)
    return OfficialSplit(tuple(test), tuple(map(tuple, folds)))


def split_of(dataset: Dataset) -> OfficialSplit:
    """Test set and folds of a dataset's instances that people labelled, in the order of the file they come from."""
    found = (i for split in dataset.sizes for i in store.instances(dataset, split, of=DecisionInstance))
    labelled = sorted((i.place, i.id, i.label) for i in found if i.subset == "L" and i.label is not None)
    if not labelled:
        raise InputError("no instances with people's labels", str(dataset.folder), "import ori_pqal.json")
    return official_split({ident: label for _, ident, label in labelled})


def folds_of(dataset: Dataset) -> OfficialSplit:
    """The folds, to train on: refused where a fold holds what is not in the dataset's own train part."""
    split = split_of(dataset)
    train = (
        {ident for ident, _ in store.ids_and_keys(dataset, "train")} if dataset.size("train") else set[str]()
    )
    strange = sum(ident not in train for own in split.folds for ident in own)
    if strange:
        raise InputError(
            f"{strange:,} questions of the authors' folds are not in its train part",
            str(dataset.folder),
            "import ori_pqal.json without --split, or train without --folds",
        )
    return split


def artificial_split(ids: Iterable[str], train: int = ARTIFICIAL_TRAIN) -> tuple[list[str], list[str]]:
    """(train, dev) of the set with labels by rule. ids: in the order of the authors' file."""
    shuffled = list(ids)
    Random(0).shuffle(shuffled)
    return shuffled[:train], shuffled[train:]


def _parts(labels: Mapping[str, str], count: int, draw: Random) -> list[list[str]]:
    """So many parts, each with its share of each label: ceil(n / count) shuffled ids, the last with the rest.

    Where the last part is of another size than the first, every other one gives it one id.
    """
    parts: list[list[str]] = [[] for _ in range(count)]
    for label in LABELS:
        ids = [ident for ident, of in labels.items() if of == label]
        draw.shuffle(ids)
        size = -(-len(ids) // count)
        for place, own in enumerate(parts):
            own += ids[place * size : (place + 1) * size if place < count - 1 else None]
    if len(parts[-1]) != len(parts[0]):
        for own in filter(None, parts[:-1]):
            moved = draw.choice(own)
            parts[-1].append(moved)
            own.remove(moved)
    return parts
