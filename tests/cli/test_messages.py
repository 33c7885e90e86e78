"""Shells complete commands and options; what commands print of a record."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import click
import pytest

from anagnosis.cli import messages

DIGEST = "0123456789abcdef" * 4


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


@pytest.mark.parametrize("full", [False, True])
def test_a_summary_is_short_and_says_where_more_is(full: bool, capsys: pytest.CaptureFixture[str]) -> None:
    places = [(f"{number}.xml", DIGEST) for number in range(4)]
    record = SimpleNamespace(
        refusals=places, made=DIGEST, engine={"a": "x", "b": "y", "c": "z", "d": "10"}, dev_accuracy=0.0
    )
    with click.Context(click.Command("any", params=[messages.FULL])) as context:
        context.meta["anagnosis.full"] = full
        messages.fields(record, ["refusals:left_out", "made", "dev_accuracy", "engine"])
    said = capsys.readouterr().out
    assert said.splitlines()[0] == ("left out:" if full else "left out (--full has more):")
    assert said.count(".xml") == (4 if full else 3)
    assert said.count(DIGEST) == (5 if full else 0)
    assert "dev accuracy 0.00 %" in said
    assert full or "engine: a x, b y, c z, 1 more names (--full)" in said
