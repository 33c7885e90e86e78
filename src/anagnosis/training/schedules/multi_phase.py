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
from anagnosis.datasets.pubmedqa.folds import folds_of
from anagnosis.datasets.pubmedqa.subsets import ARTIFICIAL, LABELLED, UNLABELLED, Subsets, divided, subsets
from anagnosis.errors import InputError
from anagnosis.io.files import write_json
from anagnosis.io.folders import PHASES, only_writer
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.readers.learning import ViewedSplit
from anagnosis.training.phases import (
    BOOTSTRAP,
    FURTHER_FIRST,
    PhaseOf,
    PhaseRecord,
    Phases,
    beside,
    claim_phases,
)
from anagnosis.training.replicates import MEMBERS, finish
from anagnosis.training.run_files import claim_several
from anagnosis.training.runs.run import Replicates, Run, TrainedSplit, configured, load
from anagnosis.training.schedules import phase_results
from anagnosis.training.schedules.further_first import Parts, further_parts
from anagnosis.training.schedules.recipe import SCHEDULE, answer_of, plan_of
from anagnosis.training.train import train_on
from anagnosis.training.training_splits import fingerprint, of_subsets, people_parts, viewed_split


@dataclass(frozen=True, slots=True, kw_only=True)
class _Course:
    """The phases of a training. parts: phase → its (train, dev), where they are known before the training.

    runs: (phase, fold) → run. counts: fold → counts of the pseudo-labels. computing: device and threads. Of PubMedQA:
    dataset: the one that people labelled. there: all datasets by subset. answer: see phase_results.labels_by.
    """

    dataset: store.Dataset
    limit: int | None
    kept: Path
    computing: dict[str, Any]
    parts: dict[str, Parts] = field(default_factory=dict[str, Parts])
    there: Subsets = field(default_factory=lambda: subsets(()))
    answer: str = ""
    runs: dict[tuple[str, int | None], Run] = field(default_factory=dict[tuple[str, "int | None"], Run])
    counts: dict[int | None, dict[str, dict[str, int]]] = field(default_factory=dict[Any, Any])

    def run_of(self, phase: str, fold: int | None) -> Run:
        """The run of a phase for a fold; phases that do not differ by fold have one run for all."""
        return self.runs.get((phase, fold)) or self.runs[phase, None]

    def parts_of(self, phase: PhaseOf, view: str, fold: int | None) -> Parts:
        """(train, dev) of a phase. If it trains on all three subsets, the dev part has people's labels alone."""
        if self.parts:
            return self.parts[phase.name]
        train: dict[str, Mapping[str, str | None]] = {}
        dev: dict[str, Mapping[str, str | None]] = {}
        if ARTIFICIAL in phase.subsets:
            train[ARTIFICIAL], dev[ARTIFICIAL] = map(dict.fromkeys, self.there.parts(ARTIFICIAL))
        if UNLABELLED in phase.subsets:
            labels = self._pseudo_labels(fold)
            train[UNLABELLED], dev[UNLABELLED] = (
                {ident: labels[ident] for ident in ids} for ids in divided(tuple(labels))
            )
        if LABELLED in phase.subsets:
            train[LABELLED], people_dev = map(dict.fromkeys, people_parts(self.dataset, fold))
            dev = {LABELLED: people_dev}
        parts = [self._of_subsets(train, view, "train")]
        return parts + ([self._of_subsets(dev, view, "dev")] if any(dev.values()) else [])

    def judged_on(self, phase: PhaseOf, view: str, parts: Parts) -> ViewedSplit | None:
        """The test set if the phase trains on people's labels, else its dev part (Tables 5 to 8)."""
        if self.parts:
            return None
        if LABELLED in phase.subsets and self.dataset.sizes.get("test"):
            return viewed_split(self.dataset, "test", view, limit=self.limit, kept=self.kept)
        return parts[1][0] if len(parts) > 1 else None

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

    def _pseudo_labels(self, fold: int | None) -> dict[str, str]:
        """Equation 4: the kept labels that the bootstrapped model gives PQA-U.

        Labels get the proportions of people's in the training part.
        """
        ids, run = self.there.ids[UNLABELLED], self.run_of(BOOTSTRAP.name, fold)
        labels = {UNLABELLED: dict.fromkeys(ids)}
        part = of_subsets(self.there, labels, run.config.view, "unlabelled", limit=self.limit, kept=self.kept)
        known, _ = people_parts(self.dataset, fold)
        among, instances = set(known), store.instances(self.dataset, "train", of=DecisionInstance)
        people = [i.label for i in instances if i.label and i.subset == LABELLED and i.id in among]
        labelled = phase_results.labels_by(run, part, people, self.answer, **self.computing)
        self.counts[fold] = labelled.counts()
        return labelled.of(ids)

    def _of_subsets(
        self, labels: Mapping[str, Mapping[str, str | None]], view: str, name: str
    ) -> tuple[ViewedSplit, TrainedSplit]:
        part = of_subsets(self.there, labels, view, name, limit=self.limit, kept=self.kept)
        names = " + ".join(dict.fromkeys(source.name for source in self.there.sources(labels)))
        of = fingerprint([ident for subset_labels in labels.values() for ident in subset_labels])
        return part, TrainedSplit(names, part.split, of, part.digest, part.rows)


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
    folder, kept = Path(out), kept or beside(out)
    computing = {key: options[key] for key in ("device", "threads") if key in options}
    given: dict[str, Any] = {"dataset": datasets[0], "limit": limit, "kept": kept, "computing": computing}
    if recipe[SCHEDULE] == FURTHER_FIRST:
        if folds is not None:
            raise InputError("folds are of PubMedQA's schedules", "--folds", "leave --folds out")
        config = configured(settings[plan[-1].name], where)[1]
        course = _Course(**given, parts=further_parts(datasets, config, limit, kept, where))
    else:
        if folds is not None:
            folds_of(datasets[0])  # first: it refuses a dataset without folds
        there = _usable(datasets, plan, with_folds=folds is not None)
        course = _Course(**given, there=there, answer=answer_of(recipe))
    with only_writer(folder):
        claim_phases(folder, str(recipe[SCHEDULE]), replace=replace)
        by_fold = [phase for phase in plan if folds is not None and phase.by_fold]
        for phase in by_fold:
            claim_several(folder / phase.name, MEMBERS["fold"])
        for phase in plan:
            members: list[int | None] = [*range(folds or 0)] if phase in by_fold else [None]
            for fold in members:
                run_folder = folder / phase.name / ("" if fold is None else f"fold-{fold}")
                print_note(f"{run_folder}:")
                view = str(configured(settings[phase.name], where)[1].view)
                parts = course.parts_of(phase, view, fold)
                run = train_on(
                    settings[phase.name],
                    parts,
                    run_folder,
                    begins=course.run_of(phase.begins, fold) if phase.begins else None,
                    fold=fold,
                    where=f"{where}, phase {phase.name}",
                    **options,
                )
                course.runs[phase.name, fold] = run
                phase_results.judge(run, course.judged_on(phase, view, parts), **computing)
            if phase in by_fold:
                runs = tuple(course.runs[phase.name, fold] for fold in members)
                finish(Replicates(folder / phase.name, "fold", runs))
        auxiliary = bool(settings[plan[-1].name].get("auxiliary"))
        phases = Phases(str(recipe[SCHEDULE]), [course.record(phase) for phase in plan], where, auxiliary)
        write_json(folder / PHASES, phases)
    return load(folder)


def _usable(datasets: Sequence[store.Dataset], plan: Sequence[PhaseOf], *, with_folds: bool) -> Subsets:
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
    if not with_folds and not people_parts(datasets[0], None)[0]:
        raise InputError(
            "its train part has no question that people labelled",
            str(datasets[0].folder),
            "--data is the dataset that they labelled; give the others with --also",
        )
    for why, count in there.left_out.items():
        print_note(f"{count:,} {why} and are left out")
    return there
