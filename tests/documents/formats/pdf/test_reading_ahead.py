"""Files are read ahead by several processes, with the same documents."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from tests.documents.formats.pdf.printed import Page, printed

from anagnosis import api
from anagnosis.api.documents import read_each
from anagnosis.documents.formats.pdf import reading
from anagnosis.documents.formats.pdf.messages import Answer, FileRequest
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(7):
        text = f"Cup number {number} of tea was drunk before noon by all people."
        (folder / f"{number}.pdf").write_bytes(printed(Page().text(50, 700, text)))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    (folder / "copy.pdf").write_bytes((folder / "3.pdf").read_bytes())
    (folder / "other.nbib").write_text("PMID- 31\nTI  - Coffee\nAB  - Coffee is another drink.\n")
    return folder


def test_documents_are_the_same_with_one_process_and_several(papers: Path, tmp_path: Path) -> None:
    written: list[bytes] = []
    for workers in (1, 2, 5):
        out = tmp_path / f"{workers}.jsonl"
        done = api.convert([papers], out, to="jsonl", workers=workers)
        assert (done.documents, done.refused) == (9, 1)
        written.append(out.read_bytes())
    assert written[0] == written[1] == written[2]


def test_every_file_is_read_once(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, really = list[bytes](), reading.ask

    def counted(request: FileRequest, *, running: reading.Running | None = None) -> Answer:
        asked.append(request.data)
        return really(request)

    monkeypatch.setattr(reading, "ask", counted)
    (papers / "copy.pdf").unlink()  # of two that are the same the second is read when its turn comes
    assert len(list(read_each([papers], Repairs(), workers=2))) == 8
    assert len(asked) == len(set(asked)) == 8


def test_who_reads_no_further_waits_for_no_file(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = threading.Event()

    def hangs(request: FileRequest, *, running: reading.Running) -> Answer:
        with subprocess.Popen(["sleep", "600"]) as process:
            running.add(process)
            started.set()
        return Answer(fault=f"ended by {-process.returncode}")

    monkeypatch.setattr(reading, "ask", hangs)
    files = [*papers.iterdir()]
    ahead = reading.reading_ahead(files[:6], lambda path: [path], 1)
    next(ahead)
    assert started.wait(60)
    future = reading._ahead[sha256(files[0].read_bytes()).digest()]  # pyright: ignore[reportPrivateUsage]
    ahead.close()
    assert future.result(60).fault == f"ended by {signal.SIGTERM}"


def test_a_fault_of_the_inputs_comes_behind_those_before_it() -> None:
    def inputs() -> Iterator[int]:
        yield from (1, 2)
        raise InputError("breaks off")

    found: list[int] = []
    with pytest.raises(InputError):
        found.extend(reading.reading_ahead(inputs(), lambda one: [], 4))
    assert found == [1, 2]
