"""People as systems: the view in which they answered, and those whose labels lie in a dataset."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.errors import InputError
from anagnosis.io.files import display_name
from anagnosis.io.paths import PathLike
from anagnosis.predictions import Matched, match_told, notes


def people_view(files: Sequence[PathLike]) -> str | None:
    """The one view of all files whose notes name one; None where none does. InputError: they name two."""
    found: dict[str, PathLike] = {}
    for file in files:
        if view := notes.read(file).view:
            found.setdefault(view, file)
    if len(found) > 1:
        listed = "; ".join(f"{display_name(file)}: {view}" for view, file in found.items())
        what = f"the people answered in different views ({listed})"
        raise InputError(
            what, "", "give the files of one view, and those of another in a command of their own"
        )
    return next(iter(found), None)


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
