"""The files of a build: opened in order, cut into shards, hashed while they are read."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.articles import article, text

from anagnosis.datasets.inputs import InputFiles
from anagnosis.datasets.screened import Shard
from anagnosis.documents import pubtator
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.files import sha256

BIOC = Path(__file__).parents[1] / "samples/bioc"


def corpus(first: int, count: int) -> bytes:
    return text(*[article(ident=str(n)) for n in range(first, first + count)])


def ids(shard: Shard) -> list[str]:
    if shard.format == "pubtator":
        block = pubtator.Block(shard.name, shard.line, shard.data)
        return [record.id for record in pubtator.records(block, Repairs())]
    return [document.id for document in msgspec.msgpack.decode(shard.data, type=list[Document])]


def read(inputs: InputFiles) -> list[str]:
    return [ident for shard in inputs.shards() for ident in ids(shard)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.pubtator").write_bytes(corpus(0, 5))
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(corpus(5, 3)))
    (tmp_path / "z.xml").write_bytes((BIOC / "two-documents.xml").read_bytes())
    return tmp_path


def test_files_of_any_format_are_read_in_order_and_named_by_their_place(folder: Path) -> None:
    inputs = InputFiles([folder])
    shards = list(inputs.shards())
    assert [(shard.name, shard.format) for shard in shards] == [
        ("a/b.pubtator", "pubtator"),
        ("c.txt.gz", "pubtator"),
        ("z.xml", "bioc-xml"),
    ]
    assert [ident for shard in shards[:2] for ident in ids(shard)] == [str(n) for n in range(8)]
    assert len(ids(shards[2])) == 2
    assert inputs.choices() == {"formats": ["bioc-xml", "pubtator"]}


def test_every_file_read_has_its_size_and_hash_as_it_lies_on_disk(folder: Path) -> None:
    inputs = InputFiles([folder])
    read(inputs)
    for found, name in zip(inputs.read_so_far(), ("a/b.pubtator", "c.txt.gz", "z.xml"), strict=True):
        path = folder / name
        assert (found.name, found.bytes, found.sha256) == (name, path.stat().st_size, sha256(path))
    assert inputs.share == 1


def test_standard_input_is_hashed_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    data = gzip.compress(corpus(0, 3))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    inputs = InputFiles(["-"])
    assert read(inputs) == ["0", "1", "2"]
    (found,) = inputs.read_so_far()
    assert (found.name, found.sha256) == ("standard input", hashlib.sha256(data).hexdigest())
    assert inputs.share is None


@pytest.mark.parametrize("limit", range(1, 11))
def test_a_limit_holds_over_files_and_formats(limit: int, folder: Path) -> None:
    everything = read(InputFiles([folder]))
    assert read(InputFiles([folder], limit=limit)) == everything[:limit]


def test_a_format_can_be_named_where_the_first_bytes_do_not_tell_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"# made by hand\n" + corpus(0, 2))
    with pytest.raises(InputError, match="no format recognises its first bytes"):
        read(InputFiles([tmp_path / "a.txt"]))
    assert read(InputFiles([tmp_path / "a.txt"], format="pubtator")) == ["0", "1"]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"format": "pubtater"}, "unknown format 'pubtater'; did you mean pubtator?"),
        ({"encoding": "latin-77"}, "--encoding: unknown encoding 'latin-77'"),
        ({"encoding": "utf-16-le"}, "c.txt.gz:1: no format recognises its first bytes"),
    ],
)
def test_options_that_cannot_be_are_told(options: dict[str, Any], line: str, folder: Path) -> None:
    with pytest.raises(InputError) as told:
        read(InputFiles([folder / "c.txt.gz"], **options))
    assert line in str(told.value)


def test_of_a_torn_bioc_file_the_documents_before_the_break_are_used(tmp_path: Path) -> None:
    whole = (BIOC / "two-documents.xml").read_text()
    begin, end = whole.index("<document>"), whole.rindex("</document>") + len("</document>")
    filler = f"<!-- {hashlib.sha256(b'').hexdigest() * 9000} -->"
    data = whole[:begin] + whole[begin:end] + filler + whole[begin:end] + whole[end:]
    packed = gzip.compress(data.encode(), 0)
    (tmp_path / "a.xml.gz").write_bytes(packed[: len(packed) - 500])
    with pytest.raises(InputError, match="the compressed file ends too early"):
        read(InputFiles([tmp_path / "a.xml.gz"]))
    inputs = InputFiles([tmp_path / "a.xml.gz"], accept_truncated=True)
    assert len(read(inputs)) >= 2
    assert inputs.repairs.counts["truncated_file"] == 1


def test_shards_name_the_line_where_they_begin(folder: Path) -> None:
    inputs = InputFiles([folder / "a/b.pubtator"], block_bytes=500)
    shards = list(inputs.shards())
    assert len(shards) > 2
    lines = (folder / "a/b.pubtator").read_bytes().split(b"\n")
    for shard in shards:
        assert shard.data.split(b"\n")[0] == lines[shard.line - 1]
