"""PubMedQA's and CliCR's own form of a predictions file: one object from id to answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.predictions import Prediction, read

ANSWERS = {"12377809": "yes", "26163474": "no", "19100463": "maybe"}


@pytest.mark.parametrize("indent", [None, 4])
def test_on_one_line_or_many(tmp_path: Path, indent: int | None) -> None:
    (path := tmp_path / "p.json").write_text(json.dumps(ANSWERS, indent=indent))
    assert list(read(path)) == [Prediction(ident, label) for ident, label in ANSWERS.items()]


@each_row(
    "ident",
    ["bcr-2012-006329.1", "bcr.01.2009.1411.12", "PMC123.4", "12345:0", "text:00ff:17", 'a "quoted" é.3'],
)
def test_an_id_may_be_a_document_with_a_number(tmp_path: Path, ident: str) -> None:
    path = tmp_path / "p.json"
    for separators in ((",", ":"), None):
        path.write_text(json.dumps({ident: "chest pain", "x": "fever"}, separators=separators))
        assert list(read(path)) == [Prediction(ident, "chest pain"), Prediction("x", "fever")]


@each_row("field", ["score.", "v1", "page3", "1.", ".a", "1.x"])
def test_a_line_that_begins_with_another_field_is_a_prediction(tmp_path: Path, field: str) -> None:
    (path := tmp_path / "p.jsonl").write_text(json.dumps({field: "a", "id": "1.2", "answer": "yes"}) + "\n")
    assert list(read(path)) == [Prediction("1.2", "yes")]


def test_a_number_is_its_text(tmp_path: Path) -> None:
    (path := tmp_path / "p.json").write_text('{"2": 1, "3": null}')
    assert list(read(path)) == [Prediction("2", "1"), Prediction("3", None)]


@each_row(
    ("text", "what"),
    [
        ('{"1": ["yes"]}', r"p\.json:1: Expected .* \| null`, got `array`"),
        ('{"1": "yes"', "the text ends too early"),
        ('{"1": "yes"} {"2": "no"}', "malformed JSON: trailing characters"),
        ('{\n "1": "yes",\n 2: "no"}', "malformed JSON: object keys must be strings"),
        ('{"1": "\\ud800 and more"}', "malformed JSON: unexpected end of"),
        ('{"1": "yes",\n"2": "no",\n"\\u0031": "no"}', "the key '1' stands twice"),
        ('{"1":' + "9" * 5000 + "}", "out of range"),
        ('{"1":' + "[" * 100_000, "recursion depth"),
        ('{"1":"yes"}\udcff', "trailing characters"),
    ],
)
def test_what_is_no_such_object_is_one_line(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(text, "utf-8", "surrogateescape")
    with pytest.raises(InputError, match=what):
        list(read(path))
