"""Names of a dataset's concepts: every surface of them in its passages, and those of a vocabulary.

    disease/MESH:D009203 → myocardial infarction, heart attack, mi

One pass reads the candidates alone, not the texts. In memory lies each pair of a concept and a name once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.entities.vocabulary import Vocabulary
from anagnosis.word_vectors.namespaces import folded

ROWS = 4096  # instances read at a time
SHORTEST = 3  # characters of a synonym; shorter ones stand for many things


class Synonyms:
    """Looks up the names of a candidate's concept, in lower case, SHORTEST characters or longer."""

    def __init__(self, names: dict[str, set[str]], vocabulary: Vocabulary | None = None) -> None:
        self._names = names
        self._vocabulary = vocabulary
        self._known: dict[str, frozenset[str]] = {}

    def of(self, key: str, type: str) -> frozenset[str]:
        """The names of a candidate's concept. key, type: of the candidate."""
        known = self._known.get(key)
        if known is None:
            found = {name.lower() for name in (*self._names.get(key, ()), *self._in_vocabulary(key, type))}
            known = self._known[key] = frozenset(name for name in found if len(name) >= SHORTEST)
        return known

    def _in_vocabulary(self, key: str, type: str) -> tuple[str, ...]:
        if self._vocabulary is None:
            return ()
        identifier = key.partition("/")[2]
        return self._vocabulary.names(identifier) or self._vocabulary.names(folded(type, identifier))


def synonyms(dataset: Dataset, vocabulary: Vocabulary | None = None) -> Synonyms | None:
    """The synonyms of a cloze dataset; None where keys of candidates are local, so that they name no concept."""
    if dataset.numbering == "local":
        return None
    names: dict[str, set[str]] = {}
    for part in (part for split in dataset.sizes for part in dataset.parts(split)):
        for key, name in _pairs(part):
            names.setdefault(key, set()).add(name)
    return Synonyms(names, vocabulary)


def _pairs(part: Path) -> Iterator[tuple[str, str]]:
    """(key, name) of every candidate, each pair once in so many rows."""
    columns = ["candidates.list.element.key", "candidates.list.element.names.list.element"]
    for batch in store.batches(part, ROWS, columns):
        # Without pyarrow.compute, which takes longer to import than a small dataset to read.
        candidates = cast("pa.StructArray", cast("pa.ListArray", batch.column("candidates")).flatten())
        names = cast("pa.ListArray", candidates.field("names"))
        keys = np.repeat(_texts(candidates.field("key")), np.diff(names.offsets.to_numpy()))
        yield from set(zip(keys.tolist(), _texts(names.flatten()).tolist(), strict=True))


def _texts(array: pa.Array) -> Any:
    """object [n]: the strings."""
    return array.to_numpy(zero_copy_only=False)
