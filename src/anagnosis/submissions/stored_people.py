"""The people whose labels lie in a dataset, as systems."""

from __future__ import annotations

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.errors import InputError
from anagnosis.predictions import Matched, match_told


def stored_people(dataset: Dataset, gold: Gold) -> list[Matched]:
    """The answers of each annotator of a split."""
    found = match_told(
        (
            (instance.id, name, label)
            for instance in store.instances(dataset, gold.split, of=DecisionInstance)
            for name, label in instance.annotators
        ),
        gold,
    )
    if not found:
        raise InputError("holds no labels of people", str(dataset.folder), "give predictions files of people")
    return found
