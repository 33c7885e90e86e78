"""A file that ends, stops or fills the process that reads it costs itself, and the next one is read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from tests.documents.formats.pdf.printed import Page, printed
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.formats.pdf.messages import FileRequest
from anagnosis.documents.formats.pdf.reading import Reader, with_password
from anagnosis.errors import InputError

SOUND = printed(Page().text(50, 700, "Tea changes the sleep of older people."))
# A program that does what a file says, and else reads it.
PLANTED = """
from anagnosis.documents.formats.pdf import paper, reading
read = paper.read_paper

def planted(data, password):
    if data == b"crash":
        import ctypes
        ctypes.string_at(0)
    if data == b"hang":
        import time
        time.sleep(600)
    if data == b"memory":
        bytearray(8 << 30)
    if data == b"bug":
        raise ValueError
    return read(data, password)

paper.read_paper = planted
reading.main()
"""


@pytest.fixture
def reader() -> Iterator[Reader]:
    made = Reader(PLANTED)
    yield made
    made.close()


@each_row(
    "planted, why",
    [
        (b"crash", "ends the program that reads it"),
        (b"hang", "takes longer than 1 s"),
        (b"memory", "takes more than 2 GiB of memory"),
        (b"bug", "cannot be read (ValueError)"),
    ],
)
def test_a_file_costs_itself(reader: Reader, planted: bytes, why: str) -> None:
    assert reader.ask(FileRequest(SOUND)).document.text
    assert reader.ask(FileRequest(planted, seconds=1)).fault.startswith(why)
    assert reader.ask(FileRequest(SOUND)).document.text


def damaged(data: bytes, dice: Random) -> bytes:
    """A file with flipped bits, or cut short."""
    changed = bytearray(data)
    for _ in range(dice.randrange(1, 20)):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed[: dice.choice([len(changed), dice.randrange(1, len(changed))])])


def test_five_hundred_damaged_files_are_read_or_give_one_line(reader: Reader) -> None:
    dice = Random(7)
    for _ in range(500):
        found = reader.ask(FileRequest(damaged(SOUND, dice)))
        assert bool(found.fault) != bool(found.document.id)
        assert "\n" not in found.fault
    assert reader.ask(FileRequest(SOUND)).document.text


@pytest.mark.shared
def test_odd_files_and_damaged_papers_are_read_or_give_one_line(shared: Path, reader: Reader) -> None:
    dice = Random(7)
    for path in sorted((shared / "data" / "pdf").rglob("*.pdf")):
        for data in (path.read_bytes(), *(damaged(path.read_bytes(), dice) for _ in range(3))):
            found = reader.ask(FileRequest(data, seconds=20))
            assert bool(found.fault) != bool(found.document.id), path
            assert "\n" not in found.fault


def test_an_interrupted_file_leaves_no_answer_for_the_next(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reader.ask(FileRequest(SOUND)).document.text

    def interrupt(pipe: object, longest: int) -> bytes:
        raise KeyboardInterrupt

    another = printed(Page().text(50, 700, "Another paper says this."))
    with monkeypatch.context() as patched:
        patched.setattr("anagnosis.documents.formats.pdf.reading.Connection.recv_bytes", interrupt)
        with pytest.raises(KeyboardInterrupt):
            reader.ask(FileRequest(another))
    assert "Tea changes" in reader.ask(FileRequest(SOUND)).document.text


def test_a_reader_that_is_closed_while_it_reads_starts_no_other() -> None:
    made = Reader(PLANTED)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(made.ask, FileRequest(b"hang"))
        while made._process is None or not made._lock.locked():
            time.sleep(0.01)
        time.sleep(0.5)
        made.close()
        assert asked.result(30).fault == "is not read any more"
    assert made._process is None


def test_a_program_that_does_not_start_is_one_line() -> None:
    with pytest.raises(InputError, match="does not start; install pypdfium2 again"):
        Reader("raise SystemExit").ask(FileRequest(SOUND))


def test_it_runs_nothing_of_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("resource", "pypdfium2", "msgspec"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    reader = Reader()
    try:
        assert reader.ask(FileRequest(SOUND)).document.text
    finally:
        reader.close()


def test_a_process_that_hangs_ends_without_its_parent() -> None:
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from tests.documents.formats.pdf.test_reader_process import *\n"
            "reader = Reader(PLANTED)\nreader.ask(FileRequest(SOUND))\nprint(reader._process.pid, flush=True)\n"
            "reader.ask(FileRequest(b'hang', seconds=2))",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout
    child = int(parent.stdout.readline())
    time.sleep(0.5)  # until it hangs
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            return
        time.sleep(0.1)
    pytest.fail("the process runs on")


def test_a_locked_file_is_read_with_its_password(tmp_path: Path) -> None:
    path, password = tmp_path / "locked.pdf", tmp_path / "password"
    path.write_bytes(printed(Page().text(50, 700, "Tea is kept under lock and key."), password="samovar"))
    with pytest.raises(InputError, match="needs a password; write it into a file"):
        api.show_file(path)
    password.write_text("samovar\n")
    assert api.show_file(path, password_file=password).sections[0].characters == 31
    password.write_text("teapot\n")
    with pytest.raises(InputError, match="has another password"):
        api.show_file(path, password_file=password)
    with pytest.raises(InputError, match="name a file with the password alone"):
        api.show_file(path, password_file=tmp_path / "none")
    with with_password("samovar"):
        assert list(api.read(path))
    with pytest.raises(InputError):
        api.show_file(path)
