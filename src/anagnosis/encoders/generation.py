"""Text from a model, the most probable piece each time, or its reading of given answers.

Inputs and answers are padded behind; the attention mask hides the padding of inputs.

Shapes: n inputs, l pieces of the longest, k pieces of the longest answer, v pieces of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from transformers import (
    DynamicCache,
    EncoderDecoderCache,
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
)

from anagnosis.encoders.run import padded
from anagnosis.encoders.text_models import Writing

Pieces = Sequence[int]


class Written(NamedTuple):
    """A text. pieces: without the one that ends it. logits: of the pieces."""

    pieces: tuple[int, ...] = ()
    logits: tuple[float, ...] = ()


class _Best(LogitsProcessor):
    """Notes the logit of the most probable piece of each row, step by step."""

    def __init__(self) -> None:
        self.logits: list[list[float]] = []

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        self.logits.append(scores.amax(1).tolist())
        return scores


def most_probable(
    model: nn.Module, writing: Writing, inputs: Sequence[Pieces], most: int, device: Any
) -> list[Written]:
    """The text of each input whose every piece is the most probable one. most: pieces of a text."""
    pieces, inside = _batch(inputs, writing, device)  # [n, l]
    writer: Any = model
    # Of the model's own settings none counts, such as a penalty for repeated pieces.
    writer.generation_config = GenerationConfig(
        do_sample=False,
        max_new_tokens=most,
        pad_token_id=writing.padding,
        eos_token_id=writing.end,
        decoder_start_token_id=writing.start,
    )
    best = _Best()
    written = writer.generate(
        input_ids=pieces,
        attention_mask=inside.long(),
        logits_processor=LogitsProcessorList([best]),
        # transformers would make room for as many layers as the encoder has, and a decoder may have more.
        past_key_values=EncoderDecoderCache(DynamicCache(), DynamicCache()),
    )
    texts: list[Written] = []
    for row, logits in zip(written[:, -len(best.logits) :].tolist(), zip(*best.logits), strict=True):
        length = row.index(writing.end) if writing.end in row else len(row)
        texts.append(Written(tuple(row[:length]), logits[:length]))
    return texts


def read(
    model: nn.Module, writing: Writing, inputs: Sequence[Pieces], answers: Sequence[Pieces], device: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """The logits of every piece of the answers, given the pieces before it: float [n, k, v].

    Then the pieces, int64 [n, k], and which are no padding, bool [n, k]. An answer has at least one piece.
    """
    wanted, asked = _batch(answers, writing, device)
    pieces, inside = _batch(inputs, writing, device)
    begin = torch.full((len(answers), 1), writing.start, dtype=torch.int64, device=device)
    before = torch.cat([begin, wanted[:, :-1]], 1)
    known = {"input_ids": pieces, "attention_mask": inside.long(), "decoder_input_ids": before}
    return model(**known, use_cache=False).logits, wanted, asked


def _batch(sequences: Sequence[Pieces], writing: Writing, device: Any) -> tuple[Tensor, Tensor]:
    """(pieces, mask of no padding): int64 and bool [n, l]."""
    pieces, inside = padded(sequences, writing.padding)
    return pieces.to(device), inside.to(device)
