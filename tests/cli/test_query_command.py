"""`search --like` and `export-results --id` refuse each option that has no effect there, given with its default too."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.cli import run

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


@pytest.mark.parametrize("given", [*OF_A_QUESTION, ["--limit", "100"]])
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
