"""What people answered from: the sentences, and which answers stand in which row, picture and unit."""

from __future__ import annotations

import pytest
from tests.reports.systems.people.blocks import (
    check_every_format,
    columns,
    headings,
    plot,
    sentences,
    table,
    texts,
)
from tests.tested_pairs import over, pair

from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.people.knowledge import Knowledge, Source, Use
from anagnosis.reports.report import Block, Estimate, Plot
from anagnosis.reports.systems.people.knowledge import knowledge_blocks

ENDS = Interval(0.2, 0.7, 0.95, "by hand")
NOTE = "People choose what they answer from: a difference between two sources may be one of the questions."
USES = "Answers from prior knowledge, groups compared"


def worth(value: float) -> Measured:
    return Measured(value, 9, 9.0, ENDS)


def shown(value: float) -> Estimate:
    return Estimate(value, 0.2, 0.7)


def source(
    who: str, name: str, answers: int, *, people: int = 1, share: float = 0.25, **measures: float
) -> Source:
    values = {measure.replace("_", "-"): worth(value) for measure, value in measures.items()}
    return Source(who, who.partition(" ")[0], people, name, answers, share, values)


SOURCES = (
    source("x (mean of 2)", "prior", 8, people=2, accuracy=0.5),
    source("x (mean of 2)", "none", 2, people=2, share=0.1),
    source("y (mean of 3)", "prior", 5, people=3, accuracy=0.4),
    source("y (mean of 3)", "context", 7, people=3, accuracy=0.3),
    source("ann", "both", 4, share=0.0625, accuracy=0.25),
    source("ann", "not said", 1, share=0.03125, accuracy=0.6),
)


def use(verdict: str, **changes: object) -> Use:
    return Use(
        "prior knowledge alone", 12, (worth(0.6), worth(0.4)), (2, 3), pair(verdict, **changes)  # pyright: ignore[reportArgumentType]
    )  # fmt: skip


def blocks(
    sources: tuple[Source, ...] = SOURCES, uses: tuple[Use, ...] = (), alpha: float = 0.05
) -> list[Block]:
    return [*knowledge_blocks(Knowledge(sources, uses, alpha), "signed|n:30")]


def test_where_nobody_says_it_there_is_nothing() -> None:
    assert [*knowledge_blocks(None, "signed")] == []


def test_rows_are_of_groups_then_of_people_with_a_line_between_each_two() -> None:
    own = table(blocks(), "Answers by what they are from")
    assert columns(own) == [
        ("who", "text"),
        ("answered from", "text"),
        ("answers", "count"),
        ("of all questions (%)", "percent"),
        ("accuracy (%)", "percent"),
    ]
    assert own.rows == (
        ("x (mean of 2)", "prior knowledge", 8, 0.25, shown(0.5)),
        ("x (mean of 2)", "could not answer", 2, 0.1, None),
        ("y (mean of 3)", "prior knowledge", 5, 0.25, shown(0.4)),
        ("y (mean of 3)", "the context", 7, 0.25, shown(0.3)),
        ("ann", "both", 4, 0.0625, shown(0.25)),
        ("ann", "not said", 1, 0.03125, shown(0.6)),
    )
    assert own.zones == (2, 4)
    assert own.signatures == ("signed|n:30",)
    assert {column.best for column in own.columns} == {""}  # the best source is nobody's merit


def test_the_picture_shows_groups_of_several_by_source_with_the_answers_of_them_alone() -> None:
    picture = plot(blocks(), "Accuracy by what an answer is from")
    assert columns(picture.data) == [
        ("answered from", "text"),
        ("answers", "count"),
        ("x (mean of 2)", "percent"),
        ("y (mean of 3)", "percent"),
    ]
    assert picture.data.rows == (
        ("prior knowledge", 13, shown(0.5), shown(0.4)),
        ("the context", 7, None, shown(0.3)),
    )
    assert picture.repeated


def test_without_a_group_of_several_the_picture_shows_each_person() -> None:
    people = (
        source("ann", "prior", 8, bleu_2=0.5),
        source("ann", "context", 2, bleu_2=0.25),
        source("bob", "prior", 3, bleu_2=0.75),
    )
    picture = plot(blocks(people), "BLEU-2 by what an answer is from")
    assert columns(picture.data)[2:] == [("ann", "fraction"), ("bob", "fraction")]
    assert picture.data.rows == (
        ("prior knowledge", 11, shown(0.5), shown(0.75)),
        ("the context", 2, shown(0.25), None),
    )
    own = table(blocks(people), "Answers by what they are from")
    assert columns(own)[-1] == ("BLEU-2", "fraction")


def test_of_one_source_and_without_a_measure_there_is_no_picture() -> None:
    for some in (SOURCES[2:3], (source("a", "prior", 3), source("a", "context", 3))):
        assert not any(isinstance(block, Plot) for block in blocks(some))
    found = blocks((source("a", "prior", 3, accuracy=0.5), *SOURCES[4:]))
    assert any(isinstance(block, Plot) for block in found), (
        "the first person has one source, and others have more"
    )


def test_a_reader_is_warned_that_people_choose_what_they_answer_from() -> None:
    assert headings(blocks()) == [("What people answered from", 2)]
    assert texts(blocks()) == [(NOTE, "note")]


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (
            use("better", runs=over((2, 3))),
            "experts over lay, answers from prior knowledge alone: more often, for other people too.",
        ),
        (
            use("better", runs=None),
            "experts over lay, answers from prior knowledge alone: more often, this holds for these two people.",
        ),
        (
            use("tied", runs=over((2, 3))),
            "experts over lay, answers from prior knowledge alone: not different.",
        ),
        (use("identical", runs=None), "experts over lay, answers from prior knowledge alone: not different."),
    ],
)
def test_each_pair_of_groups_has_its_sentence(of: Use, said: str) -> None:
    assert sentences(blocks(uses=(of,))) == [("1", said)]


def test_the_tests_between_groups_stand_in_their_columns() -> None:
    uses = (
        use("better", runs=over((2, 3))),
        use("tied", runs=None, first="y", second="z"),
        use("identical", runs=None),
    )
    found = blocks(uses=uses, alpha=0.03)
    assert [label for label, _ in sentences(found)] == ["1", "2", "3"]
    own = table(found, USES)
    assert columns(own) == [
        ("pair", "text"),
        ("answered from", "text"),
        ("questions", "count"),
        ("first (%)", "percent"),
        ("second (%)", "percent"),
        ("difference", "difference"),
        ("p, these people", "p"),
        ("p, other people", "p"),
        ("Holm, decides", "p"),
        ("verdict", "text"),
    ]
    alone = ("prior knowledge alone", 12, 0.6, 0.4, Estimate(0.15, 0.04, 0.26))
    assert own.rows == (
        ("experts over lay", *alone, 0.021, 0.034, 0.045, "more often"),
        ("y over z", *alone, 0.021, None, 0.068, "not different"),
        ("experts over lay", *alone, 0.021, None, 0.068, "not different"),
    )
    assert own.notes[0].endswith("corrected for all of this table, at 0.03.")


def test_every_format_shows_it() -> None:
    found = blocks(uses=(use("better", runs=over((2, 3))),))
    check_every_format(found, "more often, for other people too", "could not answer", NOTE)
