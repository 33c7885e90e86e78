"""Predictions of a run: in order, the same in any company, and refused where they would mislead."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest
import torch
from tests.training import bags
from tests.training.conftest import recipe

from anagnosis import predictions
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.training.loop.checkpoint import read_tensors, write_tensors
from anagnosis.training.runs import predicting
from anagnosis.training.runs.predicting import kept_predictions, predict
from anagnosis.training.runs.run import Run, load
from anagnosis.training.train import train


@pytest.fixture
def trained(cues: Dataset, tmp_path: Path) -> Run:
    return train(recipe(epochs=1), cues, tmp_path / "run", device="cpu")


def test_one_line_an_instance_in_order_with_a_score_for_each_candidate(cues: Dataset, trained: Run) -> None:
    lines = list(predict(trained, cues, device="cpu"))
    instances = list(store.instances(cues, "test"))
    assert [line.id for line in lines] == [instance.id for instance in instances]
    for line, instance in zip(lines, instances, strict=True):
        assert line.scores is not None
        assert list(line.scores) == [candidate.key for candidate in instance.candidates]
        assert math.fsum(map(math.exp, line.scores.values())) == pytest.approx(1, abs=1e-5)
        assert line.answer == max(line.scores, key=lambda key: line.scores[key])
        assert line.dataset == store.fingerprint(cues, "test")


def test_a_run_answers_in_another_precision_where_that_is_asked_for(cues: Dataset, trained: Run) -> None:
    as_trained = list(predict(trained, cues, device="cpu"))
    assert list(predict(trained, cues, device="cpu", precision="float32")) == as_trained
    rougher = list(predict(trained, cues, device="cpu", precision="bfloat16"))
    assert rougher != as_trained
    for one, two in zip(as_trained, rougher, strict=True):
        assert one.scores == pytest.approx(two.scores, abs=0.2)


def test_predictions_are_kept_in_the_run_folder(
    cues: Dataset, trained: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept_predictions(trained.folder, cues, "test")
    assert path.parent.parent == trained.folder
    assert list(predictions.read(path)) == list(predict(trained, cues, device="cpu"))
    with monkeypatch.context() as patch:
        patch.setattr(predicting, "predict", None)
        assert kept_predictions(trained.folder, cues, "test") == path
    assert load(trained.folder) == trained


def test_a_split_that_is_not_there_and_a_dataset_without_the_view_are_refused(
    trained: Run, cues: Dataset, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no split 'tset'"):
        predict(trained, cues, split="tset")
    local = writing.write(
        tmp_path / "local", {"test": store.instances(cues, "test")}, {"dataset": "cues", "numbering": "local"}
    )
    seen_globally = train(recipe(epochs=1, view="global"), cues, tmp_path / "global", device="cpu")
    with pytest.raises(InputError, match="only local numbers"):
        list(predict(seen_globally, local, device="cpu"))
    assert len(list(predict(trained, local, device="cpu"))) == 90


def test_weights_of_another_shape_or_with_other_names_are_refused(trained: Run, tmp_path: Path) -> None:
    from anagnosis.training.loop.checkpoint import load_weights

    config = trained.config
    assert isinstance(config, bags.Config)
    tensors, path = read_tensors(trained.weights), tmp_path / "other.safetensors"
    with pytest.raises(
        InputError, match=r"weights 'inner.bias' have the shape \[8\], the recipe makes \[9\]"
    ):
        load_weights(bags.Bags(msgspec.structs.replace(config, width=9)), tensors, path)
    write_tensors(path, {f"gru.{name}": tensor for name, tensor in tensors.items()})
    with pytest.raises(InputError, match=r"the weights 'gru\..*' have the shape .* makes None"):
        load_weights(bags.Bags(config), read_tensors(path), tmp_path)


def test_memory_that_does_not_suffice_names_an_option_that_predicting_has(
    cues: Dataset, trained: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bags.Bags, "forward", lambda *_: torch.empty(1 << 60))
    with pytest.raises(InputError, match=r"out of memory.* --tokens 1\d\d \(it is 300\)") as fault:
        list(predict(trained, cues, device="cpu", tokens=300))
    assert "--set" not in str(fault.value)


def test_predicting_leaves_torch_as_it_was_between_two_lines(cues: Dataset, trained: Run) -> None:
    threads = torch.get_num_threads()
    torch.manual_seed(5)
    state = torch.get_rng_state()
    for _ in predict(trained, cues, device="cpu", threads=threads + 1):
        assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)
