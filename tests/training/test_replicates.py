"""Replicates of seeds: a run folder each, resumed, extended and replaced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.training.conftest import Interrupt, Recipe

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.training.runs.run import Replicates, load, load_run
from anagnosis.training.train import train, train_replicates


def test_each_seed_is_a_run_of_the_folder(cues: Dataset, recipe: Recipe, tmp_path: Path) -> None:
    first = train_replicates(recipe(epochs=1), cues, tmp_path, "seed", 1, device="cpu")
    made = train_replicates(recipe(epochs=1), cues, tmp_path, "seed", 3, device="cpu")
    assert made.runs[0] == first.runs[0]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["seed-0", "seed-1", "seed-2", "seeds.json"]
    found = load(tmp_path)
    assert isinstance(found, Replicates)
    assert found == made
    assert [run.config.seed for run in found.runs] == [0, 1, 2]
    assert len({run.facts.weights for run in found.runs}) == 3
    assert json.loads((tmp_path / "seeds.json").read_bytes()) == {"seeds": [0, 1, 2]}
    fewer = train_replicates(recipe(epochs=1), cues, tmp_path, "seed", 1, device="cpu")
    assert len(fewer.runs) == 1
    assert load_run(tmp_path / "seed-1") == made.runs[1], "without --replace nothing goes"
    other = train_replicates(
        recipe(epochs=1, rate=0.01), cues, tmp_path, "seed", 2, device="cpu", replace=True
    )
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["seed-0", "seed-1", "seeds.json"]
    assert load(tmp_path) == other


def test_interrupted_seeds_go_on_where_they_were(
    cues: Dataset, recipe: Recipe, tmp_path: Path, interrupt: Interrupt
) -> None:
    steps = interrupt(30)
    given = recipe(epochs=1, tokens=10**6)
    with pytest.raises(KeyboardInterrupt):
        train_replicates(given, cues, tmp_path, "seed", 2, device="cpu")
    with pytest.raises(InputError, match="not all of its seeds are finished"):
        load(tmp_path)
    first = load_run(tmp_path / "seed-0")
    steps[0] = 100
    made = train_replicates(given, cues, tmp_path, "seed", 2, device="cpu")
    assert steps[0] == 100 + 19, "the finished seed was left alone"
    assert made.runs[0] == first


def test_a_folder_of_something_else_is_refused(cues: Dataset, recipe: Recipe, tmp_path: Path) -> None:
    train(recipe(epochs=1), cues, tmp_path / "run", device="cpu")
    (tmp_path / "thesis.tex").write_text("mine")
    for out, what in ((tmp_path / "run", "single run"), (tmp_path, r"other files \(run, thesis.tex\)")):
        with pytest.raises(InputError, match=f"holds .*{what}"):
            train_replicates(recipe(epochs=1), cues, out, "seed", 2, device="cpu")
