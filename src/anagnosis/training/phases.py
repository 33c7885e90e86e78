"""Schedules: their phases, training data and first weights (PubMedQA's are of its 4.3 and 4.5); the folder of phases.

artificial                  eq. 1, phase I     PQA-A, question and context
reasoning-free-artificial   eq. 2              PQA-A, question and long answer
bootstrap                   eq. 3              PQA-L, question and long answer, from the weights of eq. 2
pseudo-labelled             eq. 5, phase II    PQA-U with the labels that eq. 3 gives it (eq. 4)
all-at-once                                    all three together (single-phase)
final                       eq. 6              PQA-L, question and context

The schedule of readers of exact answers (the thesis behind BIOMRC, 4.3 and 4.4):

further                                        the dataset of --also, without questions that are held out
final                                          the dataset, from the weights of `further`
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from anagnosis.datasets.pubmedqa.subsets import ARTIFICIAL, LABELLED, UNLABELLED
from anagnosis.errors import InputError
from anagnosis.io import folders
from anagnosis.io.decoding import read_json
from anagnosis.io.folders import PHASES
from anagnosis.io.paths import PathLike
from anagnosis.predictions.notes import RUN
from anagnosis.showing import WithReport
from anagnosis.training.run_files import MEMBER


class PhaseOf(NamedTuple):
    """A phase of a schedule.

    subsets: of PubMedQA to train on, "" for other data. begins: the phase whose weights it begins with, "" for
    untrained ones. equation: its number in the paper. free: whether it reads the long answer in place of the context.
    """

    name: str
    subsets: str
    begins: str = ""
    equation: str = ""
    free: bool = False


_PHASE_I = PhaseOf(folders.ARTIFICIAL, ARTIFICIAL, equation="1")
_FREE = PhaseOf(folders.REASONING_FREE, ARTIFICIAL, equation="2", free=True)
BOOTSTRAP = PhaseOf(folders.BOOTSTRAP, LABELLED, _FREE.name, "3", free=True)
_PHASE_II = PhaseOf(folders.PSEUDO_LABELLED, UNLABELLED, equation="5")
_FINAL = PhaseOf(folders.FINAL, LABELLED, equation="6")
FURTHER_FIRST = "further-first"
SCHEDULES: dict[str, tuple[PhaseOf, ...]] = {
    "final": (_FINAL,),
    "single-phase": (_FREE, BOOTSTRAP, PhaseOf(folders.ALL_AT_ONCE, ARTIFICIAL + UNLABELLED + LABELLED)),
    "phase-1-final": (_PHASE_I, _FINAL._replace(begins=_PHASE_I.name)),
    "phase-2-final": (_FREE, BOOTSTRAP, _PHASE_II, _FINAL._replace(begins=_PHASE_II.name)),
    FURTHER_FIRST: (PhaseOf(folders.FURTHER, ""), PhaseOf(folders.FINAL, "", folders.FURTHER)),
    "multi-phase": (
        *(_PHASE_I, _FREE, BOOTSTRAP),
        _PHASE_II._replace(begins=_PHASE_I.name),
        _FINAL._replace(begins=_PHASE_II.name),
    ),
}
NAMES = tuple(dict.fromkeys(phase.name for schedule in SCHEDULES.values() for phase in schedule))


class PhaseScore(msgspec.Struct, frozen=True):
    """Scores of a run of a phase. part: the split and subset of the evaluation. rows: instances with a label."""

    part: str
    rows: int
    accuracy: float
    macro_f1: float


class PhaseRecord(msgspec.Struct, frozen=True):
    """A phase of a finished schedule. Lists have one entry a fold.

    equation: its number in the paper, "" for none. subsets: of the training data. trained_on: number of instances.
    began, weights: SHA-256 of the weights before the phase (None: untrained) and after it. pseudo_labels: counts of
    each label, answered and kept.
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
    """The contents of phases.json.

    schedule, recipe: their names. phases: in their order. auxiliary: whether the last one uses the auxiliary loss.
    """

    schedule: str
    phases: Annotated[list[PhaseRecord], msgspec.Meta(min_length=1)]
    recipe: str = ""
    auxiliary: bool = False


class PhasesOfRuns(WithReport, msgspec.Struct, frozen=True):
    """runs: name of a run → its phases."""

    runs: dict[str, Phases]


def read_phases(folder: Path) -> Phases:
    """The phases of a finished schedule. InputError: it is not finished, or none is there."""
    if not (folder / PHASES).exists():
        what, remedy = f"no {PHASES} here", "train a recipe with phases"
        if _has_phases(folder):
            what = "not all of its phases are finished"
            remedy = "give its `anagnosis train` command again to go on"
        raise InputError(what, str(folder), remedy)
    return read_json(folder / PHASES, Phases, "give the `anagnosis train` command again")


def last_phase(folder: Path) -> Path:
    """The folder of the last phase's run or runs; for other folders, the folder itself."""
    if not (folder / RUN).exists() and _has_phases(folder):
        return folder / read_phases(folder).phases[-1].phase
    return folder


def _has_phases(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in NAMES)


def beside(run: PathLike) -> Path:
    """The folder in which neighbouring runs share results. For replicates and phases it lies beside their folder."""
    folder = Path(run).resolve()
    folder = folder.parent if MEMBER.fullmatch(folder.name) else folder
    return (folder.parent if (folder.parent / PHASES).is_file() else folder).parent / ".kept"
