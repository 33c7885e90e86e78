"""PubMedQA's schedules (section 4.3): the phases of each, what they are trained on and which weights they begin with.

    OUT/artificial/                 eq. 1, phase I     PQA-A, question and context
    OUT/reasoning-free-artificial/  eq. 2              PQA-A, question and long answer
    OUT/bootstrap/                  eq. 3              PQA-L, question and long answer, from the weights of eq. 2
    OUT/pseudo-labelled/            eq. 5, phase II    PQA-U with the labels that eq. 3 gives it (eq. 4)
    OUT/all-at-once/                                   all three together (section 4.5, single-phase)
    OUT/final/                      eq. 6              PQA-L, question and context
    OUT/phases.json                 written when all are finished: what each began with and what it reached

Each is a run folder, or one of several folds where it depends on a fold, and names the weights that it began with. What
is finished is not done again, and what was interrupted goes on.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets import store
from anagnosis.datasets.decision_views import FREE
from anagnosis.datasets.kinds import DECISION, demand
from anagnosis.datasets.pubmedqa.folds import split_of
from anagnosis.datasets.pubmedqa.pseudo_labels import HIGHEST, OVER_SHARE
from anagnosis.datasets.pubmedqa.subsets import ARTIFICIAL, LABELLED, UNLABELLED, Subsets, subsets
from anagnosis.errors import InputError, unknown_name
from anagnosis.files import write_bytes
from anagnosis.progress import tell
from anagnosis.readers.learning import Material
from anagnosis.training import judged, pseudo_labels
from anagnosis.training.judged import Judged
from anagnosis.training.materials import material, of_subsets, people_parts
from anagnosis.training.run import PHASES, WORK, Part, Phases, Run, Several, configured, load
from anagnosis.training.several import finish
from anagnosis.training.team import leads
from anagnosis.training.train import train_on

# Of a recipe: the schedule, what differs in a phase, and how answers become pseudo-labels.
KEY, SETTINGS, ANSWER = "phases", "phase", "pseudo_answer"


@dataclass(frozen=True, slots=True)
class PhaseOf:
    """subsets: trained on. begins: the phase whose weights it begins with, "" for untrained ones.

    equation: the paper's. free: reads the long answer in place of the context.
    """

    name: str
    subsets: str
    begins: str = ""
    equation: str = ""
    free: bool = False

    @property
    def by_fold(self) -> bool:
        """Whether it depends on the fold: by people's labels, or by those of a model that was trained on them."""
        return self.subsets != ARTIFICIAL


_PHASE_I = PhaseOf("artificial", ARTIFICIAL, equation="1")
_FREE = PhaseOf("reasoning-free-artificial", ARTIFICIAL, equation="2", free=True)
_BOOTSTRAP = PhaseOf("bootstrap", LABELLED, _FREE.name, "3", free=True)


def _phase_ii(begins: str) -> PhaseOf:
    return PhaseOf("pseudo-labelled", UNLABELLED, begins, "5")


def _final(begins: str) -> PhaseOf:
    return PhaseOf("final", LABELLED, begins, "6")


SCHEDULES: dict[str, tuple[PhaseOf, ...]] = {
    "final": (_final(""),),
    "single-phase": (_FREE, _BOOTSTRAP, PhaseOf("all-at-once", ARTIFICIAL + UNLABELLED + LABELLED)),
    "phase-1-final": (_PHASE_I, _final(_PHASE_I.name)),
    "phase-2-final": (_FREE, _BOOTSTRAP, _phase_ii(""), _final("pseudo-labelled")),
    "multi-phase": (_PHASE_I, _FREE, _BOOTSTRAP, _phase_ii(_PHASE_I.name), _final("pseudo-labelled")),
}
NAMES = tuple(dict.fromkeys(phase.name for schedule in SCHEDULES.values() for phase in schedule))


