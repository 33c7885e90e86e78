"""Files are read ahead by several processes, with the same documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.documents.formats.pdf.printed import Page, printed

from anagnosis import api
from anagnosis.api.documents import read_each
from anagnosis.documents.formats.pdf import reading
from anagnosis.documents.formats.pdf.messages import FileRequest
from anagnosis.documents.formats.pdf.reading import Reader
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
    assert not reading._ahead


def test_the_caller_takes_what_was_read_ahead(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(request: FileRequest) -> None:
        raise AssertionError

    monkeypatch.setattr(reading.READER, "ask", unread)
    (papers / "copy.pdf").unlink()  # of two that are the same the second is read when its turn comes
    repairs = Repairs()
    assert len(list(read_each([papers], repairs, workers=2))) == 8


def test_a_fault_of_the_inputs_comes_behind_those_before_it() -> None:
    def inputs() -> Iterator[int]:
        yield from (1, 2)
        raise InputError("breaks off")

    found: list[int] = []
    with pytest.raises(InputError):
        found.extend(reading.reading_ahead(inputs(), lambda one: [], 4))
    assert found == [1, 2]


# A program that is killed while it reads some files: once, or each time.
KILLED = """
import os
from pathlib import Path
from anagnosis.documents.formats.pdf import paper, reading
read, once = paper.read_paper, Path({!r}) / "killed"

def killed(data, password):
    if b"% always" in data or (b"% once" in data and not once.exists()):
        once.touch()
        os.kill(os.getpid(), 9)
    return read(data, password)

paper.read_paper = killed
reading.main()
"""


@pytest.mark.parametrize("workers", [1, 3])
def test_a_file_whose_process_was_killed_is_read_once_more(
    papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    for name, mark in (("1", b"% once"), ("4", b"% always")):
        path = papers / f"{name}.pdf"
        path.write_bytes(path.read_bytes() + mark)
    program = KILLED.format(str(tmp_path))
    monkeypatch.setattr(reading, "Reader", lambda: Reader(program))
    monkeypatch.setattr(reading, "READER", Reader(program))
    repairs = Repairs()
    found = [one.title for one in read_each([papers], repairs, workers=workers)]
    assert len(found) == 8
    assert "1" in found
    ((_, why), *_) = [refusal for refusal in repairs.refusals if "4.pdf" in refusal[0]]
    assert why.startswith("ends the program that reads it")
