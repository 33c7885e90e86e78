"""A query may begin with a minus sign on the command line too."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.rows import each_row

from anagnosis.cli import run
from anagnosis.cli.query_command import QueryCommand


@click.command(cls=QueryCommand)
@click.argument("folder")
@click.argument("question")
@click.option("--limit", type=int)
@click.option("--out")
@click.option("--json", "as_json", is_flag=True)
def command(folder: str, question: str, limit: int | None, out: str | None, as_json: bool) -> None:
    click.echo(f"{folder}|{question}|{limit}|{out}|{as_json}")


@each_row(
    ("args", "expected"),
    [
        (["f", "-tea milk"], "f|-tea milk|None|None|False"),
        (["f", "-tea milk", "--limit", "3"], "f|-tea milk|3|None|False"),
        (["--json", "f", '-"tea" milk'], 'f|-"tea" milk|None|None|True'),
        (["f", "-(tea OR milk) x", "--limit=3"], "f|-(tea OR milk) x|3|None|False"),
        (["f", "tea", "--out", "-x"], "f|tea|None|-x|False"),
        (["f", "tea", "--limit", "-3"], "f|tea|-3|None|False"),
        (["f", "--", "-tea"], "f|-tea|None|None|False"),
        (["--limit=3", "f", "-tea"], "f|-tea|3|None|False"),
    ],
)
def test_what_begins_with_one_minus_sign_is_the_query(args: list[str], expected: str) -> None:
    assert CliRunner().invoke(command, args).output.strip() == expected


def test_options_of_one_letter_stay_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "-h"]) == 0
    assert run(["search", str(tmp_path), "tea", "-q"]) == 2
    assert "no such option" not in capsys.readouterr().err.lower()


@pytest.mark.parametrize("args", [["f", "tea", "--limt", "3"], ["f", "--limit", "tea"], ["-tea"]])
def test_other_options_are_refused_as_before(args: list[str]) -> None:
    assert CliRunner().invoke(command, args).exit_code == 2
