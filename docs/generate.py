"""Write what docs/ generates: commands.md, schemas/, and tables between `<!-- table: NAME -->` and `<!-- end -->`.

    python docs/generate.py

NAME is `recipes`, or FILE#PART of a data file docs/figures/FILE.json: {part: [table, …]}. A table there is
{"columns": […], "rows": [[…], …], "signatures": […]}, its cells as Markdown shows them; scripts of benchmarks/ write
these files. The tables of a part that have a row for each system, or for each pair of systems, become one.
"""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from anagnosis.cli import COMMANDS, cli
from anagnosis.evaluation.agreement import Agreement
from anagnosis.evaluation.harnesses import Harnesses
from anagnosis.evaluation.results import Results
from anagnosis.evaluation.retrieval.scoring import Evaluation
from anagnosis.recipes import load as recipes
from anagnosis.reports import records
from anagnosis.searching.records.answers import AskAnswer, SearchAnswer
from anagnosis.training.runs.phase_folder import PhasesOfRuns

DOCS = Path(__file__).resolve().parent
MARKED = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
# The schema's name, which is a command's → the record that --json prints.
RECORDS = {
    "search": SearchAnswer,
    "ask": AskAnswer,
    "results": Results,
    "agreement": Agreement,
    "harnesses": Harnesses,
    "evaluate-search": Evaluation,
    "phases": PhasesOfRuns,
}
WIDTH = 100  # characters of a line of help
SPARSE = 0.7  # a column with values in a smaller share of the rows goes to a table of these rows
TAILED = ("one-tailed", "two-tailed")
TAILS = "one-/two-tailed"  # both in one column
Table = dict[str, Any]
NUMBER = re.compile(r"[−+&*]*\s*(?:[lg]t; )?[−+]?[\d,.]+[kM]?\b.*")


def main() -> None:
    for path, text in pages():
        path.write_text(text, "utf-8")


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
    """The help of every command; options that most of them have stand once, at the top."""
    settings = {"max_content_width": WIDTH, "terminal_width": WIDTH}
    context = click.Context(cli, info_name="anagnosis", help_option_names=["-h", "--help"], **settings)
    contexts = {
        name: click.Context(cli.get_command(context, name) or cli, info_name=name, parent=context, **settings)
        for name in COMMANDS
    }
    records = {name: options(inner) for name, inner in contexts.items()}
    counted = Counter(record for of_command in records.values() for record in of_command)
    shared = [record for record, count in counted.items() if count > len(COMMANDS) / 2]
    parts = [
        "<!-- generated from the help of the commands by `make docs`; do not edit -->",
        "",
        "# Commands",
        "",
        *(f"- [`anagnosis {name}`](#anagnosis-{name}): {summary}" for name, (_, summary) in COMMANDS.items()),
        "",
        "Exit codes: 0 for success, 2 for a wrong argument or input (one line reports what, where, and what to do),",
        "130 for an interrupt; 1 is a bug.",
        "",
        "## Options of most commands",
        "",
        grid(["option", "what it does"], [[f"`{option}`", words] for option, words in shared]),
    ]
    for name, inner in contexts.items():
        also = [record[0] for record in shared if record in records[name]]
        text = shortened(inner, also)
        named = ", ".join(f"`{option.rpartition(' ')[2]}`" for option in also)
        parts += ["", f"## anagnosis {name}", "", "```text", text, "```"]
        parts += ["", f"Also {named}."]
    return "\n".join(parts) + "\n"


def options(context: click.Context) -> list[tuple[str, str]]:
    """(spelling, help) of each option of a command."""
    records = (parameter.get_help_record(context) for parameter in context.command.get_params(context))
    return [(option, " ".join(words.split())) for option, words in filter(None, records)]


def shortened(context: click.Context, left_out: Sequence[str]) -> str:
    """A command's help without some of its options."""
    command = copy.copy(context.command)
    command.params = [
        each for each in command.params if (each.get_help_record(context) or ("", ""))[0] not in left_out
    ]
    command.add_help_option = False
    return command.get_help(
        click.Context(command, info_name=context.info_name, parent=context.parent)
    ).rstrip()


