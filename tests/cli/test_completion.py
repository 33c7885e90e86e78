"""Shells complete commands and options."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def completed(*words: str) -> list[str]:
    """What bash is offered for the last word."""
    settings = {
        "COMP_WORDS": " ".join(("anagnosis", *words)),
        "COMP_CWORD": str(len(words)),
        "_ANAGNOSIS_COMPLETE": "bash_complete",
    }
    run = subprocess.run(
        [sys.executable, "-m", "anagnosis"],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return [line.partition(",")[2] for line in run.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("sc",), ["score"]),
        (("score", "--prot"), ["--protocol"]),
        (("score", "--unit", "doc"), ["document"]),
    ],
)
def test_a_shell_is_offered_what_begins_so(words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered
