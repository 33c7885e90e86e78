"""Several processes train what one would have trained, and can be interrupted like one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.conftest import ROOT
from tests.training.conftest import BAGS, Recipe

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.training.loop import history
from anagnosis.training.loop.checkpoint import read_tensors
from anagnosis.training.runs.run import Run, load_run
from anagnosis.training.train import train
from anagnosis.training.tuning import tune_recipe

SCRIPT = """
import os
from pathlib import Path
Path({out!r} + "-" + os.environ["RANK"] + ".pid").write_text(str(os.getpid()))
from anagnosis import api, readers
readers.READERS["bags"] = {reader!r}
from anagnosis.training.loop.checkpoint import Saving
from anagnosis.training.train import train
train({recipe!r}, api.load({data!r}), {out!r}, device="cpu", threads=1, saving=Saving(0.1))
"""


FAILING = """
import os
from tests.training.bags import Bags
real, count = Bags.forward, [0]
def forward(self, batch):
    count[0] += 1
    if os.environ["RANK"] == os.environ["FAILS"] and count[0] == 10:
        raise RuntimeError("this process fails")
    return real(self, batch)
Bags.forward = forward
"""


def launched(
    tmp_path: Path, data: Dataset, recipe: dict[str, Any], out: Path, before: str = ""
) -> subprocess.Popen[bytes]:
    """Two processes on this machine's CPU, as `torchrun` or `accelerate launch` starts them."""
    script = tmp_path / "script.py"
    script.write_text(before + SCRIPT.format(reader=BAGS, recipe=recipe, data=str(data.folder), out=str(out)))
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc_per_node=2",
        str(script),
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.DEVNULL)


def same(one: Run, other: Run) -> None:
    """Equal up to the rounding of sums in another order."""
    tensors = read_tensors(other.weights)
    for name, tensor in read_tensors(one.weights).items():
        assert torch.allclose(tensor, tensors[name], atol=1e-5), name
    for line, twin in zip(history.read(one.folder), history.read(other.folder), strict=True):
        assert (line.step, line.epoch) == (twin.step, twin.epoch)
        # Candidates with the same words tie, and rounding decides between them.
        assert line.dev_accuracy == pytest.approx(twin.dev_accuracy, abs=0.03)
        assert line.accuracy == pytest.approx(twin.accuracy, abs=0.03)
        assert line.dev_loss == pytest.approx(twin.dev_loss, abs=1e-5)
        assert line.loss == pytest.approx(twin.loss, abs=1e-5)


@pytest.mark.slow
def test_two_processes_train_what_one_trains(cues: Dataset, recipe: Recipe, tmp_path: Path) -> None:
    """Batches of 16 and a last one of 12, in pieces; clipped; no dropout, which each process draws for itself."""
    given = recipe(dropout=0.0, optimizer="sgd", clip=0.5, batch=17, tokens=100, evaluate_every=7)
    one = train(given, cues, tmp_path / "one", device="cpu", threads=1)
    assert launched(tmp_path, cues, given, tmp_path / "two").wait(120) == 0
    same(one, load_run(tmp_path / "two"))


@pytest.mark.slow
def test_a_batch_of_one_leaves_a_process_without_work(cues: Dataset, recipe: Recipe, tmp_path: Path) -> None:
    given = recipe(dropout=0.0, optimizer="sgd", batch=1, epochs=1)
    one = train(given, cues, tmp_path / "one", device="cpu", threads=1)
    assert launched(tmp_path, cues, given, tmp_path / "two").wait(120) == 0
    same(one, load_run(tmp_path / "two"))


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_interrupted_processes_go_on_to_the_same_weights(
    how: signal.Signals, cues: Dataset, recipe: Recipe, tmp_path: Path
) -> None:
    given = recipe(slow=0.02, epochs=2)
    whole = launched(tmp_path, cues, given, tmp_path / "whole")
    assert whole.wait(120) == 0
    cut = launched(tmp_path, cues, given, tmp_path / "cut")
    state = tmp_path / "cut" / "checkpoint" / "state.json"
    while not state.exists() or b'"total":0' in state.read_bytes():
        assert cut.poll() is None
        time.sleep(0.02)
    cut.send_signal(how)
    if how == signal.SIGKILL:
        # The launcher could not pass it on; as when the machine goes down, all are gone.
        for file in tmp_path.glob("cut-*.pid"):
            os.kill(int(file.read_text()), how)
    assert cut.wait(120) != 0
    with pytest.raises(InputError, match="not finished"):
        load_run(tmp_path / "cut")
    assert launched(tmp_path, cues, given, tmp_path / "cut").wait(120) == 0
    weights = [load_run(tmp_path / name).facts.weights for name in ("whole", "cut")]
    assert weights[0] == weights[1]


def test_a_search_is_not_started_by_a_launcher(
    cues: Dataset, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    space = {"rate": {"low": 0.1, "high": 0.2}}
    with pytest.raises(InputError, match="a search runs in one process"):
        tune_recipe(recipe(), cues, tmp_path, trials=1, space=space)


@pytest.mark.slow
@pytest.mark.parametrize("rank", [0, 1])
def test_a_process_that_fails_ends_the_others(
    rank: int, cues: Dataset, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wait up to seven days for one that is at work, and not for one that is gone."""
    monkeypatch.setenv("FAILS", str(rank))
    cut = launched(tmp_path, cues, recipe(slow=0.02, epochs=100), tmp_path / "out", FAILING)
    assert cut.wait(90) != 0
    for file in tmp_path.glob("out-*.pid"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(file.read_text()), 0)
