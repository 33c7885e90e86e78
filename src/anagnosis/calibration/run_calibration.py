"""Fit a run's probabilities on questions that it was not trained on, and keep the parameters in its folder."""

from __future__ import annotations

from dataclasses import dataclass

from anagnosis.calibration import decisions, sentences
from anagnosis.calibration.decisions import TEMPERATURE, Resources
from anagnosis.calibration.parameters import write
from anagnosis.calibration.run_parameters import RunParameters
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import named
from anagnosis.errors import InputError
from anagnosis.training.runs.run import Run


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A run and what was fitted for it."""

    run: Run
    parameters: RunParameters


def calibrate(run: Run, dataset: store.Dataset, resources: Resources, split: str | None = None) -> Calibrated:
    """Fit a run's probabilities on its development questions, of the dataset that it was trained on, and keep that.

    split: of a reader of sentences, which may be fitted on any that it was not trained on (None: dev). Refused
    (InputError): another dataset, one without such questions, a reader whose probabilities are not fitted.
    """
    fit = _FITS.get(named(run.config.kind).calibration)
    if fit is None:
        raise InputError(
            f"probabilities of {run.reader} are not fitted",
            str(run.folder),
            "name a run that answers yes or no, or scores sentences",
        )
    made = fit(run, dataset, resources, split)
    write(run.folder, made)
    return Calibrated(run, made)


def _of_sentences(run: Run, dataset: store.Dataset, resources: Resources, split: str | None) -> RunParameters:
    return sentences.fit(run, dataset, split or "dev", resources)


def _of_decisions(run: Run, dataset: store.Dataset, resources: Resources, split: str | None) -> RunParameters:
    if split is not None:
        raise InputError(
            "decisions are fitted on the questions that their run was judged on",
            "--split",
            "leave --split out",
        )
    chosen = decisions.choose(run, dataset, "plain", TEMPERATURE, resources)
    before, after = chosen.losses
    return RunParameters(
        run.digests[0],
        dataset.name,
        "dev" if run.facts.fold is None else f"fold {run.facts.fold}",
        chosen.questions,
        round(before, 6),
        round(after, 6),
        chosen.temperature,
    )


# What a kind declares as its `calibration` → how it is fitted.
_FITS = {"sentences": _of_sentences, "temperature": _of_decisions}
