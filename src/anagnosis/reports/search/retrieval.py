"""What engines are worth beside judgements: a row a system, the tests between them, and what did not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from anagnosis.evaluation.retrieval.judgements import RETRIEVAL_PROBLEMS
from anagnosis.evaluation.retrieval.scoring import Comparison, Evaluation, System
from anagnosis.predictions import Problem
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    Estimate,
    Heading,
    Listing,
    Report,
    Table,
    Text,
    item,
    table,
)
from anagnosis.reports.systems.measured import shown
from anagnosis.wording import shortened

APART = 10  # queries shown on which two systems differ most
_SHOWN = 3
_LONGEST = 90
_TESTS = (
    "p: approximate randomisation by query. Holm: corrected for all pairs of the ranking by that measure, {c.family}; "
    "it decides, at {c.alpha}, since the ranking chose which pairs are shown."
)


def report(found: Evaluation) -> Report:
    """What `evaluate_search` returns."""
    blocks: list[Block] = [*_warnings(found.systems), _systems(found)]
    more: list[Block] = []
    if found.comparisons:
        blocks.append(Heading("Which is better"))
        blocks += [_tests(measure, own, found) for measure, own in found.comparisons.items()]
        blocks.append(Text(_TESTS.format(c=next(iter(found.comparisons.values()))), "note"))
        more += _apart(found, found.topics)
    more += [Heading("Judgements"), _facts(found), *_problems(found)]
    return Report(f"Search beside {found.file}", tuple(blocks), tuple(more))


def _facts(found: Evaluation) -> Listing:
    return Listing(
        (
            item("file", found.file),
            item("queries scored", f"{len(found.queries):,}, each with a relevant document"),
            item("judgements of them", f"{found.judgements:,}, of which {found.relevant:,} relevant"),
        )
    )


def _warnings(systems: Sequence[System]) -> Iterator[Text]:
    for system in systems:
        silent = system.problems.get("no_results")
        if silent is not None and silent.count == len(next(iter(system.values.values()))):
            yield Text(f"{system.name} has no result for any query: do the ids of queries agree?", "warning")
        elif not any(system.values[name] and max(system.values[name]) for name in system.values):
            yield Text(
                f"{system.name} retrieves no judged document: do the ids of documents agree?", "warning"
            )


def _systems(found: Evaluation) -> Table:
    by_name = {system.name: system for system in found.systems}
    tested = next(iter(found.comparisons.values()), None)
    ranking = tested.ranking if tested else tuple(by_name)

    def silent(system: System) -> int:
        problem = system.problems.get("no_results")
        return problem.count if problem else 0

    def measured(measure: str) -> tuple[Column, Callable[[System], Cell]]:
        best = "high" if measure in found.comparisons else ""
        return Column(measure, "fraction", best), lambda system: shown(system.estimates[measure])

    return table(
        "Retrieval of all systems",
        [
            ("system", "text", lambda system: system.name),
            *map(measured, found.measures),
            ("retrieved", "count", lambda system: system.retrieved),
            ("queries without results", "count", silent),
        ],
        [by_name[name] for name in ranking],
        notes=(
            "Means over queries; in brackets 95 % intervals (Wilson, by query). Unjudged documents count as not "
            "relevant; a query without results counts as 0.",
        ),
        signatures=[found.signatures[measure] for measure in found.measures],
    )


def _tests(measure: str, comparison: Comparison, found: Evaluation) -> Table:
    """The first beside every other, then what else stands next to each other."""
    return table(
        f"Paired tests of {measure}",
        [
            ("pair", "text", lambda pair: f"{pair.first} over {pair.second}"),
            ("difference", "gain", lambda of: Estimate(of.difference, of.interval.low, of.interval.high)),
            ("queries better", "count", lambda pair: pair.ahead),
            ("worse", "count", lambda pair: pair.behind),
            ("p, two-tailed", "p", lambda pair: pair.p_two_tailed),
            ("Holm", "p", lambda pair: pair.holm),
            ("verdict", "text", lambda pair: "better" if pair.verdict == "better" else "not shown to differ"),
        ],
        comparison.differences,
        signatures=(found.signatures[measure],),
    )


def _apart(found: Evaluation, topics: Mapping[str, str]) -> Iterator[Table]:
    """The queries on which the best two by the first measure that is tested differ most, largest first."""
    measure = next(iter(found.comparisons))
    names = found.comparisons[measure].ranking[:2]
    values = {system.name: system.values[measure] for system in found.systems}
    first, second = (values[name] for name in names)
    places = sorted(range(len(first)), key=lambda place: -abs(first[place] - second[place]))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            found.queries[place],
            shortened(topics.get(found.queries[place], ""), _LONGEST),
            first[place],
            second[place],
            first[place] - second[place],
        )
        for place in places[:APART]
        if first[place] != second[place]
    )
    columns = (
        Column("query"),
        Column("text"),
        *(Column(name, "fraction") for name in names),
        Column("difference", "gain"),
    )
    if rows:
        yield Table(
            f"Queries on which {names[0]} and {names[1]} are furthest apart ({measure})", columns, rows
        )


def _problems(found: Evaluation) -> Iterator[Block]:
    """What was left out or is missing, by name."""
    rows: list[tuple[Cell, ...]] = []
    of_systems = ((system.name, system.problems) for system in found.systems)
    for whose, problems in (("topics and judgements", found.problems), *of_systems):
        for name, problem in problems.items():
            rows.append((whose, name, problem.count, _examples(problem), RETRIEVAL_PROBLEMS[name]))
    if not rows:
        return
    yield Heading("Topics, judgements and results that do not fit")
    columns = (
        Column("of"),
        Column("name"),
        Column("count", "count"),
        Column("such as"),
        Column("what it is"),
    )
    yield Table("Left out or missing", columns, tuple(rows))


def _examples(problem: Problem) -> str:
    shown_first = ", ".join(problem.first[:_SHOWN])
    return f"{shown_first}, …" if problem.count > _SHOWN else shown_first
