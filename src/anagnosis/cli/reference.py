"""docs/commands.md from the commands' own help: `python -m anagnosis.cli.reference > docs/commands.md`."""

from __future__ import annotations

import click

from anagnosis.cli import COMMANDS, cli

_WIDTH = 100


def text() -> str:
    """The page; a test holds docs/commands.md to it."""
    context = click.Context(
        cli,
        info_name="anagnosis",
        help_option_names=["-h", "--help"],
        max_content_width=_WIDTH,
        terminal_width=_WIDTH,
    )
    parts = [
        "<!-- generated from the help of the commands by `make docs`; do not edit -->",
        "",
        "# Commands",
        "",
        *(f"- [`anagnosis {name}`](#anagnosis-{name}): {summary}" for name, (_, summary) in COMMANDS.items()),
        "",
        "Every command ends with exit code 0 when it did what it was asked, 2 when something you gave was wrong (one",
        "line says what, where, and what to do), 130 when it was interrupted; 1 is a bug.",
    ]
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        inner = click.Context(
            command, info_name=name, parent=context, max_content_width=_WIDTH, terminal_width=_WIDTH
        )
        parts += ["", f"## anagnosis {name}", "", "```text", command.get_help(inner).rstrip(), "```"]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    print(text(), end="")
