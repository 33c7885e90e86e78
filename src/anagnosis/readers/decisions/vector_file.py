"""The fixed vectors of words from a word2vec file, and its record in a run folder.

Only the vectors of words in the data are in memory. A word is looked up as written, then in lower case, so that both
kinds of files fit.
"""

from __future__ import annotations

from collections import Counter
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
from anagnosis.progress import print_note
from anagnosis.word_vectors import word2vec

RECORD = "vectors.json"


class _Record(msgspec.Struct, frozen=True):
    path: str
    width: int
    sha256: str


class FixedWords:
    """vectors: the file's path. width: of its vectors. fits: it is known to have words of the data.

    InputError: there is no such file.
    """

    def __init__(self, vectors: str, width: int, *, fits: bool = False) -> None:
        self.path, self.width, self._fits = Path(vectors).expanduser().absolute(), width, fits
        if not self.path.is_file():
            raise InputError("no such file", vectors, "check the path of vectors")
        self._rows: dict[str, int] = {}  # word as written → row of the table, 0 if the file lacks it
        self._table: Floats32 = np.zeros((1, width), np.float32)

    def look_up(self, texts: Iterable[Iterable[str]], name: str) -> None:
        """Read the vectors of new words of a split's texts, and print how many words have none. name: of the split.

        InputError: the file has none of the words.
        """
        counts = Counter(word for words in texts for word in words)
        self._read(sorted(counts.keys() - self._rows.keys()))
        if unknown := sum(count for word, count in counts.items() if word not in self):
            print_note(f"{name}: {unknown:,} of {counts.total():,} words have no vector")

    def _read(self, new: list[str]) -> None:
        if not new:
            return
        found = word2vec.read(
            self.path, {spelt for word in new for spelt in (word, word.lower())}, self.width
        )
        if not (found or self._fits):
            raise word2vec.no_word_error(self.path)
        self._fits = True
        known = [word for word in new if word in found or word.lower() in found]
        self._rows |= dict.fromkeys(new, 0)
        self._rows |= {word: row for row, word in enumerate(known, len(self._table))}
        table = [found[word if word in found else word.lower()][None] for word in known]
        self._table = np.concatenate([self._table, *table])

    def __contains__(self, word: str) -> bool:
        """Whether the file has a vector of a word that was looked up."""
        return self._rows[word] > 0

    def vectors(self, rows: Sequence[Sequence[str]], longest: int) -> Tensor:
        """float32 [rows, longest, width], 0 for padding and for words without a vector."""
        places = np.zeros((len(rows), longest), np.int64)
        for number, words in enumerate(rows):
            places[number, : len(words)] = [self._rows[word] for word in words]
        return torch.from_numpy(self._table[places])


def named(vectors: str, width: int) -> FixedWords:
    """The file that a recipe names. InputError: it names none."""
    if not vectors:
        remedy = "give --set vectors=FILE, of `anagnosis vectors`"
        raise InputError("no word vectors are named", "vectors", remedy)
    return FixedWords(vectors, width)


def record(words: FixedWords, folder: Path) -> None:
    """Record the file and its hash in a run folder."""
    write_json(folder / RECORD, _Record(str(words.path), words.width, sha256(words.path)), indent=1)


def restore(folder: Path) -> FixedWords:
    """The recorded file. InputError: it is gone, or has changed."""
    facts = read_json(folder / RECORD, _Record)
    words = FixedWords(facts.path, facts.width, fits=True)
    if sha256(words.path) != facts.sha256:
        what = "these vectors are others than at the training"
        raise InputError(what, facts.path, "put the old file back, or train again")
    return words
