"""Which system is better, and is it sure: the ranking, each pair's paired tests, and the verdict in words.

As in BIOMRC's Table 3, a system stands beside the next best; and beside the first. A difference without a test is
never shown, and "not shown to differ" is said in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.comparison import Comparison, Pair, words
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    Estimate,
    Heading,
    Item,
    Listing,
    Plot,
    Report,
    Run,
    Table,
    Text,
)
from anagnosis.reports.systems import (
    System,
    accuracy_plot,
    breakdown_plots,
    counts_table,
    problems,
    shown,
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
) -> Report:
    """The whole report: facts, Table 3, ranking and tests, break-downs, problems. split: what was compared on."""
    blocks: list[Block] = [Heading("Dataset"), facts, Heading("Systems")]
    blocks += [
        systems_table(rows, unit=unit),
        accuracy_plot(rows, split, unit=unit),
        counts_table(rows, split),
    ]
    if comparison is not None:
        blocks += ranking(comparison)
    blocks.append(Heading("Where systems are right"))
    blocks += breakdown_plots(rows, split)
    blocks += problems(rows)
    return Report(title, tuple(blocks))


def compare_report(title: str, facts: Listing, comparison: Comparison) -> Report:
    """The ranking and its tests alone."""
    return Report(title, (Heading("Dataset"), facts, *ranking(comparison)))


def ranking(comparison: Comparison) -> Iterator[Block]:
    """The systems from best to worst, what is between them, and all tests."""
    yield Heading("Which is better")
    yield Listing(
        tuple(
            Item(f"{rank}.", (Run(_sentence(pair)),)) for rank, pair in enumerate(comparison.against_next, 1)
        )
    )
    yield _ranked(comparison)
    yield _differences(comparison)
    yield Heading("The tests", 3)
    yield _tests("Each beside the next best", comparison.against_next, comparison)
    if len(comparison.against_first) > 1:
        yield _tests("The first beside each other system", comparison.against_first, comparison)
    yield Text(_explained(comparison), "note")


def _sentence(pair: Pair) -> str:
    return f"{words(pair)}."


def _ranked(comparison: Comparison) -> Table:
    """The accuracies as they are ranked, and the verdict on the step to the next."""
    verdicts = [pair.verdict for pair in comparison.against_next]
    rows: list[tuple[Cell, ...]] = []
    for place, ranked in enumerate(comparison.ranking):
        measured = ranked.by_document if comparison.unit == "document" else ranked.estimate
        verdict = verdicts[place] if place < len(verdicts) else None
        rows.append(
            (
                ranked.name,
                ranked.rank,
                shown(measured),
                "better" if verdict == "better" else verdict and "tied",
            )
        )
    columns = (
        Column("system"),
        Column("rank", "count"),
        Column("accuracy (%)", "percent"),
        Column("than the next"),
    )
    return Table("Ranking", columns, tuple(rows), signature=comparison.signature)


def _differences(comparison: Comparison) -> Plot:
    beside = f"by {comparison.unit}, 95 % intervals by paired bootstrap"
    rows = tuple((_names(pair), _difference(pair)) for pair in comparison.against_next)
    return Plot(
        "Differences to the next best",
        f"Difference of accuracy in percentage points, {beside}; an interval over the line at zero leaves it open.",
        "difference_with_intervals",
        Table(
            "Differences to the next best, the numbers",
            (Column("pair"), Column("difference", "difference")),
            rows,
        ),
    )


def _tests(caption: str, pairs: Sequence[Pair], comparison: Comparison) -> Table:
    """Every number of every test. Corrected values decide, the others stand beside them."""
    other = [pair.by_instance if comparison.unit == "document" else pair.by_document for pair in pairs]
    rows: list[tuple[Cell, ...]] = []
    for pair, beside in zip(pairs, other, strict=True):
        exact = beside.exact_two_tailed
        found = pair.mcnemar
        rows.append(
            (
                _names(pair),
                _difference(pair),
                pair.p_one_tailed,
                pair.p_two_tailed,
                pair.holm_one_tailed,
                pair.holm_two_tailed,
                beside.two_tailed if exact is None else exact,
                found.only_first if found else None,
                found.only_second if found else None,
                found.exact if found else None,
                found.mid_p if found else None,
                pair.detectable.difference,
                "better" if pair.verdict == "better" else "tied",
            )
        )
    return Table(
        caption,
        (
            Column("pair"),
            Column("difference", "difference"),
            Column("p, one-tailed", "p"),
            Column("p, two-tailed", "p"),
            Column("Holm, one-tailed", "p"),
            Column("Holm, two-tailed", "p"),
            Column(f"p by {'instance' if comparison.unit == 'document' else 'document'}", "p"),
            Column("only first right", "count"),
            Column("only second right", "count"),
            Column("McNemar, exact", "p"),
            Column("McNemar, mid-p", "p"),
            Column("detectable", "percent"),
            Column("verdict"),
        ),
        tuple(rows),
        signature=comparison.signature,
    )


def _explained(comparison: Comparison) -> str:
    """What the columns of the tests are, once."""
    return (
        f"p: approximate randomisation by {comparison.unit}, exact where all swaps can be gone through. Holm: corrected "
        f"for the {comparison.family} pairs that were tested; the two-tailed value decides, at {comparison.alpha}, since "
        "the ranking chose the pairs. The paper's test is the one-tailed one. Only first right, only second right: "
        "instances that one system alone answered; McNemar's test reads nothing else. Detectable: the smallest true "
        "difference that a test of these two would find four times in five; empty where they disagree too seldom."
    )


def _names(pair: Pair) -> str:
    return f"{pair.first} over {pair.second}"


def _difference(pair: Pair) -> Estimate:
    return Estimate(pair.difference, pair.interval.low, pair.interval.high)
