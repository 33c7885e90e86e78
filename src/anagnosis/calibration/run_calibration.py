"""Fit a run's probabilities on questions that it was not trained on, and keep the parameters in its folder."""

from __future__ import annotations

from dataclasses import dataclass

from anagnosis.calibration.decisions import Resources
from anagnosis.calibration.parameters import write
from anagnosis.calibration.run_parameters import RunParameters
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import named
from anagnosis.errors import InputError
from anagnosis.registry import load
from anagnosis.training.runs.run import Run


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A run and what was fitted for it."""

    run: Run
    parameters: RunParameters


def calibrate(run: Run, dataset: store.Dataset, resources: Resources, split: str | None = None) -> Calibrated:
    """Fit a run's probabilities as its kind defines, and keep the parameters in its folder.

    split: whose questions, where the kind leaves a choice. Refused (InputError): a reader whose probabilities are not
    fitted, questions that it cannot be fitted on.
    """
    calibration = named(run.config.kind).calibration
    if calibration is None or not calibration.runs:
        raise InputError(
            f"probabilities of {run.reader} are not fitted",
            str(run.folder),
            "name a run that answers yes or no, or scores sentences",
        )
    made = load(calibration.runs)(run, dataset, resources, split)
    write(run.folder, made)
    return Calibrated(run, made)
