"""Vectors of texts: the masked mean of an encoder's vectors, whatever stands beside a text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

import torch
from tests.encoders.tiny import tiny_encoder

from anagnosis.errors import InputError
from anagnosis.searching.vectors.encoding import LONGEST, SentenceEncoder

TEXTS = ["Cold tea.", "The protein increased in cells of patients with fever, and in sleep.", "salt", ""]


def test_a_vector_is_the_mean_over_the_pieces_by_hand(tiny: Path) -> None:
    encoder = SentenceEncoder(str(tiny), "cpu")
    found = encoder.vectors(TEXTS)
    from transformers import AutoModel

    model = AutoModel.from_pretrained(tiny, add_pooling_layer=False).eval()
    for text, vector in zip(TEXTS, found, strict=True):
        (pieces,) = encoder.pieces([text])
        with torch.inference_mode():
            mean = model(torch.tensor([pieces])).last_hidden_state[0].mean(0)
        # Padding changes the rounding, and bfloat16 where a processor has it.
        assert float(vector @ (mean / mean.norm()).numpy()) == pytest.approx(1, abs=1e-3)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)


def test_what_stands_beside_a_text_changes_nothing(encoder: SentenceEncoder) -> None:
    together = encoder.vectors(TEXTS)
    assert all(
        np.array_equal(encoder.vectors([text])[0], own) for text, own in zip(TEXTS, together, strict=True)
    )


def test_a_long_text_is_cut_and_counted(tmp_path: Path) -> None:
    encoder = SentenceEncoder(str(tiny_encoder(tmp_path / "tiny", limit=64)), "cpu")
    assert encoder.limit == 64 < LONGEST
    assert [len(one) for one in encoder.pieces(["the " * 62, "the " * 63])] == [64, 64]
    assert encoder.cut == 1
    assert np.array_equal(encoder.vectors(["the " * 62]), encoder.vectors(["the " * 100]))


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    encoder = SentenceEncoder(str(tiny_encoder(tmp_path / "tiny")), "cpu")
    with torch.no_grad():
        encoder._encoder.model.get_input_embeddings().weight.fill_(float("nan"))
    with pytest.raises(InputError, match="infinite or undefined numbers; take another encoder"):
        encoder.vectors(["salt"])
