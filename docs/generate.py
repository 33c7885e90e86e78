"""Write what docs/ generates: commands.md, schemas/, and tables between `<!-- table: NAME -->` and `<!-- end -->`.

    python docs/generate.py
    python docs/generate.py FILE      only the reference of Python's functions, a page of the site

NAME is `recipes`, or FILE#PART of a data file docs/figures/FILE.json: {part: [table, …]}. A table there is
{"columns": […], "rows": [[…], …], "signatures": […]}, its cells as Markdown shows them; scripts of benchmarks/ write
these files. The tables of a part that have a row for each system, or for each pair of systems, become one.
"""

from __future__ import annotations

import copy
import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, get_type_hints

import click

import anagnosis
from anagnosis import registry
from anagnosis.cli import COMMANDS, GROUPS, cli
from anagnosis.datasets.folder.store import Dataset, Split
from anagnosis.datasets.kinds.table import each_kind
from anagnosis.evaluation.agreement import Agreement
from anagnosis.evaluation.dataset_statistics import DatasetStatistics, InstanceWithAnswers
from anagnosis.evaluation.every_protocol import EveryProtocol
from anagnosis.evaluation.results import Results
from anagnosis.evaluation.retrieval.scoring import Evaluation
from anagnosis.io.tables import WithTable
from anagnosis.leaderboard.board import Board
from anagnosis.quotations.checking import QuotationCheck
from anagnosis.recipes import load as recipes
from anagnosis.reports import records
from anagnosis.searching.records.hits import AskAnswer, RelatedAnswer, SearchAnswer
from anagnosis.searching.records.passage import IndexPapers
from anagnosis.training.phases import PhasesOfRuns

DOCS = Path(__file__).resolve().parent
MARKED = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
# The schema's name, which is a command's → the record that --json prints.
RECORDS: dict[str, Any] = {
    "search": SearchAnswer,
    "ask": AskAnswer,
    "related": RelatedAnswer,
    "show-index": IndexPapers,
    "results": Results,
    "agreement": Agreement,
    "protocols": EveryProtocol,
    "evaluate-search": Evaluation,
    "phases": PhasesOfRuns,
    "leaderboard-build": Board,
    "check-quotes": QuotationCheck,
}
for _kind in each_kind():
    _statistics = get_type_hints(registry.load(_kind.statistics))["return"]
    RECORDS[f"show-{_kind.name}"] = DatasetStatistics[_statistics]
    RECORDS[f"show-{_kind.name}-instance"] = InstanceWithAnswers[_kind.record]
SEVERAL = 2  # an option with the same help in so many commands stands once, at the top
WIDTH = 100  # characters of a line of help
SPARSE = 0.7  # a column with values in a smaller share of the rows goes to a table of these rows
TAILED = ("one-tailed", "two-tailed")
TAILS = "one-/two-tailed"  # both in one column
# The order of the rows and the verdicts of pairs show the first two; the data files alone have the others.
LEFT_OUT = (
    "rank",
    "against the next",
    "p, one-tailed",
    "p, two-tailed",
    f"p, {TAILS}",
    "p, macro-F1",
    "p, over runs",
    "p by instance",
    "only first right",
    "only second right",
    "McNemar",
)
Table = dict[str, Any]
NUMBER = re.compile(r"[−+&*]*\s*(?:[lg]t; )?[−+]?[\d,.]+[kM]?\b.*")


def main() -> None:
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(reference(), "utf-8")
        return
    for path, text in pages():
        path.write_text(text, "utf-8")


def reference() -> str:
    """Every public function with its signature and its documentation, which has a line for each option."""
    parts = ["# Python: every function", "", "How they are used: [Python](python.md)."]
    functions = {name: getattr(anagnosis, name) for name in anagnosis.__all__}
    methods = {
        f"{each.__name__}.{name}": function
        for each in (Dataset, Split, WithTable)
        for name, function in vars(each).items()
    }
    for name, function in (functions | methods).items():
        if inspect.isroutine(function) and not name.rpartition(".")[2].startswith("_"):
            text = f"{name}{inspect.signature(function)}\n\n{inspect.getdoc(function)}"
            parts += ["", f"## {name}", "", "```text", text, "```"]
    return "\n".join(parts) + "\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Each page that holds something generated, as it should be."""
    yield DOCS / "commands.md", commands()
    for name, record in RECORDS.items():
        schema = json.dumps(records.schema(record), ensure_ascii=False, indent=2)
        yield DOCS / "schemas" / f"{name}.json", f"{schema}\n"
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text("utf-8")
        if MARKED.search(text):
            yield path, MARKED.sub(lambda mark: f"{mark[1]}\n{table(mark[2])}\n\n{mark[3]}", text)


