"""Replicates of a training: with several seeds, to measure the variation by chance, or on the folds of a split.

OUT/seed-0  OUT/seed-1 …   run folders
OUT/seeds.json             written when all runs are finished:
                           {"seeds": [0, 1], "on_dev": [.871, .868], "mean": .8695, "deviation": .0021}

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
    replace: bool = False,
    **options: Any,
) -> Replicates:
    """Train with the seeds, or on the folds, 0 … `count` − 1. Finished runs stay, so a call can resume or extend them.

    what: "seed" or "fold". options: those of `train`. replace: remove all runs in the folder first, further ones too.
    """
    folder = Path(out)
    if what == "fold":
        folds_of(dataset)  # first: it refuses a dataset without folds
    with only_writer(folder):
        claim_several(folder, MEMBERS[what], replace=replace)
        runs: list[Run] = []
        for number in range(count):
            place = folder / f"{what}-{number}"
            print_note(f"{place}:")
            if what == "seed":
                runs.append(train({**recipe, "seed": number}, dataset, place, **options))
            else:
                runs.append(train(recipe, dataset, place, fold=number, **options))
        replicates = Replicates(folder, what, tuple(runs))
        finish(replicates)
    return replicates


def finish(replicates: Replicates) -> None:
    """Write the file of finished replicates, with the values on dev of what selected their weights (`Run.on_dev`)."""
    numbers = [int(run.folder.name.partition("-")[2]) for run in replicates.runs]
    facts = {
        f"{replicates.what}s": numbers,
        "on_dev": [run.on_dev for run in replicates.runs],
        "mean": replicates.mean,
        "deviation": replicates.deviation,
    }
    write_json(replicates.folder / REPLICATES[replicates.what], facts)
