"""Files that become something else after indexing: one line or one error at once; the server goes on, and ends."""

from __future__ import annotations

import os
import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
pytest.importorskip("starlette", reason="the extra web is not installed")

from starlette.testclient import TestClient
from tests.rows import each_row
from tests.web import test_paper_pages
from tests.web.apps import started
from tests.web.test_paper_pages import address_of

from anagnosis.cli import run
from anagnosis.io.paths import read_file

pytestmark = pytest.mark.timeout(120)
folder, here = test_paper_pages.folder, test_paper_pages.here


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("queue"))
    path.symlink_to("queue")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made, pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parent)  # its whole path may be too long for a socket
        made.bind(path.name)


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def circle(path: Path) -> None:
    path.symlink_to(path.name)


def sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


KINDS: tuple[Callable[[Path], None], ...] = (
    pipe, link_to_a_pipe, device, listening, Path.mkdir, dangling, circle, sparse,
)  # fmt: skip
_NAMES = [kind.__name__ for kind in KINDS]


def replaced(path: Path, make: Callable[[Path], None]) -> None:
    if path.is_dir():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    path.with_name("queue").unlink(missing_ok=True)
    make(path)


@each_row("make", KINDS, ids=_NAMES)
def test_only_files_of_a_stated_size_are_opened(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "a")
    with pytest.raises(OSError, match=r"(?i)is a|is no regular|no such|too many levels|larger than 512 MiB"):
        read_file(tmp_path / "a")


def test_a_file_that_grows_and_a_pipe_that_is_open_are_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"salt")
    assert read_file(tmp_path / "a", 4) == b"salt"
    with pytest.raises(OSError, match="larger"):
        read_file(tmp_path / "a", 3)
    read, write = os.pipe()
    os.write(write, b"tea")
    os.close(write)
    assert read_file(f"/dev/fd/{read}") == b"tea"
    os.close(read)


@pytest.mark.parametrize("make", KINDS, ids=_NAMES)
def test_a_check_of_what_is_no_file_any_more_ends(folder: Path, make: Callable[[Path], None]) -> None:
    index = folder / "index"
    replaced(folder / "coffee.pdf", make)
    assert run(["check", str(index)]) == 0
    for name in ("files.json", "embedded/*.store", "embedded/*.term", "embedded/meta.json", "index.json"):
        replaced(next(index.glob(name)), make)
        missing = name == "files.json" and make in (dangling, circle)
        assert run(["check", str(index)]) == (0 if missing else 2), name


def test_a_server_ends_though_the_file_of_a_paper_is_a_pipe(folder: Path, here: TestClient) -> None:
    address = address_of(here).removeprefix("/").partition("#")[0]
    process, server = started(folder / "index")
    for make in KINDS:
        replaced(folder / "coffee.pdf", make)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(server + address, timeout=20)
        assert refused.value.code == 409
        refused.value.close()
    replaced(folder / "index" / "embedded" / "meta.json", pipe)
    urllib.request.urlopen(f"{server}health", timeout=20).close()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    assert process.returncode == 0
