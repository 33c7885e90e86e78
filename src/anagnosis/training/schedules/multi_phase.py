"""Train a schedule (phases.py): each phase is a run, which records the weights that it began with.

    OUT/artificial/  OUT/bootstrap/fold-0/ …   a run folder for each phase, or for each fold of a phase
    OUT/phases.json                            written when all are finished: first weights and scores of each phase

A second call skips finished phases and resumes the interrupted one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.kinds.table import DECISION, demand
from anagnosis.datasets.pubmedqa.folds import OfficialSplit, folds_of
from anagnosis.datasets.pubmedqa.subsets import ARTIFICIAL, LABELLED, UNLABELLED, Subsets, subsets
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.readers.learning import ViewedSplit
from anagnosis.training.phases import (
    BOOTSTRAP,
    FURTHER_FIRST,
    PhaseOf,
    PhaseRecord,
    Phases,
    claim_phases,
    finish_phases,
)
from anagnosis.training.replicates import finish
from anagnosis.training.run_files import WORK
from anagnosis.training.runs.run import Replicates, Run, TrainedSplit, configured, load
from anagnosis.training.schedules import phase_results
from anagnosis.training.schedules.further_first import Parts, further_parts
from anagnosis.training.schedules.recipe import SCHEDULE, answer_of, plan_of
from anagnosis.training.train import train_on
from anagnosis.training.training_splits import fingerprint, of_subsets, people_parts, viewed_split


def train_phases(
    recipe: Mapping[str, Any],
    datasets: Sequence[store.Dataset],
    out: PathLike,
    *,
    folds: int | None = None,
    limit: int | None = None,
    kept: Path | None = None,
    where: str = "recipe",
    replace: bool = False,
    **options: Any,
) -> Run | Replicates:
    """Train all phases of the recipe's schedule; returns the last phase's run, or its runs on so many folds.

    datasets: the first is the one that people labelled, or that is trained on last; the others hold the further subsets
    that phases need, or are trained on first. limit: only the first so many instances of each part. replace: remove all
    phases in the folder first. where: the recipe's name, for errors. options: those of `train_on`.
    """
    plan, settings = plan_of(recipe, where)
    folder = Path(out)
    kept = kept or folder / WORK / "kept"
    common: dict[str, Any] = {"folder": folder, "where": where, "options": options}
    if recipe[SCHEDULE] == FURTHER_FIRST:
        if folds is not None:
            raise InputError("folds are of PubMedQA's schedules", "--folds", "leave --folds out")
        config = configured(settings[plan[-1].name], where)[1]
        parts = further_parts(datasets, config, limit, kept, where)
        course = _Course(parts=parts, **common)
    else:
        answer = answer_of(recipe)
        split = folds_of(datasets[0]) if folds is not None else None
        there = _usable(datasets, plan, split)
        course = _OfPubMedQA(
            dataset=datasets[0], split=split, there=there, kept=kept, limit=limit, answer=answer, **common
        )
    claim_phases(folder, str(recipe[SCHEDULE]), plan, folds, replace=replace)
    for phase in plan:
        members: list[int | None] = [*range(folds)] if folds is not None and phase.by_fold else [None]
        for fold in members:
            course.train(phase, settings[phase.name], fold)
        if members != [None]:
            runs = tuple(course.runs[phase.name, fold] for fold in members)
            finish(Replicates(folder / phase.name, "fold", runs))
    auxiliary = bool(settings[plan[-1].name].get("auxiliary"))
    phases = Phases(str(recipe[SCHEDULE]), [course.record(phase) for phase in plan], where, auxiliary)
    finish_phases(folder, phases)
    return load(folder)


def _usable(
    datasets: Sequence[store.Dataset], plan: Sequence[PhaseOf], split: OfficialSplit | None
) -> Subsets:
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
    if split is None and not people_parts(datasets[0], None)[0]:
        raise InputError(
            "its train part has no question that people labelled",
            str(datasets[0].folder),
            "--data is the dataset that they labelled; give the others with --also",
        )
    for why, count in there.left_out.items():
        print_note(f"{count:,} {why} and are left out")
    return there


@dataclass(frozen=True, slots=True, kw_only=True)
class _Course:
    """The phases of a training. parts: phase → its (train, dev), where they are known before the training.

    runs: (phase, fold) → run. counts: fold → counts of the pseudo-labels.
    """

    folder: Path
    where: str
    options: dict[str, Any]
    parts: dict[str, Parts] = field(default_factory=dict[str, Parts])
    runs: dict[tuple[str, int | None], Run] = field(default_factory=dict[tuple[str, "int | None"], Run])
    counts: dict[int | None, dict[str, dict[str, int]]] = field(default_factory=dict[Any, Any])

    def train(self, phase: PhaseOf, settings: dict[str, Any], fold: int | None) -> None:
        """Train one phase on one fold, then evaluate it."""
        run_folder = self.folder / phase.name
        run_folder = run_folder if fold is None else run_folder / f"fold-{fold}"
        print_note(f"{run_folder}:")
        view = str(configured(settings, self.where)[1].view)
        parts = self.parts_of(phase, view, fold)
        run = train_on(
            settings,
            parts,
            run_folder,
            begins=self.run_of(phase.begins, fold) if phase.begins else None,
            fold=fold,
            where=f"{self.where}, phase {phase.name}",
            **self.options,
        )
        self.runs[phase.name, fold] = run
        on = self.judged_on(phase, view, parts)
        phase_results.judge(run, on, **self.computing())

    def parts_of(self, phase: PhaseOf, view: str, fold: int | None) -> Parts:
        """(train, dev) of a phase."""
        return self.parts[phase.name]

    def judged_on(self, phase: PhaseOf, view: str, parts: Parts) -> ViewedSplit | None:
        """The part that gives the phase's scores; None for none."""
        return None

    def run_of(self, phase: str, fold: int | None) -> Run:
        """The run of a phase for a fold; phases that do not differ by fold have one run for all."""
        return self.runs.get((phase, fold)) or self.runs[phase, None]

    def computing(self) -> dict[str, Any]:
        return {key: self.options[key] for key in ("device", "threads") if key in self.options}

    def record(self, phase: PhaseOf) -> PhaseRecord:
        """The entry of a phase in phases.json."""
        runs = [run for (name, _), run in self.runs.items() if name == phase.name]
        return PhaseRecord(
            phase=phase.name,
            equation=phase.equation,
            subsets=phase.subsets,
            view=runs[0].facts.view,
            trained_on=[run.facts.train.rows for run in runs],
            began=[run.facts.began for run in runs],
            weights=[run.facts.weights for run in runs],
            reached=[scores for run in runs if (scores := phase_results.scores_of(run.folder)) is not None],
            pseudo_labels=[self.counts[run.facts.fold] for run in runs if UNLABELLED in phase.subsets],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfPubMedQA(_Course):
    """split: the authors' folds, None without folds. there: by subset. answer: see phase_results.labels_by."""

    dataset: store.Dataset
    split: OfficialSplit | None
    there: Subsets
    kept: Path
    limit: int | None
    answer: str

    def _pseudo_labels(self, fold: int | None) -> dict[str, str]:
        """Equation 4: the kept labels that the bootstrapped model gives PQA-U."""
        ids = self.there.ids[UNLABELLED]
        run = self.run_of(BOOTSTRAP.name, fold)
        part = self._viewed_split({UNLABELLED: dict.fromkeys(ids)}, run.config.view, "unlabelled")
        people = self._people(fold)
        labelled = phase_results.labels_by(run, part, people, self.answer, **self.computing())
        self.counts[fold] = labelled.counts()
        return labelled.of(ids)

    def _people(self, fold: int | None) -> list[str]:
        """People's labels of the training part, whose proportions the pseudo-labels get."""
        ids = set(self._people_parts(fold)[0])
        instances = store.instances(self.dataset, "train", of=DecisionInstance)
        return [i.label for i in instances if i.label and i.subset == LABELLED and i.id in ids]

    def _people_parts(self, fold: int | None) -> tuple[Sequence[str], Sequence[str]]:
        if self.split is None or fold is None:
            return people_parts(self.dataset, None)
        return self.split.train(fold), self.split.folds[fold]

    def parts_of(self, phase: PhaseOf, view: str, fold: int | None) -> Parts:
        """(train, dev) of a phase. If it trains on all three subsets, the dev part has people's labels alone."""
        train: dict[str, Mapping[str, str | None]] = {}
        dev: dict[str, Mapping[str, str | None]] = {}
        if ARTIFICIAL in phase.subsets:
            train[ARTIFICIAL], dev[ARTIFICIAL] = map(dict.fromkeys, self.there.parts(ARTIFICIAL))
        if UNLABELLED in phase.subsets:
            train[UNLABELLED], dev[UNLABELLED] = phase_results.divided(self._pseudo_labels(fold))
        if LABELLED in phase.subsets:
            train[LABELLED], dev[LABELLED] = map(dict.fromkeys, self._people_parts(fold))
            dev = {LABELLED: dev[LABELLED]}
        parts = [self._of_subsets(train, view, "train")]
        return parts + ([self._of_subsets(dev, view, "dev")] if any(dev.values()) else [])

    def judged_on(self, phase: PhaseOf, view: str, parts: Parts) -> ViewedSplit | None:
        """The test set if the phase trains on people's labels, else its dev part (Tables 5 to 8)."""
        if LABELLED in phase.subsets and self.dataset.sizes.get("test"):
            return viewed_split(self.dataset, "test", view, limit=self.limit, kept=self.kept)
        return parts[1][0] if len(parts) > 1 else None

    def _of_subsets(
        self, labels: Mapping[str, Mapping[str, str | None]], view: str, name: str
    ) -> tuple[ViewedSplit, TrainedSplit]:
        part = self._viewed_split(labels, view, name)
        names = " + ".join(dict.fromkeys(source.name for source in self.there.sources(labels)))
        of = fingerprint([ident for subset_labels in labels.values() for ident in subset_labels])
        return part, TrainedSplit(names, part.split, of, part.digest, part.rows)

    def _viewed_split(
        self, labels: Mapping[str, Mapping[str, str | None]], view: str, name: str
    ) -> ViewedSplit:
        return of_subsets(self.there, labels, view, name, limit=self.limit, kept=self.kept)
