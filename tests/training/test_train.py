"""A training: the folder it leaves, and what is refused before and after it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch
from tests.readers.tiny_readers import dataset, instance
from tests.training.bags import evaluations
from tests.training.conftest import recipe

from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.io.files import sha256
from anagnosis.training.train import train


def test_a_run_folder_holds_what_predicting_needs_and_nothing_else(cues: Dataset, tmp_path: Path) -> None:
    done = train(recipe(), cues, tmp_path / "run", device="cpu")
    assert {file.name for file in done.folder.iterdir()} == {
        "counted.json",
        "history.jsonl",
        "model.safetensors",
        "recipe.toml",
        "run.json",
        "trained_on.npy",
    }
    assert done.recipe["dropout"] == 0.1, "defaults are spelled out"
    facts = done.facts
    assert (facts.train.rows, facts.train.unanswered) == (300, 0)
    assert facts.dev is not None
    assert facts.dev.rows == 80
    assert (facts.epochs, facts.parameters) == (3, 65 * 8 + 8 * 8 + 8 + 8 + 1)
    assert facts.weights == sha256(done.weights)
    lines = evaluations(done.folder)
    assert [line.step for line in lines] == [19, 38, 57]
    assert facts.dev_accuracy == max(line.dev_accuracy or 0 for line in lines)
    assert facts.dev_accuracy > 0.5, "chance is about .27"


def test_the_same_command_again_says_that_it_is_finished(
    cues: Dataset, tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    first = train(recipe(epochs=1), cues, tmp_path, device="cpu")
    before = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    monkeypatch.delenv("ANAGNOSIS_QUIET")
    assert train(recipe(epochs=1), cues, tmp_path, device="cpu") == first
    assert {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == before
    said = capsys.readouterr().err
    assert said == f"{tmp_path}: this training is finished; --replace repeats it\n"


def test_another_recipe_is_refused_unless_it_may_replace(cues: Dataset, tmp_path: Path) -> None:
    train(recipe(epochs=1), cues, tmp_path, device="cpu")
    with pytest.raises(InputError, match=r"another training, of another rate; .*--replace"):
        train(recipe(epochs=1, rate=0.5), cues, tmp_path, device="cpu")
    other = dataset(tmp_path.with_name("other"), signal=True, train=40, dev=80)
    cases: list[tuple[Dataset, dict[str, Any]]] = [(other, {"dev": cues}), (cues, {"limit": 50})]
    for data, more in cases:
        with pytest.raises(InputError, match="of another train part"):
            train(recipe(epochs=1), data, tmp_path, device="cpu", **more)
    replaced = train(recipe(epochs=1, rate=0.5), cues, tmp_path, device="cpu", replace=True)
    assert replaced.config.rate == 0.5


def test_a_folder_with_other_files_is_refused_and_left(cues: Dataset, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    for replace in (False, True):
        with pytest.raises(InputError, match="holds other files"):
            train(recipe(), cues, tmp_path, device="cpu", replace=replace)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    ("changed", "device", "told"),
    [
        (
            {"hiden": 3, "rate": -1.0},
            "cpu",
            r"mine.toml: 2 problems: rate: .*unknown key 'hiden'.*known keys",
        ),
        ({"reader": "most-frequent-entity"}, "cpu", "most-frequent-entity needs no training"),
        ({"reader": "bagz"}, "cpu", "unknown reader 'bagz'.*did you mean bags"),
        ({"reader": 3}, "cpu", "names no reader"),
        ({}, "tpu", "unknown device 'tpu'; choose auto, cpu"),
        ({}, "cpu:1", "unknown device"),
        ({}, "cuda:99", "no device 'cuda:99'"),
    ],
)
def test_what_cannot_be_trained_is_one_line_with_all_of_its_problems(
    changed: dict[str, Any], device: str, told: str, cues: Dataset, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=told):
        train(recipe(**changed), cues, tmp_path / "run", device=device, where="mine.toml")
    assert not (tmp_path / "run").exists()


def written(folder: Path, **splits: str) -> Dataset:
    """A dataset with an instance for each sign of a split, + with its answer and - without."""
    draw = random.Random(3)
    answered = {
        split: [
            one if sign == "+" else msgspec.structs.replace(one, answer=None, answers=())
            for number, sign in enumerate(signs)
            for one in [instance(number + 100 * place, draw, signal=True)]
        ]
        for place, (split, signs) in enumerate(splits.items())
    }
    return writing.write(folder, answered, {"dataset": "cues"})


def test_no_training_instance_or_no_answer_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the train part has no instance"):
        train(recipe(), dataset(tmp_path / "a", signal=True, dev=10), tmp_path / "run", device="cpu")
    blind = written(tmp_path / "b", train="-" * 10, dev="+" * 5)
    with pytest.raises(InputError, match="train: 10 of 10 instances have no answer to learn"):
        train(recipe(), blind, tmp_path / "run", device="cpu")


def test_without_a_dev_part_only_a_fixed_number_of_epochs_or_another_dataset_does(
    cues: Dataset, tmp_path: Path
) -> None:
    bare = dataset(tmp_path / "bare", signal=True, train=40)
    with pytest.raises(InputError, match=r"the dev part has no instance.*stop=epochs"):
        train(recipe(), bare, tmp_path / "run", device="cpu")
    done = train(recipe(stop="epochs", epochs=2), bare, tmp_path / "run", device="cpu")
    assert (done.facts.epochs, done.facts.best_epoch, done.facts.dev_accuracy) == (2, None, None)
    assert 0 <= (done.facts.seconds or -1) <= (done.facts.total_seconds or -1)
    judged = train(recipe(epochs=1), bare, tmp_path / "judged", device="cpu", dev=cues).facts.dev
    assert judged is not None
    assert (judged.rows, judged.unanswered) == (80, 0)


def test_a_loss_that_is_no_number_ends_in_one_line(cues: Dataset, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"run: the loss is nan after step 1; .*--replace, .*--set rate=0\.002"
    ):
        train(recipe(wreck=float("nan")), cues, tmp_path / "run", device="cpu")


@pytest.mark.parametrize("stop", ["f1", "epochs"])
def test_weights_that_are_no_numbers_after_the_last_step_are_no_finished_run(
    stop: str, cues: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The losses of all steps are finite, and a measure of answers looks at no loss on dev."""
    real = torch.optim.Adam.step

    def step(self: torch.optim.Adam, *given: object) -> None:
        real(self)
        weights = self.param_groups[0]["params"][0]
        if int(self.state[weights]["step"]) == 19:
            weights.data[0, 0] = float("nan")

    monkeypatch.setattr(torch.optim.Adam, "step", step)
    with pytest.raises(InputError, match=r"weights are infinite or no numbers after step 19; train anew"):
        train(recipe(stop=stop, epochs=1), cues, tmp_path, device="cpu")
    assert not (tmp_path / "run.json").exists()


