"""Fit a run's probabilities on questions that it was not trained on, and keep the parameters in its run.json."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.showing import WithReport
from anagnosis.training.calibration import sentences
from anagnosis.training.calibration.decisions import TEMPERATURE, Resources, choose
from anagnosis.training.runs.parameters import RunParameters
from anagnosis.training.runs.run import Run, write_facts


@dataclass(frozen=True, slots=True)
class CalibratedRun:
    """A run's name, and the parameters that were fitted for it, as run.json holds them."""

    name: str
    parameters: RunParameters


@dataclass(frozen=True, slots=True, repr=False)
class Calibrations(WithReport):
    """All that was fitted for the runs of a folder."""

    runs: tuple[CalibratedRun, ...]


def calibrate(
    run: Run, dataset: store.Dataset, resources: Resources, split: str | None = None
) -> CalibratedRun:
    """Fit a run's probabilities as its kind defines, and keep the parameters in its folder.

    split: whose questions, where the kind leaves a choice. Refused (InputError): a reader whose probabilities are not
    fitted, questions that it cannot be fitted on.
    """
    if (fit := FITS.get(run.config.kind)) is None:
        raise InputError(
            f"probabilities of {run.reader} are not fitted",
            str(run.folder),
            "name a run that answers yes or no, or scores sentences",
        )
    made = fit(run, dataset, resources, split)
    write_facts(run.folder, msgspec.structs.replace(run.facts, calibration=made))
    return CalibratedRun(run.folder.resolve().name, made)


def fit_temperature(
    run: Run, dataset: store.Dataset, resources: Resources, split: str | None = None
) -> RunParameters:
    """The temperature of a run of decisions, fitted on its development questions. Refused (InputError): a split."""
    if split is not None:
        what = "decisions are fitted on the questions that their run was judged on"
        raise InputError(what, "--split", "leave --split out")
    chosen = choose(run, dataset, "plain", TEMPERATURE, resources)
    before, after = chosen.losses
    return RunParameters(
        dataset.name,
        "dev" if run.facts.fold is None else f"fold {run.facts.fold}",
        chosen.decision.questions,
        round(before, 6),
        round(after, 6),
        chosen.decision.temperature,
    )


FITS = {"decision": fit_temperature, "evidence": sentences.fit}
