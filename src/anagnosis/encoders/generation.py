"""Text from a model, the most probable piece each time, or its reading of given answers.

Inputs of a causal model are padded in front, so that all their answers end at the same place; its positions are counted
without padding. A decoder's inputs are padded behind. Either way the attention mask hides padding.

Shapes: n inputs, l pieces of the longest, k pieces of the longest answer, r rows (sequences that are being written), v
pieces of the vocabulary.
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


class Written(NamedTuple):
    """A text. pieces: without the one that ends it. logits: of the pieces."""

    pieces: tuple[int, ...] = ()
    logits: tuple[float, ...] = ()


def most_probable(writer: ModelWriter, end: int, most: int) -> list[Written]:
    """The text of each input whose every piece is the most probable one. end: ends a text. most: pieces."""
    logits = writer.first
    texts = [Written() for _ in logits]
    rows = list(range(len(texts)))  # the input of each row
    for step in range(most):
        values, pieces = (column.tolist() for column in logits.max(1))
        going = [place for place, piece in enumerate(pieces) if piece != end]
        rows = [rows[place] for place in going]
        for place, number in zip(going, rows, strict=True):
            before = texts[number]
            texts[number] = Written((*before.pieces, pieces[place]), (*before.logits, values[place]))
        if not going or step + 1 == most:
            break
        logits = writer.following(torch.tensor(going), torch.tensor([pieces[place] for place in going]))
    return texts


class ModelWriter:
    """A text model and the inputs from which it writes. The keys and values of pieces that it has read are kept.

    first: the logits of each input's first piece, float [n, v].
    """

    def __init__(self, model: nn.Module, writing: Writing, inputs: Sequence[Pieces], device: Any) -> None:
        self._model: Any = model
        self._keys: Any = None
        self._encoded: Any = None
        self._device = device
        pieces, self._inside = _batch(inputs, writing, device)  # [n, l]
        if not writing.causal:
            self._encoded = self._model.get_encoder()(input_ids=pieces, attention_mask=self._inside.long())[0]
            pieces = torch.full((len(inputs), 1), writing.start or 0, dtype=torch.int64, device=device)
        self.first = self._step(pieces)

    def following(self, rows: Tensor, pieces: Tensor) -> Tensor:
        """The logits of the next pieces: float [r, v].

        rows: int64 [r], the row of the call before (the input, in the first call) that each row continues. pieces:
        int64 [r], with which it does.
        """
        rows, pieces = rows.to(self._device), pieces.to(self._device)[:, None]  # [r], [r, 1]
        self._keys.reorder_cache(rows)
        self._inside = self._inside[rows]
        if self._encoded is None:
            self._inside = torch.cat([self._inside, torch.ones_like(pieces, dtype=torch.bool)], 1)
        else:
            self._encoded = self._encoded[rows]
        return self._step(pieces)

    def _step(self, pieces: Tensor) -> Tensor:
        if self._encoded is None:
            places = _places(self._inside)[:, -pieces.shape[1] :]
            given = {"input_ids": pieces, **_known(self._model, position_ids=places, logits_to_keep=1)}
        else:
            given = {"encoder_outputs": (self._encoded,), "decoder_input_ids": pieces}
        output = self._model(
            attention_mask=self._inside.long(), past_key_values=self._keys, use_cache=True, **given
        )
        self._keys = output.past_key_values
        return output.logits[:, -1].float()


def read(
    model: nn.Module, writing: Writing, inputs: Sequence[Pieces], answers: Sequence[Pieces], device: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """The logits of every piece of the answers, given the pieces before it: float [n, k, v].

    Then the pieces, int64 [n, k], and which are no padding, bool [n, k]. An answer has at least one piece.
    """
    wanted, asked = _batch(answers, writing, device)
    if writing.causal:
        whole = [(*given, *answer) for given, answer in zip(inputs, answers, strict=True)]
        pieces, inside = _batch(whole, writing, device)
        others = _known(model, position_ids=_places(inside), logits_to_keep=wanted.shape[1] + 1)
    else:
        pieces, inside = _batch(inputs, writing, device)
        begin = torch.full((len(answers), 1), writing.start or 0, dtype=torch.int64, device=device)
        others = {"decoder_input_ids": torch.cat([begin, wanted[:, :-1]], 1)}
    logits = model(input_ids=pieces, attention_mask=inside.long(), use_cache=False, **others).logits
    return logits[:, -wanted.shape[1] - 1 : -1] if writing.causal else logits, wanted, asked


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


def _known(model: nn.Module, **options: Any) -> dict[str, Any]:
    """The options that a model's forward takes; architectures differ."""
    known = inspect.signature(model.forward).parameters
    return {name: value for name, value in options.items() if name in known}
