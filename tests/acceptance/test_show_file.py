"""`show` says what is read of a PDF file: title, identifiers, sections, and each page with what is left out of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.documents.formats.pdf.printed import Page, printed
from tests.rows import each_row
from tests.typed import Said

from anagnosis.cli import run

PARAGRAPH = (
    "Tea was drunk by all people of this study in the evening, and nobody slept less than before it. The people wrote "
    "down when they went to bed, and when they rose. Nobody was asked to drink more tea than they liked to drink."
)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    first = Page().text(50, 740, "Tea and sleep in older people", size=20)
    first.text(50, 700, "Results", size=12, font="bold").paragraph(50, 680, PARAGRAPH, 70)
    last = Page()
    last.paragraph(50, 700, PARAGRAPH, 70)
    last.turned(20, 300, "Downloaded from a shop")
    path = tmp_path / "tea.pdf"
    path.write_bytes(printed(first, Page(), Page(width=20_000), last, subject="doi:10.1234/tea"))
    return path


def test_each_page_has_a_line(paper: Path, said: Said) -> None:
    shown = said("show", paper)
    assert "Tea and sleep in older people" in shown
    assert "DOI, in the metadata: 10.1234/tea" in shown
    assert "Results: 443 characters, p. 1–4" in shown
    lines = [line for line in shown.splitlines() if line.startswith("p. ")]
    assert lines == [
        "p. 1: read",
        "p. 2: no text that anybody sees",
        "p. 3: refused; larger than 200 inches",
        "p. 4: read; turned_text 1",
    ]


def test_the_record_has_the_same(paper: Path, said: Said) -> None:
    found = json.loads(said("show", paper, "--json"))
    assert (found["title"], found["facts"]) == ("Tea and sleep in older people", {"doi": "10.1234/tea"})
    assert found["sections"] == [{"label": "body", "heading": "Results", "characters": 443, "pages": [1, 4]}]
    assert [page["state"] for page in found["pages"]] == ["read", "without_text", "refused", "read"]


@each_row(
    "contents, words",
    [
        (b"%PDF-1.7", "damaged: PDFium cannot open it; fetch it again"),
        (printed(Page()), "a scan: none of its pages has text that anybody sees; recognise its text"),
        (b"", "the file is empty"),
    ],
)
def test_a_file_that_is_not_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], contents: bytes, words: str
) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(contents)
    assert run(["show", str(path)]) == 2
    assert f"anagnosis: paper.pdf: {words}" in capsys.readouterr().err
