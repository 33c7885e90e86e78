"""A full disk ends every command that writes in one line, and harms nothing that was there.

The commands are those of `test_overwriting.py`, whose tables name every option that says where to write.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.acceptance import test_overwriting as commands
from tests.builds import contents
from tests.disk import full_after
from tests.web.readers import stances

from anagnosis import api
from anagnosis.api import reader_making
from anagnosis.api.answer_readers import Work
from anagnosis.cli import run
from anagnosis.searching.conclusions.stance import store_stance_reader

ground, at = commands.ground, commands.at
FILES, FOLDERS = commands.FILES, commands.FOLDERS

SIZES = (0, 700, "half")  # bytes: nothing fits, small files fit, half of the largest file fits
# These keep vectors of an encoder, and the readers of the ground have none.
KEEPING_NOTHING = {name for name, entry in FOLDERS.items() if entry.option == "--kept"}
MAKING = [name for name in FOLDERS if name not in KEEPING_NOTHING]
SMALL = {"tune": ["--threads", "1", "--limit", "20", "--set", "epochs=1"], "build": ["--workers", "2"]}
# What a training took, and how an index is cut into files, differs from run to run.
TIMED = ("history.jsonl", "run.json", "search.journal")

# Commands that add to a folder, of which a copy stands at "{}".
GROWING = {
    "calibrate": ("runs", "calibrate {} questions --threads 1"),
    "fit-reranking": ("fitted", "fit-reranking {} --topics asked.tsv --judgements judged.txt --draws 9"),
    "index": ("index", "index collection.pubtator --out {}"),
}


def told(words: list[str], size: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Run it on a disk on which no file grows beyond so many bytes. (Both streams stay in memory.)"""
    capsys.readouterr()
    with full_after(size):
        code = run(words)
    line = capsys.readouterr().err
    assert code == 2, f"{words}: {line}"
    assert line.startswith("anagnosis: "), line
    assert line.count("\n") == 1, line
    assert re.search("(?i)file too large|writing failed", line), line
    assert re.search("; (free some space|check the path, its rights and the disk)", line), line


def half_of_the_largest(folder: Path) -> int:
    return max(map(len, contents(folder).values())) // 2


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_whole_or_as_it_was(
    name: str, ground: Path, at: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "demo":
        monkeypatch.setattr("anagnosis.cli.run", lambda _: 0)
    file = at / FILES[name].name
    words = ["-q", *commands.file_words(name, file, "--replace")]
    assert run(words) == 0
    half = half_of_the_largest(at)
    shutil.rmtree(at)
    at.mkdir()
    told(words, half, capsys)
    assert contents(at) == {}
    file.write_text("mine\n")
    told(words, 0, capsys)
    assert contents(at) == {file.name: b"mine\n"}


def made(folder: Path) -> object:
    """What a folder holds, the time apart that it took."""
    if (folder / "embedded").exists():
        return api.search(folder, "aspirin", limit=20)
    return {name: data for name, data in contents(folder).items() if not name.endswith(TIMED)}


@pytest.fixture(autouse=True)
def _invented_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The releases of the ground are too small to fit a reader of stances, so that an invented one is stored."""

    def make(work: Work) -> None:
        weights = {f"feature {number}": 0.1 for number in range(60)}  # larger than the smallest disk
        store_stance_reader(work.place, replace(stances().fitted, weights=weights))

    invented = reader_making.MAKINGS["stance"]._replace(make=make)
    monkeypatch.setitem(reader_making.MAKINGS, "stance", invented)


@pytest.mark.parametrize("name", MAKING)
def test_a_folder_is_made_by_the_same_command_once_there_is_space(
    name: str, ground: Path, at: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def words(out: Path) -> list[str]:
        return ["-q", *commands.words_of(FOLDERS[name], out, *SMALL.get(name, ()))]

    assert run(words(at / "whole")) == 0
    before = contents(ground)
    for size in SIZES:
        out = at / f"full after {size}"
        told(words(out), half_of_the_largest(at / "whole") if size == "half" else int(size), capsys)
        assert run(words(out)) == 0
        assert made(out) == made(at / "whole")
    assert contents(ground) == before


@pytest.mark.parametrize("name", GROWING)
def test_what_is_added_to_a_folder_is_added_whole_or_not_at_all(
    name: str, ground: Path, at: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, line = GROWING[name]
    folder = at / "copy"
    shutil.copytree(ground / source, folder)
    words = ["-q", *line.format(folder).split()]
    before = contents(folder)
    told(words, 0, capsys)
    assert contents(folder) == before
    assert run(words) == 0


@pytest.mark.parametrize("name", ["build", "train", "train --folds"])
def test_a_folder_that_was_to_be_replaced_is_made_once_there_is_space(
    name: str, ground: Path, at: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = at / "copy"
    shutil.copytree(ground / str(FOLDERS[name].own), folder)
    words = ["-q", *commands.words_of(FOLDERS[name], folder), "--replace"]
    told(words, 0, capsys)
    assert run(words) == 0
    assert run(["-q", *commands.words_of(FOLDERS[name], at / "whole")]) == 0
    assert made(folder) == made(at / "whole")


def test_every_command_that_writes_is_among_these() -> None:
    """`label --sheets` and the like are options of commands that are here; `serve` and `check` write nothing."""
    written = {entry.command for entry in (*FILES.values(), *(FOLDERS[name] for name in MAKING))}
    assert {command for command, _ in commands.options_that_write()} == written | set(GROWING)
