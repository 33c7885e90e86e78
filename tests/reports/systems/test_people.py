"""What people's answers show besides accuracy: groups compared, what was answered from, and the seconds."""

from __future__ import annotations

import pytest
from tests.reports.stored import check_stored
from tests.tested_pairs import compared, group_pair, over

from anagnosis.evaluation.intervals import Estimate, Interval
from anagnosis.evaluation.people.knowledge import KnowledgeSource
from anagnosis.evaluation.people.times import Spent, Timing
from anagnosis.reports.report import Block, Plot
from anagnosis.reports.systems.people import comparison_blocks, knowledge_blocks, time_blocks

BETTER = group_pair("better", (2, 3))
LEFT_OPEN = group_pair("tied", (1, 0), first="lay", second="net")
SAME = group_pair("identical", (1, 1), first="lay", second="net (2)")


def test_groups_and_systems_are_compared_by_each_measure() -> None:
    assert [*comparison_blocks([])] == []
    check_stored("groups", comparison_blocks([compared(BETTER, LEFT_OPEN, SAME, alpha=0.03)]))
    apart = (("a", "b"), ("a", "c"))
    several = [
        compared(BETTER, measure="bleu-2"),
        compared(not_compared=apart),
        compared(BETTER, SAME, measure="f1", not_compared=apart[:1]),
    ]
    check_stored("groups-by-measures", comparison_blocks(several))


@pytest.mark.parametrize(("people", "notes"), [((1, 0), 2), ((0, 1), 2), ((2, 0), 1), ((1, 2), 1)])
def test_one_person_beside_runs_of_a_system_is_told_apart(people: tuple[int, int], notes: int) -> None:
    blocks = comparison_blocks([compared(BETTER, group_pair("tied", people, over_runs=over((1, 3))))])
    (table,) = (block for block in blocks if getattr(block, "caption", "") == "Pairs by accuracy")
    assert len(table.notes) == notes  # pyright: ignore[reportAttributeAccessIssue]


def worth(value: float) -> Estimate:
    return Estimate(value, 9, 9.0, Interval(0.2, 0.7, 0.95, "by hand"))


def source(
    who: str, name: str, answers: int, *, people: int = 1, share: float = 0.25, **measures: float
) -> KnowledgeSource:
    values = {measure.replace("_", "-"): worth(value) for measure, value in measures.items()}
    return KnowledgeSource(who, who.partition(" ")[0], people, name, answers, share, values)


SOURCES = (
    source("x (mean of 2)", "prior", 8, people=2, accuracy=0.5),
    source("x (mean of 2)", "none", 2, people=2, share=0.1),
    source("y (mean of 3)", "prior", 5, people=3, accuracy=0.4),
    source("y (mean of 3)", "context", 7, people=3, accuracy=0.3),
    source("ann", "both", 4, share=0.0625, accuracy=0.25),
    source("ann", "not said", 1, share=0.03125, accuracy=0.6),
)


def knowledge(sources: tuple[KnowledgeSource, ...]) -> list[Block]:
    return [*knowledge_blocks(sources, "signed|n:30")]


def test_sources_of_groups_and_people_are_shown() -> None:
    assert [*knowledge_blocks((), "signed")] == []
    check_stored("knowledge", knowledge(SOURCES))
    people = (
        source("ann", "prior", 8, bleu_2=0.5),
        source("ann", "context", 2, bleu_2=0.25),
        source("bob", "prior", 3, bleu_2=0.75),
    )
    check_stored("knowledge-of-people", knowledge(people))
    for one_source in (SOURCES[2:3], (source("a", "prior", 3), source("a", "context", 3))):
        assert not any(isinstance(block, Plot) for block in knowledge(one_source))
    assert any(
        isinstance(block, Plot) for block in knowledge((source("a", "prior", 3, accuracy=0.5), *SOURCES[4:]))
    )


def spent(median: float, *, interval: bool = True) -> Spent:
    ends = Interval(median - 1, median + 5, 0.95, "by hand") if interval else None
    return Spent(12, median, median + 2, ends, 60 * median)


def test_seconds_of_groups_stand_above_those_of_people() -> None:
    assert [*time_blocks((), "signed")] == []
    group = Timing("x (mean of 2)", "x", 2, spent(30), spent(20), spent(40), spent(50))
    ann = Timing("ann", "x", 1, spent(25, interval=False), spent(15), None, None)
    bob = Timing("bob", "x", 1, spent(35), None, spent(45), None)
    check_stored("times", time_blocks((group, ann, bob), "signed|n:30"))
    for alone in ((ann, bob), (group,)):
        (*_, table) = time_blocks(alone, "signed")
        assert table.zones == ()  # pyright: ignore[reportAttributeAccessIssue]
