"""The same training with several seeds: how much of a difference is luck.

OUT/seed-0  OUT/seed-1 …   run folders
OUT/seeds.json             written when all are finished:
                           {"seeds": [0, 1], "dev_accuracy": [.871, .868], "mean": .8695, "deviation": .0021}
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets import store
from anagnosis.errors import InputError
from anagnosis.files import write_bytes
from anagnosis.progress import tell
from anagnosis.training.lock import alone_in
from anagnosis.training.run import FACTS, SEEDS, WORK, Run, Seeds, remove, taken
from anagnosis.training.team import leads
from anagnosis.training.train import train


def train_seeds(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: str | Path,
    seeds: int,
    *,
    kept: Path | None = None,
    replace: bool = False,
    **options: Any,
) -> Seeds:
    """Train with the seeds 0 … `seeds` − 1; those that are finished are left, so it can be resumed and extended.

    kept, options: those of `train`; what is computed once is computed once for all seeds. replace: all runs in the
    folder are lost, those of further seeds too.
    """
    folder = Path(out)
    _refuse_others(folder)
    if replace and leads():
        _remove_further(folder, seeds)
    runs: list[Run] = []
    for seed in range(seeds):
        own = folder / f"seed-{seed}"
        tell(f"{own}:")
        given = {**recipe, "seed": seed}
        runs.append(
            train(given, dataset, own, kept=kept or folder / WORK / "kept", replace=replace, **options)
        )
    found = Seeds(folder, tuple(runs))
    if leads():
        _write(found)
        shutil.rmtree(folder / WORK, ignore_errors=True)
    return found


def _remove_further(folder: Path, seeds: int) -> None:
    """Seeds that the new training does not have would stay with the old recipe."""
    (folder / SEEDS).unlink(missing_ok=True)
    for own in folder.glob("seed-*"):
        if taken(own) and int(own.name.removeprefix("seed-")) >= seeds:
            with alone_in(own):
                pass
            try:
                remove(own)
                own.rmdir()
            except OSError as fault:
                raise InputError(
                    (fault.strerror or str(fault)).lower(), str(own), "remove that folder"
                ) from fault


def _write(found: Seeds) -> None:
    facts = {
        "seeds": [run.config.seed for run in found.runs],
        "dev_accuracy": [run.facts.dev_accuracy for run in found.runs],
        "mean": found.mean,
        "deviation": found.deviation,
    }
    write_bytes(found.folder / SEEDS, msgspec.json.format(msgspec.json.encode(facts), indent=2) + b"\n")


def _refuse_others(folder: Path) -> None:
    if (folder / FACTS).exists():
        raise InputError("holds a single run", str(folder), "choose another folder for several seeds")
    if not folder.is_dir():
        return
    known = re.compile(rf"seed-\d+|{re.escape(SEEDS)}|{re.escape(WORK)}|\..*\.part")
    strange = sorted(entry.name for entry in folder.iterdir() if not known.fullmatch(entry.name))
    if strange:
        raise InputError(
            f"holds other files ({', '.join(strange[:3])})",
            str(folder),
            "choose an empty or new folder for --out",
        )
