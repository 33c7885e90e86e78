"""Beside every table and figure of docs/results*.md stands the command that makes it, and what it names is there.

A command is a line of a fenced block, or code in a line, that begins with `anagnosis` or `python benchmarks/`. It
stands in the section of the table or in one that this is a part of.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click
import pytest
from tests.rows import each_row

from anagnosis.cli import COMMANDS, cli
from anagnosis.datasets.export.layouts import LAYOUTS
from anagnosis.readers import READERS, canonical
from anagnosis.recipes.load import names as recipes

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("results*.md"))
SHOWN = re.compile(r"^\| *:?-{3,}|^!\[", re.MULTILINE)  # the rule below a table's head, or a figure
FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^(?:anagnosis |python benchmarks/)")


def sections(text: str) -> Iterator[tuple[str, str]]:
    """Each part of a page with its heading, and with the text of the parts that it belongs to, from the page's own."""
    above: list[tuple[int, str]] = []
    for part in re.split(r"(?m)^(?=#{1,6} )", text):
        depth = len(part) - len(part.lstrip("#"))
        above = [*(each for each in above if each[0] < depth), (depth, part)]
        if SHOWN.search(FENCE.sub("", part)):
            # The page's head holds for the page; a table needs a command nearer than that.
            yield (
                part.partition("\n")[0],
                "\n".join(own for level, own in above if level > 1 or len(above) == 1),
            )


def commands(text: str) -> list[str]:
    """The commands of fenced blocks, lines that end in a backslash joined, and of code in lines."""
    found: list[str] = []
    for block in FENCE.findall(text):
        found += [line.strip() for line in block.replace("\\\n", " ").splitlines()]
    found += [" ".join(code.split()) for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", FENCE.sub("", text))]
    return [line for line in found if COMMAND.match(line)]


PARTS = [
    pytest.param(own, id=f"{page.stem}: {title.lstrip('# ')}")
    for page in PAGES
    for title, own in sections(page.read_text(encoding="utf-8"))
]
LINES = sorted({line for page in PAGES for line in commands(page.read_text(encoding="utf-8"))})


def faults(line: str) -> list[str]:
    """What a command names that is not there."""
    words = shlex.split(line.replace("…", ""), comments=True)
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    if words[0] == "python":
        script = ROOT / words[1]
        if not script.is_file():
            return [f"no script {words[1]}"]
        return [
            f"{words[1]} has no {name}" for name in options if f'"{name}"' not in script.read_text("utf-8")
        ]
    if words[1] not in COMMANDS:
        return [f"no command {words[1]}"]
    command = cli.get_command(click.Context(cli), words[1])
    assert command is not None
    if isinstance(command, click.Group):
        command = command.commands[words[2]]
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    found = [f"{words[1]} has no {name}" for name in options if name not in known]
    if words[1] == "train" and words[2] not in recipes():
        found.append(f"no recipe {words[2]}")
    is_run = len(words) > 2 and words[2].startswith("runs/")  # `predict` also takes the folder of a run
    if words[1] == "predict" and not is_run and canonical(words[2]) not in READERS:
        found.append(f"no reader {words[2]}")
    for name, value in pairwise(words):
        if name == "--recipe" and value not in recipes():
            found.append(f"no recipe {value}")
        if name == "--layout" and value not in LAYOUTS:
            found.append(f"no layout {value}")
    return found


@each_row("text", PARTS)
def test_a_command_stands_beside_each_table_and_figure(text: str) -> None:
    assert commands(text), "say which command makes this table, with data, format, tagger and seeds"


@each_row("line", LINES)
def test_what_a_command_names_is_there(line: str) -> None:
    assert not faults(line)


@each_row(
    ("line", "said"),
    [
        ("python benchmarks/no_such.py FOLDER", "no script benchmarks/no_such.py"),
        ("python benchmarks/asking.py a --no-such b", "benchmarks/asking.py has no --no-such"),
        ("anagnosis no-such", "no command no-such"),
        ("anagnosis train no-such --data d --out o", "no recipe no-such"),
        ("anagnosis predict no-such d --out o", "no reader no-such"),
        ("anagnosis import x --layout no-such --out o", "no layout no-such"),
        ("anagnosis compare d a b --no-such", "compare has no --no-such"),
    ],
)
def test_what_is_not_there_is_found(line: str, said: str) -> None:
    assert faults(line) == [said]
