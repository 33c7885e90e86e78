"""Texts of models whose every probability is known, and of tiny ones beside plain calls."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import torch
from tests.encoders.tiny_text import tiny_text_model
from torch import Tensor

from anagnosis.encoders.generation import ModelWriter, Written, most_probable, read
from anagnosis.encoders.text_models import TextModel, load

END = 0


class KnownModel(ModelWriter):
    """A writer over a table: the probabilities of the next piece depend on the input and the pieces so far."""

    def __init__(self, tables: Sequence[Mapping[tuple[int, ...], Sequence[float]]]) -> None:
        self.tables = tables
        self.prefixes: list[tuple[int, tuple[int, ...]]] = [(number, ()) for number in range(len(tables))]
        self.first = self._values()

    def following(self, rows: Tensor, pieces: Tensor) -> Tensor:
        self.prefixes = [
            (self.prefixes[row][0], (*self.prefixes[row][1], piece))
            for row, piece in zip(rows.tolist(), pieces.tolist(), strict=True)
        ]
        return self._values()

    def _values(self) -> Tensor:
        return torch.tensor([self.tables[number][prefix] for number, prefix in self.prefixes]).log()


SHORT = {
    (): [0.0625, 0.5, 0.375, 0.0625],
    (1,): [0.25, 0.25, 0.25, 0.25],
    (2,): [1 - 3e-9, 1e-9, 1e-9, 1e-9],
    (3,): [0.5, 0.25, 0.125, 0.125],
}


def test_the_likeliest_piece_is_taken_each_time() -> None:
    (greedy,) = most_probable(KnownModel([SHORT]), END, 2)
    assert greedy == Written((1,), (pytest.approx(math.log(0.5)),))


def test_inputs_are_written_on_side_by_side_and_end_apart() -> None:
    long = {(): [0.1, 0.2, 0.3, 0.4], (3,): [0.1, 0.2, 0.4, 0.3], (3, 2): [0.2, 0.3, 0.3, 0.2][::-1]}
    long[(3, 2)] = [0.2, 0.5, 0.2, 0.1]
    ends = {(): [0.9, 0.05, 0.03, 0.02]}
    table = {**SHORT, (1,): [0.1, 0.2, 0.6, 0.1], (1, 2): [0.7, 0.1, 0.1, 0.1]}
    three = most_probable(KnownModel([table, ends, long]), END, 3)
    assert [each.pieces for each in three] == [(1, 2), (), (3, 2, 1)]
    assert [most_probable(KnownModel([one]), END, 3)[0].pieces for one in (table, ends, long)] == [
        (1, 2),
        (),
        (3, 2, 1),
    ]


INPUTS = ["question: which gene causes cancer context: brca1", "question: tp53", "is in mice the disease ."]
CPU = torch.device("cpu")


@pytest.fixture(scope="module", params=[True, False], ids=["causal", "t5"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TextModel:
    return load(tiny_text_model(tmp_path_factory.mktemp("models") / "tiny", causal=request.param))


def given(model: TextModel) -> list[list[int]]:
    return [model.writing.pieces(text) for text in INPUTS]


def logits(model: TextModel, pieces: list[int], answer: list[int]) -> torch.Tensor:
    """The logits of each piece of an answer and of the one behind it, by one plain call: [k + 1, v]."""
    if model.writing.causal:
        return model.model(torch.tensor([[*pieces, *answer]])).logits[0, len(pieces) - 1 :]
    decoder = torch.tensor([[model.writing.start, *answer]])
    return model.model(input_ids=torch.tensor([pieces]), decoder_input_ids=decoder).logits[0]


def of_pieces(model: TextModel, pieces: list[int], answer: tuple[int, ...]) -> Any:
    """The logit of each piece of an answer, by one plain call."""
    plain = logits(model, pieces, [*answer])[range(len(answer)), answer]
    return pytest.approx(plain.tolist(), abs=1e-3)


@torch.inference_mode()
def test_writing_on_gives_what_a_call_without_kept_keys_gives(model: TextModel) -> None:
    inputs = given(model)
    writer = ModelWriter(model.model, model.writing, inputs, CPU)
    for row, pieces in enumerate(inputs):
        assert torch.allclose(writer.first[row], logits(model, pieces, [])[-1], atol=1e-3)
    # The rows change their order, and one is doubled.
    after = writer.following(torch.tensor([2, 0, 2]), torch.tensor([5, 6, 7]))
    for values, pieces, piece in zip(after, (inputs[2], inputs[0], inputs[2]), (5, 6, 7), strict=True):
        assert torch.allclose(values, logits(model, pieces, [piece])[-1], atol=1e-3)
    last = writer.following(torch.tensor([1]), torch.tensor([8]))
    assert torch.allclose(last[0], logits(model, inputs[0], [6, 8])[-1], atol=1e-3)


@torch.inference_mode()
def test_read_answers_have_the_logits_of_a_plain_call(model: TextModel) -> None:
    inputs, answers = given(model), [[5, 6, 7], [8], [9, 10]]
    found, read_pieces, inside = read(model.model, model.writing, inputs, answers, CPU)
    for row, (pieces, answer) in enumerate(zip(inputs, answers, strict=True)):
        plain = logits(model, pieces, answer)[range(len(answer)), answer]
        of_pieces = found[row][inside[row]][range(len(answer)), answer]
        assert of_pieces.tolist() == pytest.approx(plain.tolist(), abs=1e-3)
        assert read_pieces[row][inside[row]].tolist() == answer


@torch.inference_mode()
def test_texts_are_the_same_alone_and_in_company(model: TextModel) -> None:
    inputs, end = given(model), model.writing.end
    together = most_probable(ModelWriter(model.model, model.writing, inputs, CPU), end, 6)
    alone = [most_probable(ModelWriter(model.model, model.writing, [one], CPU), end, 6)[0] for one in inputs]
    assert [each.pieces for each in together] == [each.pieces for each in alone]
    for one, pieces in zip(together, inputs, strict=True):
        assert one.logits == of_pieces(model, pieces, one.pieces)