@pytest.mark.parametrize(
    ("what", "tokens", "told"),
    [
        (
            "Bags.forward",
            400,
            r"out of memory, \d+ instances at once; .* --set tokens=1\d\d \(it is 400\), or a",
        ),
        ("Bags.forward", 10, r"out of memory, 1 instances at once; .* --set tokens=5 \(it is 10\)"),
        ("Reader.model", 400, r"out of memory; .* --set tokens=200 \(it is 400\)"),
    ],
)
def test_memory_that_does_not_suffice_names_what_helps(
    what: str, tokens: int, told: str, cues: Dataset, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(f"tests.training.bags.{what}", lambda *_: torch.empty(1 << 60))
    with pytest.raises(InputError, match=told):
        train(recipe(tokens=tokens), cues, tmp_path, device="cpu")


def test_what_holds_for_the_process_ends_with_the_training(cues: Dataset, tmp_path: Path) -> None:
    threads = torch.get_num_threads()
    torch.manual_seed(5)
    state = torch.get_rng_state()
    train(recipe(epochs=1), cues, tmp_path / "run", device="cpu", threads=threads + 1)
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)
    assert (torch.tensor(1e-30) * torch.tensor(1e-10)).item() > 0


def test_instances_without_an_answer_are_left_out_and_counted(
    tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Thirty of train, all of dev."""
    blind = written(tmp_path / "blind", train="-" * 30 + "+" * 20, dev="-" * 10)
    with pytest.raises(InputError, match=r"dev: 10 of 10 instances have no answer.*--set stop=epochs"):
        train(recipe(), blind, tmp_path / "run", device="cpu", replace=True)
    monkeypatch.delenv("ANAGNOSIS_QUIET")
    given = recipe(stop="epochs", epochs=2, batch=5)
    done = train(given, blind, tmp_path / "run", device="cpu", replace=True)
    said = capsys.readouterr().err
    assert "train: 30 of 50 instances have no answer to learn, and are left out" in said
    assert "dev: 10 of 10 instances have no answer to learn, and are left out" in said
    assert done.facts.dev is not None
    assert (done.facts.train.unanswered, done.facts.dev.unanswered) == (30, 10)
    assert (done.facts.dev_accuracy, done.facts.epochs) == (None, 2)
    assert evaluations(done.folder)[-1].step == 8
    assert train(given, blind, tmp_path / "run", device="cpu") == done
