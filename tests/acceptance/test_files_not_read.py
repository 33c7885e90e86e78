"""Files that no format reads: counted by ending in a folder, refused by name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.refusals import refused
from tests.typed import Said

from anagnosis.corpus import carried

OTHERS = {
    "lib.ris": b"TY  - JOUR\nTI  - A title\nER  -\n",
    "zotero.sqlite": b"SQLite format 3\0" + bytes(84),
    "deep/t.csv": b"title,year\nA title,2017\n",
    "deep/Doe2017.rtf": b"{\\rtf1 A title}",
    "deep/Roe2018.RTF": b"{\\rtf1 }",
}
COUNTED = {"file_not_read.csv": 1, "file_not_read.rtf": 2, "file_not_read.ris": 1, "file_not_read.sqlite": 1}


def expected(verb: object) -> dict[str, int]:
    """The files that a verb does not read; `index` reads libraries."""
    return {name: count for name, count in COUNTED.items() if verb != "index" or name != "file_not_read.ris"}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder with one file of papers among others, and a hidden one."""
    (tmp_path / "library" / "deep").mkdir(parents=True)
    shutil.copy(carried(), tmp_path / "library" / "deep" / "papers.pubtator")
    (tmp_path / "library" / ".git").mkdir()
    for name, data in {**OTHERS, ".DS_Store": b"x", ".git/a.pack": b"x"}.items():
        (tmp_path / "library" / name).write_bytes(data)
    return tmp_path / "library"


def counted(repairs: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in repairs.items() if name.startswith("file_not_read")}


def test_a_folder_s_other_files_are_counted_by_ending(library: Path, said: Said, tmp_path: Path) -> None:
    for words in (
        ["index", library, "--out", tmp_path / "index"],
        ["convert", library, "--to", "jsonl", "--out", tmp_path / "o.jsonl"],
        [
            "build",
            "biomrc",
            library,
            "--recipe",
            "biomrc-demo",
            "--workers",
            "1",
            "--out",
            tmp_path / "built",
        ],
    ):
        out = said(*words)
        assert all(name in out for name in expected(words[0])), out
        again = [] if words[0] == "index" else ["--replace"]
        if words[0] == "index":
            words[-1] = tmp_path / "again"
        found = json.loads(said(*words, *again, "--json"))
        assert counted(found.get("receipt", found)["repairs"]) == expected(words[0])


def test_a_named_file_of_such_a_format_is_refused(
    library: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in OTHERS:
        line = refused(["convert", str(library / name), "--out", str(tmp_path / "out")], capfd)
        own, suffix = Path(name).name, Path(name).suffix.lower()
        if suffix == ".ris":
            assert f"{own}: is a library (ris); give it to `anagnosis index`" in line
        else:
            assert f"{own}:1: no format recognises its first bytes; convert it, or name its format" in line
        assert not (tmp_path / "out").exists()


def test_no_dataset_is_built_from_a_pdf(
    library: Path, tmp_path: Path, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that is named ends the command; one that a folder has under another ending is refused and counted."""
    named, misnamed = tmp_path / "paper.pdf", library / "paper.txt"
    for path in (named, misnamed):
        path.write_bytes(b"%PDF-1.7\n")
    why = "no dataset is built from pages (pdf)"
    for given, told in ((named, f"paper.pdf: {why}; name the paper's JATS"), (library, f"paper.txt: {why}")):
        words = [
            "build",
            "biomrc",
            given,
            "--recipe",
            "biomrc-demo",
            "--workers",
            "1",
            "--out",
            tmp_path / "built",
        ]
        out = said(*words, code=2)
        assert told in out + capsys.readouterr().err


PLACES = ("folder", "archive", "named")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("verb", ["index", "convert", "build"])
def test_a_file_that_cannot_be_read_ends_a_command_with_2_wherever_it_lies(
    verb: str, place: str, tmp_path: Path, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    papers, notes = tmp_path / "papers" / "a.pubtator", tmp_path / "papers" / "deep" / "notes.txt"
    notes.parent.mkdir(parents=True)
    shutil.copy(carried(), papers)
    notes.write_text("some notes")
    archive = shutil.make_archive(str(tmp_path / "packed"), "tar", papers.parent)
    inputs = {"folder": [papers.parent], "archive": [archive], "named": [papers, notes]}[place]
    options = {
        "index": [*inputs],
        "convert": [*inputs, "--to", "jsonl"],
        "build": ["biomrc", *inputs, "--recipe", "biomrc-demo", "--workers", "1"],
    }
    out = said(verb, *options[verb], "--out", tmp_path / "out", code=2)
    name = {"folder": " deep/notes.txt", "archive": "deep/notes.txt", "named": "notes.txt"}[place]
    assert f"{name}:1: no format recognises its first bytes" in out + capsys.readouterr().err
    made = tmp_path / "out" / "receipt.json" if verb == "build" else tmp_path / "out"
    assert made.exists() == (place != "named" or verb == "index")  # all else is done


@pytest.mark.shared
def test_a_zotero_folder_of_a_public_report(shared: Path, tmp_path: Path, said: Said) -> None:
    folder = shared / "cases" / "36-zotero-folder"
    out = said("index", folder, "--out", tmp_path / "index", "--json", code=2)
    found = json.JSONDecoder().raw_decode(out)[0]  # the line about storage/notes.txt follows
    assert found["documents"] == 3  # a JATS article, a PDF, and the entry of a library
    own = {name: count for name, count in expected("index").items() if not name.endswith("rtf")}
    assert counted(found["repairs"]) == own
