"""Groups compared with each other and with systems: the verdict on each pair in words, and its tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.comparisons import GroupComparison, GroupPair, one_person_with_runs, words
from anagnosis.evaluation.tested_pairs import Pair
from anagnosis.reports.report import Block, Cell, Column, Heading, Table, Text
from anagnosis.reports.systems.measured import cell_kind, difference, differences, gain_kind, sentences

TESTS = (Column("p, these people", "p"), Column("p, other people", "p"), Column("Holm, decides", "p"))
_PEOPLE = (
    "p, these people: approximate randomisation by document, exact where all swaps can be gone through. p, other "
    "people: a test over people and questions together (Obuchowski and Rockette, degrees of freedom by Hillis), or "
    "Welch's over people alone where that is larger; a group of one person is taken to scatter as the other does. "
    "Holm, decides: the larger of both, corrected for {pairs} of this table, at {alpha}."
)
_ONE_PERSON = (
    "One person compared with several runs of a system is taken as that person is: p, other people, and the smallest "
    "difference are then over other runs of the system, and nothing is known of other people."
)
_DETECTABLE = (
    "The smallest true difference that so many questions, and so many people who scatter like these, show four "
    "times in five if this pair alone is tested; empty where they show none."
)


def comparison_blocks(comparisons: Sequence[GroupComparison]) -> Iterator[Block]:
    """By each measure: the verdicts, a picture by the first measure, the tests."""
    if not comparisons:
        return
    yield Heading("Groups and systems compared")
    for place, comparison in enumerate(comparisons):
        measure = named(comparison.measure)
        if len(comparisons) > 1:
            yield Heading(f"By {measure.called}", 3)
        if comparison.pairs:
            yield sentences(
                (str(number), words(pair, comparison)) for number, pair in enumerate(comparison.pairs, 1)
            )
            if not place:
                tested = [pair.tested for pair in comparison.pairs]
                title = "Differences between groups and systems"
                yield differences(title, tested, measure, "document", repeated=True)
            yield _tests(comparison)
            yield _detectable(comparison)
        if comparison.not_compared:
            pairs = "; ".join(" and ".join(pair) for pair in comparison.not_compared)
            yield Text(f"Without a question in common that {measure.called} can judge: {pairs}.", "note")


def _tests(comparison: GroupComparison) -> Table:
    measure = named(comparison.measure)
    kind = cell_kind(measure)
    unit = " (%)" if kind == "percent" else ""
    columns = (
        Column("pair"),
        Column(f"first{unit}", kind),
        Column(f"second{unit}", kind),
        Column("difference", gain_kind(measure)),
        *TESTS,
        Column("verdict"),
    )
    rows = tuple(
        (
            pair.tested.between,
            *(value.value for value in pair.values),
            difference(pair.tested),
            *p_values(pair.tested),
            verdict(pair.tested),
        )
        for pair in comparison.pairs
    )
    counted = f"all {len(rows)} pairs" if len(rows) > 1 else "the one pair"
    notes = [_PEOPLE.format(pairs=counted, alpha=comparison.alpha)]
    notes += [_ONE_PERSON] if any(map(one_person_with_runs, comparison.pairs)) else []
    return Table(f"Pairs by {measure.called}", columns, rows, tuple(notes), (comparison.signature,))


def _detectable(comparison: GroupComparison) -> Table:
    """What the study can show of each pair."""
    measure = named(comparison.measure)
    points = " (points)" if measure.unit == "percent" else ""
    columns = (
        Column("pair"),
        Column("questions", "count"),
        Column("documents", "count"),
        Column("people of each"),
        Column(f"these people{points}", cell_kind(measure)),
        Column(f"other people{points}", cell_kind(measure)),
    )
    caption = f"The smallest detectable difference of {measure.called}"
    rows = tuple(_shows(pair) for pair in comparison.pairs)
    return Table(caption, columns, rows, (_DETECTABLE,), (comparison.signature,))


def _shows(pair: GroupPair) -> tuple[Cell, ...]:
    alone, runs = pair.tested.detectable, pair.tested.over_runs
    people = " and ".join(str(number) if number else "a system" for number in pair.people)
    return (
        pair.tested.between,
        pair.questions,
        pair.documents,
        people,
        None if alone is None else alone.difference,
        None if runs is None else runs.detectable,
    )


def p_values(tested: Pair) -> tuple[Cell, ...]:
    """For the columns TESTS."""
    over = None if tested.over_runs is None else tested.over_runs.p
    return (tested.p_two_tailed, over, tested.holm)


def verdict(tested: Pair) -> str:
    """Better, or not different."""
    return "better" if tested.verdict == "better" else "not different"
