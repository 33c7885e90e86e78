"""A file that ends, stops or fills the process that reads it costs itself, and the next one is read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from tests.documents.formats.pdf.printed import Page, printed
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.formats.pdf.messages import FileRequest
from anagnosis.documents.formats.pdf.paper import UnreadableError, read_paper
from anagnosis.documents.formats.pdf.reading import ask
from anagnosis.errors import InputError

SOUND = printed(Page().text(50, 700, "Tea changes the sleep of older people."))
# A program that does what a file says, and else reads it.
PLANTED = """
from anagnosis.documents.formats.pdf import paper, reading
read = paper.read_paper

def planted(data):
    if data == b"crash":
        import ctypes
        ctypes.string_at(0)
    if data == b"hang":
        import time
        time.sleep(600)
    if data == b"memory":
        bytearray(8 << 30)
    if data == b"silence":
        import os
        os._exit(0)
    if data == b"bug":
        raise ValueError
    return read(data)

paper.read_paper = planted
reading.main()
"""


@each_row(
    "planted, why",
    [
        (b"crash", "ends the program that reads it"),
        (b"hang", "takes longer than 1 s"),
        (b"memory", "takes more than 2 GiB of memory"),
        (b"bug", "cannot be read (ValueError)"),
        (b"silence", "ends the program"),
    ],
)
def test_a_file_costs_itself(planted: bytes, why: str) -> None:
    assert ask(FileRequest(planted, seconds=1 if planted == b"hang" else 60), PLANTED).fault.startswith(why)


# The process of a file is killed while it reads: once, or each time.
KILLED = """
import os
from pathlib import Path
from anagnosis.documents.formats.pdf import paper, reading
read, once = paper.read_paper, Path({!r})

def killed(data):
    if data == b"always" or not once.exists():
        once.touch()
        os.kill(os.getpid(), 9)
    return read(data)

paper.read_paper = killed
reading.main()
"""


def test_a_file_whose_process_was_killed_is_read_once_more(tmp_path: Path) -> None:
    program = KILLED.format(str(tmp_path / "once"))
    assert ask(FileRequest(SOUND), program).document.text
    assert ask(FileRequest(b"always"), program).fault.startswith("ends the program that reads it")


def damaged(data: bytes, dice: Random) -> bytes:
    """A file with flipped bits, or cut short."""
    changed = bytearray(data)
    for _ in range(dice.randrange(1, 20)):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed[: dice.choice([len(changed), dice.randrange(1, len(changed))])])


def test_five_hundred_damaged_files_are_read_or_give_one_line() -> None:
    dice = Random(7)
    for _ in range(500):
        try:
            found = read_paper(damaged(SOUND, dice)).document.id
        except UnreadableError as fault:
            found = str(fault)
        assert found
        assert "\n" not in found


@pytest.mark.shared
def test_odd_files_whole_and_damaged_are_read_or_give_one_line(shared: Path) -> None:
    dice = Random(7)
    for path in sorted((shared / "data" / "pdf" / "odd").glob("*.pdf")):
        for data in (path.read_bytes(), damaged(path.read_bytes(), dice)):
            found = ask(FileRequest(data, seconds=20))
            assert bool(found.fault) != bool(found.document.id), path
            assert "\n" not in found.fault


def test_a_program_that_does_not_start_is_one_line() -> None:
    with pytest.raises(InputError, match="does not start; install pypdfium2 again"):
        ask(FileRequest(SOUND), "raise SystemExit(1)")


def test_it_runs_nothing_of_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("resource", "pypdfium2", "msgspec"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    assert ask(FileRequest(SOUND)).document.text


def test_a_process_that_hangs_ends_without_its_parent(tmp_path: Path) -> None:
    program = (
        f"import os; from pathlib import Path\nPath({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\n"
    )
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from tests.documents.formats.pdf.test_reader_process import *\n"
            f"ask(FileRequest(b'hang', seconds=3), {program + PLANTED!r})",
        ]
    )
    while not (tmp_path / "pid").exists() or not (child := (tmp_path / "pid").read_text()):
        time.sleep(0.1)
    time.sleep(2)  # until it hangs
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            return
        time.sleep(0.1)
    pytest.fail("the process runs on")


def test_a_locked_file_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(printed(Page().text(50, 700, "Tea is kept under lock and key."), locked=True))
    with pytest.raises(InputError, match="needs a password; save it without one"):
        api.convert([path], tmp_path / "out.jsonl")
