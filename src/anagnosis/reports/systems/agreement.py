"""People beside systems: their accuracy and how far they agree (BIOMRC, Tables 4 and 5).

Unanswered questions stand three ways, as the papers did and as one may: wrong (BIOMRC), left out (BioRead), and,
for agreement, as a label of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from anagnosis.evaluation.agreement import Agreement, ComparedSystem, Group, Person
from anagnosis.evaluation.group_comparison import GroupComparison, one_person_with_runs, words
from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.kappa import TREATMENTS, Kappa, Treatment
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people import title
from anagnosis.evaluation.results import ScoredDataset
from anagnosis.predictions import Problem
from anagnosis.predictions.problems import OF_CANDIDATES
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    ColumnOf,
    Estimate,
    Heading,
    Plot,
    Report,
    Table,
    Text,
    listing,
    table,
)
from anagnosis.reports.systems.breakdowns import breakdown_blocks
from anagnosis.reports.systems.comparison import differences_of, every_pair, verdict
from anagnosis.reports.systems.measured import cell_kind, gain_kind, shown, within
from anagnosis.reports.systems.problems import problems, warnings
from anagnosis.reports.systems.systems import by_measures, facts, measures_of, on_split, rows_of

_ACCURACIES: dict[str, Treatment] = {
    "unanswered is wrong (%)": "wrong",
    "unanswered left out (%)": "left out",
}


def report(found: Agreement) -> Report:
    """Facts, Tables 4 and 5, the verdicts, each person, each pair, the tests, and what did not fit.

    Measures of texts alone come first.
    """
    free = bool(found.scores) and all(
        named(name).free for score in found.scores for name in score.measures
    )  # accuracy was not asked for then; measures of texts judge answers that are no candidate like any other
    of_texts = OF_CANDIDATES if free else frozenset[str]()
    # Most instances of a split were asked of nobody, so people miss lines.
    everybody = [_file(found, person, {*of_texts, "missing"}) for person in found.people]
    everybody += [_file(found, system, of_texts) for system in found.systems]
    about = found.dataset or ScoredDataset("", "a dataset", "", {}, {})
    return Report(
        f"Agreement on {about.folder}",
        (
            *warnings(everybody),
            Text(
                f"{found.asked:,} instances were asked of people, {found.instances:,} of them have a gold answer; "
                "systems are scored on the same. Who has no line for an instance that somebody else has did not "
                "answer it."
            ),
            *(_measured(found) if free else ()),
            Heading("Accuracy"),
            accuracy_table(found),
            accuracy_plot(found),
            *(() if free else _measured(found)),
            *_compared(found),
        ),
        (
            people_table(found),
            *macro_table(found),
            *_agreement(found),
            *_tests(found),
            Heading("Dataset"),
            facts(about.name, about.instances, about.fingerprints, protocol=found.protocol),
            *problems(everybody),
        ),
    )


def _compared(found: Agreement) -> Iterator[Block]:
    """By each measure the verdicts on groups beside groups and systems."""
    for comparison in found.comparisons:
        yield _heading("Which is better", comparison, found)
        if comparison.pairs:
            said = enumerate(comparison.pairs, 1)
            yield listing((str(place), f"{words(pair, comparison)}.") for place, pair in said)
        if comparison.not_compared:
            pairs = "; ".join(" and ".join(pair) for pair in comparison.not_compared)
            measure = named(comparison.measure).called
            yield Text(f"Without a question in common that {measure} can judge: {pairs}.", "note")


def _tests(found: Agreement) -> Iterator[Block]:
    """The differences that the verdicts rest on, and their tests."""
    for comparison in found.comparisons:
        if comparison.pairs:
            tests = _test_table(comparison)
            what = differences_of(named(comparison.measure), "document")
            yield _heading("The tests", comparison, found)
            yield Plot(
                "Differences between groups and systems",
                what,
                "difference_with_intervals",
                tests,
                repeated=True,
            )
            yield tests


def _heading(text: str, comparison: GroupComparison, found: Agreement) -> Heading:
    by = "" if len(found.comparisons) == 1 else f" by {named(comparison.measure).called}"
    return Heading(text + by)


def _test_table(comparison: GroupComparison) -> Table:
    measure, pairs = named(comparison.measure), comparison.pairs
    kind, unit = cell_kind(measure), " (%)" if measure.unit == "percent" else ""
    notes = [_PEOPLE.format(pairs=every_pair(len(pairs)), alpha=comparison.alpha)]
    if any(map(one_person_with_runs, pairs)):
        notes.append(_ONE_PERSON)
    return table(
        f"Pairs by {measure.called}",
        [
            ("pair", lambda pair: pair.tested.between),
            (
                "difference",
                gain_kind(measure),
                lambda pair: within(pair.tested.difference, pair.tested.interval),
            ),
            (f"first{unit}", kind, lambda pair: pair.values[0].value),
            (f"second{unit}", kind, lambda pair: pair.values[1].value),
            ("questions", "count", lambda pair: pair.questions),
            ("p, these people", "p", lambda pair: pair.tested.p_two_tailed),
            ("p, other people", "p", lambda pair: pair.tested.over_runs and pair.tested.over_runs.p),
            ("Holm, decides", "p", lambda pair: pair.tested.holm),
            ("verdict", lambda pair: verdict(pair.tested)),
        ],
        pairs,
        notes=notes,
        signatures=[comparison.signature],
    )


_PEOPLE = (
    "Each pair on the questions that both were asked. p, these people: approximate randomisation by document. p, other "
    "people: a test over people and questions together (Obuchowski and Rockette, degrees of freedom by Hillis), or "
    "Welch's over people alone where that is larger; a group of one person is taken to scatter as the other group "
    "does, a system of one run as it stands. Holm, decides: the larger of both, corrected for {pairs} of this table, "
    "at {alpha}."
)
_ONE_PERSON = (
    "One person compared with several runs of a system is taken as that person is: p, other people, is then over other "
    "runs of the system, and nothing is known of other people."
)


def accuracy_table(found: Agreement) -> Table:
    """Table 4: groups of people above, systems below, the best of each marked."""
    rows: list[tuple[Cell, ...]] = []
    for group in found.groups:
        rows.append((_group(group), *_accuracies(group.accuracy), group.unanswered))
    for system in found.systems:
        rows.append((system.name, shown(system.estimate), None, None))
    zones = (len(found.groups),) if found.groups and found.systems else ()
    columns = (
        Column("who"),
        *(Column(name, "percent", "high") for name in _ACCURACIES),
        Column("unanswered (%)", "percent"),
    )
    note = "A group's accuracy is the mean of its people's. In brackets: 95 % intervals over instances."
    return Table("Accuracy of people and systems", columns, tuple(rows), (note,), (found.signature,), zones)


def accuracy_plot(found: Agreement) -> Plot:
    """Groups, people and systems, unanswered being wrong."""
    rows = [
        *((_group(group), group.accuracy["wrong"]) for group in found.groups),
        *((person.name, person.accuracy["wrong"]) for person in found.people),
        *((system.name, system.estimate) for system in found.systems),
    ]
    columns: list[ColumnOf] = [("who", lambda of: of[0]), ("accuracy", "percent", lambda of: shown(of[1]))]
    title, what = (
        "Accuracy of groups, people and systems",
        "With 95 % intervals; unanswered questions are wrong.",
    )
    return Plot(title, what, "accuracy_with_intervals", table(title, columns, rows), repeated=True)


def people_table(found: Agreement) -> Table:
    """Each person: accuracy, what was left unanswered, and how long it took."""

    def accuracy(name: str) -> ColumnOf:
        return name, "percent", lambda person: shown(person.accuracy[_ACCURACIES[name]])

    return table(
        "Each person",
        [
            ("person", lambda person: person.name),
            ("group", lambda person: person.group),
            *map(accuracy, _ACCURACIES),
            ("answered", "count", lambda person: person.answered),
            ("unanswered (%)", "percent", lambda person: person.unanswered),
            ("median time", "seconds", lambda person: person.seconds),
        ],
        found.people,
        signatures=(found.signature,),
    )


def macro_table(found: Agreement) -> Iterator[Table]:
    """Accuracy and macro-F1 of people and systems, where all instances have the same labels."""
    everybody = [(each.name, each.accuracy["wrong"], each.macro_f1, each.classes) for each in found.people]
    everybody += [(each.name, each.estimate, each.macro_f1, each.classes) for each in found.systems]
    rows = [(name, value, f1, classes.scores) for name, value, f1, classes in everybody if classes]

    def of_label(place: int) -> ColumnOf:
        return f"F1 of {rows[0][3][place].label}", "percent", lambda of: of[3][place].f1

    if rows:
        columns: list[ColumnOf] = [
            ("who", lambda of: of[0]),
            (Column("accuracy (%)", "percent", "high"), lambda of: shown(of[1])),
            (Column("macro-F1 (%)", "percent", "high"), lambda of: shown(of[2])),
            *map(of_label, range(len(rows[0][3]))),
        ]
        yield table("Macro-F1 of people and systems", columns, rows, signatures=[found.signature])


def _measured(found: Agreement) -> Iterator[Block]:
    """Groups, people and systems by the measures that were asked for, and by group of instances (CliCR, Figure 5)."""
    rows = rows_of(found.scores)
    if not rows:
        return
    systems = len(rows) - len(found.systems)
    groups = systems - len(found.people)
    measures = measures_of(rows)
    yield Heading("Measures")
    yield by_measures(
        f"{', '.join(measure.heading for measure in measures)} of people and systems",
        "who",
        measures,
        on_split(rows, found.split),
        [("instances", "count", lambda of: of[1].instances)],
        notes=[
            "On the instances that people were asked; an instance without an answer counts as wrong. "
            + "A group's value is the mean of its people's. " * (groups > 0)
            + "In brackets: 95 % intervals by document."
        ],
        zones=[end for end in (groups, systems) if 0 < end < len(rows)],
    )
    yield Heading("Where people and systems are right")
    yield from breakdown_blocks(rows, found.split)


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
        tuple((_group(group), *_kappas(group.kappa)) for group in groups),
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


def _file(
    found: Agreement, who: Person | ComparedSystem, passed_over: Collection[str]
) -> tuple[str, str, dict[str, Problem]]:
    problems = {name: problem for name, problem in who.problems.items() if name not in passed_over}
    return who.name, found.split, problems


def _accuracies(accuracy: Mapping[Treatment, Measured | None]) -> tuple[Estimate | float | None, ...]:
    return tuple(shown(accuracy[treatment]) for treatment in _ACCURACIES.values())


def _kappas(kappas: Mapping[Treatment, Kappa | None]) -> Iterator[Estimate | float | None]:
    for treatment in TREATMENTS:
        kappa = kappas[treatment]
        yield None if kappa is None else within(kappa.value, kappa.bootstrap)


def _group(group: Group) -> str:
    return title(group.name, len(group.people))
