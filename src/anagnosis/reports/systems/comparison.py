"""Which system is better by a measure, and is it sure: the ranking, each pair's paired tests, and the verdict in words.

As in BIOMRC's Table 3, a system stands beside the next best; and beside the first. A difference without a test is
never shown, and "not shown to differ" is said in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from anagnosis.evaluation.comparison import Comparison, words
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.tested_pairs import Pair, too_few_draws
from anagnosis.predictions import Problem
from anagnosis.reports.report import Block, Cell, Column, Heading, Table, Text
from anagnosis.reports.systems.measured import (
    SPREAD_COLUMNS,
    difference,
    differences,
    gain_kind,
    measured_column,
    sentences,
    shown,
    spread_cells,
)
from anagnosis.reports.systems.problems import harmless, unfit
from anagnosis.reports.systems.systems import UNFIT, majority_name, majority_note


def ranked_files(comparison: Comparison) -> list[tuple[str, str, Mapping[str, Problem]]]:
    """What of the compared systems' files did not fit."""
    return [(ranked.name, comparison.split, ranked.problems) for ranked in comparison.ranking]


def ranking(comparison: Comparison, *, alone: bool = True) -> Iterator[Block]:
    """The systems from best to worst, and what is between them in words. alone: whether no other measure ranks."""
    yield Heading("Which is better" if alone else f"Which is better by {named(comparison.measure).called}")
    yield _ranked(comparison)
    steps = enumerate(comparison.against_next, 1)
    yield sentences((f"{place} and {place + 1}", words(pair, comparison)) for place, pair in steps)
    yield from _too_few_draws(comparison)


def ranking_tests(comparison: Comparison, *, alone: bool = True) -> Iterator[Block]:
    """The differences that the words of `ranking` rest on, and all tests of them."""
    yield Heading("The tests" if alone else f"The tests by {named(comparison.measure).called}")
    yield differences(
        "Differences to the next best",
        comparison.against_next,
        named(comparison.measure),
        comparison.unit,
    )
    yield _tests("Each beside the next best", comparison.against_next, comparison)
    if len(comparison.against_first) > 1:
        yield _tests("The first beside each other system", comparison.against_first, comparison)
    tested = {
        (pair.first, pair.second): pair for pair in (*comparison.against_next, *comparison.against_first)
    }
    yield _others(tested.values(), comparison)


def _ranked(comparison: Comparison) -> Table:
    """The accuracies as they are ranked, and the verdict on the step to the next."""
    measure = named(comparison.measure)
    passed_over = harmless(comparison.majority is not None)
    unfitting = [unfit(ranked.problems, passed_over) for ranked in comparison.ranking]
    verdicts = [*(_verdict(pair) for pair in comparison.against_next), None]
    spreads = spread_cells([ranked.estimate for ranked in comparison.ranking])
    rows: list[tuple[Cell, ...]] = []
    for ranked, problem, verdict, spread in zip(
        comparison.ranking, unfitting, verdicts, spreads, strict=True
    ):
        lines = [problem] if any(unfitting) else []
        rows.append((ranked.name, ranked.rank, shown(ranked.estimate), *lines, *spread, verdict))
    notes = [_RUNS] if any(runs for runs, _ in spreads) else []
    if (level := comparison.majority) is not None and (value := level.of(measure.name)) is not None:
        above = sum(ranked.estimate.value > value for ranked in comparison.ranking)
        empty: list[Cell] = [None] * (len(rows[0]) - 3)
        rows.insert(above, (majority_name(level), None, value, *empty))
        if measure.name == "accuracy":
            notes.append(majority_note(level, [(own.name, own.estimate) for own in comparison.ranking]))
        notes.append("The majority is neither ranked nor tested.")
    columns = (
        Column("system"),
        Column("rank", "count"),
        replace(measured_column(measure), best=""),
        *([UNFIT] if any(unfitting) else []),
        *SPREAD_COLUMNS,
        Column("against the next"),
    )
    return Table("Ranking", columns, tuple(rows), tuple(notes), (comparison.signature,))


