"""The verb that makes a trained reader's probabilities what they say: calibrate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.api.predicting import beside, ready_for_torch, refuse

if TYPE_CHECKING:
    from anagnosis.datasets.store import Dataset
    from anagnosis.searching.names.ranking import Fitted
    from anagnosis.training.calibrating import Calibrated

PathLike = str | Path


def calibrate(
    run: PathLike,
    dataset: PathLike | Dataset,
    *,
    split: str | None = None,
    device: str = "auto",
    threads: int | None = None,
    kept: PathLike | None = None,
) -> list[Calibrated] | Fitted:
    """Fit the probabilities of a run folder, or of each of several, and keep that there for whoever reads with it.

    dataset: that a run on decisions was trained on; only its development questions are asked. split: of a reader of
    sentences, any that it was not trained on, of any dataset (None: dev). A reader of cloze questions is fitted, all
    its runs together, on BioASQ's questions of names (None: all but the test part). kept: as for `predict`.
    """
    opened = load(dataset)
    ready_for_torch("calibrating")
    from anagnosis.readers.learning import ClozeSettings
    from anagnosis.training import calibrating
    from anagnosis.training.deciding import Where
    from anagnosis.training.run import Run
    from anagnosis.training.run import load as load_runs

    found = load_runs(run)
    runs = (found,) if isinstance(found, Run) else found.runs
    if isinstance(runs[0].config, ClozeSettings):
        from anagnosis.searching.names.fitting import calibrate as calibrate_names

        refuse("a reader of cloze questions", kept=kept)

        return calibrate_names(found.folder, opened, split, device, threads)
    where = Where(device, threads, Path(kept) if kept is not None else beside(found.folder))
    return [calibrating.calibrate(own, opened, where, split) for own in runs]
