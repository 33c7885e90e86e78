"""Random search on dev: it repeats nothing, goes on behind the trials that ended, and leaves the best recipe."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.readers.tiny_readers import dataset
from tests.training import bags
from tests.training.conftest import Interrupt, recipe

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.training.runs.run import load_run
from anagnosis.training.train import train
from anagnosis.training.tuning import tune_recipe

SPACE: dict[str, Any] = {
    "rate": [0.001, 0.003, 0.01, 0.03, 0.1],
    "width": [4, 7, 8, 12, 16],
    "optimizer": ["adam", "adamw"],
}


def test_trials_are_drawn_from_their_lists_and_the_best_is_kept(cues: Dataset, tmp_path: Path) -> None:
    found = tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path, trials=5, device="cpu")
    assert [trial.number for trial in found.trials] == [0, 1, 2, 3, 4]
    for trial in found.trials:
        assert all(value in SPACE[key] for key, value in trial.values.items())
        assert trial.epochs == 1
    assert len({str(trial.values) for trial in found.trials}) > 2
    best = found.best
    assert best is not None
    assert best.value == max(trial.value or 0 for trial in found.trials)
    there = sorted(entry.name for entry in tmp_path.iterdir())
    assert there == ["best.toml", f"trial-{best.number}", "trials.jsonl"]
    recipe_of_best = tomllib.loads((tmp_path / "best.toml").read_text())
    assert {key: recipe_of_best[key] for key in SPACE} == best.values
    again = train(recipe_of_best, cues, tmp_path.with_name("again"), device="cpu")
    assert again.facts.weights == load_run(tmp_path / f"trial-{best.number}").facts.weights


def test_a_search_that_was_extended_and_killed_ends_like_one_at_a_go(
    cues: Dataset, tmp_path: Path, interrupt: Interrupt
) -> None:
    given = recipe(epochs=1, tune=SPACE, tokens=10**6)
    interrupt(30)
    with pytest.raises(KeyboardInterrupt):
        tune_recipe(given, cues, tmp_path / "parts", trials=3, device="cpu")
    for trials in (2, 4):
        parts = tune_recipe(given, cues, tmp_path / "parts", trials=trials, device="cpu")
    whole = tune_recipe(given, cues, tmp_path / "whole", trials=4, device="cpu")
    assert [(one.values, one.value) for one in parts.trials] == [
        (one.values, one.value) for one in whole.trials
    ]
    best = [(tmp_path / name / "best.toml").read_bytes() for name in ("parts", "whole")]
    assert best[0] == best[1]
    more = tune_recipe(given, cues, tmp_path / "whole", trials=3, device="cpu")
    assert more == whole, "enough trials have ended already"


def test_a_folder_with_other_files_is_left_alone_and_the_search_goes_on(
    cues: Dataset, tmp_path: Path
) -> None:
    given = recipe(epochs=1, tune={"rate": [0.03, 1e-9]})
    first = tune_recipe(given, cues, tmp_path, trials=1, device="cpu")
    assert first.best is not None
    notes = tmp_path / "trial-0" / "notes.txt"
    notes.touch()
    found = tune_recipe(given, cues, tmp_path, trials=4, device="cpu")
    assert found.best is not None
    assert found.best.number > 0
    kept = sorted(place.name for place in tmp_path.glob("trial-*"))
    assert (kept, notes.exists()) == (["trial-0", f"trial-{found.best.number}"], True)


def test_a_trial_that_diverges_or_whose_values_are_refused_together_ends_and_the_search_goes_on(
    cues: Dataset, tmp_path: Path
) -> None:
    space = {"wreck": [float("inf"), 1.0], "phased": [False, True], "stop_from": [1, 2]}
    found = tune_recipe(recipe(epochs=1, tune=space), cues, tmp_path, trials=8, device="cpu")
    told = set[str]()
    for trial in found.trials:
        if trial.values["phased"] and trial.values["stop_from"] == 2:
            fault = "stop_from is of the one phase"
        else:
            fault = "the loss is inf after step 1" if trial.values["wreck"] != 1 else ""
        assert (trial.value is None) == (trial.fault is not None) == bool(fault)
        assert fault in (trial.fault or "")
        told.add(fault)
    assert len(told) == 3
    assert found.best is not None
    assert found.best.values["wreck"] == 1.0


@pytest.mark.parametrize(
    ("space", "what"),
    [
        ({"widht": [1]}, r"mine.toml, \[tune\]: 1 problem: unknown key 'widht' \(did you mean width\?\)"),
        ({"dropout": [0.1, 1.5]}, "dropout: 1.5 does not fit"),
        ({"batch": []}, "needs a table"),
        ({"width": {"low": 1, "high": 3}}, "needs a table"),
        (3, "needs a table"),
        ({"stop": ["accuracy", "loss"]}, r"mine.toml, \[tune\]: stop is not searched"),
        ({"reader": ["bags", "attention-sum"]}, "reader is not searched"),
        ({"tune": [1]}, "tune is not searched"),
        ({"measure": "f1"}, "needs a table"),
        ({}, "needs a table"),
    ],
)
def test_what_cannot_be_searched_is_one_line(space: Any, what: str, cues: Dataset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=what):
        tune_recipe(recipe(tune=space), cues, tmp_path / "out", trials=1, where="mine.toml")
    assert not (tmp_path / "out").exists()


def test_another_search_a_damaged_one_and_other_files_are_refused(cues: Dataset, tmp_path: Path) -> None:
    given, out = recipe(epochs=1, tune=SPACE), tmp_path / "out"
    out.mkdir()
    (out / ".trials.jsonl.part").touch()  # a search was killed while it wrote its first line
    tune_recipe(given, cues, out, trials=1, device="cpu")
    with pytest.raises(InputError, match="holds a search of another recipe, dataset, limit or seed"):
        tune_recipe(given, cues, out, trials=1, seed=1, device="cpu")
    with pytest.raises(InputError, match="holds other files"):
        tune_recipe(given, cues, tmp_path, trials=1, device="cpu")
    bare = dataset(tmp_path / "bare", signal=True, train=30)
    with pytest.raises(InputError, match="the dev part has no instance"):
        tune_recipe(recipe(tune=SPACE, stop="epochs"), bare, tmp_path / "other", trials=1)
    log = (out / "trials.jsonl").read_bytes()
    for damaged in (log.replace(b"{", b"[", 1), b"x" * 50 + b"\n" + log, log[:-9]):
        (out / "trials.jsonl").write_bytes(damaged)
        with pytest.raises(InputError, match=r"trials\.jsonl: .*; search anew, with another --out"):
            tune_recipe(given, cues, out, trials=2, device="cpu")


def test_a_file_that_is_not_there_ends_the_search_and_spends_no_trial(
    cues: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(config: bags.Config, training: Any) -> Any:
        raise InputError("no such file", "words.txt", "check the path")

    with monkeypatch.context() as patch:
        patch.setattr(bags, "prepare", prepare)
        with pytest.raises(InputError, match=r"words\.txt: no such file"):
            tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path, trials=1, device="cpu")
    found = tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path, trials=1, device="cpu")
    assert [trial.fault for trial in found.trials] == [None]
