"""A locked file is read with one of the passwords of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.documents.formats.pdf.printed import Page, printed
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.formats.pdf.messages import read_passwords, with_passwords
from anagnosis.errors import InputError

LOCKED = printed(Page().text(50, 700, "Tea is kept under lock and key."), password="samovar")


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
        (b"\xff\xfe\x00\x01", "cannot be read \\("),
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
