"""A training that was killed goes on to the very bytes of one that was not."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT
from tests.disk import full_after
from tests.training.bags import Bags
from tests.training.conftest import BAGS, Recipe

from anagnosis.datasets.store import Dataset
from anagnosis.errors import InputError
from anagnosis.files import sha256
from anagnosis.training import history
from anagnosis.training.loop import Saving, Training
from anagnosis.training.run import load_run
from anagnosis.training.train import train

STOPS = random.Random(9).sample(range(1, 70), 4)
EVERY = Saving(seconds=1e9, steps=7)


def facts(folder: Path) -> tuple[str, list[tuple[int, float, float | None]]]:
    """The sum of the weights, and the history but for its seconds."""
    lines = history.read(folder)
    return sha256(folder / "model.safetensors"), [(one.step, one.loss, one.dev_loss) for one in lines]


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Raise KeyboardInterrupt within the nth forward pass of a training step, once."""

    def at(step: int) -> None:
        real, count = Bags.forward, [0]

        def forward(self: Bags, batch: Any) -> Any:
            count[0] += self.training
            if count[0] == step and self.training:
                raise KeyboardInterrupt
            return real(self, batch)

        monkeypatch.setattr(Bags, "forward", forward)

    return at


# Each row is a kind of training whose state could be lost: its moments, its phase, its halved rate, its best weights.
KINDS = [
    {"epochs": 4},
    {"epochs": 2, "phased": True, "clip": 0.5},
    {"epochs": 5, "schedule": "halving", "patience": 9},
    {
        "epochs": 3,
        "schedule": "linear",
        "warmup": 0.2,
        "optimizer": "adamw",
        "decay": 0.1,
        "evaluate_every": 11,
    },
    {"epochs": 3, "optimizer": "sgd", "stop": "loss", "patience": 1},
    {"epochs": 3, "stop": "epochs", "tokens": 60},
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_an_interrupted_training_ends_with_the_same_weights(
    kind: dict[str, Any], cues: Dataset, recipe: Recipe, tmp_path: Path, interrupt: Any
) -> None:
    whole = train(recipe(**kind), cues, tmp_path / "whole", device="cpu", threads=1)
    for stop in STOPS:
        interrupt(stop)
        try:
            train(recipe(**kind), cues, tmp_path / "cut", device="cpu", threads=1, saving=EVERY)
            break
        except KeyboardInterrupt:
            with pytest.raises(InputError, match=r"not finished.*to go on"):
                load_run(tmp_path / "cut")
    resumed = train(recipe(**kind), cues, tmp_path / "cut", device="cpu", threads=1)
    assert facts(resumed.folder) == facts(whole.folder)
    assert not (resumed.folder / "checkpoint").exists()
    assert not (resumed.folder / ".work").exists()


def test_ctrl_c_keeps_the_step_that_it_came_in(
    cues: Dataset, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, steps = Training._step, [0]

    def step(self: Training, batch: Any) -> bool:
        steps[0] += 1
        if steps[0] == 23:
            os.kill(os.getpid(), signal.SIGINT)
        return real(self, batch)

    monkeypatch.setattr(Training, "_step", step)
    with pytest.raises(KeyboardInterrupt):
        train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1, saving=Saving(1e9))
    assert steps == [23]
    train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1)
    assert steps == [57], "no step was taken twice"
    whole = train(recipe(), cues, tmp_path / "whole", device="cpu", threads=1)
    assert facts(tmp_path / "cut") == facts(whole.folder)


def test_ctrl_c_while_judging_loses_nothing(
    cues: Dataset, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, judged = Bags.forward, [0]

    def forward(self: Bags, batch: Any) -> Any:
        judged[0] += not self.training
        if judged[0] == 3 and not self.training:
            os.kill(os.getpid(), signal.SIGINT)
        return real(self, batch)

    monkeypatch.setattr(Bags, "forward", forward)
    with pytest.raises(KeyboardInterrupt):
        train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1, saving=Saving(1e9))
    train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1)
    whole = train(recipe(), cues, tmp_path / "whole", device="cpu", threads=1)
    assert facts(tmp_path / "cut") == facts(whole.folder)


