"""Calibration parameters of a run, kept beside its weights: calibration.json.

A reader of decisions has a temperature, chosen on its own development questions (`deciding.py`), which it was not
trained on; a reader of sentences has what `sentence_calibrating.py` says. What else calibrates a reader adds its fields
here, and its branch to `calibrate`.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.folder_names import CALIBRATION as FILE
from anagnosis.readers.learning import DecisionSettings, EvidenceSettings
from anagnosis.training import sentence_calibrating
from anagnosis.training.deciding import TEMPERATURE, Where, choose
from anagnosis.training.runs.fitted import read_fitted, write_fitted
from anagnosis.training.runs.run import Run

_AGAIN = "make it anew with `anagnosis calibrate`"


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was fitted. weights: SHA-256 of those that it is for. dataset, split: whose questions it was fitted on.

    questions: how many. before, after: mean loss of the right answers on them. temperature: of decisions. sentences: of
    readers of sentences.
    """

    weights: str
    dataset: str
    split: str
    questions: int
    before: float
    after: float
    temperature: float | None = None
    sentences: sentence_calibrating.Fit | None = None


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A run and what was fitted for it."""

    run: Run
    kept: Kept


def calibrate(run: Run, dataset: store.Dataset, where: Where, split: str | None = None) -> Calibrated:
    """Fit a run's probabilities on its development questions, of the dataset that it was trained on, and keep that.

    split: of a reader of sentences, which may be fitted on any that it was not trained on (None: dev). Refused
    (InputError): another dataset, one without such questions, a reader whose probabilities are not fitted.
    """
    if isinstance(run.config, EvidenceSettings):
        return _sentences(run, dataset, split or "dev", where)
    if split is not None:
        raise InputError(
            "decisions are fitted on the questions that their run was judged on",
            "--split",
            "leave --split out",
        )
    if not isinstance(run.config, DecisionSettings):
        raise InputError(
            f"probabilities of {run.reader} are not fitted",
            str(run.folder),
            "name a run that answers yes or no, or scores sentences",
        )
    chosen = choose(run, dataset, "plain", TEMPERATURE, where)
    before, after = chosen.losses
    kept = Kept(
        run.facts.weights or "",
        dataset.name,
        "dev" if run.facts.fold is None else f"fold {run.facts.fold}",
        chosen.questions,
        round(before, 6),
        round(after, 6),
        chosen.temperature,
    )
    write_fitted(run.folder, FILE, kept)
    return Calibrated(run, kept)


def _sentences(run: Run, dataset: store.Dataset, split: str, where: Where) -> Calibrated:
    found = sentence_calibrating.fit(run, dataset, split, where)
    kept = Kept(
        run.facts.weights or "",
        dataset.name,
        split,
        found.questions,
        round(found.before, 6),
        round(found.after, 6),
        sentences=found.fit,
    )
    write_fitted(run.folder, FILE, kept)
    return Calibrated(run, kept)


def kept_of(run: Run) -> Kept | None:
    """What was fitted for a run, None where nothing was; what was fitted for other weights is refused."""
    found = read_fitted(run.folder, FILE, Kept, _AGAIN)
    if found is not None and found.weights != run.facts.weights:
        raise InputError("was fitted for other weights", str(run.folder / FILE), _AGAIN)
    return found
