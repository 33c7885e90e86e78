"""What becomes of the output when nobody reads it, or when the terminal lacks the letters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried, synthetic
from anagnosis.documents import pubtator


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    with (tmp_path / "many.pubtator").open("wb") as stream:
        pubtator.write(synthetic.documents(300, 1), stream)
    command = [sys.executable, "-m", "anagnosis", "convert", str(tmp_path / "many.pubtator"), "--out", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read().decode()
    assert process.returncode == 0
    assert "Traceback" not in said


def test_a_terminal_without_the_letters_gets_their_numbers() -> None:
    command = [sys.executable, "-m", "anagnosis", "recipes", "biomrc"]
    asked = subprocess.run(
        command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True
    )
    assert b"fewer than 2 \\u2026" in asked.stdout


def test_a_dataset_of_nothing_is_exported_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = api.build(
        "biomrc", [carried()], tmp_path / "none", settings={"minimum_sentences": 500}, workers=1
    )
    assert run(["export", str(nothing.folder), "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == "nothing to write: the dataset has no instances\n"
