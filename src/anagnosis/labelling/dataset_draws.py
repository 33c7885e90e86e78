"""Draws of questions from a dataset folder: which split, and whether a draw is of this dataset."""

from __future__ import annotations

from pathlib import Path

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.paths import PathLike
from anagnosis.labelling.drawn import Drawn, read_drawn

SPLITS = ("dev", "test", "train")  # CliCR's people answered questions of dev


def opened(source: PathLike | store.Dataset, sheets: Path) -> store.Dataset:
    """The dataset, whose folder the sheets must not fill."""
    dataset = loaded(source)
    outputs.output_folder(sheets, inputs=(dataset.folder,))
    return dataset


def loaded(source: PathLike | store.Dataset) -> store.Dataset:
    """The dataset of a folder. InputError: it is a file."""
    if isinstance(source, store.Dataset):
        return source
    if Path(source).is_file():
        what = "is a file, and questions are those of a dataset folder"
        raise InputError(what, str(source), "to judge the entities of papers, add --kind entities")
    return store.load(source)


def first_split(dataset: store.Dataset) -> str:
    """The split to draw from where none is named."""
    return next((name for name in SPLITS if dataset.rows.get(name)), SPLITS[0])


def read_draw(kind: str, dataset: store.Dataset, sheets: Path) -> Drawn:
    """The draw of a folder of sheets. InputError: none, one of another kind, or from another dataset."""
    drawn = read_drawn(kind, sheets)
    refuse_other_dataset(dataset, drawn, sheets)
    return drawn


def refuse_other_dataset(dataset: store.Dataset, drawn: Drawn, where: Path) -> None:
    """Refuse (InputError) a dataset from which a draw is not. where: the folder that the message names."""
    if drawn.split not in dataset.rows or store.fingerprint(dataset, drawn.split) != drawn.dataset:
        what = "the sheets were drawn from another dataset"
        raise InputError(what, str(where), "name the dataset that they were drawn from")