def table(name: str) -> str:
    """The Markdown of the table or tables that a mark names, and the signatures of their figures."""
    if name == "recipes":
        return recipe_table()
    file, _, part = name.partition("#")
    tables = json.loads((DOCS / "figures" / f"{file}.json").read_text("utf-8"))[part]
    parts: list[str] = []
    for each in joined(tables):
        parts += [grid(each["columns"], each["rows"]), *([each["note"]] if each.get("note") else [])]
    signatures = dict.fromkeys(line for each in tables for line in each.get("signatures", ()))
    return "\n\n".join([*parts, "\\\n".join(f"`{line}`" for line in signatures)]).rstrip()


def recipe_table() -> str:
    rows = [
        [
            f"`{name}`",
            # The page names the papers once.
            re.sub(r"\([\w. ]+ 20\d\d, ", "(", recipes.headline(name)).rstrip("."),
            published(recipes.load(name).get("expected", {})),
        ]
        for name in recipes.names()
    ]
    return grid(["recipe", "what it is", "published"], rows)


def published(expected: Mapping[str, Any]) -> str:
    """The figures of `[expected]` that sum it up: what is judged on the test part, or how large a dataset is."""
    for keys in (("test",), ("exact_match",), ("accuracy", "macro_f1")):
        if keys[0] in expected and "instances" not in expected:
            return " / ".join(f"{expected[key]:.2f}" for key in keys)
    if "without_auxiliary" in expected:
        return published(expected["without_auxiliary"])
    parts = ("global", "local", "names", "multi-phase")
    if told := [f"{part} {published(expected[part])}" for part in parts if part in expected]:
        return ", ".join(told)
    sizes = ("instances", "questions", "statements")
    return ", ".join(f"{expected[key]:,} {key}" for key in sizes if key in expected)


def joined(tables: Sequence[Table]) -> Iterator[Table]:
    """Tables with a row for each system, or pair, as one; a column of two of them is the first's."""
    whole: dict[str, list[Table]] = {}
    for each in tables:
        names = [row[0] for row in each["rows"]]
        key = each["columns"][0]
        if key in ("system", "pair") and len(set(names)) == len(names):
            whole.setdefault(key, []).append(each)
        else:
            yield each
    for key, parts in whole.items():
        columns = dict.fromkeys(
            re.sub(r"(?<=, )(one|two)-tailed", TAILS, column)
            for each in parts
            for column in each["columns"][1:]
        )
        cells: dict[str, dict[str, str]] = {}
        for each in parts:
            for name, *row in each["rows"]:
                # "A – B" of a difference of macro-F1 is the pair "A over B".
                own = cells.setdefault(name.replace(" – ", " over "), {})
                for column, cell in zip(each["columns"][1:], row, strict=True):
                    own[column] = own.get(column) or cell
                for kind in ("p", "Holm"):
                    if f"{kind}, one-tailed" in own:
                        own[f"{kind}, {TAILS}"] = "/".join(own.pop(f"{kind}, {tail}") for tail in TAILED)
        yield from divided(key, columns, cells)


def divided(key: str, columns: Iterable[str], cells: Mapping[str, Mapping[str, str]]) -> Iterator[Table]:
    """Without empty columns; columns with values in few rows go to tables of these rows, one value is a note."""
    by_split = any(re.fullmatch(r"(train|dev|test) accuracy \(%\)", column) for column in columns)
    names = sorted(cells, key=lambda name: int(cells[name].get("rank") or 0))
    by_rows: dict[tuple[str, ...], list[str]] = {tuple(names): []}
    same: list[str] = []
    for column in columns:
        filled = tuple(name for name in names if cells[name].get(column))
        values = {cells[name][column] for name in filled}
        if not filled or (column == "accuracy (%)" and by_split):
            continue
        if len(names) == len(filled) > 1 and len(values) == 1:
            same.append(f"{column} {values.pop()}")
        else:
            rows = filled if len(filled) < SPARSE * len(names) else tuple(names)
            by_rows.setdefault(rows, []).append(column)
    for rows, own in by_rows.items():
        yield {
            "columns": [key, *own],
            "rows": [[name, *(cells[name].get(column, "") for column in own)] for name in rows],
            "note": f"All {key}s: {', '.join(same)}." if same and rows == tuple(names) else "",
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
