"""Reading the file that a page saved: the last line of an id is valid, and changes of answers are counted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from anagnosis.errors import InputError
from anagnosis.labelling import saved_file

ANN = "ann.jsonl"


def check(data: bytes, where: str) -> saved_file.Line:
    try:
        line = json.loads(data)
        line["id"]
    except (ValueError, KeyError, TypeError) as fault:
        raise InputError("is no line", where) from fault
    return line


def line(ident: str, answer: str | None, seconds: float = 0) -> saved_file.Line:
    return {"id": ident, "answer": answer, "seconds": seconds}


def saved(at: Path, text: str) -> saved_file.SavedFile:
    (at / ANN).write_text(text)
    return saved_file.read(at / ANN, check)


def test_the_last_line_of_an_id_is_valid_and_answers_that_changed_are_counted(tmp_path: Path) -> None:
    found = saved(
        tmp_path,
        '{"id":"1","answer":"a","seconds":1}\n\n{"id":"2","answer":null,"seconds":1}\r\n'
        '{"id":"1","answer":"a","seconds":4,"place":2}\n{"id":"1","answer":"b","seconds":4}\n'
        '{"id":"1","answer":"a","seconds":9}\n',
    )
    assert found.last == {"1": line("1", "a", 9), "2": line("2", None, 1)}
    assert (found.lines, found.changed, found.blank) == (5, {"1": 2}, 1)


def test_a_file_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id":"1","answer":"a"}\n'))
    assert saved_file.read(path, check).last == {"1": {"id": "1", "answer": "a"}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id":"1"}\n' + '{"id":"' + "1" * 70_000, "ann.jsonl:2: a line of more than 64 KiB; take the file"),
        ("[1]\n", "ann.jsonl:1: is no line"),
        ('{"id":"1"}\n[1]', "ann.jsonl:2: is no line"),
        ('{"id":"1"\n', "ann.jsonl:1: is no line"),
        ('{"id":"1"}\n{"id":"2","answ', "ann.jsonl:2: is no line"),
    ],
)
def test_what_no_page_saves_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        saved(tmp_path, text)
    assert said in str(refused.value)
