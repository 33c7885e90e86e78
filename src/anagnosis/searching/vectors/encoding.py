"""The dense vector of a text: the normalised mean of a sentence encoder's top-level vectors over its word pieces.

Source: Reimers and Gurevych 2019, "Sentence-BERT", 3 (mean pooling). We cut a text at LONGEST word pieces, special ones
included, as MiniLM's authors do, or at the encoder's limit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from anagnosis.array_types import Floats32
from anagnosis.encoders import run
from anagnosis.encoders.load import load
from anagnosis.errors import InputError
from anagnosis.training.loop.devices import chosen

LONGEST = 256


class SentenceEncoder:
    """A sentence encoder. device: auto, cpu, cuda, cuda:N or mps.

    digest: of the encoder's files, independent of their place. cut: number of texts that were longer than the limit.
    """

    def __init__(self, name: str, device: str = "auto") -> None:
        self._device = chosen(device)
        self._encoder = load(name)
        self._encoder.model.to(self._device)
        self.name, self.digest = self._encoder.name, self._encoder.digest
        self.width = self._encoder.pieces.width
        self.limit = min(LONGEST, self._encoder.pieces.limit)
        self.cut = 0

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of each text's word pieces, cut at the limit, with the special ones."""
        vocabulary = self._encoder.pieces
        sequences: list[list[int]] = []
        for encoding in vocabulary.split(list(texts)):
            ids = list(encoding.ids)
            self.cut += len(ids) > self.limit - 2
            sequences.append([vocabulary.start, *ids[: self.limit - 2], vocabulary.separator])
        return sequences

    def vectors(self, texts: Sequence[str]) -> Floats32:
        """float32 [texts, width], each of length one."""
        pieces = self.pieces(texts)
        table = np.zeros((len(texts), self.width), np.float32)
        for numbers, length in run.groups(list(map(len, pieces)), self.limit, self._device):
            table[numbers] = self._read([pieces[number] for number in numbers], length)
        return table

    def _read(self, pieces: Sequence[Sequence[int]], length: int) -> Floats32:
        encoder, device = self._encoder, self._device
        with torch.inference_mode(), run.mixed("auto", device):
            padded, inside = run.padded(pieces, encoder.pieces.padding, length)
            inside = inside.to(device)
            top = run.hidden(encoder.model, padded.to(device), inside).float()
            mask = inside[..., None].float()
            mean = (top * mask).sum(1) / mask.sum(1)
            vectors = torch.nn.functional.normalize(mean, dim=-1).cpu().numpy()
        if not np.isfinite(vectors).all():
            raise InputError(
                f"{self.name} gives infinite or undefined numbers", "encoder", "take another encoder"
            )
        return vectors
