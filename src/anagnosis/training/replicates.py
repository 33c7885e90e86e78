"""Replicates of a training: with several seeds, to measure the variation by chance, or on the folds of a split.

OUT/seed-0  OUT/seed-1 …   run folders
OUT/seeds.json             written when all runs are finished:
                           {"seeds": [0, 1], "dev_accuracy": [.871, .868], "mean": .8695, "deviation": .0021}

Cross validation writes OUT/fold-0 … and OUT/folds.json.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anagnosis.datasets.folder import store
from anagnosis.datasets.pubmedqa.folds import folds_of
from anagnosis.io.files import write_json
from anagnosis.io.folders import only_writer
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.training.phases import beside
from anagnosis.training.run_files import REPLICATES, claim_several
from anagnosis.training.runs.run import Replicates, Run
from anagnosis.training.train import train

MEMBERS = {what: rf"{what}-\d+|{file}" for what, file in REPLICATES.items()}


def train_replicates(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    what: str,
    count: int,
    *,
    kept: Path | None = None,
    replace: bool = False,
    **options: Any,
) -> Replicates:
    """Train with the seeds, or on the folds, 0 … `count` − 1. Finished runs stay, so a call can resume or extend them.

    what: "seed" or "fold". kept, options: those of `train`; all runs share the kept results. replace: remove all runs
    in the folder first, further ones too.
    """
    folder = Path(out)
    with only_writer(folder):
        if what == "fold":
            folds_of(dataset)  # first: it refuses a dataset without folds
        claim_several(folder, MEMBERS[what], replace=replace)
        runs: list[Run] = []
        for number in range(count):
            run_folder = folder / f"{what}-{number}"
            print_note(f"{run_folder}:")
            given = {**recipe, "seed": number} if what == "seed" else recipe
            differs = {"fold": number} if what == "fold" else {}
            runs.append(train(given, dataset, run_folder, kept=kept or beside(out), **differs, **options))
        replicates = Replicates(folder, what, tuple(runs))
        finish(replicates)
    return replicates


def finish(replicates: Replicates) -> None:
    """Write the file of finished replicates, with their accuracies."""
    facts = {
        f"{replicates.what}s": [
            int(run.folder.name.removeprefix(f"{replicates.what}-")) for run in replicates.runs
        ],
        "dev_accuracy": [run.facts.dev_accuracy for run in replicates.runs],
        "mean": replicates.mean,
        "deviation": replicates.deviation,
    }
    write_json(replicates.folder / REPLICATES[replicates.what], facts)
