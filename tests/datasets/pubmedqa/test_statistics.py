"""Table 1 of PubMedQA, counted by hand: shares of answers, words of questions, contexts and long answers, dates."""

from __future__ import annotations

import random

from anagnosis.datasets.kinds.decision import SUBSETS, ContextSection, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa.statistics import Figures, Samples, statistics
from anagnosis.datasets.sampling import rank


def instance(
    ident: str, label: str | None, long_answer: str | None, *, subset: Subset = "L", date: str = ""
) -> DecisionInstance:
    context = (ContextSection("AIM", "one two"), ContextSection("METHODS", "three"))
    mesh = ("Tea", "Tea") if ident == "1" else ()
    return DecisionInstance(
        ident, "Is it so?", context, long_answer, label, mesh=mesh, subset=subset, date=date
    )


def words(text: str) -> int:
    return len(text.split())


def test_shares_and_mean_words_are_those_of_the_instances_that_have_them() -> None:
    given = [
        instance("1", "yes", "It is so.", date="2019-05"),
        instance("2", "yes", None),
        instance("3", "no", "No.", date="2018"),
        instance("4", None, None, date="2020"),
        instance("5", "maybe", None, subset="U"),
    ]
    found = statistics(given, words)
    shares: dict[str, float | None] = {"yes": 2 / 3, "no": 1 / 3, "maybe": 0.0}
    assert found["L"].figures() == Figures(4, shares, question=3.0, context=3.0, long_answer=2.0)
    assert found["L"].topics == {"Tea": 1}
    assert (found["L"].dated, found["L"].first_date, found["L"].last_date) == (3, "2018", "2020")


def test_what_no_instance_has_has_no_figure() -> None:
    found = statistics([instance("1", None, None, subset="U")], words)["U"]
    assert (found.figures().labels["yes"], found.figures().long_answer) == (None, None)
    assert found.dated == 0
    assert statistics([], words) == {}


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
