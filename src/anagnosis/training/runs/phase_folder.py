"""A folder of phases: what phases.json says of a finished schedule, and where its last phase lies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from anagnosis.checksums import read_checked_json
from anagnosis.errors import InputError
from anagnosis.folder_names import PHASES
from anagnosis.notebook import Shown
from anagnosis.paths import PathLike
from anagnosis.predictions.notes import RUN
from anagnosis.training.phases import NAMES
from anagnosis.training.run_files import MEMBER


class PhaseScore(msgspec.Struct, frozen=True):
    """part: which, of which subset. digest: of its data. rows: with a label. majority: of always the commonest one."""

    part: str
    digest: str
    rows: int
    accuracy: float
    macro_f1: float
    majority_accuracy: float
    majority_macro_f1: float


class PhaseRecord(msgspec.Struct, frozen=True):
    """A phase of a finished schedule; of several folds one entry each.

    equation: the paper's, "" for none. subsets: trained on. trained_on: how many instances. began, weights: SHA-256 of
    the weights that it began with (None: untrained ones) and of its own. pseudo_labels: how many of each label were
    answered and kept.
    """

    phase: Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9-]*$")]
    equation: str
    subsets: str
    view: str
    trained_on: list[int]
    began: list[str | None]
    weights: Annotated[list[str | None], msgspec.Meta(min_length=1)]
    reached: list[PhaseScore]
    pseudo_labels: list[dict[str, dict[str, int]]] = []


class Phases(msgspec.Struct, frozen=True):
    """What phases.json says.

    schedule, recipe: their names. phases: in their order. auxiliary: whether with that loss.
    """

    schedule: str
    phases: Annotated[list[PhaseRecord], msgspec.Meta(min_length=1)]
    recipe: str = ""
    auxiliary: bool = False


class PhasesOfRuns(Shown, msgspec.Struct, frozen=True):
    """runs: name of a run → its phases."""

    runs: dict[str, Phases]


def read_phases(folder: Path) -> Phases:
    """Of a finished schedule."""
    path = folder / PHASES
    if not path.exists():
        begun = any((folder / name).is_dir() for name in NAMES)
        what = "not all of its phases are finished" if begun else f"no {PHASES} here"
        remedy = (
            "give its `anagnosis train` command again to go on"
            if begun
            else "name a folder that `anagnosis train` made of a recipe with phases"
        )
        raise InputError(what, str(folder), remedy)
    return read_checked_json(path, Phases, "give the `anagnosis train` command again")[0]


def last_phase(folder: Path) -> Path:
    """Where the last phase's run or runs lie; the folder itself where it is not one of phases."""
    if not (folder / RUN).exists() and any((folder / name).is_dir() for name in NAMES):
        last = folder / read_phases(folder).phases[-1].phase
        if not last.is_dir():
            raise InputError("its last phase is gone", str(last), "train it again, with --replace")
        return last
    return folder


def beside(run: PathLike) -> Path:
    """Where runs that lie side by side keep what they share; several of one kind, and phases, lie beside the whole."""
    folder = Path(run).resolve()
    folder = folder.parent if MEMBER.fullmatch(folder.name) else folder
    return (folder.parent if (folder.parent / PHASES).is_file() else folder).parent / ".kept"