def _tests(caption: str, pairs: Sequence[Pair], comparison: Comparison) -> Table:
    """The tests by the comparison's unit, the paper's one-tailed one, and over runs where systems have several."""
    several = any(len(ranked.estimate.runs) > 1 for ranked in comparison.ranking)
    rows: list[tuple[Cell, ...]] = []
    for pair in pairs:
        p_values: list[Cell] = [
            pair.p_one_tailed,
            pair.p_two_tailed,
            pair.holm_one_tailed,
            pair.holm_two_tailed,
        ]
        if several:
            found = pair.over_runs
            p_values += [found.p if found else None, pair.holm]
        rows.append((pair.between, difference(pair), *p_values, _verdict(pair)))
    columns = (
        Column("pair"),
        Column("difference", gain_kind(named(comparison.measure))),
        Column("p, one-tailed", "p"),
        Column("p, two-tailed", "p"),
        Column("Holm, one-tailed", "p"),
        Column("Holm, two-tailed", "p"),
        *((Column("p, over runs", "p"), Column("Holm, decides", "p")) if several else ()),
        Column("verdict"),
    )
    drawn = all(swaps.swapped for pair in pairs for swaps in (pair.by_instance, pair.by_document))
    tested = _TESTS if drawn else _DRAWN
    notes = (tested.format(c=comparison), *_notes(pairs, comparison, several=several))
    return Table(caption, columns, tuple(rows), notes, (comparison.signature,))


def _notes(pairs: Sequence[Pair], comparison: Comparison, *, several: bool) -> tuple[str, ...]:
    """What a verdict of these pairs holds for."""
    if several:
        return (_OVER_RUNS.format(c=comparison),)
    return (_ONE_RUN,) if any(pair.models_alone for pair in pairs) else ()


def _others(pairs: Iterable[Pair], comparison: Comparison) -> Table:
    """What else can be said of the same pairs; nothing of it decides."""
    rows: list[tuple[Cell, ...]] = []
    for pair in pairs:
        other = pair.by_instance if comparison.unit == "document" else pair.by_document
        found = pair.mcnemar
        mcnemar = (found.only_first, found.only_second, found.p) if found else (None,) * 3
        rows.append((pair.between, other.two_tailed, *mcnemar))
    columns = (
        Column("pair"),
        Column(f"p by {'instance' if comparison.unit == 'document' else 'document'}", "p"),
        Column("only first right", "count"),
        Column("only second right", "count"),
        Column("McNemar", "p"),
    )
    return Table("Other tests of the same pairs", columns, tuple(rows), (_OTHERS,), (comparison.signature,))


_RUNS = (
    "Credits are averaged within each question over a system's runs before anything else. Intervals are about other "
    "questions, not other runs; how far the runs are apart is the standard deviation of their accuracies, in points. "
    "The test over runs decides which system is better."
)
_TESTS = (
    "p: approximate randomisation by {c.unit} of these runs. Holm: corrected for all {c.family} pairs of the ranking, "
    "since the ranking chose which are shown. The two-tailed corrected value decides, at {c.alpha}; the paper's test "
    "is the one-tailed one."
)
_DRAWN = (
    "p: twice the share of the draws of {c.unit}s on one side of zero; two systems' scores have no common scale, so "
    "nothing is swapped. Holm: corrected for all {c.family} pairs of the ranking. The two-tailed corrected value "
    "decides, at {c.alpha}."
)
_ONE_RUN = (
    "Each system has one run. A verdict holds for these models as they stand; what other trainings of them would show "
    "is not known."
)
_OVER_RUNS = (
    "p, over runs: a t-test over runs and questions together (Obuchowski and Rockette, degrees of freedom by Hillis), "
    "or Welch's over runs alone where that is larger. A system of one run is taken to scatter as the other does, "
    "unless its reader is not trained. Holm, decides: the larger of both p-values, corrected for all {c.family} pairs. "
    "Of two trained systems of one run each a verdict holds for these models alone."
)
_OTHERS = (
    "All two-tailed and uncorrected. Only first right, only second right: instances that one system alone answered; "
    "McNemar's test reads nothing else, and there is none where credit is shared, by a tie or over runs."
)


def _too_few_draws(comparison: Comparison) -> Iterator[Text]:
    """A warning where no draw of swaps could make a corrected p-value small enough."""
    draws = min(pair.by_instance.draws for pair in comparison.differences)
    if too_few_draws(draws, comparison.family):
        least = math.ceil(comparison.family / comparison.alpha)
        yield Text(
            f"With {draws:,} draws no pair of {comparison.family} can be called better: take --draws {least:,} or "
            "more.",
            "warning",
        )


def _verdict(pair: Pair) -> str:
    """better or not shown to differ, as two that differ nowhere."""
    return "better" if pair.verdict == "better" else "not shown to differ"
