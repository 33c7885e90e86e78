"""A file's format, told by its first bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.documents.formats.detect import detect, format_module
from anagnosis.errors import InputError
from anagnosis.io.files import open_input

SAMPLES = Path(__file__).parents[2] / "samples"


def stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))  # pyright: ignore[reportArgumentType]  (typeshed asks for a raw stream)


def samples() -> Iterator[tuple[str, Path]]:
    yield "pubtator", SAMPLES / "pubtator/clean.txt"
    yield "pubtator", SAMPLES / "pubtator/title-abstract-body.txt"
    yield "pubtator", SAMPLES / "pubtator/blank-lines-around.txt"
    yield "bioc-xml", SAMPLES / "bioc/two-documents.xml"
    yield "bioc-json", SAMPLES / "bioc/two-documents.json"
    yield "bioc-json", SAMPLES / "bioc/bare-list.json"
    yield "bioc-json", SAMPLES / "bioc/pubtator3-wrapper.json"


@each_row(("name", "path"), list(samples()), ids=lambda value: getattr(value, "name", value))
def test_a_format_is_told_by_its_first_bytes_and_nothing_is_consumed(name: str, path: Path) -> None:
    with open_input(path) as opened:
        assert detect(opened, path.name) == name
        assert opened.read() == path.read_bytes()


@pytest.mark.parametrize("data", [b"", b" \n\r\n"], ids=["nothing", "blank"])
def test_an_empty_file_is_told(data: bytes) -> None:
    with pytest.raises(InputError, match=r"^a\.gz: the file is empty; check how it was made$"):
        detect(stream(data), "a.gz")


@pytest.mark.parametrize("data", [b"pmid,title\n", b"\x00\x01\x02", b"\x89PNG", b'{"a": 1'])
def test_unknown_bytes_are_refused_and_the_formats_named(data: bytes) -> None:
    with pytest.raises(
        InputError, match=r"a:1: no format recognises its first bytes; .*pubtator, bioc-xml"
    ) as told:
        detect(stream(data), "a")
    assert told.value.where == "a:1"


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(InputError, match=r"unknown format 'pubtater'; did you mean pubtator\?"):
        format_module("pubtater")
