"""Files of vectors: the fixed vectors of words from a word2vec file, and the record of a file in a run folder.

Only the vectors of words in the data are in memory. A word is looked up as written, then in lower case, so that both
kinds of files fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import Tensor

from anagnosis.array_types import Floats32
from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import sha256, write_json
from anagnosis.word_vectors import word2vec

RECORD = "vectors.json"
NOWHERE = -1


class _Record(msgspec.Struct, frozen=True):
    path: str
    width: int
    sha256: str


def resolve(vectors: str) -> Path:
    """The absolute path of the file in a recipe; InputError if there is none."""
    path = Path(vectors).expanduser().absolute()
    if not path.is_file():
        raise InputError("no such file", vectors, "check the path of vectors")
    return path


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


def record(words: FixedWords, folder: Path) -> None:
    """Record the file and its hash in a run folder."""
    write_json(folder / RECORD, _Record(str(words.path), words.width, sha256(words.path)), indent=1)


def restore(folder: Path) -> FixedWords:
    """The recorded file, now in the run folder, beside it, or at its recorded path.

    InputError: it is in none of them, or has changed.
    """
    facts = read_json(folder / RECORD, _Record)
    before = Path(facts.path)
    places = (folder / before.name, folder.resolve().parent / before.name, before)
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        what = f"its file of vectors is not at {before} any more"
        raise InputError(what, str(folder), "put it back, or beside the run")
    if sha256(path) != facts.sha256:
        what = "these vectors are others than at the training"
        raise InputError(what, str(path), "put the old file back, or train again")
    return FixedWords(path, facts.width)
