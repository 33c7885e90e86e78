"""What people answered from, what those answers are worth, and which group answers from prior knowledge more often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.people.knowledge import SOURCES, Knowledge, Source, Use
from anagnosis.reports.report import Block, Cell, Column, Heading, Plot, Table, Text, table
from anagnosis.reports.systems.measured import difference, measured_column, sentences, shown
from anagnosis.reports.systems.people.comparisons import TESTS

_CALLED = {
    "prior": "prior knowledge",
    "context": "the context",
    "both": "both",
    "none": "could not answer",
    "left open": "left open",
    "not said": "not said",
}


def knowledge_blocks(knowledge: Knowledge | None, signature: str) -> Iterator[Block]:
    """By source: a picture of the groups, a table of groups and people; then the tests between groups."""
    if knowledge is None:
        return
    yield Heading("What people answered from")
    measures = [
        named(name) for name in dict.fromkeys(name for own in knowledge.sources for name in own.measures)
    ]
    groups = _groups(knowledge.sources)
    if measures and len({source for _, own in groups for source in own}) > 1:
        yield _picture(groups, measures[0])
    yield _table(knowledge.sources, measures, signature)
    yield Text(
        "People choose what they answer from: a difference between two sources may be one of the questions.",
        "note",
    )
    if knowledge.uses:
        yield sentences((str(place), _words(use)) for place, use in enumerate(knowledge.uses, 1))
        yield _uses(knowledge)


def _groups(sources: Sequence[Source]) -> list[tuple[str, dict[str, Source]]]:
    """(who, source → answers) of groups of several people, or of people where there is no such group."""
    several = [own for own in sources if own.people > 1] or list(sources)
    names = dict.fromkeys(own.who for own in several)
    return [(name, {own.source: own for own in several if own.who == name}) for name in names]


def _picture(groups: Sequence[tuple[str, dict[str, Source]]], measure: Measure) -> Plot:
    rows: list[tuple[Cell, ...]] = []
    for source in SOURCES:
        own = [sources.get(source) for _, sources in groups]
        values = [each.measures.get(measure.name) if each else None for each in own]
        if any(values):
            answers = sum(each.answers for each in own if each)
            rows.append((_CALLED[source], answers, *(shown(value) if value else None for value in values)))
    title = f"{measure.heading} by what an answer is from"
    column = measured_column(measure)
    return Plot(
        title,
        "Of all answers of a group together, with 95 % intervals by document, and how many answers there are.",
        "accuracy_by_group",
        Table(
            f"{title}, the numbers",
            (
                Column("answered from"),
                Column("answers", "count"),
                *(Column(name, column.kind) for name, _ in groups),
            ),
            tuple(rows),
        ),
        repeated=True,
    )


def _table(sources: Sequence[Source], measures: Sequence[Measure], signature: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    zones: list[int] = []
    for place, own in enumerate(sources):
        if place and own.who != sources[place - 1].who:
            zones.append(place)
        values = [own.measures.get(measure.name) for measure in measures]
        cells = (shown(value) if value else None for value in values)
        rows.append((own.who, _CALLED[own.source], own.answers, own.share, *cells))
    columns = (
        Column("who"),
        Column("answered from"),
        Column("answers", "count"),
        Column("of all questions (%)", "percent"),
        *(_unmarked(measure) for measure in measures),
    )
    note = "All answers of a group count alike. In brackets: 95 % intervals by document."
    return Table("Answers by what they are from", columns, tuple(rows), (note,), (signature,), tuple(zones))


def _unmarked(measure: Measure) -> Column:
    column = measured_column(measure)
    return Column(column.name, column.kind)


def _uses(knowledge: Knowledge) -> Table:
    return table(
        "Answers from prior knowledge, groups compared",
        [
            ("pair", "text", lambda use: use.tested.between),
            ("answered from", "text", lambda use: use.use),
            ("questions", "count", lambda use: use.questions),
            ("first (%)", "percent", lambda use: use.shares[0].value),
            ("second (%)", "percent", lambda use: use.shares[1].value),
            ("difference", "difference", lambda use: difference(use.tested)),
            *TESTS,
            (
                "verdict",
                "text",
                lambda use: "more often" if use.tested.verdict == "better" else "not different",
            ),
        ],
        knowledge.uses,
        notes=(
            "Shares of the questions of which everybody in both groups says what the answer is from; means over "
            "people. The tests are those between groups; corrected for all of this table, at "
            f"{knowledge.alpha}.",
        ),
    )


def _words(use: Use) -> str:
    pair = use.tested.between
    if use.tested.verdict != "better":
        return f"{pair}, answers from {use.use}: not different"
    others = "for other people too" if use.tested.over_runs else "this holds for these two people"
    return f"{pair}, answers from {use.use}: more often, {others}"
