"""Lines of predictions that do not fit the dataset, counted by the name of the problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from anagnosis.predictions import PROBLEMS, Problem
from anagnosis.reports.report import Block, Column, Heading, Table, Text

HARMLESS = frozenset({"from_name", "from_number"})  # ways to write an answer; counted, and read as meant
SHOWN_EXAMPLES = 3


def problems(
    files: Iterable[tuple[str, str, Mapping[str, Problem]]], harmless: frozenset[str] = HARMLESS
) -> Iterator[Block]:
    """What of the predictions did not fit the dataset, by name; also that all fits is said. files: (who, split, …)."""
    found = [
        (who, split, name, problem.count, PROBLEMS.get(name, ""), ", ".join(problem.first[:SHOWN_EXAMPLES]))
        for who, split, own in files
        for name, problem in own.items()
    ]
    yield Heading("Lines that do not fit")
    if not found:
        yield Text("Nothing: every line of every file fits the dataset.")
        return
    totals: dict[str, int] = {}
    for _, _, name, count, *_ in found:
        totals[name] = totals.get(name, 0) + count
    text = "; ".join(f"{name} {count:,}" for name, count in totals.items()) + "."
    yield Text(text, "warning" if totals.keys() - harmless else "plain")
    names = ("system", "split", "problem", "times", "what it means", "first places")
    columns = (Column(name, "count" if name == "times" else "text") for name in names)
    yield Table("Problems of the files", tuple(columns), tuple(found))


def unfit(problems: Mapping[str, Problem], harmless: frozenset[str] = HARMLESS) -> str | None:
    """What of a system's lines did not fit, as its row shows it: `22 missing, 5 repeated`; None where all did."""
    lines = [
        f"{problem.count:,} {name.replace('_', ' ')}"
        for name, problem in problems.items()
        if name not in harmless
    ]
    return ", ".join(lines) or None


def harmless(decides: bool) -> frozenset[str]:
    """The problems that need no warning: of decisions a rule need not take the most probable label."""
    return HARMLESS | frozenset({"answer_not_on_top"} if decides else ())
