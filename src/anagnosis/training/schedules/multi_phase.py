"""Train a schedule (phases.py): each phase is a run, which records the weights that it began with.

    OUT/artificial/  OUT/bootstrap/fold-0/ …   a run folder for each phase, or for each fold of a phase
        pseudo-labels-DIGEST.json              {"answered": {"yes": 41, …}, "kept": {…}, "instances": [["1", …], …]}
    OUT/phases.json                            written when all are finished: first weights and scores of each phase

A second call skips finished phases and resumes the interrupted one. Accuracy and macro-F1 are as the authors' program
computes them, over the labels that occur: two in PQA-A, three elsewhere (Tables 5 to 8).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.kinds.table import DECISION, demand, demand_view
from anagnosis.datasets.pubmedqa import pseudo_labels
from anagnosis.datasets.pubmedqa.folds import folds_of
from anagnosis.datasets.pubmedqa.pseudo_labels import HIGHEST
from anagnosis.datasets.pubmedqa.subsets import ARTIFICIAL, LABELLED, UNLABELLED, Subsets, divided, subsets
from anagnosis.datasets.question_keys import as_keys, key_of, keys_of
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.macro_f1 import macro_f1
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.io.folders import FINAL, FURTHER, PHASES, only_writer
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.readers.learning import EPOCHS, Settings, ViewedSplit
from anagnosis.training.phases import (
    BOOTSTRAP,
    FURTHER_FIRST,
    PhaseOf,
    PhaseRecord,
    Phases,
    PhaseScore,
    read_phases,
)
from anagnosis.training.run_files import claim_several
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.run import Replicates, Run, configured, load
from anagnosis.training.schedules.recipe import SCHEDULE, answer_of, plan_of
from anagnosis.training.train import train_on, write_members
from anagnosis.training.training_splits import Part, of_subsets, people_parts, recorded, viewed_split


def train_phases(
    recipe: Mapping[str, Any],
    datasets: Sequence[store.Dataset],
    out: PathLike,
    *,
    folds: int | None = None,
    limit: int | None = None,
    kept: Path | None = None,
    device: str = "auto",
    threads: int | None = None,
    replace: bool = False,
    where: str = "recipe",
) -> Run | Replicates:
    """Train all phases of the recipe's schedule; returns the last phase's run, or its runs on so many folds.

    datasets: the first is the one that people labelled, or that is trained on last; the others hold the further subsets
    that phases need, or are trained on first. limit: only the first so many instances of each part. kept: a folder for
    results that runs share. replace: remove all phases in the folder first. Other arguments: those of `train_on`.
    """
    plan, settings = plan_of(recipe, where)
    configs = {phase: configured(own, where)[1] for phase, own in settings.items()}
    schedule, folder, answer = str(recipe[SCHEDULE]), Path(out), answer_of(recipe)
    further: dict[str, list[Part]] = {}
    if schedule == FURTHER_FIRST:
        if folds is not None:
            raise InputError("folds are of PubMedQA's schedules", "--folds", "leave --folds out")
        further = _further_parts(datasets, configs[plan[-1].name], limit, kept, where)
        there = subsets(())
    else:
        there = _usable(datasets, plan, with_folds=folds is not None)
    of = _PubMedQA(datasets[0], there, answer, limit, kept, device, threads)
    with only_writer(folder):
        claim_several(folder, "phase", replace=replace)
        if (folder / PHASES).exists() and (holds := read_phases(folder).schedule) != schedule:
            remedy = "choose another folder for --out, or give --replace"
            raise InputError(f"holds the schedule {holds}", str(folder), remedy)
        # A phase on PQA-A alone uses no labels of people, nor of a model that was trained on them.
        by_fold = [phase for phase in plan if folds is not None and phase.subsets != ARTIFICIAL]
        for phase in by_fold:
            claim_several(folder / phase.name, "fold")
        records: list[PhaseRecord] = []
        for phase in plan:
            members: list[int | None] = [*range(folds or 0)] if phase in by_fold else [None]
            reached: list[PhaseScore | None] = []
            for fold in members:
                run_folder = folder / phase.name / ("" if fold is None else f"fold-{fold}")
                print_note(f"{run_folder}:")
                view = configs[phase.name].view
                parts = further[phase.name] if further else of.parts(phase, view, fold)
                run = of.runs[phase.name, fold] = train_on(
                    settings[phase.name],
                    parts,
                    run_folder,
                    begins=of.run(phase.begins, fold) if phase.begins else None,
                    fold=fold,
                    device=device,
                    threads=threads,
                    where=f"{where}, phase {phase.name}",
                )
                reached.append(None if further else of.score(run, phase, parts))
            runs = [of.runs[phase.name, fold] for fold in members]
            if phase in by_fold:
                write_members(folder / phase.name, "fold", len(runs))
            record = PhaseRecord(
                phase=phase.name,
                equation=phase.equation,
                subsets=phase.subsets,
                view=configs[phase.name].view,
                trained_on=[run.facts.train.rows for run in runs],
                began=[run.facts.began for run in runs],
                weights=[run.facts.weights for run in runs],
                reached=[score for score in reached if score is not None],
                pseudo_labels=[of.counts[fold] for fold in members if UNLABELLED in phase.subsets],
            )
            records.append(record)
        auxiliary = bool(settings[plan[-1].name].get("auxiliary"))
        write_json(folder / PHASES, Phases(schedule, records, where, auxiliary))
    return load(folder)


@dataclass(frozen=True, slots=True)
class _PubMedQA:
    """dataset: the one that people labelled. there: all datasets by subset. answer: how a model answers PQA-U.

    runs: (phase, fold) → run. counts: fold → counts of the pseudo-labels.
    """

    dataset: store.Dataset
    there: Subsets
    answer: str
    limit: int | None
    kept: Path | None
    device: str
    threads: int | None
    runs: dict[tuple[str, int | None], Run] = field(default_factory=dict[tuple[str, "int | None"], Run])
    counts: dict[int | None, dict[str, dict[str, int]]] = field(default_factory=dict[Any, Any])

    def run(self, phase: str, fold: int | None) -> Run:
        """The run of a phase for a fold; phases that do not differ by fold have one run for all."""
        return self.runs.get((phase, fold)) or self.runs[phase, None]

    def parts(self, phase: PhaseOf, view: str, fold: int | None) -> list[Part]:
        """(train, dev) of a phase. If it trains on all three subsets, the dev part has people's labels alone."""
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
        named = [("train", train), *([("dev", dev)] if any(dev.values()) else [])]
        return [of_subsets(self.there, own, view, name, self.limit, self.kept) for name, own in named]

    def score(self, run: Run, phase: PhaseOf, parts: Sequence[Part]) -> PhaseScore | None:
        """On the test set if the phase trains on people's labels, else on its dev part (Tables 5 to 8)."""
        if LABELLED in phase.subsets and self.dataset.sizes.get("test"):
            part = viewed_split(self.dataset, "test", run.facts.view, limit=self.limit, kept=self.kept)
        elif len(parts) > 1:
            part = parts[1][0]
        else:
            return None
        scores = self._scores(run, part, f"{run.reader} on {part.name}")
        pairs = [
            (posed.answer, int(np.argmax(own)))
            for posed, own in zip(part.viewed(), scores, strict=True)
            if posed.answer is not None
        ]
        if not pairs:
            return None
        gold, predicted = np.array(pairs).T
        name = "test" if part.name == "test" else f"{part.name} of PQA-{part.split}"
        accuracy = float((gold == predicted).mean())
        return PhaseScore(name, len(gold), accuracy, macro_f1(gold, predicted, len(LABELS)))

    def _scores(self, run: Run, part: ViewedSplit, title: str) -> list[list[float]]:
        return [*Answering(run, self.device, self.threads).log_probabilities(part, title)]

    def _pseudo_labels(self, fold: int | None) -> dict[str, str]:
        """Equation 4: the kept labels that the bootstrapped model gives PQA-U, in people's proportions.

        Read from the run folder if they are there.
        """
        ids, run = self.there.ids[UNLABELLED], self.run(BOOTSTRAP.name, fold)
        labels = {UNLABELLED: dict.fromkeys(ids)}
        part, _ = of_subsets(self.there, labels, run.config.view, "unlabelled", self.limit, self.kept)
        among = set(people_parts(self.dataset, fold)[0])
        instances = store.instances(self.dataset, "train", of=DecisionInstance)
        people = Counter(i.label for i in instances if i.label and i.subset == LABELLED and i.id in among)
        digest = hashlib.sha256(repr((part.digest, sorted(people.items()), self.answer)).encode()).hexdigest()
        path = run.folder / f"pseudo-labels-{digest[:16]}.json"
        if path.exists():
            pseudo = read_json(path, _Pseudo, "remove that file")
        else:
            every = [posed.id for posed in part.viewed()]
            scores = np.array(self._scores(run, part, "pseudo-labels"))
            chosen = pseudo_labels.choose(scores, [people[label] for label in LABELS], self.answer)
            rows = zip(chosen.rows.tolist(), chosen.labels.tolist(), strict=True)
            pseudo = _Pseudo(
                dict(zip(LABELS, chosen.answered, strict=True)),
                dict(zip(LABELS, chosen.kept, strict=True)),
                [(every[row], LABELS[label], float(np.exp(scores[row, label]))) for row, label in rows],
            )
            write_json(path, pseudo)
        summary = ", ".join(
            f"{pseudo.kept[label]:,} of {pseudo.answered[label]:,} {label}" for label in LABELS
        )
        if not pseudo.instances:
            missing = " or ".join(label for label in LABELS if people[label] and not pseudo.answered[label])
            raise InputError(
                f"nothing can be labelled in people's proportions: the model never answers {missing} ({summary})",
                str(run.folder),
                ("take --set pseudo_answer=over-share, or " if self.answer == HIGHEST else "")
                + "remove this folder and train it longer with --set phase.bootstrap.epochs=…",
            )
        print_note(f"pseudo-labels: {summary} kept")
        self.counts[fold] = {"answered": pseudo.answered, "kept": pseudo.kept}
        own = {ident: label for ident, label, _ in pseudo.instances}
        return {ident: own[ident] for ident in ids if ident in own}


