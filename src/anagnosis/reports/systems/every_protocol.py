"""Every system under every protocol of exact answers: one table of values, one of corrected tests.

Then the answers that are right by similarity alone, each with its gold answer (thesis, Table 4.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from anagnosis.evaluation.every_protocol import EveryProtocol, SystemUnder, UnderProtocol
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.phase_b.similar_answers import SimilarAnswer
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


def report(found: EveryProtocol) -> Report:
    """The values, the tests, similar answers; then the protocols in words, and what of the lines did not fit."""
    files = [(name, found.split, own) for name, own in found.problems.items()]
    every = [(protocol, system) for protocol in found.protocols for system in protocol.systems]
    blocks: list[Block] = [*warnings(files), _values(found, every)]
    if any(protocol.comparisons for protocol in found.protocols):
        blocks.append(_tests(found, every))
    if found.similar is not None:
        blocks += similar_blocks(found.similar, [system.name for system in found.protocols[0].systems])
    more: list[Block] = [listing(((one.name, one.what) for one in found.protocols), "Protocols")]
    stopped = [(f"{of.name}, {protocol.name}", f"{of.stopped}.") for protocol, of in every if of.stopped]
    if stopped:
        more.append(listing(stopped, "Where the organisers' program stops, it prints no figures"))
    title = f"{found.dataset.folder} under every protocol"
    return Report(title, tuple(blocks), (*more, *problems(files)))


_Under = tuple[UnderProtocol, SystemUnder]
_NAMES: tuple[ColumnOf, ...] = (("protocol", lambda of: of[0].name), ("system", lambda of: of[1].name))


def _values(found: EveryProtocol, every: Sequence[_Under]) -> Table:
    def measured(name: str) -> ColumnOf:
        return measured_column(named(name)), lambda of: _value(of[0], of[1], name)

    first = next((system for _, system in every if system.measures), None)
    made = table(
        f"Every system under every protocol and measure on {found.split}",
        [*_NAMES, *map(measured, found.measures)],
        every,
        signatures=[] if first is None else [next(iter(first.measures.values())).signature],
        zones=[n for n, (one, _) in enumerate(every) if n and one is not every[n - 1][0]],
    )
    texts = {cell for row in made.rows for cell in row[2:] if isinstance(cell, str)}
    notes = {
        "In brackets: 95 % intervals. Figures of two protocols are not comparable.": True,
        _FEWER: bool(texts - {_DASH}),
        f"{_DASH}: the system answers none of the questions that the measure counts.": _DASH in texts,
        "The signature is that of the first figure; the others differ in protocol, measure and n.": bool(
            first
        ),
    }
    return replace(made, notes=tuple(note for note, is_true in notes.items() if is_true))


def _value(protocol: UnderProtocol, system: SystemUnder, name: str) -> Cell:
    """A figure; over fewer questions than another system's it is a text with their number, which is never the best."""
    measured = system.measures.get(name)
    if measured is None:
        return None if system.stopped else _DASH
    most = max(each.measures[name].n for each in protocol.systems if name in each.measures)
    if measured.n == most:
        return shown(measured)
    return f"{cell_text(shown(measured), cell_kind(named(name)))} (n {measured.n:,})"


def _tests(found: EveryProtocol, every: Sequence[_Under]) -> Table:
    """p of each system beside the first of the ranking."""

    def tested(name: str) -> ColumnOf:
        def p_value(of: _Under) -> Cell:
            protocol, system = of
            if name not in system.measures:
                return _DASH
            pairs = protocol.comparisons[name].against_first if name in protocol.comparisons else ()
            return next((pair.holm for pair in pairs if pair.second == system.name), None)

        return named(name).called, "fraction", p_value

    return table(
        "p beside the best system",
        [*_NAMES, *map(tested, found.measures)],
        [(protocol, system) for protocol, system in every if protocol.comparisons and not system.stopped],
        notes=(
            "Two-tailed p of a randomisation test, after Holm's correction for all pairs of the ranking by that "
            "measure.",
            "An empty cell: the first of the ranking.",
            f"draws {found.draws:,}, seed {found.seed}, unit {found.unit}.",
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
