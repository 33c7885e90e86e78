"""A text's dense vector: the mean of a sentence encoder's top-level vectors over the text's pieces, of length one.

Source: Reimers and Gurevych 2019, "Sentence-BERT", 3 (mean pooling). A text is cut at LONGEST pieces, special ones
included, as MiniLM's authors do, or at the encoder's own limit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from anagnosis.array_types import Floats32
from anagnosis.encoders import run
from anagnosis.encoders.load import load
from anagnosis.errors import InputError
from anagnosis.training.loop.devices import chosen

LONGEST = 256
_MEASURED = 2  # seconds, about


class SentenceEncoder:
    """Texts to vectors. device: auto, cpu, cuda, cuda:N or mps.

    digest: of the encoder, wherever it lies. cut: how many texts were longer than what is read of them.
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
        """What is read of each text, special pieces included."""
        own = self._encoder.pieces
        found: list[list[int]] = []
        for encoding in own.split(list(texts)):
            ids = list(encoding.ids)
            self.cut += len(ids) > self.limit - 2
            found.append([own.start, *ids[: self.limit - 2], own.separator])
        return found

    def vectors(self, texts: Sequence[str]) -> Floats32:
        """float32 [texts, width], each of length one."""
        found = np.zeros((len(texts), self.width), np.float32)
        for numbers, vectors in self.batches(self.pieces(texts)):
            found[numbers] = vectors
        return found

    def batches(self, pieces: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], Floats32]]:
        """(numbers of texts, float32 [numbers, width]) of each batch of like length."""
        lengths = [len(one) for one in pieces]
        for numbers, length in run.groups(lengths, self.limit, self._device):
            yield numbers, self._read([pieces[number] for number in numbers], length)

    def rate(self, pieces: Sequence[Sequence[int]]) -> float:
        """Pieces a second that this machine reads, measured on a few batches of these."""
        groups = run.groups([len(one) for one in pieces], self.limit, self._device)
        # The first is slower than all others, whatever it holds.
        numbers, length = groups[len(groups) // 2]
        self._read([pieces[number] for number in numbers], length)
        read, begun = 0, time.perf_counter()
        while (passed := time.perf_counter() - begun) < _MEASURED and read < 100 * length * len(numbers):
            self._read([pieces[number] for number in numbers], length)
            read += length * len(numbers)
        return read / passed

    def _read(self, pieces: Sequence[Sequence[int]], length: int) -> Floats32:
        encoder, device = self._encoder, self._device
        with torch.inference_mode(), run.mixed("auto", device):
            padded, inside = run.padded(pieces, encoder.pieces.padding, length)
            inside = inside.to(device)
            top = run.hidden(encoder.model, padded.to(device), inside).float()
            own = inside[..., None].float()
            mean = (top * own).sum(1) / own.sum(1)
            found = torch.nn.functional.normalize(mean, dim=-1).cpu().numpy()
        if not np.isfinite(found).all():
            raise InputError(f"{self.name} gives what is no finite number", "encoder", "take another encoder")
        return found