class _Pseudo(msgspec.Struct, frozen=True):
    """Pseudo-labels. answered, kept: counts of each label. instances: (id, label, confidence) of the kept ones."""

    answered: dict[str, int]
    kept: dict[str, int]
    instances: list[tuple[str, str, float]]


def _usable(datasets: Sequence[store.Dataset], plan: Sequence[PhaseOf], *, with_folds: bool) -> Subsets:
    """The datasets by subset. InputError: a phase lacks its subset, or the first has nothing that people labelled."""
    if with_folds:
        folds_of(datasets[0])  # it refuses a dataset without folds
    for dataset in datasets:
        demand(dataset.kind, DECISION, str(dataset.folder))
    there = subsets(datasets)
    for subset in sorted({subset for phase in plan for subset in phase.subsets}):
        if not there.ids[subset]:
            what = f"no instance of PQA-{subset}, which the schedule needs"
            remedy = (
                "name a dataset that has some with --also, or choose another schedule with --set phases=…"
            )
            raise InputError(what, ", ".join(str(dataset.folder) for dataset in datasets), remedy)
    if not with_folds and not people_parts(datasets[0], None)[0]:
        what, remedy = "its train part has no question that people labelled", "name the others with --also"
        raise InputError(what, str(datasets[0].folder), f"--data is the dataset that they labelled; {remedy}")
    for why, count in there.left_out.items():
        print_note(f"{count:,} {why} and are left out")
    return there


