"""Schedules: the phases of each, their training data and their first weights. PubMedQA's are of its 4.3 and 4.5.

artificial                  eq. 1, phase I     PQA-A, question and context
reasoning-free-artificial   eq. 2              PQA-A, question and long answer
bootstrap                   eq. 3              PQA-L, question and long answer, from the weights of eq. 2
pseudo-labelled             eq. 5, phase II    PQA-U with the labels that eq. 3 gives it (eq. 4)
all-at-once                                    all three together (single-phase)
final                       eq. 6              PQA-L, question and context

The schedule of readers of exact answers (the thesis behind BIOMRC, 4.3 and 4.4):

further                                        the datasets of --also, without questions that are held out
final                                          the dataset, from the weights of `further`
"""

from __future__ import annotations

from dataclasses import dataclass

from anagnosis.datasets.pubmedqa.subsets import ARTIFICIAL, LABELLED, UNLABELLED
from anagnosis.io import folder_names as names


@dataclass(frozen=True, slots=True)
class PhaseOf:
    """A phase of a schedule.

    subsets: of PubMedQA to train on, "" for other data. begins: the phase whose weights it begins with, "" for
    untrained weights. equation: its number in the paper. free: whether it reads the long answer in
    place of the context.
    """

    name: str
    subsets: str
    begins: str = ""
    equation: str = ""
    free: bool = False

    @property
    def by_fold(self) -> bool:
        """Whether it differs by fold: it uses people's labels, or those of a model that was trained on them."""
        return self.subsets != ARTIFICIAL


_PHASE_I = PhaseOf(names.ARTIFICIAL, ARTIFICIAL, equation="1")
_FREE = PhaseOf(names.REASONING_FREE, ARTIFICIAL, equation="2", free=True)
BOOTSTRAP = PhaseOf(names.BOOTSTRAP, LABELLED, _FREE.name, "3", free=True)
FURTHER_FIRST = "further-first"


def _phase_ii(begins: str) -> PhaseOf:
    return PhaseOf(names.PSEUDO_LABELLED, UNLABELLED, begins, "5")


def _final(begins: str) -> PhaseOf:
    return PhaseOf(names.FINAL, LABELLED, begins, "6")


SCHEDULES: dict[str, tuple[PhaseOf, ...]] = {
    "final": (_final(""),),
    "single-phase": (_FREE, BOOTSTRAP, PhaseOf(names.ALL_AT_ONCE, ARTIFICIAL + UNLABELLED + LABELLED)),
    "phase-1-final": (_PHASE_I, _final(_PHASE_I.name)),
    "phase-2-final": (_FREE, BOOTSTRAP, _phase_ii(""), _final(names.PSEUDO_LABELLED)),
    FURTHER_FIRST: (PhaseOf(names.FURTHER, ""), PhaseOf(names.FINAL, "", names.FURTHER)),
    "multi-phase": (_PHASE_I, _FREE, BOOTSTRAP, _phase_ii(_PHASE_I.name), _final(names.PSEUDO_LABELLED)),
}
# "module:function" that trains a schedule.
_OF_PUBMEDQA = "anagnosis.training.schedules.multi_phase:train_phases"
TRAINED_BY = {
    **dict.fromkeys(SCHEDULES, _OF_PUBMEDQA),
    FURTHER_FIRST: "anagnosis.training.schedules.further_first:train_further_first",
}
NAMES = tuple(dict.fromkeys(phase.name for schedule in SCHEDULES.values() for phase in schedule))