def train_phases(
    recipe: Mapping[str, Any],
    datasets: Sequence[store.Dataset],
    out: str | Path,
    *,
    folds: int | None = None,
    limit: int | None = None,
    kept: Path | None = None,
    where: str = "recipe",
    **options: Any,
) -> Run | Several:
    """Train all phases of the recipe's schedule; gives the last one's run, or its runs on so many folds.

    datasets: the first is the one that people labelled; the others give what the phases need besides. limit: only the
    first so many instances of each part. options: those of `train_on`.
    """
    plan = schedule_of(recipe, where)
    settings = {phase.name: settings_of(recipe, phase, where) for phase in plan}
    answer = recipe.get(ANSWER, HIGHEST)
    if answer not in (HIGHEST, OVER_SHARE):
        raise unknown_name(f"value of {ANSWER}", str(answer), (HIGHEST, OVER_SHARE))
    there = _usable(datasets, plan)
    if folds is not None:
        split_of(datasets[0])  # refuses one without folds before anything is begun
    folder = Path(out)
    _refuse_others(folder)
    course = _Course(
        datasets[0], there, folder, kept or folder / WORK / "kept", limit, answer, {}, where, options
    )
    for phase in plan:
        members: list[int | None] = [*range(folds)] if folds is not None and phase.by_fold else [None]
        for fold in members:
            course.train(phase, settings[phase.name], fold)
        if members != [None] and leads():
            runs = tuple(course.runs[phase.name, fold] for fold in members)
            finish(Several(folder / phase.name, "fold", runs))
    if leads():
        told = Phases(str(recipe[KEY]), [course.told(phase) for phase in plan])
        write_bytes(folder / PHASES, msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
        shutil.rmtree(folder / WORK, ignore_errors=True)
    return load(folder)


def schedule_of(recipe: Mapping[str, Any], where: str) -> tuple[PhaseOf, ...]:
    """The phases that a recipe asks for; a table of one that no schedule has is refused."""
    name = recipe[KEY]
    if name not in SCHEDULES:
        raise unknown_name("schedule", str(name), SCHEDULES)
    given = recipe.get(SETTINGS, {})
    if not isinstance(given, Mapping):
        raise InputError(f"{SETTINGS} is no table", where, "write for example [phase.artificial]")
    named = [*given, *(key.split(".")[1] for key in recipe if key.startswith(f"{SETTINGS}."))]
    for phase in named:
        if phase not in NAMES:
            raise unknown_name("phase", phase, NAMES)
    return SCHEDULES[name]


def settings_of(recipe: Mapping[str, Any], phase: PhaseOf, where: str) -> dict[str, Any]:
    """The recipe of one phase: the schedule's, with what differs in this phase; checked.

    A phase that reads the long answer has no auxiliary loss (section 4.2). `phase.NAME.KEY` of --set comes last.
    """
    of_all = {
        key: value
        for key, value in recipe.items()
        if key not in (KEY, SETTINGS, ANSWER) and not key.startswith(f"{SETTINGS}.")
    }
    own = dict(recipe.get(SETTINGS, {}).get(phase.name, {}))
    prefix = f"{SETTINGS}.{phase.name}."
    own |= {key.removeprefix(prefix): value for key, value in recipe.items() if key.startswith(prefix)}
    view = {"view": FREE, "auxiliary": 0.0} if phase.free else {}
    found = {**of_all, **own, **view}
    configured(found, f"{where}, phase {phase.name}")
    return found


def _refuse_others(folder: Path) -> None:
    known = {*NAMES, PHASES, WORK}
    strange = sorted(
        entry.name
        for entry in (folder.iterdir() if folder.is_dir() else ())
        if entry.name not in known and not (entry.name.startswith(".") and entry.name.endswith(".part"))
    )
    if strange:
        raise InputError(
            f"holds other files ({', '.join(strange[:3])})",
            str(folder),
            "choose an empty or new folder for --out",
        )


def _usable(datasets: Sequence[store.Dataset], plan: Sequence[PhaseOf]) -> Subsets:
    for dataset in datasets:
        demand(dataset.kind, DECISION, str(dataset.folder))
    there = subsets(datasets)
    for subset in sorted({subset for phase in plan for subset in phase.subsets}):
        if not there.ids[subset]:
            raise InputError(
                f"no instance of PQA-{subset}, which the schedule needs",
                ", ".join(str(dataset.folder) for dataset in datasets),
                "name a dataset that has some with --also, or choose another schedule with --set phases=…",
            )
    for why, count in there.left_out.items():
        tell(f"{count:,} {why} and are left out")
    return there


@dataclass(frozen=True, slots=True)
class _Course:
    """What the phases share. answer: see pseudo_labels. runs: (phase, fold) → run."""

    dataset: store.Dataset
    there: Subsets
    folder: Path
    kept: Path
    limit: int | None
    answer: str
    runs: dict[tuple[str, int | None], Run]
    where: str
    options: dict[str, Any]

    def train(self, phase: PhaseOf, settings: dict[str, Any], fold: int | None) -> None:
        """One phase, of one fold; then what it is worth on what it is judged on."""
        own = self.folder / phase.name
        own = own if fold is None else own / f"fold-{fold}"
        tell(f"{own}:")
        view = str(configured(settings, self.where)[1].view)
        labels = self._pseudo_labels(fold) if UNLABELLED in phase.subsets else {}
        parts = self._parts(phase, view, fold, labels)
        run = train_on(
            settings,
            parts,
            own,
            begins=self._of(phase.begins, fold) if phase.begins else None,
            fold=fold,
            where=f"{self.where}, phase {phase.name}",
            **self.options,
        )
        self.runs[phase.name, fold] = run
        judged.judge(run, self._judged_on(phase, view, parts), **self._computing())

    def _of(self, phase: str, fold: int | None) -> Run:
        """The run of a phase that holds for a fold."""
        return self.runs.get((phase, fold)) or self.runs[phase, None]

    def _pseudo_labels(self, fold: int | None) -> dict[str, str]:
        """Equation 4: what the bootstrapped model says of PQA-U, as much of it as is kept."""
        ids = self.there.ids[UNLABELLED]
        run = self._of(_BOOTSTRAP.name, fold)
        part = self._of_subset(UNLABELLED, dict.fromkeys(ids), run.config.view, "unlabelled")
        return pseudo_labels.given(run, part, ids, self._people(fold), self.answer, **self._computing())

    def _people(self, fold: int | None) -> list[str]:
        """People's labels of the training part, whose proportions the pseudo-labels get."""
        ids = set(split_of(self.dataset).train(fold)) if fold is not None else None
        split = "train" if fold is None else store.ALL
        found = store.decisions(self.dataset, split)
        return [i.label for i in found if i.label and i.subset == LABELLED and (ids is None or i.id in ids)]

    def _parts(
        self, phase: PhaseOf, view: str, fold: int | None, labels: Mapping[str, str]
    ) -> list[tuple[Material, Part]]:
        """(train, dev) of a phase; of all three together the dev part is people's."""
        train: dict[str, Mapping[str, str | None]] = {}
        dev: dict[str, Mapping[str, str | None]] = {}
        if ARTIFICIAL in phase.subsets:
            train[ARTIFICIAL], dev[ARTIFICIAL] = map(dict.fromkeys, self.there.parts(ARTIFICIAL))
        if UNLABELLED in phase.subsets:
            train[UNLABELLED], dev[UNLABELLED] = pseudo_labels.divided(labels)
        if LABELLED in phase.subsets:
            train[LABELLED], dev[LABELLED] = map(dict.fromkeys, people_parts(self.dataset, fold))
            dev = {LABELLED: dev[LABELLED]}
        parts = [self._of_subsets(train, view, "train")]
        return parts + ([self._of_subsets(dev, view, "dev")] if any(dev.values()) else [])

    def _judged_on(
        self, phase: PhaseOf, view: str, parts: Sequence[tuple[Material, Part]]
    ) -> Material | None:
        """The test set where people's labels were learned, else the phase's dev part (Tables 5 to 8)."""
        if LABELLED in phase.subsets and self.dataset.rows.get("test"):
            return material(self.dataset, "test", view, limit=self.limit, kept=self.kept)
        return parts[1][0] if len(parts) > 1 else None

    def _of_subsets(
        self, labels: Mapping[str, Mapping[str, str | None]], view: str, name: str
    ) -> tuple[Material, Part]:
        part = of_subsets(self.there, labels, view, name, limit=self.limit, kept=self.kept)
        called = " + ".join(dict.fromkeys(dataset.name for dataset in self.there.datasets))
        fingerprint = hashlib.sha256(
            "\n".join(sorted(ident for own in labels.values() for ident in own)).encode()
        )
        return part, Part(called, part.split, fingerprint.hexdigest(), part.digest, part.rows)

    def _of_subset(self, subset: str, labels: Mapping[str, str | None], view: str, name: str) -> Material:
        return of_subsets(self.there, {subset: labels}, view, name, limit=self.limit, kept=self.kept)

    def _computing(self) -> dict[str, Any]:
        return {key: self.options[key] for key in ("device", "threads") if key in self.options}

    def told(self, phase: PhaseOf) -> dict[str, Any]:
        """What phases.json says of a phase."""
        runs = [run for (name, _), run in self.runs.items() if name == phase.name]
        found = [one for run in runs if (one := judged.read(run.folder)) is not None]
        return {
            "phase": phase.name,
            "equation": phase.equation,
            "subsets": phase.subsets,
            "view": runs[0].facts.view,
            "trained_on": [run.facts.train.rows for run in runs],
            "began": [run.facts.began for run in runs],
            "weights": [run.facts.weights for run in runs],
            **Judged.means(found),
        }
