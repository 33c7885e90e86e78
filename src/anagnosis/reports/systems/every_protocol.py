"""Every system under every protocol of exact answers: one table of values, one of corrected tests.

Then the answers that are right by similarity alone, each with its gold answer (thesis, Table 4.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from anagnosis.evaluation.every_protocol import EveryProtocol, UnderProtocol
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.phase_b.similar_answers import SimilarAnswer
from anagnosis.evaluation.results import Settings
from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.reports.report import Block, Cell, ColumnOf, Heading, Report, Table, Text, listing, table
from anagnosis.reports.systems.measured import cell_kind, measured_column, shown
from anagnosis.reports.systems.problems import problems, warnings
from anagnosis.wording import shortened

_LONGEST = 300  # characters of a text on the page
_DASH = "–"
_FEWER = (
    "n: the questions that count, where they are fewer than another system's; such a figure is never best."
)


_Under = tuple[UnderProtocol, str]  # a protocol and the name of a system
_NAMES: tuple[ColumnOf, ...] = (("protocol", lambda of: of[0].name), ("system", lambda of: of[1]))


def report(found: EveryProtocol) -> Report:
    """The values, the tests, similar answers; then the protocols in words, and what of the lines did not fit."""
    files = [(name, found.split, own) for name, own in found.problems.items()]
    every = [(protocol, name) for protocol in found.protocols for name in found.problems]
    results = [one for protocol in found.protocols for one in protocol.results]
    measures = [*dict.fromkeys(name for one in results for name in one.settings.measures)]
    blocks: list[Block] = [*warnings(files), _values(found, every, measures)]
    if any(one.comparisons for one in results):
        blocks.append(_tests(every, measures, results[0].settings))
    if found.similar is not None:
        blocks += similar_blocks(found.similar, [*found.problems])
    more: list[Block] = [listing(((one.name, one.what) for one in found.protocols), "Protocols")]
    stopped = [
        (f"{name}, {one.name}", f"{why}.") for one in found.protocols for name, why in one.stopped.items()
    ]
    if stopped:
        more.append(listing(stopped, "Where the organisers' program stops, it prints no figures"))
    title = f"{found.dataset.folder} under every protocol"
    return Report(title, tuple(blocks), (*more, *problems(files)))


def _figures(protocol: UnderProtocol, measure: str) -> dict[str, Estimate]:
    """The figures of the systems that have one, by their names."""
    return {
        score.name: score.measures[measure]
        for results in protocol.results
        for score in results.systems
        if measure in score.measures
    }


def _values(found: EveryProtocol, every: Sequence[_Under], measures: Sequence[str]) -> Table:
    def measured(name: str) -> ColumnOf:
        figures = {protocol.name: _figures(protocol, name) for protocol in found.protocols}

        def value(of: _Under) -> Cell:
            """Over fewer questions than another system's it is a text with their number, which is never the best."""
            protocol, system = of
            if system not in figures[protocol.name]:
                return None if system in protocol.stopped else _DASH
            own = figures[protocol.name][system]
            if own.n == max(each.n for each in figures[protocol.name].values()):
                return shown(own)
            return f"{cell_text(shown(own), cell_kind(named(name)))} (n {own.n:,})"

        return measured_column(named(name)), value

    first = next((score for one in found.protocols for own in one.results for score in own.systems), None)
    made = table(
        f"Every system under every protocol and measure on {found.split}",
        [*_NAMES, *map(measured, measures)],
        every,
        signatures=[first.signature] if first else [],
        zones=range(len(found.problems), len(every), len(found.problems)),
    )
    notes = ["In brackets: 95 % intervals. Figures of two protocols are not comparable."]
    texts = {cell for row in made.rows for cell in row[2:] if isinstance(cell, str)}
    if texts - {_DASH}:
        notes.append(_FEWER)
    if _DASH in texts:
        notes.append(f"{_DASH}: the system answers none of the questions that the measure counts.")
    if first:
        notes.append(
            "The signature is that of the first figure; the others differ in protocol, measure and n."
        )
    return replace(made, notes=tuple(notes))


def _tests(every: Sequence[_Under], measures: Sequence[str], settings: Settings) -> Table:
    """p of each system beside the first of the ranking."""

    def tested(name: str) -> ColumnOf:
        def p_value(of: _Under) -> Cell:
            protocol, system = of
            if system not in _figures(protocol, name):
                return _DASH
            every_one = (one for results in protocol.results for one in results.comparisons)
            pairs = (pair for one in every_one if one.measure == name for pair in one.against_first)
            return next((pair.holm for pair in pairs if pair.second == system), None)

        return named(name).called, "fraction", p_value

    return table(
        "p beside the best system",
        [*_NAMES, *map(tested, measures)],
        [(protocol, name) for protocol, name in every if name not in protocol.stopped],
        notes=(
            "Two-tailed p of a randomisation test, after Holm's correction for all pairs of the ranking by that "
            "measure.",
            "An empty cell: the first of the ranking, or the only system with a figure.",
            f"draws {settings.draws:,}, seed {settings.seed}, unit {settings.unit}.",
        ),
    )


def similar_blocks(answers: Sequence[SimilarAnswer], systems: Sequence[str]) -> Iterator[Block]:
    """systems: all names."""
    yield Heading("Right by similarity alone")
    if not answers:
        yield Text("Every answer that fuzzy-90 accepts is one that thesis accepts.", "note")
        return
    several: list[ColumnOf] = [("systems", lambda each: ", ".join(each.systems))]
    yield table(
        f"Answers that only fuzzy-90 accepts: {len(answers):,}",
        [
            ("question", lambda each: _shown(each.question)),
            ("prediction", lambda each: _shown(each.prediction)),
            ("gold answer", lambda each: _shown(each.gold)),
            ("similarity", "count", lambda each: each.similarity),
            *(several if len(systems) > 1 else []),
        ],
        answers,
        notes=("Answers to factoid and list questions, each text once a question and gold synonym.",),
    )


def _shown(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST)
