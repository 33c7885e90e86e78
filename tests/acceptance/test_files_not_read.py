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
    "deep/Doe2017.pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "deep/Roe2018.PDF": b"%PDF-1.4\n",
}
COUNTED = {"file_not_read.csv": 1, "file_not_read.pdf": 2, "file_not_read.ris": 1, "file_not_read.sqlite": 1}


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
        assert all(name in out for name in COUNTED), out
        again = ["--replace"] if words[0] == "convert" else []
        if words[0] == "index":
            words[-1] = tmp_path / "again"
        found = json.loads(said(*words, *again, "--json"))
        assert counted(found.get("receipt", found)["repairs"]) == COUNTED


def test_endings_are_counted_one_by_one_up_to_twenty(library: Path, said: Said, tmp_path: Path) -> None:
    for number in range(30):
        (library / f"run.{number:03}").touch()
    found = json.loads(said("convert", library, "--to", "jsonl", "--out", tmp_path / "o.jsonl", "--json"))
    each = counted(found["repairs"])
    assert (len(each), each["file_not_read"], sum(each.values())) == (21, 15, 35)


def test_a_named_file_of_such_a_format_is_refused(
    library: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in OTHERS:
        line = refused(["convert", str(library / name), "--out", str(tmp_path / "out")], capfd)
        assert f"{Path(name).name}:1: no format" in line
        assert (
            f"and the format {Path(name).suffix.lower()} is not read; convert it, or, if its ending" in line
        )
        assert not (tmp_path / "out").exists()


@pytest.mark.shared
def test_a_zotero_folder_of_a_public_report(shared: Path, tmp_path: Path, said: Said) -> None:
    folder = shared / "cases" / "36-zotero-folder"
    out = said("index", folder, "--out", tmp_path / "index", "--json", code=2)
    found = json.JSONDecoder().raw_decode(out)[0]  # the line about storage/notes.txt follows
    assert found["documents"] == 1
    assert counted(found["repairs"]) == {**COUNTED, "file_not_read.pdf": 1}
