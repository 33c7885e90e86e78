"""Verbs over predictions for PubMedQA's labelled questions as others ask them: harnesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anagnosis.api import submissions
from anagnosis.api.datasets import load
from anagnosis.errors import InputError
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.evaluation.harnesses import Under
    from anagnosis.reports.report import Report


def harnesses(
    dataset: PathLike | Dataset, files: Sequence[PathLike], *, view: str | None = None
) -> dict[str, list[Under]]:
    """system → what it is worth under each of evaluation/harnesses.py; predictions files only.

    view: what the systems read, where it is not known of them; it changes no number.
    """
    return {name: found for name, (found, _) in _found(load(dataset), files, view).items()}


def harnesses_report(
    dataset: PathLike | Dataset, files: Sequence[PathLike], *, view: str | None = None
) -> Report:
    """The same as a page."""
    from anagnosis.reports.systems.harnesses import report

    opened = load(dataset)
    found = _found(opened, files, view)
    return report(
        opened.folder.resolve().name,
        {name: own for name, (own, _) in found.items()},
        {name: seen for name, (_, seen) in found.items()},
    )


def _found(
    dataset: Dataset, files: Sequence[PathLike], view: str | None
) -> dict[str, tuple[list[Under], str | None]]:
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.kinds.table import DECISION, demand
    from anagnosis.evaluation.harnesses import HARNESSES, Place, under

    demand(dataset.kind, DECISION, str(dataset.folder))
    places = {
        instance.id: Place(split, instance.place)
        for split in dataset.rows
        for instance in store.decisions(dataset, split)
        if instance.subset == "L"
    }
    if not places:
        raise InputError("no question that people labelled", str(dataset.folder), "name PQA-L")
    ((_, given),) = submissions.by_split(dataset, files, store.ALL, of_folders=()).items()
    for system in given:
        for run in system.runs:
            if run.is_dir():
                raise InputError(
                    "is a folder; harnesses ask for different questions",
                    str(run),
                    "write predictions with `anagnosis predict` and give the file",
                )
    known = submissions.known_of(given, view)
    # Lines name the split they were made for, and here they are held against all splits.
    gold, held = submissions.matched(dataset, given, store.ALL, check_fingerprint=False)
    return {
        system.name: ([under(gold, system, places, harness) for harness in HARNESSES], known[each].view)
        for each, system in held
    }
