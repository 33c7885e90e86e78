"""What becomes of the output when nobody reads it, or when the terminal lacks the letters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.invented_papers import documents

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.datasets.folder import writing


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    api.write(documents(300, seed=1), tmp_path / "many.pubtator")
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
    nothing = writing.write(tmp_path / "none", {}, {"dataset": "biomrc"})
    assert run(["export", str(nothing.folder), "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == "nothing to write\n"


FULL = "anagnosis: standard output: writing failed: no space left on device; free some space, or write elsewhere\n"
CLOSED = "anagnosis: standard output: is closed; send it to a file, or to /dev/null\n"


def typed(words: str, redirected: str) -> subprocess.CompletedProcess[str]:
    """A command line of the shell, with its streams redirected."""
    line = f'"{sys.executable}" -m anagnosis {words} {redirected}'
    return subprocess.run(line, shell=True, capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is full")
@pytest.mark.parametrize("words", ["formats", "recipes biomrc --json"])
def test_standard_output_that_is_full_or_closed_is_one_line_and_exit_2(words: str) -> None:
    for redirected, line in ((">/dev/full", FULL), (">&-", CLOSED)):
        done = typed(words, redirected)
        assert (done.returncode, done.stderr) == (2, line)


def test_documents_that_do_not_fit_on_standard_output_are_one_line(tmp_path: Path) -> None:
    """What is written as bytes passes beside the text."""
    api.write(documents(300, seed=1), tmp_path / "many.pubtator")
    words = f"convert {tmp_path / 'many.pubtator'} --out -"
    assert (typed(words, ">/dev/full").returncode, typed(words, ">/dev/full").stderr) == (2, FULL)
    assert typed(words, "| head -c 10").returncode == 0
    assert typed(words, "2>&1 | head -c 10 && echo ok").stdout.endswith("ok\n")


def test_standard_error_that_is_full_or_closed_changes_nothing(tmp_path: Path) -> None:
    for redirected in ("2>/dev/full", "2>&-"):
        assert "pubtator" in typed("formats", redirected).stdout
        assert typed("biuld", redirected).returncode == 2
    # The number of a closed stream goes to the next file that is opened, which would be printed into.
    made = tmp_path / "made.pubtator"
    assert typed(f"convert {carried()} --out {made}", "2>&- <&-").returncode == 0
    assert b"wrote" not in made.read_bytes()


def test_closed_standard_input_is_one_line_where_it_is_read(tmp_path: Path) -> None:
    done = typed(f"convert - --out {tmp_path / 'made.pubtator'}", "<&-")
    assert (done.returncode, done.stderr) == (2, "anagnosis: standard input: is closed; name a file\n")
    assert typed("formats", "<&-").returncode == 0


def test_a_bugs_traceback_is_masked_too() -> None:
    code = (
        "import sys, anagnosis.cli as c\n"
        "def bug(*_, **__): raise RuntimeError('\\x1b[2J\\u202e')\n"
        "c.cli.main = bug; sys.argv = ['anagnosis']; c.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "RuntimeError: ␛[2J\ufffd" in done.stderr


def test_words_are_searched_without_torch(tmp_path: Path) -> None:
    """As where the extra train is not installed: no module of it can be imported."""
    code = (
        "import sys\nfor name in ('torch', 'transformers'): sys.modules[name] = None\n"
        "from anagnosis.cli import run\n"
        "run(['-q', 'index', sys.argv[1], '--out', sys.argv[2]])\nsys.exit(run(['search', sys.argv[2], 'coffee']))"
    )
    command = [sys.executable, "-c", code, str(carried()), str(tmp_path / "index")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "ranked by their words." in done.stdout
