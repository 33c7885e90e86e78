"""Parameters fitted on a finished run, or on several together, in files of their folder.

Those of one run are in calibration.json beside its weights: a reader of decisions has a temperature (decisions.py), a
reader of sentences a slope, an intercept and thresholds (sentences.py).

Every file is a record that names the weights it was fitted for, by SHA-256; `read` refuses one for other weights.
fitted.json names the files, so that one that is gone is not taken for one that was never made:

    {"files": ["calibration.json", "over_collection.json"], "checksum": "5c1a…"}
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

import msgspec

from anagnosis.errors import DamagedError, InputError
from anagnosis.evaluation.calibration.highlight_thresholds import Thresholds
from anagnosis.evaluation.calibration.scaling import Platt
from anagnosis.io.checksums import is_intact, read_checked_json, write_checked_json
from anagnosis.io.folders import CALIBRATION
from anagnosis.io.folders import FITTED as LIST
from anagnosis.progress import print_note
from anagnosis.training.runs.run import Run

FORMAT = 1
_REMEDY = "remove that file, then calibrate and measure again with `anagnosis calibrate RUN DATASET`"


class Parameters(msgspec.Struct, frozen=True):
    """Base of the records. file: in the folder. remedy: for a file that cannot be used."""

    file: ClassVar[str]
    remedy: ClassVar[str]

    @property
    def digests(self) -> tuple[str, ...]:
        """SHA-256 of each run's weights."""
        raise NotImplementedError  # a msgspec.Struct cannot have abstract methods


class _List(msgspec.Struct, frozen=True):
    files: tuple[str, ...] = ()


P = TypeVar("P", bound=Parameters)


def write(folder: Path, value: Parameters) -> None:
    """Write the parameters, then the name of their file."""
    write_checked_json(folder / value.file, value)
    _note(folder, {*_noted(folder), value.file})


def read(folder: Path, of: type[P], digests: Sequence[str]) -> P | None:
    """The parameters for these weights, None where nothing was fitted.

    Refused (InputError): parameters for other weights, a file that has changed.
    """
    found = read_unbound(folder, of)
    if found is None:
        return None
    if found.digests != tuple(digests):
        raise InputError("was fitted for other weights", str(folder / of.file), of.remedy)
    return found


def read_unbound(folder: Path, of: type[P]) -> P | None:
    """The parameters, whatever weights they are for; None where nothing was fitted.

    Refused (DamagedError): a file that has changed, or is gone.
    """
    path = folder / of.file
    if path.exists():
        return read_checked_json(path, of, of.remedy)
    if of.file in _noted(folder):
        raise DamagedError("is gone", str(path), of.remedy)
    return None


def forget(folder: Path, name: str) -> None:
    """Remove a file of parameters, its name first."""
    _note(folder, {*_noted(folder)} - {name})
    (folder / name).unlink(missing_ok=True)


def forget_damaged(folder: Path) -> None:
    """Before a new fit: remove files that have changed or are gone, and report them."""
    try:
        names = _noted(folder)
    except DamagedError as fault:
        (folder / LIST).unlink()
        print_note(f"{fault}; removed")
        return
    for name in names:
        if not is_intact(folder / name):
            forget(folder, name)
            print_note(f"{folder / name} is damaged or gone; it is forgotten")


def _noted(folder: Path) -> tuple[str, ...]:
    path = folder / LIST
    return read_checked_json(path, _List, _REMEDY).files if path.exists() else ()


def _note(folder: Path, names: set[str]) -> None:
    if names != {*_noted(folder)}:
        write_checked_json(folder / LIST, _List(tuple(sorted(names))))


class SentenceFit(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """slope, intercept: of the log-odds. weak, fair, strong: probabilities. sentences: that it was fitted on.

    error: the binned calibration error on questions that it was not fitted on; by_chance: that of a perfect forecaster.
    thresholds: what the three are worth on those. left_out: questions that the run was trained on.
    """

    slope: float
    intercept: float
    weak: float
    fair: float
    strong: float
    error: float
    by_chance: float
    sentences: int
    thresholds: Thresholds = msgspec.field(name="marks")
    left_out: int = 0

    @property
    def platt(self) -> Platt:
        return Platt(self.slope, self.intercept)

    @property
    def is_identity(self) -> bool:
        """Whether no fit was better than the reader's probabilities as it gives them."""
        return self.platt == Platt()


class RunParameters(Parameters, frozen=True, omit_defaults=True):
    """weights: SHA-256 of those that it is for. dataset, split: whose questions it was fitted on; questions: how many.

    before, after: mean loss of the right answers on them. temperature: of decisions. sentences: of readers of
    sentences.
    """

    file: ClassVar[str] = CALIBRATION
    remedy: ClassVar[str] = "make it anew with `anagnosis calibrate RUN DATASET`"

    weights: str
    dataset: str
    split: str
    questions: int
    before: float
    after: float
    temperature: float | None = None
    sentences: SentenceFit | None = None

    @property
    def digests(self) -> tuple[str, ...]:
        return (self.weights,)


def parameters_of(run: Run) -> RunParameters | None:
    """The parameters of a run, None where nothing was fitted. Refused (InputError): parameters for other weights."""
    return read(run.folder, RunParameters, run.digests)
