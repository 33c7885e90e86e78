"""Each command's help has an example, and the program's help lists every command."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from anagnosis.cli import COMMANDS, GROUPS, cli


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_an_example_of_the_command(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert (
        f"Example:\n    anagnosis {name}" in result.output or f"Example:\n  anagnosis {name}" in result.output
    )


def test_help_lists_every_command_in_its_group_with_what_it_does() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    assert re.findall(r"^(\w.*):$", result.output, re.MULTILINE) == ["Options", *GROUPS]
    for name, (_, summary) in COMMANDS.items():
        assert name in result.output
        assert summary in result.output
