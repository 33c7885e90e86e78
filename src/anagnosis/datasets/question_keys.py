"""Dataset-independent question hash, for leakage checks.

Ids and pseudo-identifiers belong to one dataset; texts do not. The key of a decision, of a question with sentences and
of a BioASQ question is a hash of the question's words, without case, punctuation and blanks (bioasq/parts.py). A
cloze question is a title with a gap, and many titles are alike. So its key covers the passage too, and replaces each
mention by one word, the same in every view and numbering. The same paper with other mentions has another key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from anagnosis.array_types import UInt64s
from anagnosis.datasets.bioasq.parts import same_question
from anagnosis.datasets.folder import store

Keys = UInt64s

KEY = np.dtype("<u8")


def key_of(instance: Any) -> int:
    """Of an instance of any kind, or of what a view shows of it: the same number for both."""
    texts: tuple[str, ...] = getattr(instance, "key_texts", None) or (instance.question,)
    return _number("\n".join(map(same_question, texts)))


def keys_of(dataset: store.Dataset, split: str, limit: int | None = None) -> Keys:
    """uint64 [n]: of every instance of a split, in its order. limit: only the first so many."""
    if hasattr(dataset.kind.record, "key_texts"):
        return as_keys(map(key_of, store.instances(dataset, split, limit)))
    asked = (question for _, question in store.questions(dataset, split))
    return as_keys(_number(same_question(question)) for question in asked)[:limit]


def as_keys(found: Iterable[int]) -> Keys:
    """uint64 [n]."""
    return np.fromiter(found, KEY)


def _number(words: str) -> int:
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[: KEY.itemsize], "little")
