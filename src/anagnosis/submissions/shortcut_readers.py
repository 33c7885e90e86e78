"""Readers that do not read, run on a split: what can be had without reading.

The basic baselines of BIOMRC (section 3.1), and three that only count over the train part, never over what they are
tested on: the words of the question alone, how often an entity is the answer, and the rank at which the answer most
often stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.shortcuts import card
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.paired import DRAWS
from anagnosis.evaluation.results import Entered, Results, shown_split, views_of
from anagnosis.evaluation.scoring import credits_of_runs
from anagnosis.evaluation.shortcuts import Floats, ShortcutReader, shortcuts
from anagnosis.evaluation.systems import distinct_names
from anagnosis.progress import Progress
from anagnosis.readers.predict import Reader, make_reader
from anagnosis.readers.ties import credit

NAMES = (
    "first-entity",
    "last-entity",
    "most-frequent-entity",
    "most-frequent-unless-alone",
    "neighbour-overlap",
    "question-words",
    "entity-prior",
    "best-position",
)


def shortcut_readers(dataset: Dataset, split: str, *, view: str = "global") -> list[ShortcutReader]:
    """All of NAMES on a split, in one pass over it. view: "local" leaves those undefined that need identity."""
    view = "local" if dataset.numbering == "local" else view
    ready: dict[str, Reader] = {}
    undefined: dict[str, str] = {}
    for name in NAMES:
        try:
            ready[name] = make_reader(name, view=view, training=lambda: _train_part(dataset, split))
        except InputError as fault:
            undefined[name] = fault.what
    credits = _credits(dataset, split, ready)
    return [ShortcutReader(name, credits.get(name), undefined.get(name, "")) for name in NAMES]


def with_shortcuts(results: Results, dataset: Dataset, entered: Mapping[str, Entered]) -> Results:
    """The results with what these readers reach where systems are tested, and each system's gain over the best."""
    settings = results.settings
    shown = entered[shown_split(entered)]
    views = views_of(view for own in entered.values() for view in own.views)
    systems = {view: shown.of(view) for view in views if len(views) == 1 or view in shown.views}
    found = shortcuts(
        shown.gold,
        card({split: store.instances(dataset, split, of=ClozeInstance) for split in dataset.rows}),
        shortcut_readers(dataset, shown.gold.split, view=settings.view or "global"),
        {
            view: {
                name: credits_of_runs(shown.gold, each, protocol=settings.protocol)
                for name, each in zip(distinct_names(own), own, strict=True)
            }
            for view, own in systems.items()
        },
        protocol=settings.protocol,
        unit=settings.unit,
        seed=settings.seed or 0,
        draws=settings.draws or DRAWS,
        view=settings.view,
    )
    return replace(results, shortcuts=found)


def _credits(dataset: Dataset, split: str, ready: Mapping[str, Reader]) -> dict[str, Floats]:
    found: dict[str, list[float]] = {name: [] for name in ready}
    with Progress(f"shortcuts on {split}", dataset.size(split), "instances") as progress:
        for instance in store.instances(dataset, split, of=ClozeInstance):
            if instance.answer is not None:
                for name, score in ready.items():
                    found[name].append(credit(list(score(instance)), instance.answer))
            progress.advance()
    return {name: np.array(credits, np.float64) for name, credits in found.items()}


def _train_part(dataset: Dataset, split: str) -> Iterator[ClozeInstance]:
    if "train" not in dataset.rows:
        raise InputError("the dataset has no train part to count in", str(dataset.folder))
    if split == "train":
        raise InputError("it would be tested on what it was fitted on", "split train")
    return store.instances(dataset, "train", of=ClozeInstance)
