"""Training provenance: the questions that a run was trained on, in trained_on.npy of the run folder.

    uint64 [n], ascending, without duplicates: the question keys (datasets/question_keys.py) of the training instances
    with an answer, including those of the runs whose weights it began with

The keys recognise the questions also in another split or dataset.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.question_keys import Keys, as_keys, key_of
from anagnosis.io.checksums import verified
from anagnosis.io.files import write_bytes
from anagnosis.io.folders import TRAINED_ON as FILE
from anagnosis.predictions.problems import NAMED, Problem
from anagnosis.readers.learning import ViewedSplit
from anagnosis.training.runs.run import AGAIN, Run, read_facts


def write(folder: Path, part: ViewedSplit, begins: Run | None) -> None:
    """Write the keys of a run's training questions. begins: the run whose weights it began with."""
    keys = as_keys(key_of(each) for each in part.viewed() if _answered(each))
    before = [keys_of_training(begins.folder)] if begins is not None else []
    stream = io.BytesIO()
    np.save(stream, np.unique(np.concatenate([keys, *before])))
    write_bytes(folder / FILE, stream.getvalue())


def keys_of_training(folder: Path) -> Keys:
    """The keys of the questions that a finished run was trained on. DamagedError: the file is gone or has changed."""
    return np.load(verified(folder / FILE, read_facts(folder).files.get(FILE, ""), AGAIN))


def trained_on(folders: Sequence[Path], dataset: store.Dataset, split: str, keys: Keys) -> Problem | None:
    """The instances of a split that one of some runs was trained on: their number and the first ids; None without any.

    keys: uint64 [n], the question keys of the split's first instances.
    """
    rows = np.flatnonzero(np.isin(keys, np.concatenate([keys_of_training(folder) for folder in folders])))
    if not len(rows):
        return None
    first = set(rows[:NAMED].tolist())
    ids = (ident for row, (ident, _) in enumerate(store.ids_and_keys(dataset, split)) if row in first)
    return Problem(len(rows), tuple(ids))


def _answered(shown: object) -> bool:
    """Whether an instance, as a reader sees it, has an answer. Training uses no others."""
    target = getattr(shown, "target", None)
    return (getattr(shown, "answer", None) is not None) if target is None else target >= 0
