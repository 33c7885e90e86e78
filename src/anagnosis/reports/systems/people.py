"""What the answers of people show besides accuracy and kappa: the parts of a report on agreement.

Groups compared with each other and with systems; what people answered from; how long they took.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.people.comparisons import GroupComparison, one_person_with_runs, words
from anagnosis.evaluation.people.knowledge import SOURCES, KnowledgeSource
from anagnosis.evaluation.people.times import Timing
from anagnosis.evaluation.tested_pairs import Pair
from anagnosis.reports.report import Block, Cell, Column, Heading, Plot, Table, Text, table
from anagnosis.reports.systems.measured import (
    cell_kind,
    difference,
    differences,
    gain_kind,
    measured_column,
    sentences,
    shown,
    within,
)

_PEOPLE = (
    "p, these people: approximate randomisation by document. p, other people: a test over people and questions "
    "together (Obuchowski and Rockette, degrees of freedom by Hillis), or Welch's over people alone where that is "
    "larger; a group of one person is taken to scatter as the other does. Holm, decides: the larger of both, corrected "
    "for {pairs} of this table, at {alpha}."
)
_ONE_PERSON = (
    "One person compared with several runs of a system is taken as that person is: p, other people, is then over other "
    "runs of the system, and nothing is known of other people."
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
            yield _test_table(comparison)
        if comparison.not_compared:
            pairs = "; ".join(" and ".join(pair) for pair in comparison.not_compared)
            yield Text(f"Without a question in common that {measure.called} can judge: {pairs}.", "note")


def _test_table(comparison: GroupComparison) -> Table:
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
            ("p, these people", "p", lambda pair: pair.tested.p_two_tailed),
            ("p, other people", "p", lambda pair: pair.tested.over_runs and pair.tested.over_runs.p),
            ("Holm, decides", "p", lambda pair: pair.tested.holm),
            ("verdict", "text", lambda pair: verdict(pair.tested)),
        ],
        pairs,
        notes=[*notes, *([_ONE_PERSON] if any(map(one_person_with_runs, pairs)) else [])],
        signatures=(comparison.signature,),
    )


def verdict(tested: Pair) -> str:
    """Better, or not different."""
    return "better" if tested.verdict == "better" else "not different"


_SOURCE_NAMES = {
    "prior": "prior knowledge",
    "context": "the context",
    "both": "both",
    "none": "could not answer",
    "left open": "left open",
    "not said": "not said",
}


def knowledge_blocks(found: Sequence[KnowledgeSource], signature: str) -> Iterator[Block]:
    """By source: a picture of the groups, a table of groups and people."""
    if not found:
        return
    yield Heading("What people answered from")
    measures = [named(name) for name in dict.fromkeys(name for own in found for name in own.measures)]
    groups = _by_source(found)
    if measures and len({source for _, own in groups for source in own}) > 1:
        yield _source_plot(groups, measures[0])
    yield _source_table(found, measures, signature)
    yield Text(
        "People choose what they answer from: a difference between two sources may be one of the questions.",
        "note",
    )


def _by_source(sources: Sequence[KnowledgeSource]) -> list[tuple[str, dict[str, KnowledgeSource]]]:
    """(who, source → answers) of groups of several people, or of people where there is no such group."""
    several = [own for own in sources if own.people > 1] or list(sources)
    names = dict.fromkeys(own.who for own in several)
    return [(name, {own.source: own for own in several if own.who == name}) for name in names]


def _source_plot(groups: Sequence[tuple[str, dict[str, KnowledgeSource]]], measure: Measure) -> Plot:
    rows: list[tuple[Cell, ...]] = []
    for source in SOURCES:
        own = [sources.get(source) for _, sources in groups]
        values = [each.measures.get(measure.name) if each else None for each in own]
        if any(values):
            answers = sum(each.answers for each in own if each)
            rows.append((_SOURCE_NAMES[source], answers, *(shown(value) for value in values)))
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


def _source_table(sources: Sequence[KnowledgeSource], measures: Sequence[Measure], signature: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    zones: list[int] = []
    for place, own in enumerate(sources):
        if place and own.who != sources[place - 1].who:
            zones.append(place)
        values = [own.measures.get(measure.name) for measure in measures]
        cells = (shown(value) for value in values)
        rows.append((own.who, _SOURCE_NAMES[own.source], own.answers, own.share, *cells))
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


def time_blocks(times: Sequence[Timing], signature: str) -> Iterator[Block]:
    """A table of groups and people."""
    if not times:
        return
    yield Heading("Time")
    groups = sum(own.people > 1 for own in times)
    yield table(
        "Seconds for a question",
        [
            ("who", "text", lambda own: own.who),
            ("answers", "count", lambda own: own.all.answers),
            ("median", "seconds", lambda own: own.all.median),
            ("mean", "seconds", lambda own: within(own.all.mean, own.all.interval)),
            ("in all", "seconds", lambda own: own.all.total),
            ("median, right", "seconds", lambda own: own.right and own.right.median),
            ("median, wrong", "seconds", lambda own: own.wrong and own.wrong.median),
            ("median, unanswered", "seconds", lambda own: own.unanswered and own.unanswered.median),
        ],
        times,
        notes=(
            "Of a question. A group's mean is the mean of its people's, its median that of all their answers. In "
            "brackets: 95 % intervals over other questions, by t on the scale of logarithms.",
        ),
        signatures=(signature,),
        zones=(groups,) if 0 < groups < len(times) else (),
    )
