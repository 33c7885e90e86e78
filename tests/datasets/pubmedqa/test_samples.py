"""Samples depend on seed and id alone."""

from __future__ import annotations

import random

from anagnosis.datasets.kinds.decision import SUBSETS, DecisionInstance
from anagnosis.datasets.pubmedqa.samples import Samples
from anagnosis.datasets.sampling import rank

ALL = [
    DecisionInstance(str(number), "Does tea help?", (), None, None, subset=SUBSETS[number % 3])
    for number in range(90)
]


def drawn(instances: list[DecisionInstance], number: int = 4, seed: int = 7) -> dict[str, list[str]]:
    samples = Samples(number, seed)
    for instance in instances:
        samples.add(instance)
    return {subset: [instance.id for instance in own] for subset, own in samples.drawn().items()}


def test_they_are_the_first_by_the_draw_whatever_the_order() -> None:
    expected = {
        subset: sorted((i.id for i in ALL if i.subset == subset), key=lambda ident: rank(7, ident))[:4]
        for subset in SUBSETS
    }
    assert drawn(ALL) == expected
    shuffled = random.Random(1).sample(ALL, len(ALL))
    assert drawn(shuffled) == expected
    assert drawn(ALL, seed=8) != expected


def test_all_of_few_and_none_of_none() -> None:
    assert drawn(ALL[:2]) == {"L": ["0"], "U": ["1"]}
    assert drawn(ALL, number=0) == {}
