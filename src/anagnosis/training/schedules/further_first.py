"""Train on further datasets first, then on the dataset itself: a phase each, with a run folder each.

    OUT/further/  OUT/final/   run folders; `final` begins with the weights of `further`
    OUT/phases.json            written when both are finished

The further datasets lose the questions of the dataset's dev and test parts and their twins (question_keys.py), and
those of the same id; a message counts them. Both phases are evaluated on the dataset's dev part. A second call skips
finished phases and resumes the interrupted one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import demand_view
from anagnosis.datasets.question_keys import Keys, as_keys, key_of, keys_of
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.progress import tell
from anagnosis.readers.learning import EPOCHS, ViewedSplit
from anagnosis.training.loop.devices import Team
from anagnosis.training.run_files import WORK
from anagnosis.training.runs.phase_folder import PhaseRecord, Phases, claim_phases, finish_phases
from anagnosis.training.runs.run import Run, TrainedSplit, configured, load_run
from anagnosis.training.schedules.recipe import SCHEDULE, plan_of
from anagnosis.training.train import train_on, trained_split
from anagnosis.training.training_splits import fingerprint, viewed_split

TRAIN, DEV = "train", "dev"


def train_further_first(
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
) -> Run:
    """Train both phases; returns the run of the last one.

    datasets: the first is trained on last, and gives dev and test; the others come first. limit: only the first so
    many instances of each part. replace: remove both phases in the folder first. options: those of `train_on`.
    """
    if folds is not None:
        raise InputError("folds are of PubMedQA's schedules", "--folds", "leave --folds out")
    dataset, *others = datasets
    if not others:
        raise InputError("no further dataset is named", where, "name one with --also, or leave phases out")
    (further, final), settings = plan_of(recipe, where)
    folder = Path(out)
    team = Team(options.get("device", "auto"))
    config = configured(settings[final.name], where)[1]
    view = str(config.view)
    for each in datasets:
        demand_view(each.kind, view, str(each.folder))
    keep = kept or folder / WORK / "kept"
    part = partial(viewed_split, limit=limit, kept=keep)
    dev = (
        [_with_facts(dataset, part(dataset, DEV, view))]
        if config.stop != EPOCHS or dataset.rows.get(DEV)
        else []
    )
    train_parts = {
        further.name: _further_part(others, dataset, view, limit, keep),
        final.name: _with_facts(dataset, part(dataset, TRAIN, view)),
    }
    team.first(lambda: claim_phases(folder, str(recipe[SCHEDULE]), (further, final), None, replace=replace))
    runs: dict[str, Run] = {}
    for phase in (further, final):
        tell(f"{folder / phase.name}:")
        runs[phase.name] = train_on(
            settings[phase.name],
            [train_parts[phase.name], *dev],
            folder / phase.name,
            begins=runs.get(phase.begins),
            where=f"{where}, phase {phase.name}",
            **options,
        )

    def done() -> None:
        records = [_record(name, run) for name, run in runs.items()]
        finish_phases(folder, Phases(str(recipe[SCHEDULE]), records, where))

    team.first(done)
    return load_run(folder / final.name)


def _further_part(
    datasets: Sequence[store.Dataset], dataset: store.Dataset, view: str, limit: int | None, kept: Path
) -> tuple[ViewedSplit, TrainedSplit]:
    """The train parts of further datasets, one after the other, without questions that the dataset holds out."""
    keys, ids = _held_out(dataset)
    parts: list[ViewedSplit] = []
    for each in datasets:
        if not each.rows.get(TRAIN):
            raise InputError("has no train part", str(each.folder), "import it without --split")
        questions = list(_ids_and_keys(each))
        twins = np.isin(as_keys(key for _, key in questions), keys)
        left = frozenset(
            i for (i, _), twin in zip(questions, twins.tolist(), strict=True) if not twin and i not in ids
        )
        if dropped := len(questions) - len(left):
            tell(
                f"{each.folder}: {dropped:,} of {len(questions):,} questions are held out, or twins of such, and are "
                "dropped"
            )
        if not left:
            raise InputError(
                "all of its questions are held out", str(each.folder), "name another with --also"
            )
        parts.append(viewed_split(each, TRAIN, view, limit=limit, ids=left, kept=kept))
    joined = parts[0] if len(parts) == 1 else _joined(parts)
    names = " + ".join(dict.fromkeys(each.name for each in datasets))
    of = fingerprint([instance.id for instance in joined.viewed()])
    return joined, TrainedSplit(names, TRAIN, of, joined.digest, joined.rows)


def _held_out(dataset: store.Dataset) -> tuple[Keys, frozenset[str]]:
    """Question keys and ids of all parts that are not trained on."""
    splits = [split for split, rows in dataset.rows.items() if split != TRAIN and rows]
    keys = [keys_of(dataset, split) for split in splits]
    ids = frozenset(ident for split in splits for ident, _ in store.ids_and_keys(dataset, split))
    return np.unique(np.concatenate([as_keys(()), *keys])), ids


def _ids_and_keys(dataset: store.Dataset) -> Iterator[tuple[str, int]]:
    return ((instance.id, key_of(instance)) for instance in store.instances(dataset, TRAIN))


def _joined(parts: Sequence[ViewedSplit]) -> ViewedSplit:
    return ViewedSplit(
        TRAIN,
        hashlib.sha256(repr([part.digest for part in parts]).encode()).hexdigest(),
        sum(part.rows for part in parts),
        lambda: chain.from_iterable(part.viewed() for part in parts),
        parts[0].kept,
        " + ".join(part.dataset for part in parts),
        TRAIN,
        lambda: chain.from_iterable(part.instances() for part in parts if part.instances is not None),
    )


def _with_facts(dataset: store.Dataset, part: ViewedSplit) -> tuple[ViewedSplit, TrainedSplit]:
    return part, trained_split(dataset, part)


def _record(name: str, run: Run) -> PhaseRecord:
    facts = run.facts
    return PhaseRecord(name, "", "", facts.view, [facts.train.rows], [facts.began], [facts.weights], [])
