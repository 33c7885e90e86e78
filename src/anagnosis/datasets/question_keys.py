"""Dataset-independent question hash, for leakage checks.

Ids and pseudo-identifiers belong to one dataset; texts do not. The key of a decision, of a question with sentences and
of a BioASQ question is a hash of the question's words, without case, punctuation and blanks (bioasq/kept_apart.py). A
cloze question is a title with a gap, and many titles are alike. So its key covers the passage too, and replaces each
mention by one word, the same in every view and numbering. The same paper with other mentions has another key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anagnosis.datasets.bioasq.kept_apart import same_question
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze import PLACEHOLDER, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import Place, Viewed
from anagnosis.datasets.kinds.table import CLOZE

Keys = npt.NDArray[np.uint64]

KEY = np.dtype("<u8")
_BYTES = KEY.itemsize
_MENTION = " entity "


def key_of(instance: Any) -> int:
    """Of an instance of any kind, or of what a view shows of it: the same number for both."""
    if isinstance(instance, Viewed):
        return _of_cloze(instance, instance.mentions, instance.question_mentions)
    if isinstance(instance, ClozeInstance):
        return _of_cloze(instance, _places(instance.mentions), _places(instance.question_mentions))
    return _number(same_question(instance.question))


def keys_of(dataset: store.Dataset, split: str, limit: int | None = None) -> Keys:
    """uint64 [n]: of every instance of a split, in its order. limit: only the first so many."""
    if dataset.kind.name == CLOZE:
        return as_keys(map(key_of, store.read(dataset, split, limit)))
    asked = (question for _, question in store.questions(dataset, split))
    return as_keys(_number(same_question(question)) for question in asked)[:limit]


def as_keys(found: Iterable[int]) -> Keys:
    """uint64 [n]."""
    return np.fromiter(found, KEY)


def _of_cloze(shown: Viewed | ClozeInstance, passage: Sequence[Place], question: Sequence[Place]) -> int:
    # A view sets the placeholder apart from letters beside it, what is stored does not.
    gap = _without(shown.question, question).replace(PLACEHOLDER, f" {PLACEHOLDER} ")
    texts = gap, _without(shown.passage, passage)
    return _number("\n".join(map(same_question, texts)))


def _places(mentions: Iterable[PassageMention]) -> list[Place]:
    return [(one.spans[0][0], one.spans[-1][1], one.candidate) for one in mentions]


def _without(text: str, places: Sequence[Place]) -> str:
    return "".join(_pieces(text, places))


def _pieces(text: str, places: Sequence[Place]) -> Iterator[str]:
    done = 0
    for start, end, _ in places:
        yield text[done:start]
        yield _MENTION
        done = end
    yield text[done:]


def _number(words: str) -> int:
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:_BYTES], "little")
