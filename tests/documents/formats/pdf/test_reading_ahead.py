"""Files are read ahead by several processes, with the same documents; and with passwords where they need one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.documents.formats.pdf.printed import Page, printed
from tests.rows import each_row

from anagnosis import api
from anagnosis.api.documents import read_each
from anagnosis.documents.formats.pdf import reading_ahead
from anagnosis.documents.formats.pdf.messages import ReadPaper
from anagnosis.documents.formats.pdf.reading_ahead import read_passwords, with_passwords
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

LOCKED = printed(Page().text(50, 700, "Tea is kept under lock and key."), password="samovar")


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
    assert not reading_ahead._ahead


def test_the_caller_takes_what_was_read_ahead(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(request: ReadPaper) -> None:
        raise AssertionError

    monkeypatch.setattr(reading_ahead.READER, "ask", unread)
    (papers / "copy.pdf").unlink()  # of two that are the same the second is read when its turn comes
    repairs = Repairs()
    assert len(list(read_each([papers], repairs, workers=2))) == 8


def test_a_locked_file_is_read_with_one_of_the_passwords(tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(LOCKED)
    with pytest.raises(InputError, match="needs a password; write it on a line of a file"):
        api.show_file(path)
    passwords = tmp_path / "passwords"
    passwords.write_text("teapot\nsamovar\n")
    assert api.show_file(path, password_file=passwords).sections[0].characters == 31
    passwords.write_text("teapot\n")
    with pytest.raises(InputError, match="none of the passwords opens it"):
        api.show_file(path, password_file=passwords)
    with with_passwords(["samovar"]):
        assert list(api.read(path))
    with pytest.raises(InputError):
        api.show_file(path)


@each_row(
    "contents, why",
    [
        (b"\xff\xfe\x00\x01", "is no text in UTF-8"),
        (b"a\n" * 1001, "has 1,001 passwords, over 1,000"),
    ],
)
def test_what_is_no_list_of_passwords_is_refused(tmp_path: Path, contents: bytes, why: str) -> None:
    path = tmp_path / "passwords"
    path.write_bytes(contents)
    with pytest.raises(InputError, match=why):
        read_passwords(path)


def test_a_missing_list_of_passwords_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a file with a password on each line"):
        read_passwords(tmp_path / "none")