def _further_parts(
    datasets: Sequence[store.Dataset], config: Settings, limit: int | None, kept: Path | None, where: str
) -> dict[str, list[Part]]:
    """Phase → its (train, dev): the second dataset first, without what the first holds out, then the first itself.

    config: of the last phase. limit: only the first so many instances of each part.
    """
    if len(datasets) != 2:
        raise InputError("needs one further dataset", where, "name it with --also")
    dataset, further = datasets
    part = partial(recorded, view_name=config.view, limit=limit, kept=kept)
    demand_view(further.kind, config.view, str(further.folder))
    first = part(further, "train", ids=_allowed(further, dataset))
    judged = config.stop != EPOCHS or dataset.sizes.get("dev")
    dev = [part(dataset, "dev")] if judged else []
    return {FURTHER: [first, *dev], FINAL: [part(dataset, "train"), *dev]}


def _allowed(further: store.Dataset, dataset: store.Dataset) -> frozenset[str]:
    """Ids of the train part of a further dataset, without questions that the dataset holds out.

    These are those of its dev and test parts, by their ids and by their twins (question_keys.py).
    """
    if not further.sizes.get("train"):
        raise InputError("has no train part", str(further.folder), "import it without --split")
    held_out = [split for split, rows in dataset.sizes.items() if split != "train" and rows]
    keys = np.concatenate([as_keys(()), *(keys_of(dataset, split) for split in held_out)])
    ids = {ident for split in held_out for ident, _ in store.ids_and_keys(dataset, split)}
    questions = [(instance.id, key_of(instance)) for instance in store.instances(further, "train")]
    twins = np.isin(as_keys(key for _, key in questions), keys).tolist()
    left = frozenset(i for (i, _), twin in zip(questions, twins, strict=True) if not twin and i not in ids)
    what = f"{len(questions) - len(left):,} of {len(questions):,} questions are held out, or twins of such"
    if not left:
        raise InputError(what, str(further.folder), "name another with --also")
    print_note(f"{further.folder}: {what}, and are dropped")
    return left
