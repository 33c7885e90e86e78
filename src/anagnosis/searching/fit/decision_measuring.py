"""Macro-F1 of a reader of decisions as `ask` uses it, on questions that it was not trained on.

These are the dataset's test questions, answered by the mean of all runs. If there are none, or the runs were trained on
them, each run answers the development questions of its training, and replicates of folds those of their fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from anagnosis.calibration.held_out import DEV, MACRO_F1, TEST, HeldOut
from anagnosis.calibration.parameters import FORMAT, write
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance, posed
from anagnosis.datasets.question_keys import as_keys, key_of
from anagnosis.evaluation.classes import macro_f1_interval
from anagnosis.evaluation.measures.macro_f1 import macro_f1
from anagnosis.searching.answers.deciding import Decider, load_decider
from anagnosis.training.runs.provenance import provenance_of
from anagnosis.training.runs.run import Run, load
from anagnosis.training.training_splits import people_parts

if TYPE_CHECKING:
    from collections.abc import Collection


def measure(
    folder: Path, dataset: store.Dataset, device: str = "auto", threads: int | None = None
) -> HeldOut | None:
    """Measure a run folder or a folder of replicates, and store the score there.

    None if the dataset has no labelled question that the runs were not trained on.
    """
    loaded = load(folder)
    runs = loaded.runs
    decider_of_all = load_decider(loaded.folder, device, threads)
    part, groups = TEST, [(decider_of_all, _new(_labelled(dataset, TEST), runs))]
    if not groups[0][1]:
        part, groups = DEV, list(_development(decider_of_all, runs, dataset))
    truth, answers = list[int](), list[int]()
    for decider, instances in groups:
        if instances:
            shown = [posed(one, decider.view) for one in instances]
            answers += decider.probabilities(shown).argmax(axis=1).tolist()
            truth += [LABELS.index(one.label or "") for one in instances]
    if not truth:
        return None
    gold, predicted = np.array(truth, np.int64), np.array(answers, np.int64)
    interval = macro_f1_interval(gold, predicted, len(LABELS))
    commonest = np.full_like(gold, np.bincount(gold).argmax())
    made = HeldOut(
        FORMAT,
        loaded.digests,
        MACRO_F1,
        round(macro_f1(gold, predicted, len(LABELS)), 6),
        round(interval.low, 6),
        round(interval.high, 6),
        round(macro_f1(gold, commonest, len(LABELS)), 6),
        len(gold),
        dataset.name,
        part,
    )
    write(loaded.folder, made)
    return made


def _development(
    decider_of_all: Decider, runs: Sequence[Run], dataset: store.Dataset
) -> Iterator[tuple[Decider, list[DecisionInstance]]]:
    """(decider, questions): one for each run of folds, one for all runs of seeds."""
    if runs[0].facts.fold is None:
        ids = set(people_parts(dataset, None)[1])
        yield decider_of_all, _new([one for one in _labelled(dataset, DEV) if one.id in ids], runs)
        return
    every = _labelled(dataset, "train")
    for place, run in enumerate(runs):
        ids = set(people_parts(dataset, run.facts.fold)[1])
        yield decider_of_all.alone(place), _new([one for one in every if one.id in ids], [run])


def _labelled(dataset: store.Dataset, split: str) -> list[DecisionInstance]:
    there = store.instances(dataset, split, of=DecisionInstance) if dataset.size(split) else ()
    return [one for one in there if one.label is not None]


def _new(instances: Collection[DecisionInstance], runs: Sequence[Run]) -> list[DecisionInstance]:
    """The instances whose question no run was trained on."""
    keys = as_keys(map(key_of, instances))
    known = [trained.among(keys) for run in runs if (trained := provenance_of(run.folder)) is not None]
    seen = np.any(known, axis=0) if known else np.zeros(len(keys), np.bool_)
    return [one for one, trained_on in zip(instances, seen, strict=True) if not trained_on]
