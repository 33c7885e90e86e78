"""The files that people gave back: whose each is, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from anagnosis.errors import InputError
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.returned import Returned, returned
from tests.labelling.returned_files import LEFT_OUT, edited, line, save, study
from tests.rows import each_row


def found(pages: Path) -> Returned:
    return returned(open_study(pages.parent / "built", pages))


def refusal(pages: Path) -> str:
    with pytest.raises(InputError) as refused:
        found(pages)
    return str(refused.value)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return study(tmp_path)


def test_each_file_is_its_annotators_whatever_its_name(pages: Path) -> None:
    save(pages, "bea", [line(pages, "bea", 2), line(pages, "bea", 1)], "my answers (1).jsonl.txt")
    packed = save(pages, "ann", [line(pages, "ann", 1)])
    packed.with_name("x.jsonl.gz").write_bytes(gzip.compress(packed.read_bytes()))
    packed.unlink()
    given = found(pages)
    assert [(each.of.person.name, each.path.name) for each in given.files] == [
        ("ann", "x.jsonl.gz"),
        ("bea", "my answers (1).jsonl.txt"),
    ]
    assert [each["place"] for each in given.files[1].lines] == [1, 2]
    assert given.passed_over == {}


def test_other_files_of_the_folder_are_named_with_the_reason(pages: Path) -> None:
    (pages / "notes.txt").write_text("mine")
    (pages / "scan.pdf").write_text("mine")
    (pages / "empty.jsonl").write_text("\n")
    (pages / "folder.jsonl").mkdir()
    (pages / ".hidden.jsonl").write_text("{")
    assert found(pages).passed_over == {
        "empty.jsonl": "no answers in it",
        "folder.jsonl": "a folder",
        "notes.txt": "no line that a page saves",
        "scan.pdf": "its name does not end in .jsonl, .jsonl.gz, .jsonl.zst, .txt or .json",
    }


# What is wrong with a line itself is tested in test_saved_lines.py.
EDITED: dict[str, tuple[dict[str, Any], str]] = {
    "another fingerprint": (
        {"dataset": "3f0c" * 16},
        "an answer to another dataset (3f0c3f0c3f0c3f0c…); take the file",
    ),
    "nobody of the study": (
        {"annotator": "eve"},
        "'eve' is none of the people of this study; take the file away",
    ),
    "a missing annotator": ({"annotator": LEFT_OUT}, "the field 'annotator' is missing"),
    "no candidate": ({"answer": "measles"}, "answer cannot be 'measles'"),
}


@each_row("name", EDITED)
def test_a_file_edited_by_hand_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    pages = study(tmp_path, texts=False)
    changes, said = EDITED[name]
    save(pages, "ann", [edited(line(pages, "ann", 1), changes)])
    assert f"answers-ann.jsonl:1: {said}" in refusal(pages)
    save(pages, "ann", [line(pages, "ann", 2), edited(line(pages, "ann", 1), changes)])
    assert refusal(pages).startswith("answers-ann.jsonl:2: ")


def test_two_people_in_one_file_are_refused(pages: Path) -> None:
    save(pages, "ann", [line(pages, "ann", 1), line(pages, "bea", 1)])
    assert "answers-ann.jsonl:2: its annotator is 'bea', not 'ann'; ask for the file" in refusal(pages)


@each_row(
    ("second", "said"),
    [
        ('{"id":"' + "1" * 70_000, "a line of more than 64 KiB; take the file away"),
        ("[1]\n", "Expected `object`"),
        ('{"id":"2","answ', "not JSON"),
    ],
)
def test_what_no_page_saves_is_refused_with_its_line(second: str, said: str, tmp_path: Path) -> None:
    pages = study(tmp_path)
    path = save(pages, "ann", [line(pages, "ann", 1)])
    path.write_text(path.read_text() + "\n" + second)
    assert "answers-ann.jsonl:3: " in refusal(pages)
    assert said in refusal(pages)


def test_two_files_of_one_person_are_refused(pages: Path) -> None:
    save(pages, "ann", [line(pages, "ann", 1)], "a.jsonl")
    save(pages, "ann", [line(pages, "ann", 1), line(pages, "ann", 2)], "b.jsonl")
    said = "'ann' has two files: a.jsonl (1 answer) and b.jsonl (2 answers); ask which one counts"
    assert said in refusal(pages)
