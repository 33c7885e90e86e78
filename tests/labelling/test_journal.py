"""A person's answers on the server's disk: nothing that was added is lost, whatever tears, fills or interferes."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from anagnosis.errors import InputError
from anagnosis.labelling.journal import Journal, NotWrittenError
from anagnosis.labelling.saved_file import Line
from tests.disk import full_after
from tests.rows import each_row


def check(data: bytes, where: str) -> Line:
    try:
        line = json.loads(data)
        line["id"]
    except (ValueError, KeyError, TypeError) as fault:
        raise InputError("is no line", where) from fault
    return line


def line(ident: str, answer: str | None, seconds: float = 0) -> Line:
    return {"id": ident, "answer": answer, "seconds": seconds}


def added(at: Journal, *lines: Line) -> None:
    for each in lines:
        assert at.update(each["id"], lambda _, each=each: each) == each


def on_disk(path: Path) -> list[Any]:
    return [json.loads(each) for each in path.read_bytes().splitlines()]


def test_a_line_that_was_added_is_in_the_file_and_the_last_of_an_id_is_read(tmp_path: Path) -> None:
    path = tmp_path / "answers-ann.jsonl"
    made = Journal(path, check)
    assert made.lines() == []
    assert not path.exists()
    lines = line("1", "a", 2), line("2", None, 3), line("1", "b", 5.5)
    added(made, *lines)
    assert on_disk(path) == [*lines]
    for each in (made, Journal(path, check)):
        assert each.lines() == [line("1", "b", 5.5), line("2", None, 3)]


def test_a_line_is_flushed_before_it_counts_as_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, flushed = Journal(tmp_path / "a.jsonl", check), list[int]()
    sync = os.fsync

    def counted(handle: int) -> None:
        flushed.append(os.fstat(handle).st_size)
        sync(handle)

    monkeypatch.setattr(os, "fsync", counted)
    added(made, line("1", "a"))
    assert len(flushed) == 2  # the line, and the name of the new file
    assert flushed[0] == made.path.stat().st_size
    added(made, line("1", "b"))
    assert flushed[2:] == [made.path.stat().st_size]


def test_a_line_that_cannot_be_flushed_is_not_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Journal(tmp_path / "a.jsonl", check)
    added(made, line("1", "a"))
    before = made.path.read_bytes()

    def broken(_: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", broken)
        with pytest.raises(NotWrittenError, match="could not be written: input/output error"):
            added(made, line("1", "b"))
    assert made.path.read_bytes() == before
    assert made.lines() == [line("1", "a")]
    added(made, line("1", "b"))
    assert on_disk(made.path) == [line("1", "a"), line("1", "b")]


@each_row("cut", range(1, 40))
def test_a_torn_last_line_is_removed_and_counted(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.jsonl"
    whole, last = (
        b'{"id":"1","answer":"a}","seconds":0}\n',
        '{"id":"2","answer":"}ü}","seconds":1}\n'.encode(),
    )
    path.write_bytes(whole + last[:cut])
    made = Journal(path, check)
    if cut >= len(last) - 1:  # but for the line break it is whole
        assert made.repaired == 0
        assert path.read_bytes() == whole + last
    else:
        assert made.repaired == cut
        assert path.read_bytes() == whole
    added(made, line("3", "b"))
    assert on_disk(path)[-1] == line("3", "b")
    assert on_disk(path)[0] == line("1", "a}")


def killed(path: Path, at: int) -> tuple[list[Line], bool]:
    """Add lines in a process that is killed before that line of journal.py is run, or after half of a write.

    Gives the lines that were acknowledged, and whether it was killed at all.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        count, write = 0, os.write

        def half(handle: int, data: bytes) -> int:
            if count == at - 1 and len(data) > 1 and handle != writing:
                write(handle, data[: len(data) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return write(handle, data)

        def watch(frame: Any, event: str, _: Any) -> Any:
            nonlocal count
            if not frame.f_code.co_filename.endswith("labelling/journal.py"):
                return None
            count += event == "line"
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return watch

        os.write = half
        made = Journal(path, check)
        sys.settrace(watch)
        for each in LINES:
            added(made, each)
            write(writing, json.dumps(each).encode() + b"\n")
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as acknowledged:
        lines = [json.loads(each) for each in acknowledged]
    return lines, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


LINES = [line("1", "a", 1), line("1", "c", 3)]


@pytest.mark.skipif(sys.platform == "win32", reason="nothing forks there")
def test_killed_at_every_point_it_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    at, torn, partly = 0, 0, 0
    while True:
        at += 1
        path = tmp_path / f"{at}.jsonl"
        acknowledged, was_killed = killed(path, at)
        again = Journal(path, check)
        torn += again.repaired > 0
        there = on_disk(path) if path.exists() else []
        assert there in (LINES[: len(acknowledged)], LINES[: len(acknowledged) + 1]), at
        partly += len(there) > len(acknowledged)
        # The page sends what was not acknowledged again; a line that is there already is added no second time.
        added(again, *LINES[len(acknowledged) :])
        assert on_disk(path) == LINES, at
        if not was_killed:
            break
    assert at > 40
    assert torn
    assert partly


@pytest.mark.parametrize("room", [0, 1, 20])
def test_on_a_full_disk_the_file_keeps_what_it_held(tmp_path: Path, room: int) -> None:
    made = Journal(tmp_path / "a.jsonl", check)
    added(made, line("1", "a"))
    before = made.path.read_bytes()
    with full_after(len(before) + room), pytest.raises(NotWrittenError) as refused:
        added(made, line("1", "a longer answer"))
    assert "a.jsonl: the answer could not be written: file too large; those who run this page" in str(
        refused.value
    )
    assert made.path.read_bytes() == before
    added(made, line("1", "b"))
    assert on_disk(made.path) == [line("1", "a"), line("1", "b")]


def test_what_a_full_disk_left_and_nobody_could_remove_is_removed_before_the_next_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Journal(tmp_path / "a.jsonl", check)
    added(made, line("1", "a"))

    def broken(*_: Any) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch, full_after(made.path.stat().st_size + 9):
        patch.setattr(os, "ftruncate", broken)
        with pytest.raises(NotWrittenError):
            added(made, line("1", "b"))
    assert made.path.stat().st_size > len(made.path.read_bytes().splitlines(keepends=True)[0])
    added(made, line("1", "c"))
    assert on_disk(made.path) == [line("1", "a"), line("1", "c")]
    assert made.repaired == 9


def test_threads_lose_none_of_each_others_lines(tmp_path: Path) -> None:
    made = Journal(tmp_path / "a.jsonl", check)

    def work(ident: str) -> None:
        for number in range(20):
            added(made, line(ident, str(number), number))

    threads = [threading.Thread(target=work, args=(ident,)) for ident in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(on_disk(made.path)) == 80
    assert {each["id"]: each["answer"] for each in made.lines()} == dict.fromkeys("abcd", "19")


def test_a_file_that_another_program_replaced_is_read_again(tmp_path: Path) -> None:
    made = Journal(tmp_path / "a.jsonl", check)
    added(made, line("1", "a"))
    (tmp_path / "new").write_text(json.dumps(line("2", "theirs")))
    (tmp_path / "new").replace(made.path)
    added(made, line("3", "c"))
    assert [each["id"] for each in made.lines()] == ["2", "3"]
    assert on_disk(made.path) == [line("2", "theirs"), line("3", "c")]
    made.path.write_text("mine\n")
    with pytest.raises(InputError, match=r"a\.jsonl:1: is no line"):
        added(made, line("3", "d"))
    assert made.path.read_text() == "mine\n"


def test_a_link_in_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotWrittenError):
        added(Journal(tmp_path / "a.jsonl", check), line("1", "a"))
    assert not (tmp_path / "elsewhere").exists()
