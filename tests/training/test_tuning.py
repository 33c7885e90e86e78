"""Random search on dev: it repeats nothing, goes on after a kill, and leaves the best recipe."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.training import bags
from tests.training.conftest import Interrupt, Recipe, dataset

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.training.runs.run import load_run
from anagnosis.training.train import train
from anagnosis.training.tuning import checked_space, tune_recipe

SPACE: dict[str, Any] = {
    "rate": {"low": 0.001, "high": 0.1, "log": True},
    "width": {"low": 4, "high": 16},
    "optimizer": {"choice": ["adam", "adamw"]},
}


def test_trials_are_drawn_from_their_ranges_and_the_best_is_kept(
    cues: Dataset, recipe: Recipe, tmp_path: Path
) -> None:
    found = tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path, trials=5, device="cpu")
    assert [trial.number for trial in found.trials] == [0, 1, 2, 3, 4]
    for trial in found.trials:
        assert 0.001 <= trial.values["rate"] <= 0.1
        assert trial.values["width"] in range(4, 17)
        assert trial.values["optimizer"] in ("adam", "adamw")
        assert trial.epochs == 1
    assert len({trial.values["rate"] for trial in found.trials}) == 5
    best = found.best
    assert best is not None
    assert best.value == max(trial.value or 0 for trial in found.trials)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "best.toml",
        f"trial-{best.number}",
        "trials.jsonl",
    ]
    recipe_of_best = tomllib.loads((tmp_path / "best.toml").read_text())
    assert {key: recipe_of_best[key] for key in SPACE} == best.values
    again = train(recipe_of_best, cues, tmp_path.with_name("again"), device="cpu")
    assert again.facts.weights == load_run(tmp_path / f"trial-{best.number}").facts.weights


def test_a_resumed_search_draws_what_one_at_a_go_would_have_drawn(
    cues: Dataset, recipe: Recipe, tmp_path: Path
) -> None:
    given = recipe(epochs=1, tune=SPACE)
    for trials in (2, 4):
        parts = tune_recipe(given, cues, tmp_path / "parts", trials=trials, device="cpu")
    whole = tune_recipe(given, cues, tmp_path / "whole", trials=4, device="cpu")
    assert [(one.values, one.value) for one in parts.trials] == [
        (one.values, one.value) for one in whole.trials
    ]
    assert len({str(one.values) for one in parts.trials}) == 4
    more = tune_recipe(given, cues, tmp_path / "whole", trials=3, device="cpu")
    assert more == whole, "enough trials have ended already"


def test_a_trial_that_was_killed_is_taken_up_again(
    cues: Dataset, recipe: Recipe, tmp_path: Path, interrupt: Interrupt
) -> None:
    given = recipe(epochs=1, tune=SPACE, tokens=10**6)
    interrupt(30)
    with pytest.raises(KeyboardInterrupt):
        tune_recipe(given, cues, tmp_path / "cut", trials=3, device="cpu")
    cut = tune_recipe(given, cues, tmp_path / "cut", trials=3, device="cpu")
    whole = tune_recipe(given, cues, tmp_path / "whole", trials=3, device="cpu")
    assert [(one.number, one.values, one.value) for one in cut.trials] == [
        (one.number, one.values, one.value) for one in whole.trials
    ]


def test_values_that_were_drawn_before_are_not_trained_again(
    cues: Dataset,
    recipe: Recipe,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    trained: list[Any] = []
    real = train

    def counted(given: Any, *rest: Any, **named: Any) -> Any:
        trained.append(given["width"])
        return real(given, *rest, **named)

    monkeypatch.setattr("anagnosis.training.tuning.train", counted)
    monkeypatch.delenv("ANAGNOSIS_QUIET", raising=False)
    space = {"width": {"choice": [4, 8]}}
    found = tune_recipe(recipe(epochs=1, tune=space), cues, tmp_path, trials=6, device="cpu")
    assert len(found.trials) == 6
    assert sorted(trained) == [4, 8]
    assert capsys.readouterr().err.count("whose result it has") == 4
    assert len({(trial.values["width"], trial.value, trial.seconds) for trial in found.trials}) == 2


def test_a_trial_that_diverges_ends_and_the_search_goes_on(
    cues: Dataset, recipe: Recipe, tmp_path: Path
) -> None:
    space = {"wreck": {"choice": [float("inf"), 1.0]}, "rate": SPACE["rate"]}
    found = tune_recipe(recipe(epochs=1, tune=space), cues, tmp_path, trials=6, device="cpu")
    told = {trial.values["wreck"]: trial for trial in found.trials}
    assert told[1.0].fault is None
    assert told[float("inf")].value is None
    assert "the loss of step 1 is inf" in (told[float("inf")].fault or "")
    assert found.best is not None
    assert found.best.values["wreck"] == 1.0


def test_another_search_in_the_folder_is_refused(cues: Dataset, recipe: Recipe, tmp_path: Path) -> None:
    tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path / "out", trials=1, device="cpu")
    with pytest.raises(InputError, match="holds a search of another recipe, dataset, limit, measure or seed"):
        tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path / "out", trials=1, seed=1, device="cpu")
    with pytest.raises(InputError, match="holds other files"):
        tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path, trials=1, device="cpu")


def test_all_problems_of_the_ranges_are_told_at_once(recipe: Recipe) -> None:
    space = {
        "widht": {"low": 1, "high": 3},
        "rate": {"low": 0.1, "high": 0.01},
        "dropout": {"low": 0.1, "high": 1.5},
        "width": {"low": 4},
        "batch": {"choice": []},
        "clip": {"lo": 3},
        "decay": {"low": 0, "high": 0.1, "log": True},
    }
    with pytest.raises(InputError) as told:
        checked_space(recipe(tune=space), "mine.toml")
    line = str(told.value)
    assert line.startswith("mine.toml: 7 problems in [tune]: unknown key 'widht' (did you mean width?); ")
    for part in (
        "rate: no range from 0.1 to 0.01",
        "dropout: 1.5 will not do",
        "width: low or high is missing",
        "batch: a choice has values",
        "clip: ",
        "decay: no range from 0 to 0.1",
    ):
        assert part in line


def test_a_search_needs_a_dev_part(recipe: Recipe, tmp_path: Path) -> None:
    bare = dataset(tmp_path / "bare", train=30)
    with pytest.raises(InputError, match="the dev part has no instance"):
        tune_recipe(recipe(tune=SPACE, stop="epochs"), bare, tmp_path / "out", trials=1)


def _refuses(config: bags.Config) -> None:
    if config.width == 8 and config.words == 32:
        raise InputError("8 numbers are too many for 32 words", "width", "take 4")


@pytest.mark.parametrize("where", ["prepare", "model"])
def test_values_that_the_reader_refuses_together_end_their_trial_alone(
    where: str, cues: Dataset, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_prepare, real_model = bags.prepare, bags.Reader.model

    def prepare(config: bags.Config, training: Any) -> Any:
        _refuses(config)
        return real_prepare(config, training)

    def model(self: bags.Reader) -> Any:
        _refuses(self.config)
        return real_model(self)

    if where == "prepare":
        monkeypatch.setattr(bags, "prepare", prepare)
    else:
        monkeypatch.setattr(bags.Reader, "model", model)
    space = {"width": {"choice": [4, 8]}, "words": {"choice": [32, 64]}}
    found = tune_recipe(recipe(epochs=1, tune=space), cues, tmp_path, trials=10, device="cpu")
    refused = [trial for trial in found.trials if trial.values == {"width": 8, "words": 32}]
    assert 0 < len(refused) < 10
    for trial in found.trials:
        assert (trial.value is None) == (trial in refused)
        assert (trial.fault is None) == (trial not in refused)
    assert refused[0].fault == "width: 8 numbers are too many for 32 words; take 4"


def test_a_file_that_is_not_there_ends_the_search_and_spends_no_trial(
    cues: Dataset, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(config: bags.Config, training: Any) -> Any:
        raise InputError("no such file", "words.txt", "check the path")

    with monkeypatch.context() as patch:
        patch.setattr(bags, "prepare", prepare)
        with pytest.raises(InputError, match=r"words\.txt: no such file"):
            tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path, trials=1, device="cpu")
    found = tune_recipe(recipe(epochs=1, tune=SPACE), cues, tmp_path, trials=1, device="cpu")
    assert [trial.fault for trial in found.trials] == [None]


@pytest.mark.parametrize("left", [None, 2])
def test_a_search_that_was_stopped_behind_its_last_trial_keeps_the_best_and_nothing_else(
    left: int | None, cues: Dataset, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the other run is removed, and when so many of its files are left."""
    given = recipe(epochs=1, tune=SPACE)
    whole = tune_recipe(given, cues, tmp_path / "whole", trials=2, device="cpu")
    assert whole.best is not None
    out, other = tmp_path / "out", f"trial-{1 - whole.best.number}"
    real = Path.unlink

    def unlink(self: Path, missing_ok: bool = False) -> None:
        there = self.parent == out / other and self.name[0] != "."
        if there and (left is None or len([*self.parent.iterdir()]) == left):
            raise KeyboardInterrupt
        real(self, missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unlink)
        with pytest.raises(KeyboardInterrupt):
            tune_recipe(given, cues, out, trials=2, device="cpu")
    assert (out / other).exists()
    tune_recipe(given, cues, out, trials=2, device="cpu")
    assert not (out / other).exists()
    assert (out / "best.toml").read_bytes() == (tmp_path / "whole" / "best.toml").read_bytes()


def test_a_log_that_broke_off_goes_on_and_one_that_is_damaged_is_one_line(
    cues: Dataset, recipe: Recipe, tmp_path: Path
) -> None:
    given = recipe(epochs=1, tune=SPACE)
    whole = tune_recipe(given, cues, tmp_path / "whole", trials=2, device="cpu")
    log = (tmp_path / "whole" / "trials.jsonl").read_bytes()
    ends = [end.end() for end in re.finditer(b"\n", log)]
    for number, length in enumerate((0, 7, *(end + 9 for end in ends[:-1]))):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "trials.jsonl").write_bytes(log[:length])
        found = tune_recipe(given, cues, folder, trials=2, device="cpu")
        values = [(one.number, one.values, one.value) for one in found.trials]
        assert values == [(one.number, one.values, one.value) for one in whole.trials], length
    for damaged in (log.replace(b"{", b"[", 1), b"x" * 50 + b"\n" + log, b"{}\n" * 3):
        (tmp_path / "whole" / "trials.jsonl").write_bytes(damaged)
        with pytest.raises(
            InputError, match=r"trials\.jsonl: is damaged: .*; search anew, with another --out"
        ):
            tune_recipe(given, cues, tmp_path / "whole", trials=2, device="cpu")
