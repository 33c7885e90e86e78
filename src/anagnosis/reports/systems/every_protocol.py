"""Every system under every protocol of exact answers: one table of values, one of corrected tests.

Then the answers that are right by similarity alone, each with its gold answer (thesis, Table 4.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.every_protocol import EveryProtocol, SystemUnder, UnderProtocol
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.phase_b.similar_answers import SimilarAnswer
from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.reports.report import Block, Cell, Column, Heading, Listing, Report, Table, Text, item, table
from anagnosis.reports.systems.measured import cell_kind, measured_column, shown
from anagnosis.reports.systems.problems import problems, warnings
from anagnosis.wording import shortened

_LONGEST = 300  # characters of a text on the page
_DASH = "–"


def report(found: EveryProtocol) -> Report:
    """The values, the tests, similar answers; then the protocols in words, and what of the lines did not fit."""
    files = [(name, found.split, own) for name, own in found.problems.items()]
    return Report(
        f"{found.dataset.folder} under every protocol",
        (*warnings(files), *_values_and_tests(found)),
        (*_explained(found), *problems(files)),
    )


def _values_and_tests(found: EveryProtocol) -> Iterator[Block]:
    yield _values(found)
    if any(protocol.comparisons for protocol in found.protocols):
        yield _tests(found)
    if found.similar is not None:
        yield from similar_blocks(found.similar, [system.name for system in found.protocols[0].systems])


def _explained(found: EveryProtocol) -> Iterator[Block]:
    yield Listing(tuple(item(protocol.name, protocol.what) for protocol in found.protocols), "Protocols")
    stopped = [
        item(f"{system.name}, {protocol.name}", f"{system.stopped}.")
        for protocol in found.protocols
        for system in protocol.systems
        if system.stopped
    ]
    if stopped:
        yield Listing(tuple(stopped), "Where the organisers' program stops, it prints no figures")


def _values(found: EveryProtocol) -> Table:
    columns = (
        Column("protocol"),
        Column("system"),
        *(measured_column(named(name)) for name in found.measures),
    )
    rows: list[tuple[Cell, ...]] = []
    zones: list[int] = []
    for protocol in found.protocols:
        if rows:
            zones.append(len(rows))
        for system in protocol.systems:
            values = (_value(protocol, system, name) for name in found.measures)
            rows.append((protocol.name, system.name, *values))
    first = next((system for system in found.protocols[0].systems if system.measures), None)
    notes = (
        "In brackets: 95 % intervals. Figures of two protocols are not comparable.",
        *(
            (
                "n: the questions that count, where they are fewer than another system's; such a figure is never best.",
            )
            if any(isinstance(cell, str) and cell != _DASH for row in rows for cell in row[2:])
            else ()
        ),
        *(
            (f"{_DASH}: the system answers none of the questions that the measure counts.",)
            if any(cell == _DASH for row in rows for cell in row[2:])
            else ()
        ),
        *(
            ("The signature is that of the first figure; the others differ in protocol, measure and n.",)
            if first is not None
            else ()
        ),
    )
    signatures = () if first is None else (next(iter(first.measures.values())).signature,)
    caption = f"Every system under every protocol and measure on {found.split}"
    return Table(caption, columns, tuple(rows), notes, signatures, tuple(zones))


def _value(protocol: UnderProtocol, system: SystemUnder, name: str) -> Cell:
    """A figure; over fewer questions than another system's it is a text with their number, which is never the best."""
    measured = system.measures.get(name)
    if measured is None:
        return None if system.stopped else _DASH
    most = max(each.measures[name].n for each in protocol.systems if name in each.measures)
    if measured.n == most:
        return shown(measured)
    return f"{cell_text(shown(measured), cell_kind(named(name)))} (n {measured.n:,})"


def _tests(found: EveryProtocol) -> Table:
    """p of each system beside the first of the ranking."""
    columns = (
        Column("protocol"),
        Column("system"),
        *(Column(named(name).called, "fraction") for name in found.measures),
    )
    rows = [row for protocol in found.protocols for row in _test_rows(found, protocol)]
    notes = (
        "Two-tailed p of a randomisation test, after Holm's correction for all pairs of the ranking by that measure.",
        "An empty cell: the first of the ranking.",
        f"draws {found.draws:,}, seed {found.seed}, unit {found.unit}.",
    )
    return Table("p beside the best system", columns, tuple(rows), notes)


def _test_rows(found: EveryProtocol, protocol: UnderProtocol) -> Iterator[tuple[Cell, ...]]:
    beside = {
        name: {pair.second: pair.holm for pair in comparison.against_first}
        for name, comparison in protocol.comparisons.items()
    }
    for system in protocol.systems:
        if beside and not system.stopped:
            tests = (
                beside.get(name, {}).get(system.name) if name in system.measures else _DASH
                for name in found.measures
            )
            yield protocol.name, system.name, *tests


def similar_blocks(answers: Sequence[SimilarAnswer], systems: Sequence[str]) -> Iterator[Block]:
    """systems: all names."""
    yield Heading("Right by similarity alone")
    if not answers:
        yield Text("Every answer that fuzzy-90 accepts is one that thesis accepts.", "note")
        return
    yield table(
        f"Answers that only fuzzy-90 accepts: {len(answers):,}",
        [
            ("question", "text", lambda each: _shown(each.question)),
            ("prediction", "text", lambda each: _shown(each.prediction)),
            ("gold answer", "text", lambda each: _shown(each.gold)),
            ("similarity", "count", lambda each: each.similarity),
            *([("systems", "text", lambda each: ", ".join(each.systems))] if len(systems) > 1 else []),
        ],
        answers,
        notes=("Answers to factoid and list questions, each text once a question and gold synonym.",),
    )


def _shown(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST)
