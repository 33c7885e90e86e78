"""Groups compared with each other and with systems: the verdict on each pair in words, and its tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.comparisons import GroupComparison, GroupPair, one_person_with_runs, words
from anagnosis.evaluation.tested_pairs import Pair
from anagnosis.reports.report import Block, Cell, Heading, Kind, Table, Text, table
from anagnosis.reports.systems.measured import cell_kind, difference, differences, gain_kind, sentences

# Columns of what has a tested pair.
TESTS: tuple[tuple[str, Kind, Callable[[Any], Cell]], ...] = (
    ("p, these people", "p", lambda pair: pair.tested.p_two_tailed),
    ("p, other people", "p", lambda pair: pair.tested.over_runs and pair.tested.over_runs.p),
    ("Holm, decides", "p", lambda pair: pair.tested.holm),
)
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
    pairs = comparison.pairs
    counted = f"all {len(pairs)} pairs" if len(pairs) > 1 else "the one pair"
    notes = [_PEOPLE.format(pairs=counted, alpha=comparison.alpha)]
    return table(
        f"Pairs by {measure.called}",
        [
            ("pair", "text", lambda pair: pair.tested.between),
            (f"first{unit}", kind, lambda pair: pair.values[0].value),
            (f"second{unit}", kind, lambda pair: pair.values[1].value),
            ("difference", gain_kind(measure), lambda pair: difference(pair.tested)),
            *TESTS,
            ("verdict", "text", lambda pair: verdict(pair.tested)),
        ],
        pairs,
        notes=[*notes, *([_ONE_PERSON] if any(map(one_person_with_runs, pairs)) else [])],
        signatures=(comparison.signature,),
    )


def _detectable(comparison: GroupComparison) -> Table:
    """What the study can show of each pair."""
    measure = named(comparison.measure)
    points, kind = " (points)" if measure.unit == "percent" else "", cell_kind(measure)

    def people(pair: GroupPair) -> str:
        return " and ".join(str(number) if number else "a system" for number in pair.people)

    return table(
        f"The smallest detectable difference of {measure.called}",
        [
            ("pair", "text", lambda pair: pair.tested.between),
            ("questions", "count", lambda pair: pair.questions),
            ("documents", "count", lambda pair: pair.documents),
            ("people of each", "text", people),
            (f"these people{points}", kind, lambda p: p.tested.detectable and p.tested.detectable.difference),
            (f"other people{points}", kind, lambda p: p.tested.over_runs and p.tested.over_runs.detectable),
        ],
        comparison.pairs,
        notes=(_DETECTABLE,),
        signatures=(comparison.signature,),
    )


def verdict(tested: Pair) -> str:
    """Better, or not different."""
    return "better" if tested.verdict == "better" else "not different"
