from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.encoders.tiny_text import tiny_text_model

from anagnosis.encoders.beam_search import diverse, most_probable
from anagnosis.encoders.text_models import TextModel, load
from anagnosis.encoders.writers import ModelWriter, read

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
    result = read(model.model, model.writing, inputs, answers, CPU)
    for row, (pieces, answer) in enumerate(zip(inputs, answers, strict=True)):
        plain = logits(model, pieces, answer)[range(len(answer)), answer]
        of_pieces = result.logits[row][result.inside[row]][range(len(answer)), answer]
        assert of_pieces.tolist() == pytest.approx(plain.tolist(), abs=1e-3)
        assert result.pieces[row][result.inside[row]].tolist() == answer


@torch.inference_mode()
def test_texts_are_the_same_alone_and_in_company(model: TextModel) -> None:
    inputs, end = given(model), model.writing.end
    together = most_probable(ModelWriter(model.model, model.writing, inputs, CPU), end, 6)
    alone = [most_probable(ModelWriter(model.model, model.writing, [one], CPU), end, 6)[0] for one in inputs]
    assert [each.pieces for each in together] == [each.pieces for each in alone]
    for one, pieces in zip(together, inputs, strict=True):
        total = sum(
            logits(model, pieces, list(one.pieces[:place]))[-1].log_softmax(-1)[piece].item()
            for place, piece in enumerate((*one.pieces, end) if one.ended else one.pieces)
        )
        assert one.log_probability == pytest.approx(total, abs=1e-3)
        assert one.logits == of_pieces(model, pieces, one.pieces)


@torch.inference_mode()
def test_the_best_of_one_group_with_one_beam_is_the_likeliest_text_and_groups_differ(
    model: TextModel,
) -> None:
    pieces, end = given(model)[0], model.writing.end
    (greedy,) = most_probable(ModelWriter(model.model, model.writing, [pieces], CPU), end, 5)
    (single,) = diverse(
        ModelWriter(model.model, model.writing, [pieces], CPU), end, 5, groups=1, beams=1, penalty=9
    )
    assert single.pieces == greedy.pieces
    several = diverse(
        ModelWriter(model.model, model.writing, [pieces], CPU), end, 5, groups=3, beams=2, penalty=50.0
    )
    assert several[0].log_probability >= greedy.log_probability - 1e-4
    for each in (single, *several):
        assert each.logits == of_pieces(model, pieces, each.pieces)
    assert len({each.pieces[:1] for each in several}) == 3
