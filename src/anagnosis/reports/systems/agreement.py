"""People beside systems: their scores and how far they agree (BIOMRC, Tables 4 and 5).

Unanswered questions are wrong, as in BIOMRC; beside that stands the accuracy over answered ones alone (BioRead).
Kappa treats them as a label of their own, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anagnosis.evaluation.agreement import Agreement, Group, Person
from anagnosis.evaluation.kappa import TREATMENTS, Kappa, Treatment
from anagnosis.evaluation.results import ScoredDataset
from anagnosis.predictions import Problem
from anagnosis.reports.report import Block, Column, ColumnOf, Estimate, Heading, Report, Table, Text, table
from anagnosis.reports.systems.breakdowns import breakdown_blocks
from anagnosis.reports.systems.comparison import ranking, ranking_tests
from anagnosis.reports.systems.measured import shown, within
from anagnosis.reports.systems.problems import problems, warnings
from anagnosis.reports.systems.systems import (
    by_measures,
    facts,
    measures_of,
    measures_plot,
    on_split,
    rows_of,
)

_PEOPLE_ARE_RUNS = (
    "A group is compared as a system whose runs are its people, on the questions that every group was asked."
)
_NOTHING_IN_COMMON = "no question that it can judge was asked of every group"


def report(found: Agreement) -> Report:
    """Tables 4 and 5, the verdicts, each person, each pair, the tests, and what did not fit."""
    files = _files(found)
    about = found.dataset or ScoredDataset("", "a dataset", "", {}, {})
    alone = len(found.comparisons) == 1
    rows = rows_of(found.scores)
    blocks: list[Block] = [
        *warnings(files),
        Text(
            f"{found.asked:,} instances were asked of people, {found.instances:,} of them have a gold answer; "
            "systems are scored on the same. Who has no line for an instance that somebody else has did not "
            "answer it."
        ),
    ]
    if rows:
        blocks += [Heading("Scores"), scores_table(found), measures_plot(rows, found.split)]
    for comparison in found.comparisons:
        blocks += ranking(comparison, alone=alone)
        blocks.append(Text(_PEOPLE_ARE_RUNS, "note"))
    compared = {comparison.measure for comparison in found.comparisons}
    apart = [measure.called for measure in measures_of(rows) if measure.name not in compared]
    if apart and len(found.groups) + len(found.scores) - _others(found) > 1:
        blocks.append(Text(f"Not compared by {', '.join(apart)}: {_NOTHING_IN_COMMON}.", "note"))
    more: list[Block] = [people_table(found), *_agreement(found)]
    for comparison in found.comparisons:
        more += ranking_tests(comparison, alone=alone)
    if broken_down := [*breakdown_blocks(rows, found.split)]:
        more += [Heading("Where people and systems are right"), *broken_down]
    more += [
        Heading("Dataset"),
        facts(about.name, about.instances, about.fingerprints, protocol=found.protocol),
        *problems(files),
    ]
    return Report(f"Agreement on {about.folder}", tuple(blocks), tuple(more))


def _files(found: Agreement) -> list[tuple[str, str, Mapping[str, Problem]]]:
    """The problems of everybody's lines."""
    everybody = [*found.people, *found.scores[_others(found) :]]
    return [(one.name, found.split, one.problems) for one in everybody]


def _others(found: Agreement) -> int:
    """Where the systems begin among the scores, which are of groups and people first."""
    return len(found.people) + (len(found.groups) if len(found.groups) < len(found.people) else 0)


def scores_table(found: Agreement) -> Table:
    """Table 4: groups, people and systems, the best of each marked."""
    systems = _others(found)
    groups = systems - len(found.people)
    who: list[Group | Person] = [*found.groups[:groups], *found.people]
    rows = rows_of(found.scores)

    def left_out(of: tuple[str, object]) -> Estimate | float | None:
        return shown(known[of[0]].left_out) if of[0] in known else None

    def unanswered(of: tuple[str, object]) -> float | None:
        return known[of[0]].unanswered if of[0] in known else None

    known = dict(zip([row.name for row in rows], who, strict=False))
    measures = measures_of(rows)
    more: list[ColumnOf] = [
        (Column("of answered ones (%)", "percent", "high"), left_out),
        ("unanswered (%)", "percent", unanswered),
        ("instances", "count", lambda of: of[1].instances),
    ]
    return by_measures(
        f"{', '.join(measure.heading for measure in measures)} of people and systems",
        "who",
        measures,
        on_split(rows, found.split),
        more,
        notes=[
            "On the instances that people were asked; unanswered ones are wrong. "
            + "A group's value is the mean of its people's. " * (groups > 0)
            + "In brackets: 95 % intervals by document."
        ],
        zones=[end for end in (groups, systems) if 0 < end < len(rows)],
    )


def people_table(found: Agreement) -> Table:
    """Each person: what was answered, and how long it took."""
    return table(
        "Each person",
        [
            ("person", lambda person: person.name),
            ("group", lambda person: person.group),
            ("answered", "count", lambda person: person.answered),
            ("unanswered (%)", "percent", lambda person: person.unanswered),
            ("median time", "seconds", lambda person: person.seconds),
        ],
        found.people,
        signatures=(found.signature,),
    )


def _agreement(found: Agreement) -> Iterator[Block]:
    """Table 5, and each pair."""
    yield Heading("Agreement")
    if not found.pairs:
        yield Text("No group has two people, so there is no agreement to measure inside one.", "note")
        return
    groups = [group for group in found.groups if len(group.people) > 1]
    columns = (Column("who"), *(Column(f"{treatment} (%)", "percent") for treatment in TREATMENTS))
    note = "Mean over the pairs of a group; unanswered as a separate label, left out, or agreeing with nothing. 95 % "
    yield Table(
        "Agreement of people: Cohen's kappa",
        columns,
        tuple((group.title, *_kappas(group.kappa)) for group in groups),
        (note + "intervals by bootstrap of instances.",),
        (found.signature,),
    )
    if len(found.pairs) > len(groups):
        yield Table(
            "Agreement of each pair: Cohen's kappa",
            (Column("pair"), Column("group"), *columns[1:]),
            tuple((f"{pair.first}, {pair.second}", pair.group, *_kappas(pair.kappa)) for pair in found.pairs),
            signatures=(found.signature,),
        )


def _kappas(kappas: Mapping[Treatment, Kappa | None]) -> Iterator[Estimate | float | None]:
    for treatment in TREATMENTS:
        kappa = kappas[treatment]
        yield None if kappa is None else within(kappa.value, kappa.bootstrap)
