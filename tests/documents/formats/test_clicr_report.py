"""CliCR's tokenised reports: no character changes, and CLAMP's file beside one gives its mentions."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import clicr_report as reports
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

TEXT = "Rash\nHe had a rash .\nLEARNING POINTS :\nZinc helps .\n\n"
NAME = "bcr.01.2009.1411.full.struct.tok"
ROWS = "Sentence\t0\t4\tsection=\nNamedEntity\t14\t18\tsemantic=problem\tassertion=present\tcui=C1\tne=rash\n"
PIECES = ("Rash", "\n", "\nLearning point", "\nlearning points :\n", " ", "x .\n", "\r", "\x85", "İ")


def test_title_body_and_learning_points_are_sections() -> None:
    assert reports.sections(TEXT) == (
        Section("title", "Rash"),
        Section("body", "He had a rash ."),
        Section("learning points", "Zinc helps .\n\n", "LEARNING POINTS :"),
    )
    assert reports.sections("Rash\nHe .\n") == (Section("title", "Rash"), Section("body", "He .\n"))
    assert reports.sections("Learning points\nHe .") == (
        Section("title", "Learning points"),
        Section("body", "He ."),
    )


@given(st.lists(st.sampled_from(PIECES)).map("".join))
@example("Rash\nLearning points")
@example("Rash\n\nLearning points\n")
def test_the_documents_text_is_the_files(text: str) -> None:
    assert Document("1", reports.sections(text)).text == text


@each_row(
    ("name", "ident"),
    [
        ("cases/bcr-2012-006329.full.struct.tok", "bcr-2012-006329"),
        ("bcr.01.2009.1411.full.struct.tok.gz", "bcr.01.2009.1411"),
        ("a.full.struct.tok.bak", "a"),
        ("a.txt", "a.txt"),
        (".full.struct.tok", ".full.struct.tok"),
    ],
)
def test_the_id_is_the_files_name_before_its_ending(name: str, ident: str) -> None:
    assert reports.report_id(name) == ident


def test_a_report_and_its_clamp_file_in_one_folder_are_joined(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(TEXT, "utf-8")
    (tmp_path / f"{NAME}.txt").write_text(ROWS, "utf-8")
    out = tmp_path / "out.jsonl"
    done = api.annotate([tmp_path], out, format="clicr-report", annotations=[("clamp", tmp_path)])
    assert (done.documents, done.mentions, done.refused) == (1, 1, 0)
    assert done.repairs == {"clamp_file": 1}
    (document,) = api.read(out)
    assert document.id == "bcr.01.2009.1411"
    assert document.text == TEXT
    assert [(m.text, m.type, m.identifier) for m in document.mentions] == [("rash", "problem", "C1")]


def test_a_file_that_is_too_long_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anagnosis.documents.formats.text.LONGEST", 10)
    with pytest.raises(InputError, match="a text longer than"):
        list(reports.read(io.BytesIO(b"Rash\n67890A"), Repairs(), NAME))
    assert list(reports.read(io.BytesIO(b"Rash\n67890"), Repairs(), NAME))


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b" \n")
    with pytest.raises(InputError, match="the file is empty"):
        list(api.read(tmp_path / NAME, format="clicr-report"))
    (tmp_path / NAME).write_text(TEXT, "utf-8")
    with pytest.raises(
        InputError,
        match=r"no format recognises its first bytes; name one .*clicr-report",
    ):
        list(api.read(tmp_path / NAME))
    repairs = Repairs()
    assert not list(reports.read(io.BytesIO(b"Rash\ncaf\xe9"), repairs, NAME))
    assert repairs.refusals == [(f"{NAME}:2", "not UTF-8")]
