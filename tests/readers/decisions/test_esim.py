"""ESIM: its steps by hand, contextual vectors of an encoder and of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.encoders.tiny import tiny_encoder
from tests.readers.viewed import posed, viewed_split

from anagnosis.errors import InputError
from anagnosis.readers.decisions import esim
from anagnosis.readers.decisions.esim import ESIM, Config, TextBatch, attended
from anagnosis.readers.learning import ViewedSplit

h5py = pytest.importorskip("h5py", reason="the extra hdf5 is not installed")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("esim") / "tiny", words=["cold", "tea", "help"], limit=16)


def over(tiny: Path, found: ViewedSplit, **given: Any) -> esim.ESIMLearner:
    return esim.prepare(Config(encoder=str(tiny), hidden=3, **given), found)


def test_attention_by_hand_reads_no_padding() -> None:
    states = torch.tensor([[[1.0], [3.0], [100.0]], [[0.0], [0.0], [0.0]]])
    products = torch.tensor([[[0.0, 0.0, 9.0], [0.0, float(np.log(3)), 9.0]], [[0.0] * 3] * 2])
    found = attended(products, states, torch.tensor([2, 0]))
    assert found[0].flatten().tolist() == pytest.approx([2.0, (1 + 3 * 3) / 4])
    assert found[1].flatten().tolist() == [0, 0]


def test_the_steps_are_the_paper_s() -> None:
    """One question and one context without padding, step by step."""
    torch.manual_seed(0)
    model = ESIM(Config(encoder="x", hidden=3), 5, 0).double().eval()
    q, c = torch.randn(1, 2, 5, dtype=torch.float64), torch.randn(1, 4, 5, dtype=torch.float64)
    a, b = model.encoding(q, torch.tensor([2]))[0], model.encoding(c, torch.tensor([4]))[0]
    e = a @ b.T
    both = []
    for own, other, weights in ((a, b, e.softmax(1)), (b, a, e.T.softmax(1))):
        taken = weights @ other
        m = torch.cat([own, taken, own - taken, own * taken], 1)
        v = model.composition(torch.relu(model.projection(m))[None], torch.tensor([len(own)]))[0]
        both += [v.amax(0), v.mean(0)]
    expected = model.head.outer(torch.tanh(model.hidden(torch.cat(both)))).log_softmax(0)
    batch = TextBatch(torch.tensor([0]), q, c, torch.tensor([2]), torch.tensor([4]), torch.zeros(1, 0))
    torch.testing.assert_close(model(batch).log_probabilities[0], expected.float())


def test_a_long_context_is_read_whole_and_told(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = viewed_split(posed("cold tea", "help " * 40, id="1"), posed("cold tea", "help " * 14, id="2"))
    learner = over(tiny, found)
    batch = learner.collate(list(learner.encode(found)))
    assert batch.read_lengths.tolist() == [40, 14]
    said = capsys.readouterr().err
    assert "train: 1 contexts over the encoder's limit were read in several windows" in said


def test_a_question_alone_gets_an_answer(tiny: Path) -> None:
    found = viewed_split(posed("cold tea", id="1"), posed("", id="2"))
    learner = over(tiny, found)
    output = learner.model().eval()(learner.collate(list(learner.encode(found))))
    assert output.log_probabilities.exp().sum(1).tolist() == pytest.approx([1, 1])


# --- vectors from a file -----------------------------------------------------------------------------


def written(path: Path, **changed: np.ndarray) -> Path:
    draw = np.random.default_rng(0)
    keys = [f"{number}/{text}" for number in (1, 2) for text in ("question", "context", "long_answer")]
    arrays = {key: draw.normal(size=(3, 4)).astype(np.float32) for key in keys}
    arrays["2/context"] = draw.normal(size=(7, 4)).astype(np.float32)
    arrays.update({key.replace("_of_", "/"): value for key, value in changed.items()})
    with h5py.File(path, "w") as file:
        for key, value in arrays.items():
            if value.size:
                file[key] = value
    return path


@pytest.fixture
def given(tmp_path: Path) -> Path:
    return written(tmp_path / "elmo.hdf5")


FOUND = viewed_split(posed("cold tea", "help", id="1"), posed("cold tea", "help", id="2"))


def from_file(path: Path, found: ViewedSplit = FOUND, **options: Any) -> esim.ESIMLearner:
    return esim.prepare(Config(vectors=str(path), hidden=3, **options), found)


def test_vectors_of_a_file_take_the_place_of_the_encoder(given: Path) -> None:
    learner = from_file(given, encoder="no such encoder")
    batch = learner.collate(list(learner.encode(FOUND)))
    assert (batch.question_lengths.tolist(), batch.read_lengths.tolist()) == ([3, 3], [3, 7])
    with h5py.File(given) as file:
        assert batch.read[1].numpy().tobytes() == file["2/context"][:].tobytes()
    assert learner.model().encoding.weight_ih_l0.shape[1] == 4


def test_the_view_decides_which_text_is_read_beside(given: Path) -> None:
    keys = {
        view: [example.keys[1] for example in from_file(given, view=view).encode(FOUND)]
        for view in ("reasoning-required", "reasoning-free")
    }
    assert keys == {
        "reasoning-required": ["1/context", "2/context"],
        "reasoning-free": ["1/long_answer", "2/long_answer"],
    }
    asked = viewed_split(posed("cold tea", id="1"))
    (alone,) = from_file(given, asked, view="question-only").encode(asked)
    assert (alone.keys, alone.pieces) == (("1/question",), (3, 0))


MISSING = np.zeros((0, 4), np.float32)
REFUSED = {
    "the first question is missing": ({"1_of_question": MISSING}, "no vectors of '1/question'"),
    "another width": ({"2_of_context": np.ones((2, 5), np.float32)}, "'2/context' have 5 numbers, others 4"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_does_not_fit_is_one_line_with_the_text(case: str, tmp_path: Path) -> None:
    changed, said = REFUSED[case]
    path = written(tmp_path / "bad.hdf5", **changed)
    with pytest.raises(InputError, match=said) as fault:
        list(from_file(path).encode(FOUND))
    assert "\n" not in str(fault.value)


def test_a_run_reads_its_file_which_may_hold_other_instances(given: Path, tmp_path: Path) -> None:
    learner = from_file(given)
    learner.save(tmp_path)
    again = esim.restore(learner.config, tmp_path)
    assert again.width == 4
    assert list(again.encode(FOUND)) == list(learner.encode(FOUND))
    del learner, again
    given.unlink()
    with pytest.raises(InputError, match="no such file"):
        esim.restore(Config(vectors=str(given), hidden=3), tmp_path)
    written(given, **{"3_of_question": np.ones((1, 4), np.float32)})
    new = viewed_split(posed("cold tea", id="3"))
    restored = esim.restore(Config(vectors=str(given), hidden=3), tmp_path)
    assert [example.pieces for example in restored.encode(new)] == [(1, 0)]
