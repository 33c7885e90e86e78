"""`--quiet`, before or behind a command's name: results and errors alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.typed import World

from anagnosis.cli import COMMANDS, run
from anagnosis.corpus import carried

WRITING = {
    "build": [
        "build",
        "biomrc",
        "{corpus}",
        "--recipe",
        "biomrc-demo",
        "--workers",
        "1",
        "--out",
        "{at}/built",
    ],
    "import": ["import", "{authors}", "--out", "{at}/imported"],
    "export": ["export", "{built}", "--layout", "jsonl", "--out", "{at}/rows"],
    "sample": [
        "sample",
        "{built}",
        "--set",
        "train=2",
        "--set",
        "dev=1",
        "--set",
        "test=1",
        "--out",
        "{at}/s",
    ],
    "predict": ["predict", "BASE4", "{built}", "--out", "{at}/p.jsonl"],
    "score": ["score", "{built}", "{base4}", "--out", "{at}/score.html"],
    "report": ["report", "{built}", "{base4}", "--out", "{at}/report.md"],
    "convert": ["convert", "{corpus}", "--out", "{at}/c.pubtator"],
    "index": ["index", "{corpus}", "--out", "{at}/index"],
}


@pytest.fixture(scope="module")
def authors(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("authors")
    assert (
        run(["export", str(world.dataset), "--layout", "biomrc", "--setting", "A", "--out", str(at / "a")])
        == 0
    )
    return at / "a"


@pytest.mark.parametrize("command", WRITING)
def test_a_command_that_writes_says_nothing_when_it_is_done(
    command: str, world: World, authors: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if command == "index":
        pytest.importorskip("tantivy")
    places = {
        "at": tmp_path,
        "built": world.dataset,
        "corpus": carried(),
        "base4": world["BASE4"],
        "authors": authors,
    }
    typed = [word.format(**places) for word in WRITING[command]]
    capfd.readouterr()
    assert run([*typed, "-q"]) == 0
    assert capfd.readouterr() == ("", "")
    assert [*tmp_path.iterdir()]


def test_results_are_printed_all_the_same(world: World, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(world.dataset), "-q"]) == 0
    assert "The dataset" in capfd.readouterr().out
    assert run(["-q", "predict", "BASE5", str(world.dataset), "--out", "p.jsonl"]) == 2
    assert "unknown reader" in capfd.readouterr().err


def test_every_command_takes_quiet_and_speaks_of_no_bounds_that_are_not_there(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in COMMANDS:
        assert run([name, "--help"]) == 0
        help = capfd.readouterr().out
        assert "--quiet" in help, name
        assert "None" not in help, name


WRONG_NUMBERS = {
    "predict BASE4 d --out p --limit many": "'many' is not a whole number of at least 1",
    "predict BASE4 d --out p --limit 0": "'0' is not a whole number of at least 1",
    "predict BASE4 d --out p --seed x": "'x' is not a whole number of at least 0;",
    "import f --out o --dev-share half": "'half' is not a number",
    "import f --out o --dev-share nan": "'nan' is not a number",
}


def test_a_wrong_number_is_said_in_words(capfd: pytest.CaptureFixture[str]) -> None:
    for typed, words in WRONG_NUMBERS.items():
        assert run(typed.split()) == 2
        assert words in capfd.readouterr().err
