"""PubMedQA's labelled questions, and what systems are worth on them under the harnesses of others."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.errors import InputError
from anagnosis.evaluation.harnesses import HARNESSES, Harnesses, LabelledPlace, SystemUnder, under
from anagnosis.io.paths import PathLike
from anagnosis.submissions import arguments
from anagnosis.submissions.matched import described, matched


def under_harnesses(dataset: Dataset, files: Sequence[PathLike], view: str | None) -> Harnesses:
    """Predictions files under each harness. view: what the systems read, where it is not known of them."""
    places = {
        instance.id: LabelledPlace(split, instance.place)
        for split in dataset.sizes
        for instance in store.instances(dataset, split, of=DecisionInstance)
        if instance.subset == "L"
    }
    if not places:
        raise InputError("no question that people labelled", str(dataset.folder), "name PQA-L")
    ((_, given),) = arguments.by_split(dataset, files, store.ALL, of_folders=()).items()
    for run in (run for system in given for run in system.runs if run.is_dir()):
        raise InputError(
            "is a folder; harnesses ask for different questions",
            str(run),
            "write predictions with `anagnosis predict` and give the file",
        )
    # Lines name the split they were made for, and here they are matched with all splits.
    found = matched(dataset, given, store.ALL, described(given, view), check_fingerprint=False)
    return Harnesses(
        dataset.folder.resolve().name,
        tuple(
            SystemUnder(
                system.name,
                system.view,
                {name: under(found.gold, system, places, harness) for name, harness in HARNESSES.items()},
            )
            for system in found.systems
        ),
    )
