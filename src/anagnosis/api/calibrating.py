"""Verbs that calibrate a trained reader's probabilities.

calibrate, calibrate_over_collection.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from anagnosis import registry
from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option
from anagnosis.api.predicting import kept_folder, ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.kinds.kind import Calibration
    from anagnosis.searching.index.index import Index
    from anagnosis.training.calibration.over_collection import OverCollection
    from anagnosis.training.calibration.run_calibration import CalibratedRun, Calibrations
    from anagnosis.training.runs.run import Replicates, Run


def calibrate(
    run: shared.RunFolder,
    dataset: shared.DatasetFolder,
    *,
    split: Annotated[
        str | None, Option("Sentence readers: a part that the reader was not trained on (default: dev).")
    ] = None,
    index: Annotated[
        PathLike | Index | None,
        Option(
            "Sentence readers: also fit the probability of a sentence among all that a search of this index returns.",
            metavar="INDEX_FOLDER",
        ),
    ] = None,
    device: shared.Device = "auto",
    threads: shared.Threads = None,
    kept: shared.Kept = None,
) -> Calibrations:
    """Calibrate a trained reader's probabilities on the development questions of DATASET_FOLDER.

    RUN_FOLDER is a training, or a folder of --seeds or --folds, whose runs are calibrated one by one. The run folder
    keeps the result (calibration.json). For a reader of sentences, the command also chooses the thresholds of weak,
    fair and strong highlights; `ask` and `serve` use both. It refuses questions that the run was trained on, compared
    by their words; if they are at most one in twenty, it leaves them out.
    Readers of cloze questions give scores, and nothing is fitted to them.

    These probabilities hold where the paper is about the question. --index names an index of the questions' papers:
    the command asks it each question, and `ask` then gives the probability over a collection (over_collection.json).
    """
    found = _opened(run)
    if index is None:
        runs = _calibrated(found, load(dataset), split, device, threads, kept)
        return _calibrations(runs)
    from anagnosis.api.searching import open_collection

    _collection_fit(found)
    # Before anything is fitted, so that an index that is not there costs nothing.
    collection = open_collection(index) if isinstance(index, PathLike) else index
    try:
        runs = _calibrated(found, load(dataset), split, device, threads, kept)
        over = calibrate_over_collection(
            run, dataset, collection, split=split, device=device, threads=threads
        )
    finally:
        if collection is not index:
            collection.close()
    return _calibrations(runs, over_collection=over)


def _calibrated(
    found: Run | Replicates,
    dataset: Dataset,
    split: str | None,
    device: str,
    threads: int | None,
    kept: PathLike | None,
) -> tuple[CalibratedRun, ...]:
    from anagnosis.progress import print_note
    from anagnosis.training.calibration import run_calibration
    from anagnosis.training.calibration.decisions import Resources
    from anagnosis.training.calibration.over_collection import forget_stale

    resources = Resources(device, threads, kept_folder(kept, found.folder))
    made = tuple(run_calibration.calibrate(one, dataset, resources, split) for one in found.runs)
    fits = [one.parameters.sentences for one in made]
    if forget_stale(found.folder, [fit.platt for fit in fits if fit is not None]):
        print_note(
            f"{found.folder}: what was fitted over a collection no longer holds and was removed; fit it with --index"
        )
    return made


def _calibrations(runs: tuple[CalibratedRun, ...], **fitted: Any) -> Calibrations:
    from anagnosis.training.calibration.run_calibration import Calibrations

    return Calibrations(runs, **fitted)


def calibrate_over_collection(
    run: shared.RunFolder,
    dataset: shared.DatasetFolder,
    index: shared.IndexFolder,
    *,
    split: shared.Split = None,
    device: shared.Device = "auto",
    threads: shared.Threads = None,
) -> OverCollection:
    """Fit the probability of a sentence over a collection, for the runs of a reader together; keep it in their folder.

    dataset: questions whose documents are in the index; split: of it (None: dev). What the runs were calibrated to is
    part of the fit, so `calibrate` comes first. Refused (InputError): another kind of reader, questions that it was
    trained on, too few whose evidence a search brings.
    """
    opened, found = load(dataset), _opened(run)
    fit = _collection_fit(found)
    from anagnosis.api.searching import open_collection

    asked = open_collection(index) if isinstance(index, PathLike) else index
    try:
        return fit(found.folder, opened, asked, split or "dev", device, threads)
    finally:
        if asked is not index:
            asked.close()


def _opened(run: PathLike) -> Run | Replicates:
    from anagnosis.io.folders import refuse_links

    ready_for_torch("calibrating")
    from anagnosis.training.calibration.parameters import forget_damaged
    from anagnosis.training.runs.run import load as load_runs

    found = load_runs(run)
    refuse_links(found.folder)
    for folder in {found.folder, *(one.folder for one in found.runs)}:
        forget_damaged(folder)
    return found


def _calibration(found: Run | Replicates) -> Calibration:
    """What the kind of the runs defines."""
    from anagnosis.datasets.kinds.kind import Calibration
    from anagnosis.datasets.kinds.table import named

    return named(found.runs[0].config.kind).calibration or Calibration()


def _fit_of(reference: str, fault: InputError) -> Callable[..., Any]:
    """The function at a reference. fault: raised where the kind has none."""
    if not reference:
        raise fault
    return registry.referenced(reference)


def _collection_fit(found: Run | Replicates) -> Callable[..., OverCollection]:
    fault = InputError("only readers of sentences are fitted over a collection", "--index", "leave it out")
    return _fit_of(_calibration(found).collection, fault)
