"""lang-model: the entity of train that a language model expects after the words before the placeholder.

CliCR's baseline (Šuster and Daelemans 2018, section 5.1): a 4-gram model with interpolated Kneser-Ney discounts of
train's titles, sentences and filled questions, in which an entity is one word. It answers with the likeliest of train's
entities, in the passage or not, and so looks at no passage. The paper used SRILM, which leaves out n-grams that occur
once unless told otherwise; we keep all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

import numpy as np
from msgspec import Meta

from anagnosis.array_types import Longs
from anagnosis.datasets.kinds.cloze_instance import (
    ClozeInstance,
    entity_surfaces,
    entity_token,
    sentences,
    words_before,
)
from anagnosis.errors import InputError
from anagnosis.language.kneser_ney import BEGIN, LanguageModel, Method, train
from anagnosis.predictions import Prediction
from anagnosis.readers.heuristics.priors import with_identity

Order = Annotated[int, Meta(ge=1, le=10)]


def fit(
    instances: Iterable[ClozeInstance],
    *,
    order: Order = 4,
    discounts: Method = "modified",
    view: str = "global",
) -> LikeliestEntity:
    """lang-model: the entity of train that a language model expects after the words before the placeholder.

    order: the n of the longest n-grams. discounts: "plain" has one for each n, "modified" three. InputError: train has
    no entity.
    """
    surfaces: dict[str, str] = {}  # token → words

    def noted() -> Iterator[ClozeInstance]:
        for instance in with_identity(instances, "lang-model", view):
            for surface in entity_surfaces(instance):
                surfaces.setdefault(entity_token(surface), surface)
            yield instance

    model = train(sentences(noted()), order=order, discounts=discounts)
    # A passage is read once, with the mentions of its first instance: another copy may have other mentions.
    known = sorted(
        (model.numbers[token], surface) for token, surface in surfaces.items() if token in model.numbers
    )
    if not known:
        raise InputError("lang-model has nothing to answer with: train has no entity", "split train")
    numbers: Longs = np.array([number for number, _ in known], np.int64)
    return LikeliestEntity(model, numbers, tuple(surface for _, surface in known))


class LikeliestEntity(NamedTuple):
    """The reader. numbers: int64 [entities], the tokens of train's entities. surfaces: their words."""

    model: LanguageModel
    numbers: Longs
    surfaces: tuple[str, ...]

    def predict(self, instances: Iterable[ClozeInstance]) -> Iterator[Prediction]:
        """Each answer is the likeliest entity, lower-cased; of equally likely ones train's first."""
        for instance in instances:
            probabilities = self.model.distribution([BEGIN, *words_before(instance)])
            yield Prediction(instance.id, self.surfaces[int(probabilities[self.numbers].argmax())])
