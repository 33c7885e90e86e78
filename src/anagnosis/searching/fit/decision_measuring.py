"""Macro-F1 of a reader of decisions as `ask` uses it, on questions that it was not trained on.

They are the dataset's test questions, answered by the mean of all runs. Where it has none, or the runs were trained on
them, each run answers the development questions that its training was judged on, of each fold its own.
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
    """Measure a run folder, or one of several runs, and keep the figure there.

    None where the dataset has no labelled question that the runs were not trained on.
    """
    found = load(folder)
    runs = found.runs
    whole = load_decider(found.folder, device, threads)
    part, groups = TEST, [(whole, _new(_labelled(dataset, TEST), runs))]
    if not groups[0][1]:
        part, groups = DEV, list(_development(whole, runs, dataset))
    truth, answers = list[int](), list[int]()
    for decider, asked in groups:
        if asked:
            shown = [posed(one, decider.view) for one in asked]
            answers += decider.probabilities(shown).argmax(axis=1).tolist()
            truth += [LABELS.index(one.label or "") for one in asked]
    if not truth:
        return None
    gold, said = np.array(truth, np.int64), np.array(answers, np.int64)
    interval = macro_f1_interval(gold, said, len(LABELS))
    commonest = np.full_like(gold, np.bincount(gold).argmax())
    made = HeldOut(
        FORMAT,
        found.digests,
        MACRO_F1,
        round(macro_f1(gold, said, len(LABELS)), 6),
        round(interval.low, 6),
        round(interval.high, 6),
        round(macro_f1(gold, commonest, len(LABELS)), 6),
        len(gold),
        dataset.name,
        part,
    )
    write(found.folder, made)
    return made


def _development(
    whole: Decider, runs: Sequence[Run], dataset: store.Dataset
) -> Iterator[tuple[Decider, list[DecisionInstance]]]:
    """(what answers, what it is asked): of folds each run alone, of seeds all together."""
    if runs[0].facts.fold is None:
        own = set(people_parts(dataset, None)[1])
        yield whole, _new([one for one in _labelled(dataset, DEV) if one.id in own], runs)
        return
    every = _labelled(dataset, "train")
    for place, run in enumerate(runs):
        own = set(people_parts(dataset, run.facts.fold)[1])
        yield whole.alone(place), _new([one for one in every if one.id in own], [run])


def _labelled(dataset: store.Dataset, split: str) -> list[DecisionInstance]:
    there = store.instances(dataset, split, of=DecisionInstance) if dataset.size(split) else ()
    return [one for one in there if one.label is not None]


def _new(asked: Collection[DecisionInstance], runs: Sequence[Run]) -> list[DecisionInstance]:
    """Those that no run was trained on, by their words."""
    keys = as_keys(map(key_of, asked))
    known = [trained.among(keys) for run in runs if (trained := provenance_of(run.folder)) is not None]
    seen = np.any(known, axis=0) if known else np.zeros(len(keys), np.bool_)
    return [one for one, trained_on in zip(asked, seen, strict=True) if not trained_on]
