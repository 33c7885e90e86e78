"""The writers that all commands share: killed before each change of a file, and on a disk that is full.

A reader of the output sees the earlier content or the new one, and the same call again leaves what an undisturbed
call leaves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.builds import contents
from tests.disk import full_after
from tests.killing import Killing, Moment

from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.files import open_output, write_bytes
from anagnosis.io.folders import new_folder

NEW = Random(1).randbytes(10_000)


def write_file(out: Path) -> None:
    write_bytes(out, NEW)


def write_compressed_file(out: Path) -> None:
    with open_output(out.with_suffix(".gz")) as stream:
        stream.write(NEW)


def write_into_folder(out: Path) -> None:
    with outputs.writing_into(out, replace=True) as part:
        for name in ("a", "b"):
            (part / name).write_bytes(NEW)


def write_folder(out: Path) -> None:
    with new_folder(out, "a thing", bool, replace=True) as part:
        (part / "deep").mkdir()
        for name in ("a", "deep/b"):
            (part / name).write_bytes(NEW)


WRITERS: dict[str, Callable[[Path], None]] = {
    function.__name__: function
    for function in (write_file, write_compressed_file, write_into_folder, write_folder)
}
# The files that a writer replaces.
OLD = {
    "write_file": ["out"],
    "write_compressed_file": ["out.gz"],
    "write_into_folder": ["out/a"],
    "write_folder": ["out/a"],
}


def put_old(name: str, out: Path) -> None:
    for file in OLD[name]:
        path = out.parent / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"old")
    if name == "write_into_folder":
        (out / outputs.WRITTEN).write_text('["a"]')


def write(arguments: list[str]) -> int:
    name, out = arguments
    WRITERS[name](Path(out))
    return 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")
@pytest.mark.parametrize("name", WRITERS)
def test_killed_before_each_change_it_leaves_the_old_or_the_new_and_the_next_call_ends_the_work(
    name: str, tmp_path: Path
) -> None:
    def seen(out: Path) -> None:
        for file in OLD[name]:
            path = out.parent / file
            if path.exists():
                assert path.read_bytes() in (b"old", NEW) or name == "write_compressed_file"
            else:  # between two renames the old folder waits beside, from where the next call takes it
                assert name in ("write_folder", "write_into_folder")
                assert [*out.parent.glob("out.old-*/a")] or (out / "a").exists()

    trial = Killing(
        write,
        lambda out: [name, str(out)],
        lambda out: contents(out.parent),
        tmp_path,
        lambda out: put_old(name, out),
        seen=seen,
    )
    changes = trial.undisturbed[1].changes
    assert changes > 1
    for change in range(changes):
        trial.check_one(Moment(change=change), f"killed{change}")


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_one_line_and_leaves_the_old(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / "whole" / "out")
    for size in (0, 100, 700):
        out = tmp_path / str(size) / "out"
        out.parent.mkdir()
        put_old(name, out)
        before = contents(out.parent)
        with pytest.raises((InputError, OSError)) as full, full_after(size):
            WRITERS[name](out)
        assert "\n" not in str(full.value)
        assert contents(out.parent) == before
        WRITERS[name](out)
        assert contents(out.parent) == contents(tmp_path / "whole")
