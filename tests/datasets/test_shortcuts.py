"""What lets a system answer without reading, counted."""

from __future__ import annotations

import msgspec
from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.shortcuts import card


def instance(
    passage: str,
    question: str = "XXXX",
    answer: int | None = 0,
    id: str = "1:0",
) -> ClozeInstance:
    """Mentions are the letters a, b, c: candidates 0, 1, 2."""

    def mentions(text: str) -> tuple[PassageMention, ...]:
        return tuple(PassageMention(((i, i + 1),), "abc".index(x)) for i, x in enumerate(text) if x in "abc")

    candidates = tuple(Candidate(f"disease/{n}", "Disease", n, (x,)) for n, x in enumerate("abc"))
    return ClozeInstance(
        id, "1", "", passage, question, mentions(passage), mentions(question), candidates, answer, ("x",)
    )


def counts(*instances: ClozeInstance) -> dict[str, int]:
    return {line.name: line.instances for line in card({"train": instances})}


@each_row(
    ("passage", "expected"), [("a a b", 1), ("a b", 0), ("a b b", 0), ("b b a a", 0), ("a", 1), ("b", 0)]
)
def test_the_answer_is_most_frequent_only_if_alone_at_the_top(passage: str, expected: int) -> None:
    assert counts(instance(passage))["answer_most_frequent"] == expected


def test_what_cannot_be_asked_is_counted_on_neither_side() -> None:
    withheld = instance("a b", answer=None)
    lines = {line.name: line for line in card({"test": [withheld, instance("a", id="2:0")]})}
    assert lines["answer_visible_in_question"].of == 1
    assert lines["answer_most_frequent"].of == 1
    assert lines["repeated_instance"].of == 2


def test_repeats_are_seen_within_and_across_splits_whatever_order_these_are_given_in() -> None:
    one, other, new = instance("a b", "XXXX of b"), instance("a b", "b of XXXX"), instance("a c")
    lines = {line.name: line for line in card({"test": [one, new], "train": [one, other, one]})}
    repeated, overlap = lines["repeated_instance"], lines["passage_in_earlier_split"]
    assert repeated.by_split == {"train": (1, 3), "test": (1, 2)}
    assert overlap.by_split == {"train": (0, 3), "test": (1, 2)}
    assert (overlap.instances, overlap.of) == (1, 5)


def test_an_answer_is_visible_where_another_mention_of_it_stands_in_the_question() -> None:
    given = (instance("a b", "XXXX of b"), instance("a b", "XXXX of a"))
    assert counts(*given)["answer_visible_in_question"] == 1


def test_an_answer_that_no_candidate_is_limits_accuracy() -> None:
    withheld = msgspec.structs.replace(instance("b", answer=None, id="3:0"), answers=())
    given = [instance("a", answer=None), instance("a", id="2:0"), withheld]
    (line,) = (line for line in card({"train": given}) if line.name == "answer_no_candidate")
    assert (line.instances, line.of) == (1, 2)
