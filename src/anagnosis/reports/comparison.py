"""Which system is better, and is it sure: the ranking, each pair's paired tests, and the verdict in words.

As in BIOMRC's Table 3, a system stands beside the next best; and beside the first. A difference without a test is
never shown, and "not shown to differ" is said in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from anagnosis.evaluation.comparison import Comparison, Pair, words
from anagnosis.reports.classes import class_blocks, macro_breakdowns, macro_table
from anagnosis.reports.confidence import confidence_blocks
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    Estimate,
    Heading,
    Listing,
    Plot,
    Report,
    Table,
    Text,
    item,
)
from anagnosis.reports.systems import (
    HARMLESS,
    SPREAD_COLUMNS,
    System,
    accuracy_plot,
    breakdown_plots,
    counts_table,
    problems,
    shown,
    spread_cells,
    systems_table,
)


def systems_report(
    title: str,
    facts: Listing,
    rows: Sequence[System],
    comparison: Comparison | None,
    *,
    split: str,
    unit: str,
    notes: Sequence[str] = (),
) -> Report:
    """The whole report: facts, Table 3, ranking and tests, break-downs, problems.

    comparison: None for a single system. split: what was compared on. unit: of the intervals. notes: to Table 3.
    """
    blocks: list[Block] = [Heading("Dataset"), facts]
    blocks += systems_blocks(rows, comparison, split=split, unit=unit, notes=notes)
    blocks += problem_blocks(rows)
    return Report(title, tuple(blocks))


def systems_blocks(
    rows: Sequence[System],
    comparison: Comparison | None,
    *,
    split: str,
    unit: str,
    notes: Sequence[str] = (),
) -> Iterator[Block]:
    """Table 3, ranking and tests, break-downs; the arguments are those of `systems_report`."""
    yield Heading("Systems")
    yield systems_table(rows, unit=unit, notes=notes)
    yield accuracy_plot(rows, split, unit=unit)
    yield from class_blocks(rows, split, unit=unit)
    yield counts_table(rows, split)
    if comparison is not None:
        yield from ranking(comparison)
    yield Heading("Where systems are right")
    yield from breakdown_plots(rows, split)
    yield from macro_breakdowns(rows, split)
    yield from confidence_blocks(rows, split)


def problem_blocks(rows: Iterable[System]) -> Iterator[Block]:
    """What of the systems' files did not fit."""
    found = [(row.name, split, score) for row in rows for split, score in row.scores.items()]
    # Of decisions the answer counts, and a rule need not take the most probable label.
    ruled = frozenset({"answer_not_on_top"} if all(score.classes for *_, score in found) else ())
    return problems(((name, split, score.problems) for name, split, score in found), HARMLESS | ruled)


def compare_report(
    title: str, facts: Listing, comparison: Comparison, *, notes: Sequence[str] = ()
) -> Report:
    """The ranking and its tests alone. notes: what else must be told of the systems."""
    return Report(title, (Heading("Dataset"), facts, *map(Text, notes), *ranking(comparison)))


def ranking(comparison: Comparison) -> Iterator[Block]:
    """The systems from best to worst, what is between them, and all tests."""
    yield Heading("Which is better")
    steps = enumerate(comparison.against_next, 1)
    yield Listing(tuple(item(f"{place} and {place + 1}", f"{words(pair)}.") for place, pair in steps))
    yield _ranked(comparison)
    yield _differences(comparison)
    yield Heading("The tests", 3)
    yield _tests("Each beside the next best", comparison.against_next, comparison)
    if len(comparison.against_first) > 1:
        yield _tests("The first beside each other system", comparison.against_first, comparison)
    yield from macro_table(comparison)
    tested = {
        (pair.first, pair.second): pair for pair in (*comparison.against_next, *comparison.against_first)
    }
    yield _others(tested.values(), comparison)


