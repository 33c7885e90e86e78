"""Which system is better by a measure, and is it sure: the ranking, each pair's paired tests, and the verdict in words.

As in BIOMRC's Table 3, a system stands beside the next best; and beside the first. A difference without a test is
never shown, and "not shown to differ" is said in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from anagnosis.evaluation.comparison import Comparison, words
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.tested_pairs import Pair, too_few_draws
from anagnosis.predictions import Problem
from anagnosis.reports.report import Block, ColumnOf, Heading, Plot, Table, Text, listing, table
from anagnosis.reports.systems.measured import (
    gain_kind,
    measured_column,
    shown,
    spread,
    within,
)
from anagnosis.reports.systems.problems import unfit
from anagnosis.reports.systems.systems import UNFIT


def ranked_files(comparison: Comparison) -> list[tuple[str, str, Mapping[str, Problem]]]:
    """What of the compared systems' files did not fit."""
    return [(ranked.name, comparison.split, ranked.problems) for ranked in comparison.ranking]


def ranking(comparison: Comparison, *, alone: bool = True) -> Iterator[Block]:
    """The systems from best to worst, and what is between them in words. alone: whether no other measure ranks."""
    yield Heading("Which is better" if alone else f"Which is better by {named(comparison.measure).called}")
    yield _ranked(comparison)
    steps = enumerate(comparison.against_next, 1)
    yield listing((f"{place} and {place + 1}", f"{words(pair, comparison)}.") for place, pair in steps)
    yield from _too_few_draws(comparison)


def ranking_tests(comparison: Comparison, *, alone: bool = True) -> Iterator[Block]:
    """The differences that the words of `ranking` rest on, and their tests."""
    measure, next_best, first = named(comparison.measure), comparison.against_next, comparison.against_first
    tests = _tests("Each beside the next best", next_best, comparison)
    what = differences_of(measure, comparison.unit)
    yield Heading("The tests" if alone else f"The tests by {measure.called}")
    yield Plot("Differences to the next best", what, "difference_with_intervals", tests, repeated=True)
    yield tests
    if len(first) > 1:
        yield _tests("The first beside each other system", first, comparison)


def _ranked(comparison: Comparison) -> Table:
    """The accuracies as they are ranked, and the verdict on the step to the next."""
    measure, systems = named(comparison.measure), comparison.ranking
    unfits = {own.name: text for own in systems if (text := unfit(own.problems))}
    verdicts = dict(zip([own.name for own in systems], map(verdict, comparison.against_next), strict=False))
    runs = spread(lambda own: own.estimate, systems)
    notes = [_RUNS] if runs else []
    columns: list[ColumnOf] = [
        ("system", lambda own: own.name),
        ("rank", "count", lambda own: own.rank),
        (replace(measured_column(measure), best=""), lambda own: shown(own.estimate)),
        *([(UNFIT, lambda own: unfits.get(own.name))] if unfits else []),
        *runs,
        ("against the next", lambda own: verdicts.get(own.name)),
    ]
    return table("Ranking", columns, systems, notes=notes, signatures=[comparison.signature])


def _tests(caption: str, pairs: Sequence[Pair], comparison: Comparison) -> Table:
    """The tests by the comparison's unit, the paper's one-tailed one, and over runs where systems have several."""
    kind = gain_kind(named(comparison.measure))
    several = any(len(ranked.estimate.runs) > 1 for ranked in comparison.ranking)
    over_runs: list[ColumnOf] = [
        ("p, over runs", "p", lambda pair: pair.over_runs and pair.over_runs.p),
        ("Holm, decides", "p", lambda pair: pair.holm),
    ]
    family = {"c": comparison, "pairs": every_pair(comparison.family)}
    notes = [_TESTS.format(**family)]
    if several:
        notes.append(_OVER_RUNS.format(**family))
    elif any(pair.models_alone for pair in pairs):
        notes.append(_ONE_RUN)
    return table(
        caption,
        [
            ("pair", lambda pair: pair.between),
            ("difference", kind, lambda pair: within(pair.difference, pair.interval)),
            ("p, one-tailed", "p", lambda pair: pair.p_one_tailed),
            ("p, two-tailed", "p", lambda pair: pair.p_two_tailed),
            ("Holm, one-tailed", "p", lambda pair: pair.holm_one_tailed),
            ("Holm, two-tailed", "p", lambda pair: pair.holm_two_tailed),
            *(over_runs if several else []),
            ("verdict", verdict),
        ],
        pairs,
        notes=notes,
        signatures=[comparison.signature],
    )


_RUNS = (
    "Credits are averaged within each instance over a system's runs before anything else. Intervals are about other "
    "instances, not other runs; how far the runs are apart is the standard deviation of their accuracies, in points. "
    "The test over runs decides which system is better."
)
_TESTS = (
    "p: approximate randomisation by {c.unit} of these runs. Holm: corrected for {pairs} of the ranking, "
    "since the ranking chose which are shown. The two-tailed corrected value decides, at {c.alpha}; the paper's test "
    "is the one-tailed one."
)
_ONE_RUN = (
    "No system has several runs. A verdict holds for these models as they stand; what other trainings of them would "
    "show is not known."
)
_OVER_RUNS = (
    "p, over runs: a t-test over runs and instances together (Obuchowski and Rockette, degrees of freedom by Hillis), "
    "or Welch's over runs alone where that is larger. A system of one run is taken to scatter as the other does, "
    "unless its reader is not trained. Holm, decides: the larger of both p-values, corrected for {pairs}. "
    "Of two trained systems of one run each a verdict holds for these models alone."
)


def _too_few_draws(comparison: Comparison) -> Iterator[Text]:
    """A warning where no draw of swaps could make a corrected p-value small enough."""
    if too_few_draws(comparison.draws, comparison.family):
        least = math.ceil(comparison.family / comparison.alpha)
        yield Text(
            f"With {comparison.draws:,} draws no pair of {comparison.family} can be called better: take --draws "
            f"{least:,} or more.",
            "warning",
        )


def differences_of(measure: Measure, unit: str) -> str:
    """What a picture of differences shows, resampled by unit."""
    points = " in percentage points" if measure.unit == "percent" else ""
    what = f"Difference of {measure.called}{points}, 95 % intervals by paired bootstrap of {unit}s"
    return f"{what}; one over the line at zero leaves it open."


def every_pair(family: int) -> str:
    """What Holm's correction is for."""
    return f"all {family} pairs" if family > 1 else "the one pair"


def verdict(pair: Pair) -> str:
    """better or not shown to differ, as two that differ nowhere."""
    return "better" if pair.verdict == "better" else "not shown to differ"
