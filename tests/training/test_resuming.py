"""A training that was killed goes on to the very bytes of one that was not."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tests.conftest import ROOT
from tests.disk import full_after
from tests.training.bags import evaluations, facts
from tests.training.conftest import BAGS, Interrupt, recipe

from anagnosis import version
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.io.files import atomic_write
from anagnosis.training.loop.checkpoint import read_tensors
from anagnosis.training.runs.run import load_run
from anagnosis.training.train import train

STOPS = random.Random(9).sample(range(20, 70), 4)  # passes, of which an epoch has thirty


def checkpoints(folder: Path) -> set[str]:
    return {file.name for file in (folder / "checkpoint").glob("*.pt")}


# Each row is a kind of training whose state could be lost: its moments, its phase, its halved rate, its best weights.
KINDS: list[dict[str, Any]] = [
    {"epochs": 4},
    {"epochs": 2, "phased": True, "clip": 0.5},
    {"epochs": 5, "schedule": "halving", "patience": 99, "evaluate_every": 7},
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


@pytest.mark.parametrize(
    "kind",
    [kind if place % 2 else pytest.param(kind, marks=pytest.mark.slow) for place, kind in enumerate(KINDS)],
    ids=str,
)
def test_an_interrupted_training_ends_with_the_same_weights(
    kind: dict[str, Any], cues: Dataset, tmp_path: Path, interrupt: Interrupt
) -> None:
    whole = train(recipe(**kind), cues, tmp_path / "whole", device="cpu", threads=1)
    for stop in STOPS:
        interrupt(stop)
        try:
            train(recipe(**kind), cues, tmp_path / "cut", device="cpu", threads=1)
            break
        except KeyboardInterrupt:
            with pytest.raises(InputError, match=r"not finished.*to go on"):
                load_run(tmp_path / "cut")
    resumed = train(recipe(**kind), cues, tmp_path / "cut", device="cpu", threads=1)
    assert facts(resumed.folder) == facts(whole.folder)
    assert not (resumed.folder / "checkpoint").exists()


KILLED = """
import sys
from anagnosis import api, readers
readers.READERS["bags"] = {reader!r}
from anagnosis.training.train import train
train({recipe!r}, api.load({data!r}), {out!r}, device="cpu", threads=1)
"""


@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_a_killed_training_ends_with_the_same_weights(times: int, cues: Dataset, tmp_path: Path) -> None:
    """SIGKILL at moments of no one's choice, until the training comes to its end."""
    slow = recipe(slow=0.01, epochs=2)
    whole = train(slow, cues, tmp_path / "whole", device="cpu", threads=1)
    script = KILLED.format(reader=BAGS, recipe=slow, data=str(cues.folder), out=str(tmp_path / "cut"))
    draw, kills = random.Random(4), 0
    for _ in range(times):
        child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, env=dict(os.environ))
        before = checkpoints(tmp_path / "cut")
        while child.poll() is None and checkpoints(tmp_path / "cut") <= before:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.3))
        child.kill()
        kills += child.wait() == -signal.SIGKILL
    assert kills
    resumed = train(slow, cues, tmp_path / "cut", device="cpu", threads=1)
    assert facts(resumed.folder) == facts(whole.folder)


def test_two_trainings_do_not_share_a_folder(cues: Dataset, tmp_path: Path) -> None:
    """The second is refused while the first is at work, with --replace too, and its lock dies with it."""
    script = KILLED.format(reader=BAGS, recipe=recipe(slow=0.02), data=str(cues.folder), out=str(tmp_path))
    child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, env=dict(os.environ))
    while not checkpoints(tmp_path):
        assert child.poll() is None
        time.sleep(0.01)
    for replace in (False, True):
        with pytest.raises(InputError, match="another process is writing"):
            train(recipe(slow=0.02), cues, tmp_path, device="cpu", replace=replace)
    child.kill()
    child.wait()
    train(recipe(slow=0.02), cues, tmp_path, device="cpu", replace=True)


def test_a_full_disk_is_one_line_and_leaves_the_checkpoint_before(
    cues: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from anagnosis.training.loop import checkpoint

    real, saves = checkpoint.write, [0]

    def save(*given: Any) -> None:
        saves[0] += 1
        with full_after(1000) if saves[0] == 2 else nullcontext():
            real(*given)

    monkeypatch.setattr(checkpoint, "write", save)
    with pytest.raises(InputError, match="writing failed: file too large; free some space"):
        train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1)
    assert len(checkpoints(tmp_path / "cut")) == 1
    train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1)
    assert saves == [2 + 2], "the first epoch was not trained again"
    whole = train(recipe(), cues, tmp_path / "whole", device="cpu", threads=1)
    assert facts(tmp_path / "cut") == facts(whole.folder)


