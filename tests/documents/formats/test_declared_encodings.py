"""An XML file's declaration of its encoding is obeyed, or it is counted that it was not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.builds import read_by_workers
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.documents.formats import medline
from anagnosis.documents.repairs import Repairs

TITLE = "Café naïve"
NOT_OBEYED = "encoding_declaration_not_obeyed"
FORMATS = {
    "medline": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>{}"
    "</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>",
    "jats": '<article><front><article-meta><article-id pub-id-type="pmid">1</article-id><title-group><article-title>{}'
    "</article-title></title-group></article-meta></front></article>",
    "bioc-xml": "<collection><document><id>1</id><passage><infon key='type'>title</infon><offset>0</offset>"
    "<text>{}</text></passage></document></collection>",
}


def declared(encoding: str, format: str, title: str = TITLE) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>\n' + FORMATS[format].format(title)


# declared, written in, named with --encoding, whether the declaration was obeyed
CASES = [
    ("UTF-8", "utf-8", None, True),
    ("utf8", "utf-8", None, True),
    ("utf-8", "utf-8-sig", None, True),
    ("ISO-8859-1", "latin-1", None, True),
    ("ISO-8859-1", "latin-1", "latin-1", True),
    ("latin1", "latin-1", "ISO-8859-1", True),
    ("UTF-16", "utf-16", None, True),
    ("UTF-16", "utf-8", None, False),
    ("UTF-8", "utf-16", None, False),
    ("UTF-8", "latin-1", "latin-1", False),
    ("UTF-16", "latin-1", "latin-1", False),
    ("ISO-8859-1", "utf-8-sig", None, False),
    ("ISO-8859-1", "utf-8", "utf-8", False),
    ("ISO-8859-1", "utf-8", None, False),
]


@each_row("format", FORMATS)
@each_row(("name", "written", "given", "is_obeyed"), CASES)
def test_a_declaration_that_is_not_obeyed_is_counted_once(
    format: str, name: str, written: str, given: str | None, is_obeyed: bool, tmp_path: Path
) -> None:
    (tmp_path / "a.xml").write_bytes(declared(name, format).encode(written))
    repairs = Repairs()
    (document,) = api.read(tmp_path / "a.xml", format=format, encoding=given, repairs=repairs)
    assert document.title == TITLE
    assert repairs.counts[NOT_OBEYED] == (not is_obeyed)


@each_row("format", FORMATS)
@each_row("name", ["ISO-8859-1", "us-ascii", "windows-1252"])
def test_of_ascii_alone_every_declaration_is_obeyed(format: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(declared(name, format, "Cafe").encode())
    repairs = Repairs()
    assert [document.title for document in api.read(tmp_path / "a.xml", repairs=repairs)] == ["Cafe"]
    assert not repairs.counts[NOT_OBEYED]


@pytest.mark.parametrize("format", ["medline", "jats"])
@pytest.mark.parametrize("limit", [None, 1])
def test_files_of_a_dataset_count_it_too(format: str, limit: int | None, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(declared("ISO-8859-1", format).encode())
    inputs = InputFiles([tmp_path / "a.xml"], limit=limit)
    found, repairs = read_by_workers(inputs)
    assert found
    assert repairs.counts[NOT_OBEYED] == 1


def test_a_file_of_many_blocks_is_counted_once() -> None:
    data = declared("ISO-8859-1", "medline").encode()
    start, end = data.index(b"<PubmedArticle>"), data.index(b"</PubmedArticleSet>")
    many = data[:start] + data[start:end] * 10_000 + data[end:]
    repairs = Repairs()
    assert len(list(medline.read(io.BytesIO(many), repairs))) == 10_000
    assert repairs.counts[NOT_OBEYED] == 1
