"""Fixed word vectors from a word2vec file.

Only the vectors of words in the data are in memory. A word is looked up as written, then in lower case, so that both
kinds of files fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from anagnosis.array_types import Floats32
from anagnosis.word_vectors import word2vec

NOWHERE = -1


class FixedWords:
    """path: of the file. width: of its vectors."""

    def __init__(self, path: Path, width: int) -> None:
        self.path, self.width = path, width
        self._rows: dict[str, int] = {}  # word as written → row, NOWHERE if the file lacks it
        self._table: Floats32 = np.empty((0, width), np.float32)

    def look_up(self, words: Iterable[str]) -> None:
        """Read the vectors of words that are new; InputError for a file that has none of the words."""
        new = sorted({word for word in words if word not in self._rows})
        if not new:
            return
        wanted = {spelt for word in new for spelt in (word, word.lower())}
        vectors = word2vec.read(self.path, wanted, self.width)
        if not vectors and not len(self._table):
            raise word2vec.no_word_error(self.path)
        rows: dict[str, int] = {}
        table = [self._table]
        at = len(self._table)
        for word in new:
            spelt = next((form for form in (word, word.lower()) if form in vectors), None)
            if spelt is None:
                self._rows[word] = NOWHERE
                continue
            if spelt not in rows:
                rows[spelt] = at
                table.append(vectors[spelt][None])
                at += 1
            self._rows[word] = rows[spelt]
        self._table = np.concatenate(table)

    def __contains__(self, word: str) -> bool:
        """Whether the file has a vector of a word that was looked up."""
        return self._rows[word] != NOWHERE

    def vectors(self, rows: Sequence[Sequence[str]], longest: int) -> Tensor:
        """float32 [rows, longest, width], 0 for padding and for words without a vector."""
        batch = np.zeros((len(rows), longest, self.width), np.float32)
        for number, words in enumerate(rows):
            places = np.array([self._rows[word] for word in words], np.int64)
            known = places != NOWHERE
            batch[number, : len(words)][known] = self._table[places[known]]
        return torch.from_numpy(batch)
