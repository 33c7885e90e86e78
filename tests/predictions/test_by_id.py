"""PubMedQA's and CliCR's own form of a predictions file: one object from id to answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.datasets.clicr.files import file
from tests.rows import each_row

from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.predictions import Prediction, read, write_by_id

ANSWERS = {"12377809": "yes", "26163474": "no", "19100463": "maybe"}


IDS = ("bcr-2012-006329.1", "bcr.01.2009.1411.12", "PMC123.4", "12345:0", "text:00ff:17", 'a "quoted" é.3')
FIELDS = ("score.", "v1", "page3", "1.", ".a", "1.x")


@each_row(
    ("text", "expected"),
    [
        *((json.dumps(ANSWERS, indent=indent), ANSWERS) for indent in (None, 4)),
        ('{"2": 1, "3": null}', {"2": "1", "3": None}),
        ("{\n}\n", {}),
        # An id may be a document with a number.
        *(
            (
                json.dumps({ident: "chest pain", "x": "fever"}, separators=signs),
                {ident: "chest pain", "x": "fever"},
            )
            for ident in IDS
            for signs in ((",", ":"), None)
        ),
        # A line that begins with another field is a prediction.
        *((json.dumps({field: "a", "id": "1.2", "answer": "yes"}), {"1.2": "yes"}) for field in FIELDS),
    ],
)
def test_it_is_known_by_its_first_key(text: str, expected: dict[str, str | None], tmp_path: Path) -> None:
    (path := tmp_path / "p.json").write_text(text)
    assert list(read(path)) == [Prediction(*each) for each in expected.items()]


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


def test_what_is_written_has_no_blanks_and_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    given = [
        Prediction("a-1.1", "Café – “au lait”", {"x": 1.0}),
        Prediction("a-1.2", None),
        Prediction("a-1.3", ["first", "second"]),
        Prediction("a-1.4", []),
        Prediction("other", ""),
    ]
    assert write_by_id(path, given) == 3
    assert path.read_bytes() == (
        rb'{"a-1.1":"Caf\u00e9 \u2013 \u201cau lait\u201d","a-1.3":"first","other":""}'
    )
    assert [(each.id, each.answer) for each in read(path)] == [
        ("a-1.1", "Café – “au lait”"),
        ("a-1.3", "first"),
        ("other", ""),
    ]
    assert write_by_id(path, []) == 0
    assert list(read(path)) == []


def test_ids_that_stand_twice_or_by_which_it_would_not_be_known_are_refused(tmp_path: Path) -> None:
    unknown = "5313b049: an object from id to answer is known by an id"
    for ids, line in ((["5313b049"], unknown), (["1", "2", "1"], "1: two answers have this id")):
        with pytest.raises(InputError, match=line):
            write_by_id(tmp_path / "p.json", [Prediction(ident, "yes") for ident in ids])
    assert not (tmp_path / "p.json").exists()


def test_predict_writes_it_and_score_takes_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test1.0.json").write_bytes(file())
    built = str(tmp_path / "built")
    assert run(["import", str(tmp_path / "test1.0.json"), "--layout", "clicr", "--out", built]) == 0
    scores: list[str] = []
    for name, form in (("lines", []), ("object", ["--by-id"])):
        out = str(tmp_path / f"{name}.json")
        assert run(["predict", "first-entity", built, "--out", out, *form]) == 0
        capfd.readouterr()
        assert run(["score", built, out, "--measure", "exact-match", "--json"]) == 0
        scores.append(str(json.loads(capfd.readouterr().out)["systems"][0]["measures"]))
    assert scores[0] == scores[1]
    assert json.loads((tmp_path / "object.json").read_bytes())["made-2012-001.1"] == "fever"
