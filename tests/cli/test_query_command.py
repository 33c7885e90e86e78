"""`search --like` and `export-results --id` refuse each option that has no effect there, given with its default too."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.rows import each_row

from anagnosis.cli import run
from anagnosis.cli.click_types import QueryCommand

OF_A_QUESTION = [
    ["--section", "results"],
    ["--ranking", "lexical"],
    ["--sort", "score"],
    ["--no-synonyms"],
    ["--without", "tea"],
]


@pytest.mark.parametrize("given", [*OF_A_QUESTION, ["--facets"], ["--by", "passage"]])
def test_related_papers_are_not_searched(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(tmp_path), "--like", "1", *given]) == 2
    assert f"--like does not go with {given[0]};" in capsys.readouterr().err


@pytest.mark.parametrize("given", [*OF_A_QUESTION, ["--limit", "100"], ["--encoder", "minilm"]])
def test_papers_by_their_ids_are_not_searched(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export-results", str(tmp_path), "--id", "1", "--to", "ris", *given]) == 2
    assert f"--id does not go with {given[0]};" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["search", "--like", "1", "--limit", "3", "--json"],
        ["export-results", "--id", "1", "--id", "2", "--to", "ris", "--replace"],
    ],
)
def test_other_options_are_obeyed(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command[0], str(tmp_path / "none"), *command[1:]]) == 2
    assert "no index here" in capsys.readouterr().err


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
