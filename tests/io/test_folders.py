from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.io.folders import (
    enclosing_folder,
    kind_of,
    refuse_foreign,
    refuse_inside_ours,
    written_at_once,
)

# Files that make a folder one of ours, with what is in them; a name that ends in / is a folder.
OURS = {
    "dataset": [
        {"receipt.json": {"recipe_sha256": "0"}},
        {"receipt.json": "damaged", "data/": None},
        {"data/": None, ".work/lock": ""},
    ],
    "run": [
        {"run.json": {"reader": "bilstm", "train": {}}},
        {"run.json": "damaged", "recipe.toml": ""},
        {"seeds.json": {"seeds": [0]}},
        {"folds.json": {"folds": [0]}},
        {"phases.json": {"schedule": "final", "phases": []}},
        {"seed-0/run.json": {"reader": "bilstm", "train": {}}},
        {"final/fold-0/run.json": {"reader": "bilstm", "train": {}}},
        {".given-up": {"reader": "bilstm", "train": {}}},
    ],
    "search of settings": [{"trials.jsonl": ""}],
    "index": [
        {"index.json": {"format": 3, "engine": "embedded"}},
        {"index.json": "damaged", "embedded/": None},
    ],
}
CASES = [(kind, files) for kind, cases in OURS.items() for files in cases]
# Of other programs, under names that ours have too.
THEIRS = [
    {},
    {"index.json": {"pages": []}},
    {"index.json": "no JSON"},
    {"receipt.json": {"total": 3}},
    {"run.json": {"args": []}},
    {"data/": None},
    {"recipe.toml": "", "README.md": ""},
    {"seeds.json": [1, 2]},
    {"runs/run.json": {"reader": "bilstm", "train": {}}},
]


def made(folder: Path, files: dict[str, object]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            place.mkdir()
        else:
            place.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


@each_row(("kind", "files"), CASES)
def test_our_folders_are_known_finished_or_not_and_damaged(
    kind: str, files: dict[str, object], tmp_path: Path
) -> None:
    folder = made(tmp_path / "x", files)
    assert kind_of(folder) == kind
    assert enclosing_folder(folder / "deep" / "deeper") == (folder, kind)
    (tmp_path / "way").symlink_to(folder)
    (tmp_path / "end").symlink_to(folder / "new")
    for path in (folder / "new", folder / "deep" / "new", tmp_path / "way" / "new", tmp_path / "end"):
        with pytest.raises(InputError, match=f"lies in the folder of an? {kind} .*which holds nothing else"):
            refuse_inside_ours(path)
    refuse_inside_ours(folder)
    refuse_inside_ours(folder / ".." / "beside")


@each_row("files", THEIRS)
def test_folders_of_others_are_not_ours(files: dict[str, object], tmp_path: Path) -> None:
    folder = made(tmp_path / "x", files)
    assert kind_of(folder) is None
    refuse_inside_ours(folder / "new")


def test_others_files_are_named_and_counted() -> None:
    refuse_foreign(Path("x"), [])
    with pytest.raises(InputError, match=r"^x: holds other files \(a, b, c and 2 more\); choose an empty"):
        refuse_foreign(Path("x"), "ecdab")


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def write(name: str, *, fail: bool = False) -> None:
        with written_at_once(tmp_path / "x") as folder:
            (folder / name).touch()
            assert folder.parent == tmp_path
            if fail:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write("a", fail=True)
    assert not [*tmp_path.iterdir()]
    write("a")
    assert "replaced" not in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        write("b", fail=True)
    assert [path.name for path in tmp_path.rglob("*")] == ["x", "a"]
    write("b")
    assert [path.name for path in tmp_path.rglob("*")] == ["x", "b"]
    assert capsys.readouterr().err == f"replaced {tmp_path / 'x'}\n"


def test_a_stop_between_the_old_folder_and_the_new_one_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old").touch()
    rename = Path.rename

    def stopped(self: Path, target: Path) -> Path:
        if target == tmp_path / "x" and (self / "new").exists():
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt), written_at_once(tmp_path / "x") as part:
        (part / "new").touch()
    assert [path.name for path in tmp_path.rglob("*")] == ["x", "old"]


def test_a_kill_between_the_old_folder_and_the_new_one_leaves_the_old_one_to_the_next(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old").touch()
    killed = """
import os, sys
from pathlib import Path
from anagnosis.io.folders import written_at_once

rename = Path.rename
Path.rename = lambda self, target: os._exit(9) if (self / "new").exists() else rename(self, target)
with written_at_once(Path(sys.argv[1])) as part:
    (part / "new").touch()
"""
    assert subprocess.run([sys.executable, "-c", killed, tmp_path / "x"], check=False).returncode == 9
    assert not (tmp_path / "x").exists()
    with pytest.raises(KeyboardInterrupt), written_at_once(tmp_path / "x"):
        raise KeyboardInterrupt
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["old"]


def test_a_folder_of_the_users_with_the_name_of_a_part_stays(tmp_path: Path) -> None:
    (tmp_path / ".x.part").mkdir()
    (tmp_path / ".x.part" / "notes").write_text("mine")
    with written_at_once(tmp_path / "x") as part:
        (part / "a").touch()
    assert (tmp_path / ".x.part" / "notes").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".x.part", "x"]


def test_two_that_write_one_folder_leave_one_of_the_two_whole(tmp_path: Path) -> None:
    with written_at_once(tmp_path / "x") as first, written_at_once(tmp_path / "x") as second:
        (first / "a").touch()
        (second / "b").touch()
        assert [path.name for path in first.iterdir()] == ["a"]
    assert [path.name for path in tmp_path.rglob("*")] == ["x", "a"]
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o755
