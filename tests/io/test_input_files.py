"""Input files are listed in order, from folders too, and are called by what sets them apart."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.io.input_files import display_names, input_files


def test_a_folder_gives_its_files_by_relative_path(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt.gz", "a/y.pubtator.zst", "a.txt", "notes.md", "a/x.gz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = input_files([tmp_path / "b.txt", tmp_path, "-"], [".txt", ".pubtator"])
    assert [name for name, _ in found] == [
        "b.txt",
        "a.txt",
        "a/y.pubtator.zst",
        "a/z.txt.gz",
        "b.txt",
        "standard input",
    ]
    assert found[1][1] == tmp_path / "a.txt"


def test_a_name_that_is_no_utf_8_can_be_said(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")
    try:
        Path(path).touch()
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    assert [name for name, _ in input_files([path, tmp_path], [".txt"])] == ["caf\ufffd.txt", "caf\ufffd.txt"]


@each_row(
    ("names", "line"),
    [
        ([], "no input file; name at least one file or folder, or - for standard input"),
        (["missing"], "missing: no such file or directory; check the path"),
        (["empty"], "empty: no file ending in .txt, .pubtator; name the files themselves"),
        (["x" * 300], "file name too long; check the path"),
    ],
    ids=["none", "missing", "empty folder", "long name"],
)
def test_inputs_that_are_none_are_told(
    names: list[str], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as told:
        input_files(names, [".txt", ".pubtator"])
    assert str(told.value).endswith(line)


@each_row(
    ("given", "names"),
    [
        (["a/x", "b/y"], ["x", "y"]),
        (["a/x", "b/x", "-"], ["a/x", "b/x", "standard input"]),
        (["/one/a/x", "/two/a/x", "/two/b/x"], ["one/a/x", "two/a/x", "two/b/x"]),
        (["x", "a/x"], ["x", "a/x"]),
        (["../x", "x"], ["../x", "x"]),
        (["a/x", "a/x"], ["x", "x"]),
        ([], []),
    ],
)
def test_files_of_one_name_are_called_by_as_much_of_their_paths_as_sets_them_apart(
    given: list[str], names: list[str]
) -> None:
    assert display_names(given) == names


def test_endings_in_capitals_count_and_hidden_files_do_not(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("a.PubTator", "b.pubtator.gz", ".git/c.pack", ".d.csv", "e.pdf"):
        (tmp_path / name).touch()
    others: list[str] = []
    found = input_files([tmp_path], [".pubtator"], others.append)
    assert ([name for name, _ in found], others) == (["a.PubTator", "b.pubtator.gz"], ["e.pdf"])


def test_a_folder_without_input_files_says_what_it_holds(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.PDF", "c.ris.gz", "notes", ".hidden.csv"):
        (tmp_path / name).touch()
    with pytest.raises(
        InputError,
        match=r"no file ending in \.xml; it holds 4 others, such as a\.pdf; convert them, or",
    ):
        input_files([tmp_path], [".xml"])
