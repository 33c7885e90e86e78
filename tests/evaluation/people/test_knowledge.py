"""What answers are from: counts and their worth."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golds import plain
from tests.people import Reader, lines, matched, people

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.people.groups import asked_of, groups_of, measured_people
from anagnosis.evaluation.people.knowledge import (
    LEFT_OPEN,
    NOT_SAID,
    SOURCES,
    KnowledgeSource,
    knowledge,
)
from anagnosis.predictions import Matched
from anagnosis.predictions.prediction import Prediction


def found_of(
    gold: Gold, own: Sequence[Matched], measures: Sequence[str] = ("accuracy",)
) -> tuple[KnowledgeSource, ...]:
    asked = asked_of(own)
    measured = measured_people(gold, own, measures, "expected", asked)
    return knowledge(gold, groups_of(own), measured, asked)


def source(found: tuple[KnowledgeSource, ...], who: str, name: str) -> KnowledgeSource:
    (own,) = (each for each in found if (each.who, each.source) == (who, name))
    return own


def said(
    gold: Gold, who: str, group: str, answers: Sequence[tuple[str | None, str | None]]
) -> list[Prediction]:
    """(answer, knowledge) of the first questions."""
    ids = gold.ids.between(0, len(answers))
    return [
        Prediction(id, answer, annotator=who, group=group, knowledge=known)
        for id, (answer, known) in zip(ids, answers, strict=True)
    ]


def test_counts_shares_and_accuracies_by_hand() -> None:
    gold = plain(6)
    ann = [("k0", "prior"), ("k1", "prior"), ("k0", "context"), (None, "none"), (None, None), ("k0", None)]
    bob = [
        ("k0", "prior"),
        ("k0", "both"),
        ("k1", "context"),
        ("k0", "context"),
        ("k0", "both"),
        (None, "none"),
    ]
    own = matched(gold, [*said(gold, "ann", "x", ann), *said(gold, "bob", "x", bob)])
    found = found_of(gold, own)
    prior = source(found, "x (mean of 2)", "prior")
    assert (prior.answers, prior.share, prior.measures["accuracy"].value) == (3, 3 / 12, pytest.approx(2 / 3))
    assert source(found, "ann", "none").answers == 2  # an unanswered question is from nothing, said or not
    assert source(found, "ann", "none").measures == {}
    assert source(found, "ann", NOT_SAID).answers == 1
    both = source(found, "bob", "both")
    assert (both.answers, both.share, both.measures["accuracy"].value) == (2, 2 / 6, 1)


def test_who_left_a_question_open_did_not_say_that_there_is_no_answer() -> None:
    gold = plain(4)
    bob = [("k0", "prior")] * 4
    own = matched(
        gold, [*said(gold, "ann", "x", [("k0", "prior"), (None, "none")]), *said(gold, "bob", "x", bob)]
    )
    found = found_of(gold, own)
    assert source(found, "ann", "none").answers == 1
    assert source(found, "ann", LEFT_OPEN).answers == 2
    assert source(found, "ann", LEFT_OPEN).share == 0.5
    assert source(found, "ann", LEFT_OPEN).measures == {}


def test_nobody_who_says_it_gives_nothing() -> None:
    gold = plain(3)
    own = matched(gold, said(gold, "ann", "x", [("k0", None), (None, None), ("k1", None)]))
    assert found_of(gold, own) == ()


@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_the_sources_of_a_person_are_all_questions_that_were_asked(seed: int, number: int) -> None:
    gold = plain(12)
    readers = [Reader(f"p{n}", unanswered=0.2) for n in range(number)]
    found = found_of(gold, people(gold, readers, seed=seed))
    for reader in readers:
        own = [each for each in found if each.who == reader.name and each.people == 1]
        assert sum(each.answers for each in own) == 12
        assert sum(each.share for each in own) == pytest.approx(1)
        assert [each.source for each in own] == sorted((each.source for each in own), key=SOURCES.index)


def test_several_answers_to_one_question_are_no_further_questions() -> None:
    """Ten people who answer alike say no more than one: the interval of their pooled answers is no narrower."""
    gold = plain(20)
    alone = lines(gold, [Reader("p0", prior=0.5, both=0)], seed=4)
    alike = [
        Prediction(line.id, line.answer, annotator=f"p{n}", knowledge=line.knowledge)
        for n in range(10)
        for line in alone
    ]
    one = source(found_of(gold, matched(gold, alone)), "p0", "prior").measures["accuracy"]
    ten = source(found_of(gold, matched(gold, alike)), "people (mean of 10)", "prior").measures["accuracy"]
    assert ten.n == 10 * one.n
    assert ten.interval.high - ten.interval.low >= 0.95 * (one.interval.high - one.interval.low)
