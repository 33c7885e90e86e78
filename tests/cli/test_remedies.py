"""Every command that the program prints is one that its own parser takes, and visitors of `serve` see none.

Messages are read from the source: texts with a command in backticks, and lines that begin with one. What a message
fills in is a placeholder here. A command named alone ("see `anagnosis train`") must exist.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.rows import each_row

import anagnosis
from anagnosis.cli import COMMANDS, cli

SOURCE = Path(anagnosis.__file__).parent
FILLED = "7"  # a name, a file or a number
_QUOTED = re.compile(r"`anagnosis ([^`]+)`")
_PROMPTED = re.compile(r"^ *(?:\$ )?anagnosis ([a-z-]+(?: .*)?)$", re.MULTILINE)
# Where a value must be one of a few, or of another form, the usual one: (command, option) → value.
CHOICES = {("import", "--layout"): "biomrc", ("export", "--layout"): "biomrc"}
# Commands that a sentence names beside what they make, and asks nobody to give.
MENTIONS = {"build clicr", "export --view global|local|names"}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """(line, text) of every string of a module but its docstrings; what is filled in is FILLED."""
    tree = ast.parse(path.read_text("utf-8"))
    apart = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            apart |= {id(inner) for inner in ast.walk(node) if inner is not node}
            parts = [part.value if isinstance(part, ast.Constant) else FILLED for part in node.values]
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.lineno, node.value.replace("{out}{split}", FILLED).replace("{out}", FILLED)


def commands() -> list[tuple[str, str]]:
    """(where, command line without `anagnosis`) of every command in a message."""
    return [
        (f"{path.relative_to(SOURCE)}:{line}", found)
        for path in sorted(SOURCE.rglob("*.py"))
        for line, text in texts(path)
        for found in (*_QUOTED.findall(text), *_PROMPTED.findall(text))
    ]


def words(line: str) -> list[str]:
    """A command line as a shell splits it, without comments and what follows a pipe or a continued line."""
    lexer = shlex.shlex(line.split(" | ")[0].removesuffix("\\"), posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, "#"
    return [*lexer]


def parse(arguments: list[str]) -> None:
    """Parse a command line as the program does, without running it. ClickException: it is not understood."""
    name, *rest = arguments
    if any("…" in part for part in rest) and rest[-2:] != ["the", "same"]:
        raise click.UsageError("… cannot be given")
    program = click.Context(cli, **cli.context_settings)
    command = cli.get_command(program, name)
    if command is None:
        raise click.UsageError(f"no command {name}")
    if not rest or (
        all(part.startswith("--") for part in rest) and any(one.required for one in command.params)
    ):
        known = {spelling for one in command.params for spelling in (*one.opts, *one.secondary_opts)}
        if unknown := {part for part in rest if part not in known}:
            raise click.UsageError(f"{name} has no {', '.join(unknown)}")
        return  # named alone
    for place, part in enumerate(rest[1:], 1):
        if part == FILLED:
            rest[place] = CHOICES.get((name, rest[place - 1]), part)
    # Inside the program, as a command keeps how its help is asked for, and later tests read it.
    command.make_context(name, rest, parent=program)


def test_every_printed_command_is_one_that_the_program_takes() -> None:
    found = sorted(set(commands()))
    assert len(found) > 100
    faults = list[str]()
    for where, line in found:
        if line.startswith(FILLED) or line in MENTIONS:  # a command that is filled in whole
            continue
        try:
            parse(words(line))
        except click.ClickException as fault:
            faults.append(f"{where}: anagnosis {line}: {fault.format_message()}")
    assert not faults, "\n".join(faults)


@each_row(
    "line",
    [
        "index --out INDEX --no-vectors",
        "index --out …",
        "reader",
        "predict entity-prior",
        "export --layouts biomrc",
    ],
)
def test_a_command_that_the_program_does_not_take_is_noticed(line: str) -> None:
    with pytest.raises(click.ClickException):
        parse(words(line))


def test_no_template_of_the_page_has_a_command() -> None:
    templates = sorted((SOURCE / "web" / "templates").rglob("*.jinja"))
    assert templates
    for path in templates:
        text = re.sub(r"{#.*?#}", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not _QUOTED.search(text), path
        assert not re.search(r"\banagnosis (?:" + "|".join(COMMANDS) + r")\b", text), path