def commands() -> str:
    """The help of every command, with its first example; options that most of them have stand once, at the top."""
    settings = {"max_content_width": WIDTH, "terminal_width": WIDTH}
    context = click.Context(cli, info_name="anagnosis", help_option_names=["-h", "--help"], **settings)
    contexts: dict[str, click.Context] = {}
    for name in COMMANDS:
        command = cli.get_command(context, name) or cli
        contexts[name] = outer = click.Context(command, info_name=name, parent=context, **settings)
        for inner, own in command.commands.items() if isinstance(command, click.Group) else ():
            contexts[f"{name} {inner}"] = click.Context(own, info_name=inner, parent=outer, **settings)
    records = {name: options(inner) for name, inner in contexts.items()}
    counted = Counter(record for of_command in records.values() for record in of_command)
    everywhere = [record for record, count in counted.items() if count == len(contexts)]
    commonest: dict[str, tuple[str, str]] = {}
    for record, count in counted.most_common():
        if SEVERAL <= count < len(contexts):
            commonest.setdefault(spelled([record]), record)
    shared = [record for record in counted if record in commonest.values()]
    parts = [
        "<!-- generated from the help of the commands by `make docs`; do not edit -->",
        "",
        "# Commands",
        "",
        "Exit codes: 0 for success, 2 for a wrong argument or input (one line reports what, where, and what to do),",
        "130 for an interrupt; 1 is a bug, or what `check-quotes` found.",
        "",
        *(f"- {group}: {', '.join(map(linked, names))}" for group, names in GROUPS.items()),
        "",
        "## Options of several commands",
        "",
        grid(
            ["option", "what it does"],
            [[f"`{escaped(option)}`", escaped(words)] for option, words in (*everywhere, *shared)],
        ),
        "",
        f"Every command has {spelled(everywhere)}; each names the others that it has.",
    ]
    for name, inner in contexts.items():
        also = [record for record in shared if record in records[name]]
        text = shortened(inner, [option for option, _ in (*everywhere, *also)])
        parts += ["", f"## anagnosis {name}", "", "```text", text, "```"]
        parts += ["", f"[Also](#options-of-several-commands) {spelled(also)}."] if also else []
    return "\n".join(parts) + "\n"


def linked(name: str) -> str:
    """A command with a link to its help."""
    return f"[{name}](#anagnosis-{name})"


def spelled(options: Iterable[tuple[str, str]]) -> str:
    """The long names of options, without their values."""
    names = (re.search(r"--[\w-]+", option) for option, _ in options)
    return ", ".join(f"`{name[0]}`" for name in names if name)


def escaped(words: str) -> str:
    """Text of a cell: a bar would end it."""
    return words.replace("|", r"\|")


def options(context: click.Context) -> list[tuple[str, str]]:
    """(spelling, help) of each option of a command."""
    records = (parameter.get_help_record(context) for parameter in context.command.get_params(context))
    return [
        (option, " ".join(words.split())) for option, words in filter(None, records) if option.startswith("-")
    ]


def shortened(context: click.Context, left_out: Sequence[str]) -> str:
    """A command's help without some of its options, and with one example."""
    command = copy.copy(context.command)
    command.params = [
        each for each in command.params if (each.get_help_record(context) or ("", ""))[0] not in left_out
    ]
    command.add_help_option = False
    text = command.get_help(click.Context(command, info_name=context.info_name, parent=context.parent))
    return re.sub(r"(\n +Example:\n.*\n)[\s\S]*", r"\1", f"{text}\n").rstrip()


def table(name: str) -> str:
    """The Markdown of the table or tables that a mark names, and the signatures of their figures."""
    if name == "recipes":
        return recipe_table()
    file, _, part = name.partition("#")
    tables = json.loads((DOCS / "figures" / f"{file}.json").read_text("utf-8"))[part]
    parts: list[str] = []
    for each in joined(tables):
        parts += [f"{each['caption']}:"] if each.get("caption") else []
        parts += [grid(each["columns"], each["rows"]), *([each["note"]] if each.get("note") else [])]
    signatures = dict.fromkeys(line for each in tables for line in each.get("signatures", ()))
    return "\n\n".join([*parts, "\\\n".join(f"`{line}`" for line in signatures)]).rstrip()


def recipe_table() -> str:
    """The recipes of each subject, which begins their names."""
    of_subject: dict[str, list[str]] = {}
    for name in recipes.names():
        of_subject.setdefault(name.partition("-")[0], []).append(f"`{name}`")
    return grid(["of", "recipes"], [[subject, ", ".join(names)] for subject, names in of_subject.items()])


