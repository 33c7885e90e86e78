"""docs/commands.md says what the commands say of themselves, and each command's help has an example."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from anagnosis.cli import COMMANDS, cli
from anagnosis.cli.reference import text

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_not_stale() -> None:
    assert (ROOT / "docs" / "commands.md").read_text("utf-8") == text(), "run `make docs`"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_an_example_of_the_command(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert (
        f"Example:\n    anagnosis {name}" in result.output or f"Example:\n  anagnosis {name}" in result.output
    )


def test_help_lists_every_command_with_what_it_does() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    for name, (_, summary) in COMMANDS.items():
        assert name in result.output
        assert summary in result.output
