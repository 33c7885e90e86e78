"""What a run was trained on: kept with it, and held against what it is scored on, wherever that stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.decisions import rows_apart, written
from tests.readers import tiny_readers

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.table import DECISION
from anagnosis.datasets.pubmedqa.folds import split_of
from anagnosis.datasets.question_keys import key_of, keys_of
from anagnosis.reports import render
from anagnosis.training.runs.provenance import FILE, keys_of_training
from anagnosis.training.runs.run import Run
from anagnosis.training.training_splits import digest


def test_a_digest_is_of_the_instances_that_are_chosen(data: store.Dataset) -> None:
    chosen = (None, ["a"], ["a", "b"], ["b", "a"])
    every, one, both, again = (digest(data, "train", "global", None, ids) for ids in chosen)
    assert len({every, one, both}) == 3
    assert both == again


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("decisions") / "data"
    return tiny_readers.dataset(folder, signal=True, kind=DECISION, train=30, dev=30, test=30)


def shallow(data: store.Dataset, out: Path, **how: Any) -> Any:
    settings = {"epochs": 2, "hidden": 4, "most": 50}
    return api.train("pubmedqa-shallow-features", data, out, settings=settings, threads=1, **how)


@pytest.fixture(scope="module")
def run(data: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return shallow(data, tmp_path_factory.mktemp("runs") / "shallow")


def mixed(data: store.Dataset, folder: Path, train: int, test: int = 0) -> store.Dataset:
    """A dataset of other ids whose dev part has so many questions of the train and of the test part."""
    found = [*list(store.instances(data, "train"))[:train], *list(store.instances(data, "test"))[:test]]
    other = [msgspec.structs.replace(one, id=f"other {one.id}") for one in found]
    return writing.write(folder, {"dev": other}, {"dataset": "other", "kind": DECISION})


def test_the_keys_of_the_train_part_are_kept_and_come_again(
    data: store.Dataset, run: Run, tmp_path: Path
) -> None:
    known = keys_of_training(run.folder)
    assert known.tolist() == sorted({key_of(one) for one in store.instances(data, "train")})
    assert known.dtype == np.dtype("<u8")
    assert not np.isin(keys_of(data, "dev"), known).any()
    again = shallow(data, tmp_path / "again")
    assert (again.folder / FILE).read_bytes() == (run.folder / FILE).read_bytes()


def test_scores_tell_what_a_run_folder_and_its_predictions_were_trained_on(
    data: store.Dataset, run: Run, tmp_path: Path
) -> None:
    other = mixed(data, tmp_path / "other", 12, 8)
    file = tmp_path / "said.jsonl"
    api.predict(run.folder, other, file, split="dev")
    note = json.loads((tmp_path / "said.run.json").read_text())
    assert note["trained_on"]["count"] == 12
    for system in (run.folder, file):
        text = render(api.report(api.score(other, [system], split="dev")), ".txt")
        assert "trained_on" in text
        assert "12" in text[text.index("trained_on") :]
    assert "trained_on" in render(
        api.report(api.compare(other, [run.folder, file], split="dev", draws=20)), ".txt"
    )
    assert "trained_on" not in render(api.report(api.score(data, [run.folder])), ".txt")


def test_a_fold_is_trained_on_the_others_and_judged_on_its_own_questions(tmp_path: Path) -> None:
    source = written(tmp_path / "l.json", rows_apart(60, 40, 20))
    labelled = api.import_dataset(source, tmp_path / "built", layout="pubmedqa")
    made = shallow(labelled, tmp_path / "runs", folds=2)
    every = keys_of(labelled, "train")
    assert [own.facts.fold for own in made.runs] == [0, 1]
    split = split_of(labelled)
    for own in made.runs:
        parts = split.train(own.facts.fold), split.folds[own.facts.fold]
        given = own.facts.train.digest, own.facts.dev.digest
        assert given == tuple(digest(labelled, "train", own.facts.view, None, ids) for ids in parts)
    first, second = (keys_of_training(own.folder) for own in made.runs)
    assert not (~np.isin(every, first) & ~np.isin(every, second)).any()
    assert (~np.isin(every, first)).sum() == made.runs[0].facts.dev.rows
