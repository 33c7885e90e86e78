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


CITATION = (
    "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>{}</ArticleTitle></Article>"
    "</MedlineCitation></PubmedArticle></PubmedArticleSet>"
)


def declared(encoding: str, title: str = TITLE) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>\n' + CITATION.format(title)


# declared, written in, whether the declaration was obeyed
CASES = [
    ("UTF-8", "utf-8", True),
    ("utf8", "utf-8", True),
    ("utf-8", "utf-8-sig", True),
    ("ISO-8859-1", "latin-1", True),
    ("UTF-16", "utf-16", True),
    ("UTF-16", "utf-8", False),
    ("UTF-8", "utf-16", False),
    ("ISO-8859-1", "utf-8-sig", False),
    ("ISO-8859-1", "utf-8", False),
]


@each_row(("name", "written", "is_obeyed"), CASES)
def test_a_declaration_that_is_not_obeyed_is_counted_once(
    name: str, written: str, is_obeyed: bool, tmp_path: Path
) -> None:
    (tmp_path / "a.xml").write_bytes(declared(name).encode(written))
    repairs = Repairs()
    (document,) = api.read(tmp_path / "a.xml", repairs=repairs)
    assert document.title == TITLE
    assert repairs.counts[NOT_OBEYED] == (not is_obeyed)


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "us-ascii", "windows-1252"])
def test_of_ascii_alone_every_declaration_is_obeyed(encoding: str) -> None:
    repairs = Repairs()
    assert len(list(medline.read(io.BytesIO(declared(encoding, "Cafe").encode()), repairs))) == 1
    assert not repairs.counts[NOT_OBEYED]


@pytest.mark.parametrize("limit", [None, 1])
def test_files_of_a_dataset_count_it_too(limit: int | None, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(declared("ISO-8859-1").encode())
    inputs = InputFiles([tmp_path / "a.xml"], limit=limit)
    found, repairs = read_by_workers(inputs)
    assert found
    assert repairs.counts[NOT_OBEYED] == 1


def test_a_file_of_many_blocks_is_counted_once() -> None:
    data = declared("ISO-8859-1").encode()
    start, end = data.index(b"<PubmedArticle>"), data.index(b"</PubmedArticleSet>")
    many = data[:start] + data[start:end] * 10_000 + data[end:]
    repairs = Repairs()
    assert len(list(medline.read(io.BytesIO(many), repairs))) == 10_000
    assert repairs.counts[NOT_OBEYED] == 1
