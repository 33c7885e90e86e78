"""What engines are worth beside judgements: a row a system, the tests between them, and what did not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.retrieval.judgements import RETRIEVAL_PROBLEMS
from anagnosis.evaluation.retrieval.scoring import Comparison, Evaluation, System
from anagnosis.reports.report import (
    Block,
    Column,
    ColumnOf,
    Estimate,
    Heading,
    Report,
    Table,
    Text,
    listing,
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
        more += _apart(found)
    facts = {
        "file": found.file,
        "queries scored": f"{len(found.queries):,}, each with a relevant document",
        "judgements of them": f"{found.judgements:,}, of which {found.relevant:,} relevant",
    }
    more += [Heading("Judgements"), listing(facts.items()), *_problems(found)]
    return Report(f"Search beside {found.file}", tuple(blocks), tuple(more))


def _warnings(systems: Sequence[System]) -> Iterator[Text]:
    for system in systems:
        if _silent(system) == len(next(iter(system.values.values()))):
            yield Text(f"{system.name} has no result for any query: do the ids of queries agree?", "warning")
        elif not any(map(any, system.values.values())):
            what = f"{system.name} retrieves no judged document: do the ids of documents agree?"
            yield Text(what, "warning")


def _silent(system: System) -> int:
    """Queries without results."""
    problem = system.problems.get("no_results")
    return problem.count if problem else 0


def _systems(found: Evaluation) -> Table:
    by_name = {system.name: system for system in found.systems}
    tested = next(iter(found.comparisons.values()), None)

    def measured(measure: str) -> ColumnOf:
        best = "high" if measure in found.comparisons else ""
        return Column(measure, "fraction", best), lambda system: shown(system.estimates[measure])

    return table(
        "Retrieval of all systems",
        [
            ("system", lambda system: system.name),
            *map(measured, found.measures),
            ("retrieved", "count", lambda system: system.retrieved),
            ("queries without results", "count", _silent),
        ],
        [by_name[name] for name in (tested.ranking if tested else by_name)],
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
            ("pair", lambda pair: f"{pair.first} over {pair.second}"),
            ("difference", "gain", lambda of: Estimate(of.difference, of.interval.low, of.interval.high)),
            ("p, two-tailed", "p", lambda pair: pair.p_two_tailed),
            ("Holm", "p", lambda pair: pair.holm),
            ("verdict", lambda pair: "better" if pair.verdict == "better" else "not shown to differ"),
        ],
        comparison.differences,
        signatures=(found.signatures[measure],),
    )


def _apart(found: Evaluation) -> Iterator[Table]:
    """The queries on which the best two by the first measure that is tested differ most, largest first."""
    measure = next(iter(found.comparisons))
    names = found.comparisons[measure].ranking[:2]
    values = {system.name: system.values[measure] for system in found.systems}
    first, second = (values[name] for name in names)
    places = sorted(range(len(first)), key=lambda place: -abs(first[place] - second[place]))
    apart = [place for place in places[:APART] if first[place] != second[place]]
    columns: list[ColumnOf] = [
        ("query", lambda place: found.queries[place]),
        ("text", lambda place: shortened(found.topics.get(found.queries[place], ""), _LONGEST)),
        (names[0], "fraction", lambda place: first[place]),
        (names[1], "fraction", lambda place: second[place]),
        ("difference", "gain", lambda place: first[place] - second[place]),
    ]
    if apart:
        caption = f"Queries on which {names[0]} and {names[1]} are furthest apart ({measure})"
        yield table(caption, columns, apart)


def _problems(found: Evaluation) -> Iterator[Block]:
    """What was left out or is missing, by name."""
    of_systems = [(system.name, system.problems) for system in found.systems]
    every = [("topics and judgements", found.problems), *of_systems]
    rows = [(whose, name, problem) for whose, own in every for name, problem in own.items()]
    if rows:
        yield Heading("Topics, judgements and results that do not fit")
        yield table(
            "Left out or missing",
            [
                ("of", lambda row: row[0]),
                ("name", lambda row: row[1]),
                ("count", "count", lambda row: row[2].count),
                ("such as", lambda row: ", ".join(row[2].first[:_SHOWN]) + ", …" * (row[2].count > _SHOWN)),
                ("what it is", lambda row: RETRIEVAL_PROBLEMS[row[1]]),
            ],
            rows,
        )
