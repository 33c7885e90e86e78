"""What a step does, when a reader is judged, and which weights are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from tests.training import bags
from tests.training.bags import evaluations
from tests.training.conftest import Interrupt, recipe
from torch import Tensor

from anagnosis.datasets.folder.store import Dataset
from anagnosis.training.loop.checkpoint import read, read_tensors
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.loop.loop import TrainingLoop
from anagnosis.training.run_files import WEIGHTS
from anagnosis.training.train import train
from anagnosis.training.training_splits import viewed_split


def weights(folder: Path) -> dict[str, Tensor]:
    return read_tensors(folder / WEIGHTS)


def test_a_step_is_that_of_the_mean_loss_of_the_whole_batch(cues: Dataset, tmp_path: Path) -> None:
    """One step of plain gradient descent on all 300 instances, against torch's own gradient."""
    given = recipe(optimizer="sgd", rate=0.5, clip=0.0, dropout=0.0, batch=300, stop="epochs", epochs=1)
    done = train(given, cues, tmp_path / "run", device="cpu", threads=1)
    config = done.config
    assert isinstance(config, bags.Config)
    reader = bags.Reader(config, 0)
    torch.manual_seed(0)
    model = reader.model()
    start = train({**given, "rate": 1e-30}, cues, tmp_path / "start", device="cpu", threads=1)
    model.load_state_dict(weights(start.folder))
    batch = reader.collate(list(reader.encode(viewed_split(cues, "train", "local"))))
    model(batch).losses["answer"].mean().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None
        stepped = parameter.detach() - 0.5 * parameter.grad
        assert torch.allclose(weights(done.folder)[name], stepped, atol=1e-6), name
        # A number added to all scores changes nothing.
        assert name == "outer.bias" or not torch.equal(stepped, parameter)


@pytest.mark.parametrize("tokens", [1, 37, 300])
def test_pieces_of_a_batch_give_its_gradient(tokens: int, cues: Dataset, tmp_path: Path) -> None:
    """Whatever the token budget, up to rounding; gradients are clipped as a whole."""
    same = recipe(dropout=0.0, clip=0.1, optimizer="sgd", rate=0.5, stop="epochs", epochs=1)
    whole = weights(train({**same, "tokens": 10**9}, cues, tmp_path / "whole", device="cpu").folder)
    pieces = weights(train({**same, "tokens": tokens}, cues, tmp_path / "pieces", device="cpu").folder)
    for name, tensor in whole.items():
        assert torch.allclose(pieces[name], tensor, atol=1e-5), name


def test_a_phase_trains_its_own_weights_at_its_own_rate(
    cues: Dataset, tmp_path: Path, interrupt: Interrupt
) -> None:
    start = train(recipe(stop="epochs", rate=1e-30), cues, tmp_path / "start", device="cpu")
    given = recipe(stop="epochs", phased=True, tokens=10**6)
    interrupt(39)  # in the first step of the second phase
    with pytest.raises(KeyboardInterrupt):
        train(given, cues, tmp_path / "last", device="cpu")
    checkpoint = read(tmp_path / "last" / "checkpoint")
    assert checkpoint is not None
    last = train(given, cues, tmp_path / "last", device="cpu")
    before, between, after = weights(start.folder), checkpoint.weights, weights(last.folder)
    moved = {name for name in before if not torch.allclose(before[name], between[name])}
    assert moved - {"outer.bias"} == {"outer.weight"}
    assert all(not torch.allclose(before[name], after[name]) for name in before if name != "outer.bias")
    lines = evaluations(last.folder)
    outer, rest = [("outer", epoch, 0.01) for epoch in (1, 2, 3)], [("rest", n, 0.02) for n in (1, 2, 3)]
    assert [(one.phase, one.epoch, one.rate) for one in lines] == outer + rest
    assert (last.facts.epochs, last.facts.best_epoch) == (6, None)


