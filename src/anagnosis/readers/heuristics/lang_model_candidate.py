"""lang-model-candidate: the candidate that a language model expects after the words before the placeholder.

The model is that of `lang_model.py`; here only the passage's entities may be the answer. The paper has no such row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance
from anagnosis.datasets.kinds.cloze_sentences import words_before
from anagnosis.datasets.kinds.cloze_tokens import entity_token
from anagnosis.language.kneser_ney import BEGIN, UNKNOWN, Method
from anagnosis.readers.heuristics.lang_model import Order, trained


def fit(
    instances: Iterable[ClozeInstance],
    *,
    order: Order = 4,
    discounts: Method = "modified",
    view: str = "global",
) -> Callable[[ClozeInstance], list[float]]:
    """Train the model. Score of a candidate: the natural logarithm of its likeliest surface's probability.

    A surface that train lacks has the probability of an unknown word. The options are those of `lang-model`.
    """
    model = trained(instances, {}, "lang-model-candidate", order=order, discounts=discounts, view=view)
    unknown = model.numbers[UNKNOWN]

    def candidates_by_model(instance: ClozeInstance) -> list[float]:
        probabilities = model.distribution([BEGIN, *words_before(instance)])
        logarithms: list[float] = []
        for candidate in instance.candidates:
            numbers = [model.numbers.get(token, unknown) for token in _tokens(candidate)]
            logarithms.append(math.log(max(float(probabilities[number]) for number in numbers)))
        return logarithms

    return candidates_by_model


def _tokens(candidate: Candidate) -> set[str]:
    return {entity_token(name) for name in candidate.names or (candidate.key,)}
