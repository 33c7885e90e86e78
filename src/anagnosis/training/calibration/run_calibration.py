"""Fit a run's probabilities on questions that it was not trained on, and keep the parameters in its run.json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.scaling import likelihood_loss, temperature, tempered
from anagnosis.showing import WithReport
from anagnosis.training.calibration import sentences
from anagnosis.training.calibration.decisions import development
from anagnosis.training.runs.run import Run, RunParameters, write_facts


@dataclass(frozen=True, slots=True)
class CalibratedRun:
    """A run's name, and the parameters that were fitted for it, as run.json holds them."""

    name: str
    parameters: RunParameters


@dataclass(frozen=True, slots=True, repr=False)
class Calibrations(WithReport):
    """All that was fitted for the runs of a folder."""

    runs: tuple[CalibratedRun, ...]


def calibrate(run: Run, dataset: store.Dataset, split: str | None = None, **resources: Any) -> CalibratedRun:
    """Fit a run's probabilities as its kind defines, and keep the parameters in its folder.

    split: whose questions, where the kind leaves a choice. resources: device, threads and kept, as of `predict`.
    Refused (InputError): a reader whose probabilities are not fitted, questions that it cannot be fitted on.
    """
    if (fit := FITS.get(run.config.kind)) is None:
        what = f"probabilities of {run.reader} are not fitted"
        raise InputError(what, str(run.folder), "name a run that answers yes or no, or scores sentences")
    made = fit(run, dataset, split, **resources)
    write_facts(run.folder, msgspec.structs.replace(run.facts, calibration=made))
    return CalibratedRun(run.folder.resolve().name, made)


def fit_temperature(
    run: Run, dataset: store.Dataset, split: str | None = None, **resources: Any
) -> RunParameters:
    """The temperature of a run of decisions, fitted on its development questions. Refused (InputError): a split."""
    if split is not None:
        what = "decisions are fitted on the questions that their run was judged on"
        raise InputError(what, "--split", "leave --split out")
    scores, labels = development(run, dataset, **resources)
    divisor = temperature(scores, labels)
    before, after = (likelihood_loss(own, labels) for own in (scores, tempered(scores, divisor)))
    fold = run.facts.fold
    part = "dev" if fold is None else f"fold {fold}"
    return RunParameters(dataset.name, part, len(labels), round(before, 6), round(after, 6), divisor)


FITS = {"decision": fit_temperature, "evidence": sentences.fit}