def test_the_reader_is_judged_every_so_many_steps_and_at_the_end(cues: Dataset, tmp_path: Path) -> None:
    done = train(recipe(evaluate_every=8, patience=99, epochs=2), cues, tmp_path, device="cpu")
    found = [(one.epoch, one.step) for one in evaluations(done.folder)]
    assert found == [(1, 8), (1, 16), (2, 24), (2, 32), (2, 38)]


@pytest.mark.parametrize(("stop", "stop_from"), [("accuracy", 1), ("loss", 1), ("accuracy", 9)])
def test_the_best_weights_are_kept_and_patience_ends_the_training_from_the_epoch_that_it_names(
    stop: str, stop_from: int, cues: Dataset, tmp_path: Path
) -> None:
    """A rate so high that the reader soon gets worse."""
    given = recipe(stop=stop, rate=1.0, epochs=30, patience=2, stop_from=stop_from)
    done = train(given, cues, tmp_path / "run", device="cpu")
    lines = evaluations(done.folder)

    def worth(one: Evaluation) -> float:
        return (one.dev_accuracy or 0.0) if stop == "accuracy" else -(one.dev_loss or 0.0)

    best = max(lines, key=worth)
    assert len(lines) == max(best.epoch + 2, stop_from) < 30
    assert (done.facts.best_epoch, done.facts.dev_accuracy) == (best.epoch, best.dev_accuracy)
    until = train(recipe(stop="epochs", rate=1.0, epochs=best.epoch), cues, tmp_path / "until", device="cpu")
    assert until.facts.weights == done.facts.weights


def test_training_loss_is_that_of_the_instances_since_the_evaluation_before(
    cues: Dataset, tmp_path: Path
) -> None:
    """With a rate of nearly 0 the training part is judged like any other."""
    given = recipe(rate=1e-30, dropout=0.0, epochs=2, stop="epochs")
    done = train(given, cues, tmp_path / "run", device="cpu")
    config = done.config
    assert isinstance(config, bags.Config)
    reader = bags.Reader(config, 0)
    model = reader.model()
    model.load_state_dict(weights(done.folder))
    for line, split in [(one, split) for one in evaluations(done.folder) for split in ("train", "dev")]:
        batch = reader.collate(list(reader.encode(viewed_split(cues, split, "local"))))
        with torch.no_grad():
            output = model(batch)
        loss = output.losses["answer"].mean().item()
        accuracy = (output.log_probabilities.argmax(1) == batch.target).float().mean().item()
        told = (line.loss, line.accuracy) if split == "train" else (line.dev_loss, line.dev_accuracy)
        assert told == pytest.approx((loss, accuracy), abs=1e-5)


def test_moments_start_anew_in_each_epoch_with_a_halved_rate(
    cues: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten: list[tuple[int, int]] = []
    real = TrainingLoop._step

    def step(self: TrainingLoop, *given: Any) -> None:
        if not self._optimizer.state:
            forgotten.append(divmod(self.steps, self.per_epoch))
        real(self, *given)

    monkeypatch.setattr(TrainingLoop, "_step", step)
    train(recipe(schedule="halving", epochs=5, patience=9), cues, tmp_path, device="cpu")
    assert forgotten == [(0, 0), (3, 0), (4, 0)]


@pytest.mark.parametrize("fast", [True, False])
def test_bfloat16_is_used_where_it_is_asked_for_and_auto_takes_it_where_the_processor_is_fast_with_it(
    fast: bool, cues: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    real = bags.Bags.forward

    def forward(self: bags.Bags, batch: Any) -> Any:
        seen.append(torch.is_autocast_enabled("cpu"))
        return real(self, batch)

    monkeypatch.setattr(bags.Bags, "forward", forward)
    monkeypatch.setattr("anagnosis.encoders.cpu.fast_bfloat16", lambda: fast)
    for asked, is_rough in (("float32", False), ("bfloat16", True), ("auto", fast)):
        done = train(recipe(epochs=1, precision=asked), cues, tmp_path / asked, device="cpu")
        assert done.facts.precision == ("bfloat16" if is_rough else "float32")
        assert set(seen) == {is_rough}
        assert all(tensor.dtype == torch.float32 for tensor in weights(done.folder).values())
        seen.clear()
