"""Of a reader of decisions: the temperature of a run, fitted on the questions that its training was judged on."""

from __future__ import annotations

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.training.calibration.decisions import TEMPERATURE, Resources, choose
from anagnosis.training.calibration.run_parameters import RunParameters
from anagnosis.training.runs.run import Run


def fit(run: Run, dataset: Dataset, resources: Resources, split: str | None = None) -> RunParameters:
    """Fit a run on its development questions. Refused (InputError): a split; another dataset than its own."""
    if split is not None:
        raise InputError(
            "decisions are fitted on the questions that their run was judged on",
            "--split",
            "leave --split out",
        )
    chosen = choose(run, dataset, "plain", TEMPERATURE, resources)
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
