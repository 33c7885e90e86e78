"""Lines of predictions that do not fit the dataset, counted by the name of the problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from anagnosis.predictions import PROBLEMS, Problem
from anagnosis.reports.report import Block, Heading, Text, table

HARMLESS = frozenset({"from_name", "from_number"})  # ways to write an answer; counted, and read as meant
SHOWN_EXAMPLES = 3


Files = Sequence[tuple[str, str, Mapping[str, Problem]]]  # who, split, the problems of the lines by name


def warnings(files: Files, harmless: frozenset[str] = HARMLESS) -> Iterator[Text]:
    """What a reader of the scores must know first: how many lines did not fit the dataset, and why."""
    if totals := _totals(files, lambda name: name not in harmless):
        counts = "; ".join(f"{name} {count:,}" for name, count in totals.items())
        yield Text(f"Problems of the predictions: {counts}.", "warning")


def problems(files: Files, harmless: frozenset[str] = HARMLESS) -> Iterator[Block]:
    """What of the predictions did not fit the dataset, by name, and what was read as meant; also that all fits."""
    yield Heading("Lines that do not fit")
    rows = [
        (who, split, name, problem)
        for who, split, own in files
        for name, problem in own.items()
        if name not in harmless
    ]
    if rows:
        yield table(
            "Problems of the files",
            [
                ("system", lambda row: row[0]),
                ("split", lambda row: row[1]),
                ("problem", lambda row: row[2]),
                ("times", "count", lambda row: row[3].count),
                ("what it means", lambda row: PROBLEMS.get(row[2], "")),
                ("first places", lambda row: ", ".join(row[3].first[:SHOWN_EXAMPLES])),
            ],
            rows,
        )
    else:
        yield Text("Nothing: every line of every file fits the dataset.")
    for name, count in _totals(files, lambda name: name in harmless).items():
        yield Text(f"No problem, {count:,} times: {PROBLEMS.get(name, name)}.", "note")


def _totals(files: Files, counts: Callable[[str], bool]) -> Mapping[str, int]:
    totals = Counter[str]()
    for _, _, own in files:
        totals.update({name: problem.count for name, problem in own.items() if counts(name)})
    return totals


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
