"""Run a text model: write on from inputs (a Writer of beam_search.py), or read given answers.

Inputs of a causal model are padded in front, so that all their answers end at the same place; its positions are counted
without padding. A decoder's inputs are padded behind. Either way the attention mask hides padding.

Shapes: n inputs, l pieces of the longest, k pieces of the longest answer, r rows, v pieces of the vocabulary.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from anagnosis.encoders.run import padded
from anagnosis.encoders.text_models import Writing

Pieces = Sequence[int]


class ModelWriter:
    """A text model and the inputs from which it writes. The keys and values of pieces that it has read are kept."""

    def __init__(self, model: nn.Module, writing: Writing, inputs: Sequence[Pieces], device: Any) -> None:
        self._model: Any = model
        self._causal, self._device = writing.causal, device
        self._options = _named(model)
        pieces, self._inside = _batch(inputs, writing, device)  # [n, l]
        if self._causal:
            self._keys: Any = None
            self.first = self._causal_step(pieces)
        else:
            self._encoded = self._model.get_encoder()(input_ids=pieces, attention_mask=self._inside.long())[0]
            self._keys = None
            begin = torch.full((len(inputs), 1), writing.start or 0, dtype=torch.int64, device=device)
            self.first = self._decoder_step(begin)

    def following(self, rows: Tensor, pieces: Tensor) -> Tensor:
        """See beam_search.Writer."""
        rows, pieces = rows.to(self._device), pieces.to(self._device)[:, None]  # [r], [r, 1]
        self._keys.reorder_cache(rows)
        self._inside = self._inside[rows]
        if self._causal:
            return self._causal_step(pieces)
        self._encoded = self._encoded[rows]
        return self._decoder_step(pieces)

    def _causal_step(self, pieces: Tensor) -> Tensor:
        if self._keys is not None:
            more = torch.ones_like(pieces, dtype=torch.bool)
            self._inside = torch.cat([self._inside, more], 1)
        places = _places(self._inside)[:, -pieces.shape[1] :]
        output = self._model(
            input_ids=pieces,
            attention_mask=self._inside.long(),
            past_key_values=self._keys,
            use_cache=True,
            **_only(self._options, position_ids=places, logits_to_keep=1),
        )
        self._keys = output.past_key_values
        return output.logits[:, -1].float()

    def _decoder_step(self, pieces: Tensor) -> Tensor:
        output = self._model(
            encoder_outputs=(self._encoded,),
            attention_mask=self._inside.long(),
            decoder_input_ids=pieces,
            past_key_values=self._keys,
            use_cache=True,
        )
        self._keys = output.past_key_values
        return output.logits[:, -1].float()


class Read(NamedTuple):
    """Logits for answers that were read. logits: float [n, k, v]; pieces: int64 [n, k]; inside: bool [n, k]."""

    logits: Tensor
    pieces: Tensor
    inside: Tensor


def read(
    model: nn.Module, writing: Writing, inputs: Sequence[Pieces], answers: Sequence[Pieces], device: Any
) -> Read:
    """The logits of every piece of the answers, given the pieces before it. An answer has at least one piece."""
    longest = max(len(answer) for answer in answers)
    module: Any = model
    if writing.causal:
        whole = [(*given, *answer) for given, answer in zip(inputs, answers, strict=True)]
        pieces, inside = _batch(whole, writing, device)
        output = module(
            input_ids=pieces,
            attention_mask=inside.long(),
            use_cache=False,
            **_only(_named(model), position_ids=_places(inside), logits_to_keep=longest + 1),
        )
        logits = output.logits[:, -longest - 1 : -1]
        wanted, asked = _batch(answers, writing, device)
        return Read(logits, wanted, asked)
    pieces, inside = _batch(inputs, writing, device)
    wanted, asked = _batch(answers, writing, device)
    begin = torch.full((len(answers), 1), writing.start or 0, dtype=torch.int64, device=device)
    output = module(
        input_ids=pieces,
        attention_mask=inside.long(),
        decoder_input_ids=torch.cat([begin, wanted[:, :-1]], 1),
        use_cache=False,
    )
    return Read(output.logits, wanted, asked)


def _batch(sequences: Sequence[Pieces], writing: Writing, device: Any) -> tuple[Tensor, Tensor]:
    """(pieces, mask of no padding): int64 and bool [n, l]; padded in front for a causal model."""
    if not writing.causal:
        pieces, inside = padded(sequences, writing.padding)
        return pieces.to(device), inside.to(device)
    pieces, inside = padded([sequence[::-1] for sequence in sequences], writing.padding)
    return pieces.flip(1).to(device), inside.flip(1).to(device)


def _places(inside: Tensor) -> Tensor:
    """The position of each piece, counted without padding: int64 [n, l]."""
    return (inside.long().cumsum(1) - 1).clamp(min=0)


def _named(model: nn.Module) -> frozenset[str]:
    """The names of what a model's forward takes; architectures differ."""
    return frozenset(inspect.signature(model.forward).parameters)


def _only(known: frozenset[str], **options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in known}
