"""Texts of a tiny model beside plain calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from tests.encoders.tiny_text import plain_logits, tiny_text_model
from transformers import GenerationConfig

from anagnosis.encoders.generation import Written, most_probable, read
from anagnosis.encoders.text_models import TextModel, load

INPUTS = ["question: which gene causes cancer context: brca1", "question: tp53", "is in mice the disease ."]
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TextModel:
    return load(tiny_text_model(tmp_path_factory.mktemp("models") / "tiny"))


def given(model: TextModel) -> list[list[int]]:
    return [model.writing.pieces(text) for text in INPUTS]


def of_pieces(model: TextModel, pieces: list[int], answer: tuple[int, ...]) -> Any:
    """The logit of each piece of an answer, by one plain call."""
    plain = plain_logits(model, pieces, [*answer])[range(len(answer)), answer]
    return pytest.approx(plain.tolist(), abs=1e-3)


@torch.inference_mode()
def test_read_answers_have_the_logits_of_a_plain_call(model: TextModel) -> None:
    inputs, answers = given(model), [[5, 6, 7], [8], [9, 10]]
    found, read_pieces, inside = read(model.model, model.writing, inputs, answers, CPU)
    for row, (pieces, answer) in enumerate(zip(inputs, answers, strict=True)):
        plain = plain_logits(model, pieces, answer)[range(len(answer)), answer]
        of_pieces = found[row][inside[row]][range(len(answer)), answer]
        assert of_pieces.tolist() == pytest.approx(plain.tolist(), abs=1e-3)
        assert read_pieces[row][inside[row]].tolist() == answer


@torch.inference_mode()
def test_texts_are_of_the_most_probable_pieces_alone_and_in_company(model: TextModel) -> None:
    inputs = given(model)
    # Settings that come with a model do not count.
    model.model.generation_config = GenerationConfig(no_repeat_ngram_size=1, num_beams=3, min_new_tokens=5)
    together = most_probable(model.model, model.writing, inputs, 6, CPU)
    for one, pieces in zip(together, inputs, strict=True):
        by_hand: list[int] = []
        while len(by_hand) < 6:
            piece = int(plain_logits(model, pieces, by_hand)[-1].argmax())
            if piece == model.writing.end:
                break
            by_hand.append(piece)
        assert one.pieces == tuple(by_hand)
        assert one.logits == of_pieces(model, pieces, one.pieces)
        assert most_probable(model.model, model.writing, [pieces], 6, CPU)[0].pieces == one.pieces


@torch.inference_mode()
def test_a_text_ends_at_its_last_piece_while_others_go_on(model: TextModel) -> None:
    """What the first input is followed by ends a text: it has none, the others theirs."""
    inputs = given(model)
    end = most_probable(model.model, model.writing, inputs[:1], 1, CPU)[0].pieces[0]
    whole = most_probable(model.model, model.writing, inputs, 6, CPU)
    ended = most_probable(model.model, replace(model.writing, end=end), inputs, 6, CPU)
    assert ended[0] == Written()
    for one, before in zip(ended, whole, strict=True):
        length = before.pieces.index(end) if end in before.pieces else 6
        assert one.pieces == before.pieces[:length]