KILLED = """
import sys
from anagnosis import api, readers
readers.READERS["bags"] = {reader!r}
from anagnosis.training.loop import Saving
from anagnosis.training.train import train
train({recipe!r}, api.load({data!r}), {out!r}, device="cpu", threads=1, saving=Saving(0.2))
"""


@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_a_killed_training_ends_with_the_same_weights(
    times: int, cues: Dataset, recipe: Recipe, tmp_path: Path
) -> None:
    """SIGKILL at moments of no one's choice, until the training comes to its end."""
    slow = recipe(slow=0.01, epochs=2)
    whole = train(slow, cues, tmp_path / "whole", device="cpu", threads=1)
    script = KILLED.format(reader=BAGS, recipe=slow, data=str(cues.folder), out=str(tmp_path / "cut"))
    draw, kills = random.Random(4), 0
    for _ in range(times):
        child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, env=dict(os.environ))
        state = tmp_path / "cut" / "checkpoint" / "state.json"
        before = state.stat().st_mtime_ns if state.exists() else 0
        while child.poll() is None and not (state.exists() and state.stat().st_mtime_ns != before):
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.3))
        child.kill()
        kills += child.wait() == -signal.SIGKILL
    assert kills
    resumed = train(slow, cues, tmp_path / "cut", device="cpu", threads=1)
    assert facts(resumed.folder) == facts(whole.folder)


def test_two_trainings_do_not_share_a_folder(cues: Dataset, recipe: Recipe, tmp_path: Path) -> None:
    """The second is refused while the first is at work, with --replace too, and its lock dies with it."""
    script = KILLED.format(reader=BAGS, recipe=recipe(slow=0.05), data=str(cues.folder), out=str(tmp_path))
    child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, env=dict(os.environ))
    while not (tmp_path / "checkpoint" / "state.json").exists():
        assert child.poll() is None
        time.sleep(0.01)
    for replace in (False, True):
        with pytest.raises(InputError, match="another training is at work in this folder"):
            train(recipe(slow=0.05), cues, tmp_path, device="cpu", replace=replace)
    child.kill()
    child.wait()
    train(recipe(slow=0.05), cues, tmp_path, device="cpu", replace=True, steps=1)
    assert not (tmp_path / ".lock").exists()


def test_a_full_disk_is_one_line_and_leaves_the_checkpoint_before(
    cues: Dataset, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from anagnosis.training.checkpoint import Checkpoints

    real, saves = Checkpoints.save, [0]

    def save(self: Checkpoints, *given: Any, **named: Any) -> None:
        saves[0] += 1
        if saves[0] < 3:
            real(self, *given, **named)
        else:
            with full_after(1000):
                real(self, *given, **named)

    monkeypatch.setattr(Checkpoints, "save", save)
    with pytest.raises(
        InputError, match=r"no checkpoint could be written: .*the checkpoint before this one is whole"
    ):
        train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1, saving=EVERY)
    assert not [file for file in (tmp_path / "cut" / "checkpoint").iterdir() if file.name.startswith(".")]
    monkeypatch.setattr(Checkpoints, "save", real)
    train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1)
    whole = train(recipe(), cues, tmp_path / "whole", device="cpu", threads=1)
    assert facts(tmp_path / "cut") == facts(whole.folder)


def test_a_damaged_checkpoint_is_one_line(
    cues: Dataset, recipe: Recipe, tmp_path: Path, interrupt: Any
) -> None:
    interrupt(20)
    with pytest.raises(KeyboardInterrupt):
        train(recipe(), cues, tmp_path, device="cpu", saving=EVERY)
    for file in (tmp_path / "checkpoint").glob("weights-*"):
        file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(InputError, match="cannot be read"):
        train(recipe(), cues, tmp_path, device="cpu")
