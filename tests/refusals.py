"""Commands that are refused, as a user sees it."""

from __future__ import annotations

import pytest

from anagnosis.cli import run


def refused(words: list[str], capfd: pytest.CaptureFixture[str]) -> str:
    """The one line that refuses a command, with exit code 2."""
    capfd.readouterr()
    assert run(words) == 2, words
    line = capfd.readouterr().err
    assert line.startswith("anagnosis: ")
    assert line.count("\n") == 1, line
    return line