def _ranked(comparison: Comparison) -> Table:
    """The accuracies as they are ranked, and the verdict on the step to the next."""
    verdicts = [*(_verdict(pair) for pair in comparison.against_next), None]
    spreads = spread_cells([ranked.spread for ranked in comparison.ranking])
    rows: list[tuple[Cell, ...]] = []
    for ranked, verdict, spread in zip(comparison.ranking, verdicts, spreads, strict=True):
        measured = ranked.by_document if comparison.unit == "document" else ranked.estimate
        rows.append((ranked.name, ranked.rank, shown(measured), *spread, verdict))
    columns = (
        Column("system"),
        Column("rank", "count"),
        Column("accuracy (%)", "percent"),
        *SPREAD_COLUMNS,
        Column("than the next"),
    )
    notes = (_RUNS,) if any(runs for runs, _ in spreads) else ()
    return Table("Ranking", columns, tuple(rows), notes, (comparison.signature,))


def _differences(comparison: Comparison) -> Plot:
    rows = tuple((_names(pair), _difference(pair)) for pair in comparison.against_next)
    return Plot(
        "Differences to the next best",
        f"Difference of accuracy in percentage points, 95 % intervals by paired bootstrap of {comparison.unit}s; an "
        "interval over the line at zero leaves it open.",
        "difference_with_intervals",
        Table(
            "Differences to the next best, the numbers",
            (Column("pair"), Column("difference", "difference")),
            rows,
        ),
    )


def _tests(caption: str, pairs: Sequence[Pair], comparison: Comparison) -> Table:
    """The test that decides, by the comparison's unit, and beside it the paper's one-tailed one."""
    rows: list[tuple[Cell, ...]] = []
    for pair in pairs:
        p_values = (pair.p_one_tailed, pair.p_two_tailed, pair.holm_one_tailed, pair.holm_two_tailed)
        rows.append((_names(pair), _difference(pair), *p_values, _verdict(pair)))
    columns = (
        Column("pair"),
        Column("difference", "difference"),
        Column("p, one-tailed", "p"),
        Column("p, two-tailed", "p"),
        Column("Holm, one-tailed", "p"),
        Column("Holm, two-tailed", "p"),
        Column("verdict"),
    )
    return Table(caption, columns, tuple(rows), (_TESTS.format(c=comparison),), (comparison.signature,))


def _others(pairs: Iterable[Pair], comparison: Comparison) -> Table:
    """What else can be said of the same pairs; nothing of it decides."""
    rows: list[tuple[Cell, ...]] = []
    for pair in pairs:
        other = pair.by_instance if comparison.unit == "document" else pair.by_document
        p = other.two_tailed if other.exact_two_tailed is None else other.exact_two_tailed
        found = pair.mcnemar
        mcnemar = (found.only_first, found.only_second, found.exact, found.mid_p) if found else (None,) * 4
        rows.append((_names(pair), p, *mcnemar, pair.detectable.difference))
    columns = (
        Column("pair"),
        Column(f"p by {'instance' if comparison.unit == 'document' else 'document'}", "p"),
        Column("only first right", "count"),
        Column("only second right", "count"),
        Column("McNemar, exact", "p"),
        Column("McNemar, mid-p", "p"),
        Column("detectable", "percent"),
    )
    return Table("Other tests of the same pairs", columns, tuple(rows), (_OTHERS,), (comparison.signature,))


_RUNS = (
    "Credits are averaged within each question over a system's runs before anything else. Intervals and tests are "
    "about other questions, not other runs; how far the runs are apart is the standard deviation of their accuracies, "
    "in percentage points."
)
_TESTS = (
    "p: approximate randomisation by {c.unit}, exact where all swaps can be gone through. Holm: corrected for the "
    "{c.family} tested here. The two-tailed corrected value decides, at {c.alpha}, since the ranking chose "
    "the pairs; the paper's test is the one-tailed one."
)
_OTHERS = (
    "All two-tailed and uncorrected. Only first right, only second right: instances that one system alone answered; "
    "McNemar's test reads nothing else, and there is none where credit is shared, by a tie or over runs. Detectable: "
    "the smallest true difference, in percentage points, that a test of these two would find four times in five; "
    "empty where they disagree too seldom."
)


def _verdict(pair: Pair) -> str:
    """better or tied; two that differ nowhere are tied too."""
    return "better" if pair.verdict == "better" else "tied"


def _names(pair: Pair) -> str:
    return f"{pair.first} over {pair.second}"


def _difference(pair: Pair) -> Estimate:
    return Estimate(pair.difference, pair.interval.low, pair.interval.high)
