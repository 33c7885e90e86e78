"""XML is read as UTF-8 where it is that, whatever it declares, else as it declares."""

from __future__ import annotations

from pathlib import Path

from tests.rows import each_row

from anagnosis import api

TITLE = "Café naïve"


CITATION = (
    "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>{}</ArticleTitle></Article>"
    "</MedlineCitation></PubmedArticle></PubmedArticleSet>"
)


def declared(encoding: str, title: str = TITLE) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>\n' + CITATION.format(title)


# declared, written in, named with --encoding
CASES = [
    ("UTF-8", "utf-8", None),
    ("utf8", "utf-8", None),
    ("utf-8", "utf-8-sig", None),
    ("ISO-8859-1", "latin-1", None),
    ("ISO-8859-1", "latin-1", "latin-1"),
    ("latin1", "latin-1", "ISO-8859-1"),
    ("UTF-16", "utf-16", None),
    ("UTF-16", "utf-8", None),
    ("UTF-8", "utf-16", None),
    ("UTF-8", "latin-1", "latin-1"),
    ("UTF-16", "latin-1", "latin-1"),
    ("ISO-8859-1", "utf-8-sig", None),
    ("ISO-8859-1", "utf-8", "utf-8"),
    ("ISO-8859-1", "utf-8", None),
]


@each_row(("name", "written", "given"), CASES)
def test_a_file_is_read_in_its_encoding(name: str, written: str, given: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(declared(name).encode(written))
    (document,) = api.read(tmp_path / "a.xml", encoding=given)
    assert document.title == TITLE