def joined(tables: Sequence[Table]) -> Iterator[Table]:
    """Tables with a row for each system, or pair, as one; a column of two of them is the first's."""
    by_key: dict[str, list[Table]] = {}
    for each in tables:
        names = [row[0] for row in each["rows"]]
        key = each["columns"][0]
        if key not in ("system", "pair"):
            continue
        if len(set(names)) == len(names):
            by_key.setdefault(key, []).append(each)
        else:
            by_key.setdefault("system | label", []).append(with_joined_columns(each))
    for key, parts in by_key.items():
        columns = dict.fromkeys(
            re.sub(r"(?<=, )(one|two)-tailed", TAILS, column)
            for each in parts
            for column in each["columns"][1:]
        )
        cells: dict[str, dict[str, str]] = {}
        for each in parts:
            for name, *row in each["rows"]:
                # "A – B" of a difference of macro-F1 is the pair "A over B".
                values = cells.setdefault(name.replace(" – ", " over "), {})
                for column, cell in zip(each["columns"][1:], row, strict=True):
                    values[column] = values.get(column) or cell
                for kind in ("p", "Holm"):
                    if f"{kind}, one-tailed" in values:
                        values[f"{kind}, {TAILS}"] = "/".join(
                            values.pop(f"{kind}, {tail}") for tail in TAILED
                        )
        if key == "pair":
            yield from by_place(columns, cells, ranked(tables))
        else:
            yield from map(with_divided_columns, divided(key, columns, cells))
    yield from (each for each in tables if each["columns"][0] not in by_key and each["columns"][0] != "pair")


def with_joined_columns(table: Table) -> Table:
    """Two first columns as one, for tables with several rows a system."""
    return {
        "columns": [" | ".join(table["columns"][:2]), *table["columns"][2:]],
        "rows": [[" | ".join(row[:2]), *row[2:]] for row in table["rows"]],
    }


def with_divided_columns(table: Table) -> Table:
    """The inverse of `with_joined_columns`; other tables stay as they are."""
    columns, rows = table["columns"], table["rows"]
    return {
        **table,
        "columns": [*columns[0].split(" | "), *columns[1:]],
        "rows": [[*row[0].split(" | "), *row[1:]] for row in rows],
    }


def ranked(tables: Sequence[Table]) -> list[str]:
    """Names of the systems in the order of their ranks."""
    ranking = next((each for each in tables if "rank" in each["columns"]), {"rows": []})
    return [row[0] for row in ranking["rows"]]


def by_place(
    columns: Iterable[str], cells: Mapping[str, Mapping[str, str]], systems: Sequence[str]
) -> Iterator[Table]:
    """A table of each system over the next, else of each pair. The data file also has the first over each other."""
    to_next = {f"{one} over {other}": one for one, other in pairwise(systems)}
    first = {f"{systems[0]} over {other}" for other in systems[2:]} if systems else set[str]()
    rest = [name for name in cells if name not in first]
    is_order = all(name in to_next for name in rest)
    chosen = {to_next[pair] if is_order else pair: cells[pair] for pair in rest}
    if chosen:
        yield from divided("over the next" if is_order else "pair", columns, chosen)


def divided(key: str, columns: Iterable[str], cells: Mapping[str, Mapping[str, str]]) -> Iterator[Table]:
    """Without empty columns; columns with values in few rows go to tables of these rows, one value is a note.

    A column that repeats the cells of an earlier one is left out with a note.
    """
    by_split = any(re.fullmatch(r"(train|dev|test) accuracy \(%\)", column) for column in columns)
    names = sorted(cells, key=lambda name: int(cells[name].get("rank") or 0))
    by_rows: dict[tuple[str, ...], list[str]] = {tuple(names): []}
    notes: list[str] = []
    shown: dict[tuple[str, ...], str] = {}
    for column in columns:
        filled = tuple(name for name in names if cells[name].get(column))
        values = [cells[name].get(column, "").strip("*") for name in names]
        if (
            not filled
            or column.partition(",")[0] in LEFT_OUT
            or column in LEFT_OUT
            or (column == "accuracy (%)" and by_split)
        ):
            continue
        if len(names) == len(filled) > 1 and len(set(values)) == 1:
            notes.append(f"{column} {values[0]}")
        elif tuple(values) in shown:
            notes.append(f"{column} as {shown[tuple(values)]}")
        else:
            shown[tuple(values)] = column
            rows = filled if len(filled) < SPARSE * len(names) else tuple(names)
            by_rows.setdefault(rows, []).append(column)
    for rows, chosen in by_rows.items():
        yield {
            "columns": [key, *chosen],
            "rows": [[name, *(cells[name].get(column, "") for column in chosen)] for name in rows],
            "note": f"All rows: {', '.join(notes)}." if notes and rows == tuple(names) else "",
        }


def grid(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A pipe table; columns of numbers are set to the right."""
    rules = [
        "---:" if all(NUMBER.fullmatch(row[place]) for row in rows if row[place]) else "---"
        for place in range(len(columns))
    ]
    return (
        "\n".join(f"| {' | '.join(row)} |" for row in (columns, rules, *rows))
        .replace("&lt; ", "&lt;")
        .replace("&gt; ", "&gt;")
    )


if __name__ == "__main__":
    main()
