"""Whatever lies in an input folder is read or named: nothing is passed over, nothing waits for ever."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.another_user import another_user, open_to_all
from tests.rows import each_row

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.errors import InputError
from anagnosis.io.files import open_input
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import naming_faults, walk


def pipe(at: Path) -> None:
    os.mkfifo(at / "a.pubtator")


def listening(at: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(at / "a.pubtator"))


def dangling(at: Path) -> None:
    (at / "a.pubtator").symlink_to(at / "gone")


def circle_of_links(at: Path) -> None:
    (at / "a.pubtator").symlink_to(at / "b.pubtator")
    (at / "b.pubtator").symlink_to(at / "a.pubtator")


def device(at: Path) -> None:
    (at / "a.pubtator").symlink_to("/dev/zero")


def link_to_the_folder_above(at: Path) -> None:
    (at / "sub").mkdir()
    (at / "sub" / "a.pubtator").symlink_to(at)


def two_folders_in_each_other(at: Path) -> None:
    (at / "x").mkdir()
    (at / "y").mkdir()
    (at / "x" / "a.pubtator").symlink_to(at / "y")
    (at / "y" / "b").symlink_to(at / "x")


REFUSED: list[tuple[Callable[[Path], None], str]] = [
    (pipe, "a.pubtator: is no regular file; "),
    (listening, "a.pubtator: no such device or address"),
    (device, "a.pubtator: is no regular file"),
    (dangling, "a.pubtator: no such file or directory"),
    (circle_of_links, "a.pubtator: too many levels of symbolic links"),
    (link_to_the_folder_above, "a.pubtator: is a link to a folder that it lies in; remove it"),
    (two_folders_in_each_other, "is a link to a folder that it lies in"),
]


@each_row(("make", "line"), REFUSED, ids=[make.__name__ for make, _ in REFUSED])
def test_what_cannot_be_read_in_a_folder_is_named_at_once(
    tmp_path: Path, make: Callable[[Path], None], line: str
) -> None:
    (tmp_path / "z.pubtator").write_text("x")
    make(tmp_path)
    with pytest.raises(InputError) as refused:
        input_files([tmp_path], [".pubtator"])
    assert line in str(refused.value)
    with pytest.raises(InputError) as refused:
        api.convert([tmp_path], tmp_path.parent / "out.jsonl", to="jsonl")
    assert line in str(refused.value)


@pytest.mark.parametrize(("make", "line"), REFUSED[:3], ids=[make.__name__ for make, _ in REFUSED[:3]])
def test_what_is_no_file_is_named_where_it_is_given_itself(
    tmp_path: Path, make: Callable[[Path], None], line: str
) -> None:
    make(tmp_path)
    with pytest.raises(InputError) as refused:
        input_files([tmp_path / "a.pubtator"], [".pubtator"])
    assert line in str(refused.value)
    with pytest.raises(InputError) as refused, open_input(tmp_path / "a.pubtator"):
        pass
    assert line in str(refused.value)


def test_what_is_no_input_may_be_anything(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "queue")
    (tmp_path / ".#a.pubtator").symlink_to("user@host.1234")  # as Emacs locks a file
    (tmp_path / "a.pubtator").write_text("x")
    assert [name for name, _ in input_files([tmp_path / "a.pubtator"], [".pubtator"])] == ["a.pubtator"]
    assert [path.name for _, _, files in walk(tmp_path) for path in map(Path, files)][-1] == "queue"


def test_a_folder_behind_a_link_is_part_of_the_input(tmp_path: Path) -> None:
    (tmp_path / "far" / "deep").mkdir(parents=True)
    (tmp_path / "far" / "deep" / "b.pubtator").write_text("x")
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "papers").symlink_to(tmp_path / "far")
    (tmp_path / "near" / "again").symlink_to(tmp_path / "far")
    found = [name for name, _ in input_files([tmp_path / "near"], [".pubtator"])]
    assert found == ["again/deep/b.pubtator", "papers/deep/b.pubtator"]


def test_an_open_pipe_is_read(tmp_path: Path) -> None:
    """As a shell makes one of <(command)."""
    reading, writing = os.pipe()
    os.write(writing, b"words")
    os.close(writing)
    try:
        with open_input(f"/dev/fd/{reading}") as stream:
            assert stream.read() == b"words"
    finally:
        os.close(reading)


@pytest.mark.parametrize("closed", ["file", "folder", "folder that can be listed", "the folder itself"])
def test_what_may_not_be_read_is_named_and_not_passed_over(
    closed: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_to_all() as at:
        papers = at / "papers"
        (papers / "sub").mkdir(parents=True)
        for place in (papers, papers / "sub"):
            (place / "a.pubtator").write_bytes(carried().read_bytes())
        wrong = {
            "file": papers / "sub" / "a.pubtator",
            "folder": papers / "sub",
            "folder that can be listed": papers / "sub",
            "the folder itself": papers,
        }[closed]
        wrong.chmod(0o744 if "listed" in closed else 0o700)
        at.chmod(0o777)
        with another_user():
            code = run(["-q", "convert", str(papers), "--out", str(at / "out.jsonl"), "--to", "jsonl"])
        assert code == 2
        said = capfd.readouterr().err
        assert said.count("\n") == 1, said
        assert "permission denied" in said
        assert str(wrong) in said
        assert not (at / "out.jsonl").exists()


def test_what_the_system_refuses_is_an_input_error_with_place_and_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught, naming_faults("here", "go elsewhere", "writing"):
        (tmp_path / "missing" / "file").write_text("")
    fault = caught.value
    assert (fault.what, fault.where, fault.remedy) == (
        "writing failed: no such file or directory",
        "here",
        "go elsewhere",
    )
    with pytest.raises(InputError) as caught, naming_faults(None, "go elsewhere"):
        (tmp_path / "missing" / "file").write_text("")
    assert (caught.value.what, caught.value.where) == (
        "no such file or directory",
        str(tmp_path / "missing" / "file"),
    )
    with pytest.raises(BrokenPipeError), naming_faults("here", "go elsewhere"):
        raise BrokenPipeError
    with pytest.raises(ValueError, match="NUL"), naming_faults("here", "go elsewhere"):
        raise ValueError("NUL")
    with pytest.raises(InputError, match="nul"), naming_faults("here", "go elsewhere", also=(ValueError,)):
        raise ValueError("NUL")
