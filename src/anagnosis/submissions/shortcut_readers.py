"""Readers that do not read, run on a split: what can be had without reading.

SHORTCUT_READERS names them by kind. Those that count are fitted on the train part, never on what they are
tested on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from anagnosis.datasets.cloze_statistics import shortcut_card
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.shortcuts import SHORTCUT_READERS
from anagnosis.errors import DamagedError, InputError
from anagnosis.evaluation.results import Results, SplitSystems, shown_split
from anagnosis.evaluation.shortcuts import shortcuts
from anagnosis.io.counts import Counts
from anagnosis.predictions.annotators import Matched, Matching
from anagnosis.progress import Progress
from anagnosis.readers.predict import EVERY, Reader, counts, make_reader, prediction


def shortcut_readers(dataset: Dataset, gold: Gold, *, view: str = "global") -> dict[str, Matched | str]:
    """All that the dataset's kind names, on the split of its gold side, in one pass over it.

    Name → its answers, or why it is undefined. view: "local" leaves those undefined that need identity.
    Refused (InputError): a kind without such readers, a split on which none is defined.
    """
    names = SHORTCUT_READERS[dataset.kind.name]
    view = "local" if dataset.numbering == "local" else view
    ready, undefined = dict[str, Reader](), dict[str, str]()
    for name in names:
        try:
            training = partial(_counted, dataset, gold.split, name)
            ready[name] = make_reader(name, view=view, training=training)
        except DamagedError:
            raise
        except InputError as fault:
            undefined[name] = fault.what
    if not ready:
        reasons = "; ".join(f"{name}: {why}" for name, why in undefined.items())
        what = f"no reader can answer without reading here ({reasons})"
        raise InputError(what, str(dataset.folder), "choose another split, or a dataset with a train part")
    matchings = {name: Matching(gold) for name in ready}
    with Progress(f"shortcuts on {gold.split}", len(gold), "instances") as progress:
        for row, instance in enumerate(store.instances(dataset, gold.split)):
            keys = dataset.kind.keys(instance)
            for name, score in ready.items():
                scores = [*map(float, score(instance))]
                matchings[name].add(row, prediction(instance.id, scores, keys), keys)
            progress.advance()
    return {
        name: matchings[name].matched(name, Counts()) if name in ready else undefined[name] for name in names
    }


def with_shortcuts(results: Results, dataset: Dataset, entered: Mapping[str, SplitSystems]) -> Results:
    """The results with what these readers reach where systems are tested."""
    settings = results.settings
    shown = entered[shown_split(entered)]
    made = shortcuts(
        shown.gold,
        shortcut_card(dataset) if dataset.kind.entities else (),
        shortcut_readers(dataset, shown.gold, view=settings.view or "global"),
        measures=settings.measures,
        unit=settings.unit,
        view=settings.view,
    )
    return replace(results, shortcuts=made)


def _counted(dataset: Dataset, split: str, reader: str) -> Iterator[Any]:
    """What a reader counts over: all splits where it looks at no answer, else the train part."""
    if counts(reader) == EVERY:
        return store.instances(dataset, store.ALL)
    if "train" not in dataset.sizes:
        raise InputError("the dataset has no train part to count in", str(dataset.folder))
    if split == "train":
        raise InputError("it would be tested on what it was fitted on", "split train")
    return store.instances(dataset, "train")
