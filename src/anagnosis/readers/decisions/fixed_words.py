"""Words by the vectors of a word2vec file, which stay as they are.

Only the words that the data have are held. A word is looked for as it is written, then in lower case, so that files
with either kind of words fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from anagnosis.vocabularies import word2vec

NOWHERE = -1


class FixedWords:
    """path: of the file. width: of its vectors."""

    def __init__(self, path: Path, width: int) -> None:
        self.path, self.width = path, width
        self._rows: dict[str, int] = {}  # written word → row, NOWHERE where the file has none
        self._table: NDArray[np.float32] = np.empty((0, width), np.float32)

    def look_up(self, words: Iterable[str]) -> None:
        """Get the vectors of those words that were not looked for before; a file that has none is refused."""
        new = sorted({word for word in words if word not in self._rows})
        if not new:
            return
        wanted = {spelt for word in new for spelt in (word, word.lower())}
        found = word2vec.read(self.path, wanted, self.width)
        if not found and not len(self._table):
            raise word2vec.no_word_error(self.path)
        rows: dict[str, int] = {}
        table = [self._table]
        at = len(self._table)
        for word in new:
            spelt = next((one for one in (word, word.lower()) if one in found), None)
            if spelt is None:
                self._rows[word] = NOWHERE
                continue
            if spelt not in rows:
                rows[spelt] = at
                table.append(found[spelt][None])
                at += 1
            self._rows[word] = rows[spelt]
        self._table = np.concatenate(table)

    def __contains__(self, word: str) -> bool:
        """Whether the file has a vector of a word that was looked up."""
        return self._rows[word] != NOWHERE

    def vectors(self, rows: Sequence[Sequence[str]], longest: int) -> Tensor:
        """float32 [rows, longest, width], 0 for padding and for words without a vector."""
        found = np.zeros((len(rows), longest, self.width), np.float32)
        for number, words in enumerate(rows):
            places = np.array([self._rows[word] for word in words], np.int64)
            known = places != NOWHERE
            found[number, : len(words)][known] = self._table[places[known]]
        return torch.from_numpy(found)
