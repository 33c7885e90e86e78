"""Plain text: characters stay, so that the offsets of annotations beside it hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Section
from anagnosis.documents.formats import text as plain
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def written(folder: Path, text: str | bytes, name: str = "77.txt") -> Path:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder / name


TEXTS = {
    "Salt\n\nWe ate.\n": [("title", "Salt"), ("body", "\nWe ate.")],
    "Salt\r\n \r\nWe": [("title", "Salt\r"), ("body", " \r\nWe")],
    "We ate.\nThey left.\n": [("body", "We ate.\nThey left.")],
    "  We ate.": [("body", "  We ate.")],
    "\n\nWe ate.": [("body", "\n\nWe ate.")],
}


@each_row("text", TEXTS)
def test_characters_stay_and_a_first_line_over_a_blank_one_is_the_title(tmp_path: Path, text: str):
    (document,) = api.read(written(tmp_path, text), format="text")
    assert document.id == "77"
    assert document.sections == tuple(Section(*each) for each in TEXTS[text])
    assert document.text == text.rstrip()


def test_no_bytes_are_taken_for_plain_text(tmp_path: Path):
    assert not plain.sniff(b"We ate.")
    with pytest.raises(
        InputError, match=r"no format recognises its first bytes; convert it, or name its format .*text\)"
    ):
        list(api.read(written(tmp_path, "We ate.")))


def test_an_empty_file_and_one_that_is_not_utf_8_are_one_line(tmp_path: Path):
    with pytest.raises(InputError, match=r"77.txt: the file is empty"):
        list(api.read(written(tmp_path, " \n"), format="text"))
    repairs = Repairs()
    assert not list(api.read(written(tmp_path, b"ok\ncaf\xe9"), format="text", repairs=repairs))
    assert repairs.refusals == [("77.txt:2", "not UTF-8")]


def test_a_folder_of_brat_becomes_documents_with_entities(tmp_path: Path):
    written(tmp_path, "Salt\n\nShe ate much salt.\n")
    written(tmp_path, "T1\tChemical 19 23\tsalt\nN1\tReference T1 MESH:D1\tSodium\n", "77.ann")
    done = api.annotate([tmp_path], tmp_path / "out.jsonl", format="text", annotations=[("brat", tmp_path)])
    (document,) = api.read(tmp_path / "out.jsonl")
    assert done.mentions == 1
    assert [(m.text, m.identifier, m.name) for m in document.mentions] == [("salt", "MESH:D1", "Sodium")]
