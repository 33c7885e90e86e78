from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.io.folders import (
    kind_of,
    new_folder,
)

# Files that make a folder one of ours, whatever is in them.
OURS = {
    "dataset": [["receipt.json"]],
    "run": [["run.json"], ["seeds.json"], ["folds.json"], ["phases.json"]],
    "search of settings": [["trials.jsonl", "trial-0/run.json"]],
    "leaderboard": [["board.json", "index.html"]],
    "index": [["index.json"]],
    "": [[], ["data/"], ["recipe.toml", "README.md"], ["runs/run.json"]],
}
CASES = [(kind, files) for kind, cases in OURS.items() for files in cases]


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
def test_a_folder_is_known_by_its_manifest(kind: str, files: list[str], tmp_path: Path) -> None:
    assert kind_of(made(tmp_path / "x", dict.fromkeys(files, ""))) == (kind or None)


def written(folder: Path, *names: str, replace: bool = True, fail: bool = False) -> None:
    """A folder of such files, which one of files that are called by a letter may be."""
    with new_folder(folder, "a thing", lambda name: len(name) == 1, replace=replace) as part:
        assert part.parent == folder.parent
        for name in names:
            (part / name).touch()
        if fail:
            raise KeyboardInterrupt


def names_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        written(tmp_path / "x", "a", fail=True)
    assert not [*tmp_path.iterdir()]
    written(tmp_path / "x", "a")
    with pytest.raises(KeyboardInterrupt):
        written(tmp_path / "x", "b", fail=True)
    assert names_in(tmp_path) == ["x", "x/a"]
    written(tmp_path / "x", "b")
    assert names_in(tmp_path) == ["x", "x/b"]
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o755


@each_row(
    ("there", "replace", "line"),
    [
        ([], False, ""),
        (["a"], False, "holds a thing already; choose another --out, or give --replace to overwrite it"),
        (["a"], True, ""),
        (["a", "thesis"], True, r"holds other files \(thesis\)"),
        (["a", "deep/"], True, r"holds other files \(deep/\)"),
        (["a", "deep/b"], True, r"holds other files \(deep/b\)"),
    ],
)
def test_what_may_be_replaced(there: list[str], replace: bool, line: str, tmp_path: Path) -> None:
    folder = made(tmp_path / "x", dict.fromkeys(there, ""))
    before = names_in(folder)
    if line:
        with pytest.raises(InputError, match=line):
            written(folder, "c", replace=replace)
        assert names_in(folder) == before
    else:
        written(folder, "c", replace=replace)
        assert names_in(tmp_path) == ["x", "x/c"]


def test_a_mount_point_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.ismount", lambda path: path == tmp_path / "x")
    (tmp_path / "x").mkdir()
    with pytest.raises(
        InputError, match="x: is a mount point, which cannot be replaced; name a folder in it"
    ):
        written(tmp_path / "x", "a")


def test_a_folder_that_comes_meanwhile_is_left(tmp_path: Path) -> None:
    def write() -> None:
        with new_folder(tmp_path / "x", "a thing", bool) as part:
            (part / "a").touch()
            made(tmp_path / "x", {"mine": ""})

    with pytest.raises(InputError, match="holds a thing already; choose another --out"):
        write()
    assert names_in(tmp_path) == ["x", "x/mine"]


def test_a_file_that_comes_into_the_old_folder_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path / "x", {"a": ""})
    rename = Path.rename

    def while_renamed(self: Path, target: Path) -> Path:
        if self == tmp_path / "x":
            (self / "mine").touch()
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", while_renamed)
    written(tmp_path / "x", "b")
    (old,) = tmp_path.glob("x.old-*")
    assert names_in(old) == ["mine"]
    assert names_in(tmp_path / "x") == ["b"]
    assert f"{old} has files that came meanwhile, and stays" in capsys.readouterr().err


KILLED = """
import os, sys
from pathlib import Path
from anagnosis.io.folders import new_folder

rename = Path.rename
Path.rename = lambda self, target: os._exit(9) if (self / "new").exists() else rename(self, target)
with new_folder(Path(sys.argv[1]), "a thing", bool, replace=True) as part:
    (part / "new").touch()
"""


def test_a_kill_between_the_old_folder_and_the_new_one_leaves_the_old_one_to_the_next(tmp_path: Path) -> None:
    made(tmp_path / "x", {"a": ""})
    assert subprocess.run([sys.executable, "-c", KILLED, tmp_path / "x"], check=False).returncode == 9
    assert not (tmp_path / "x").exists()
    with pytest.raises(KeyboardInterrupt):
        written(tmp_path / "x", "b", fail=True)
    assert names_in(tmp_path) == ["x", "x/a"]


@pytest.mark.parametrize("name", ["x.part", "x.part-20261128", "x.old-original", "x.old-20261128"])
def test_a_folder_of_the_users_with_the_name_of_a_part_stays(name: str, tmp_path: Path) -> None:
    made(tmp_path / name, {"notes": "mine"})
    written(tmp_path / "x", "a")
    written(tmp_path / "x", "a")
    assert names_in(tmp_path) == sorted(["x", "x/a", name, f"{name}/notes"])


def test_another_file_that_comes_meanwhile_is_refused_and_stays(tmp_path: Path) -> None:
    made(tmp_path / "x", {"a": ""})

    def write() -> None:
        with new_folder(tmp_path / "x", "a thing", lambda name: name == "a", replace=True) as part:
            (part / "a").write_text("new")
            (tmp_path / "x/mine").touch()

    with pytest.raises(InputError, match=r"holds other files \(mine\)"):
        write()
    assert names_in(tmp_path) == ["x", "x/a", "x/mine"]


def test_two_that_write_one_folder_leave_one_of_the_two_whole(tmp_path: Path) -> None:
    with (
        new_folder(tmp_path / "x", "a thing", bool, replace=True) as first,
        new_folder(tmp_path / "x", "a thing", bool, replace=True) as second,
    ):
        (first / "a").touch()
        (second / "b").touch()
        assert names_in(first) == ["a"]
    assert names_in(tmp_path) == ["x", "x/a"]