@pytest.mark.parametrize(
    ("fault", "shown"), [(KeyboardInterrupt(), KeyboardInterrupt), (OSError(28, "full"), InputError)]
)
def test_what_stops_a_checkpoint_is_shown_at_each_of_its_writes(
    fault: BaseException, shown: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """torch closes its archive after a fault, and then complains of that."""
    from anagnosis.training.loop import checkpoint

    @contextmanager
    def stopping(path: Path) -> Generator[object]:
        def write(piece: bytes) -> int:
            if not next(left, 0):
                raise fault
            return stream.write(piece)

        with atomic_write(path) as stream:
            yield SimpleNamespace(write=write, flush=stream.flush)

    whole = checkpoint.Checkpoint([], {str(one): torch.zeros(9) for one in range(4)}, {}, None)
    monkeypatch.setattr(checkpoint, "atomic_write", stopping)
    for writes in range(50):
        left = iter([1] * writes)
        with pytest.raises(shown):
            checkpoint.write(tmp_path, whole)
        assert not [*tmp_path.iterdir()]


def test_the_newest_checkpoint_counts_and_a_damaged_one_is_one_line(
    cues: Dataset, tmp_path: Path, interrupt: Interrupt
) -> None:
    """As where a kill came between its renaming and the removal of the one before."""
    whole = train(recipe(), cues, tmp_path / "whole", device="cpu", threads=1)
    for number in range(2):
        interrupt(40)
        with pytest.raises(KeyboardInterrupt):
            train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1)
        (tmp_path / "cut" / "checkpoint" / ".new.abcdefgh.part").write_bytes(b"half")
        if not number:
            (before,) = (tmp_path / "cut" / "checkpoint").glob("*.pt")
            data = before.read_bytes()
    before.write_bytes(data)
    os.utime(before, ns=(0, 0))
    newest = max((tmp_path / "cut" / "checkpoint").glob("*.pt"), key=lambda file: file.stat().st_mtime)
    whole_bytes = newest.read_bytes()
    newest.write_bytes(whole_bytes[:100])
    with pytest.raises(InputError, match="is not the file that was written here"):
        train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1)
    newest.write_bytes(whole_bytes)
    resumed = train(recipe(), cues, tmp_path / "cut", device="cpu", threads=1)
    assert facts(resumed.folder) == facts(whole.folder)


def test_tokens_may_change_while_a_training_goes_on(
    cues: Dataset, tmp_path: Path, interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the message of a training that ran out of memory asks for. The facts of the first session stay."""
    interrupt(40)
    given = recipe(dropout=0.0, optimizer="sgd")
    with pytest.raises(KeyboardInterrupt):
        train(given, cues, tmp_path / "cut", device="cpu", threads=1)
    monkeypatch.setattr("anagnosis.training.train.__version__", "99.0")
    done = train({**given, "tokens": 60}, cues, tmp_path / "cut", device="cpu", threads=2)
    assert (done.facts.threads, done.facts.version, done.facts.finished) == (1, version.__version__, True)
    assert (done.recipe["tokens"], load_run(done.folder).recipe["tokens"]) == (60, 60)
    assert evaluations(done.folder)[0].step == 19
    whole = train(given, cues, tmp_path / "whole", device="cpu", threads=1)
    ours, theirs = read_tensors(done.weights), read_tensors(whole.weights)
    assert all(torch.allclose(ours[name], theirs[name], atol=1e-5) for name in theirs)
    with pytest.raises(InputError, match="of another rate"):
        train({**given, "rate": 0.5}, cues, tmp_path / "cut", device="cpu")


def test_a_session_in_another_precision_is_refused(
    cues: Dataset, tmp_path: Path, interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when "auto" meets another processor."""
    given = recipe(precision="auto")
    interrupt(40)
    monkeypatch.setattr("anagnosis.encoders.cpu.fast_bfloat16", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        train(given, cues, tmp_path, device="cpu", threads=1)
    monkeypatch.setattr("anagnosis.encoders.cpu.fast_bfloat16", lambda: False)
    with pytest.raises(InputError, match="of another precision"):
        train(given, cues, tmp_path, device="cpu", threads=1)
    done = train({**given, "precision": "bfloat16"}, cues, tmp_path, device="cpu", threads=1)
    assert (done.facts.precision, done.recipe["precision"]) == ("bfloat16", "bfloat16")
    with pytest.raises(InputError, match="of another precision"):
        train({**given, "precision": "float32"}, cues, tmp_path, device="cpu", threads=1)


@pytest.mark.parametrize(
    "file", ["checkpoint/run.json", "checkpoint/recipe.toml", "trained_on.npy", "run.json"]
)
def test_a_start_or_an_end_that_was_cut_off_is_made_good(
    file: str, cues: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a checkpoint another training may begin there; with one the same goes on."""
    real, folder = Path.replace, tmp_path / "run"

    def cut(part: Path, target: Path) -> Path:
        if target == folder / file:
            raise KeyboardInterrupt
        return real(part, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            train(recipe(), cues, folder, device="cpu", threads=1)
    if file.startswith("checkpoint"):
        other = recipe(epochs=1, rate=0.01)
        assert train(other, cues, folder, device="cpu").config.rate == 0.01
    else:
        whole = train(recipe(), cues, tmp_path / "whole", device="cpu", threads=1)
        assert facts(train(recipe(), cues, folder, device="cpu", threads=1).folder) == facts(whole.folder)


@pytest.mark.parametrize("left", [1, 4])
def test_a_removal_that_was_cut_off_goes_on(
    left: int, cues: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    train(recipe(epochs=1), cues, folder, device="cpu")
    real = Path.unlink

    def unlink(self: Path, missing_ok: bool = False) -> None:
        if self.parent == folder and len([*folder.iterdir()]) == left:
            raise KeyboardInterrupt
        real(self, missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unlink)
        with pytest.raises(KeyboardInterrupt):
            train(recipe(epochs=2), cues, folder, device="cpu", replace=True)
    assert train(recipe(epochs=2), cues, folder, device="cpu", replace=True).facts.epochs == 2
