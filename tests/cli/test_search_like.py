"""`search --like` refuses each option that related papers do not obey, given with its default too."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.cli import run


@pytest.mark.parametrize(
    "given",
    [
        ["--section", "results"],
        ["--ranking", "lexical"],
        ["--facets"],
        ["--sort", "score"],
        ["--by", "passage"],
        ["--no-synonyms"],
        ["--without", "tea"],
    ],
)
def test_an_option_that_does_nothing_is_refused(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(tmp_path), "--like", "1", *given]) == 2
    assert f"--like does not go with {given[0]};" in capsys.readouterr().err


def test_a_limit_is_obeyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", str(tmp_path / "none"), "--like", "1", "--limit", "3", "--json"]) == 2
    assert "no index here" in capsys.readouterr().err
