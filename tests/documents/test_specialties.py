"""Specialties from a user's table, for articles whose journal names no subject."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.specialties import specialties, with_specialties
from anagnosis.errors import InputError


def paper(ident: str, **facts: str) -> Document:
    return Document(ident, (Section("title", "A case"),), facts=facts)


def table(folder: Path, text: str, name: str = "table.tsv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "1\tSurgery, general\n2\tCardiology\n1\tOncology\n",
        'pmid,specialty\n1,"Surgery, general"\n\n2,Cardiology\n1,Oncology\n1,Oncology\n',
        "\ufeffID\tSpecialty\r\n1\tSurgery, general\r\n2\tCardiology\r\n1\tOncology\r\n",
    ],
)
def test_a_table_has_tabs_or_commas_and_perhaps_a_header(tmp_path: Path, text: str):
    assert specialties(table(tmp_path, text)) == {"1": ["Surgery, general", "Oncology"], "2": ["Cardiology"]}


def test_subjects_of_the_journal_stay_and_everything_is_counted():
    repairs = Repairs()
    given = [
        paper("1"),
        paper("2", subjects="Case Report"),
        paper("3", pmcid="PMC3"),
        paper("4", subjects=""),
        paper("5"),
    ]
    listed = {"1": ["Surgery", "Oncology"], "2": ["Surgery"], "PMC3": ["Cardiology"], "4": ["X"], "9": ["X"]}
    done = list(with_specialties(given, listed, repairs))
    assert [each.facts.get("subjects") for each in done] == [
        "Surgery; Oncology",
        "Case Report",
        "Cardiology",
        "X",
        None,
    ]
    assert done[4] is given[4]
    assert repairs.counts == {"specialty_supplied": 3, "specialty_known": 1, "specialty_without_document": 1}


BAD = {
    "1\tSurgery\n2\n": "t.tsv:2: not an id and a specialty",
    "1\tSurgery\n2\t\n": "t.tsv:2: not an id and a specialty",
    "\tSurgery\n": "t.tsv:1: not an id and a specialty",
    "1,Surgery, general\n": "t.tsv:1: not an id and a specialty",
    '1,"Surgery\n': "t.tsv:1: not a row of CSV",
    "id\tspecialty\n": "t.tsv: no specialty in this table",
    "": "t.tsv: no specialty in this table",
    f"1\t{'x' * 70_000}\n": "t.tsv:1: a line longer than 64 KiB",
}


@each_row("text", BAD)
def test_a_bad_row_is_one_line(tmp_path: Path, text: str):
    with pytest.raises(InputError) as fault:
        specialties(table(tmp_path, text, "t.tsv"))
    assert str(fault.value).startswith(BAD[text])
    assert "\n" not in str(fault.value)


def test_convert_and_annotate_keep_the_specialty_and_count(tmp_path: Path):
    api.write([paper("1"), paper("2", subjects="Case Report")], tmp_path / "papers.jsonl", format="jsonl")
    path = table(tmp_path, "1\tSurgery\n2\tSurgery\n3\tSurgery\n")
    terms = table(tmp_path, "id\tname\nX1\tcase\n", "terms.tsv")
    done = api.convert([tmp_path / "papers.jsonl"], tmp_path / "out.jsonl", to="jsonl", specialties=path)
    annotated = api.annotate(
        [tmp_path / "papers.jsonl"], tmp_path / "with.jsonl", terms=[terms], specialties=path, workers=1
    )
    counts = {"specialty_supplied": 1, "specialty_known": 1, "specialty_without_document": 1}
    assert done.repairs == annotated.repairs == counts
    for out in ("out.jsonl", "with.jsonl"):
        facts = [each.facts["subjects"] for each in api.read(tmp_path / out)]
        assert facts == ["Surgery", "Case Report"]


def test_a_bad_table_is_refused_before_anything_is_written(tmp_path: Path):
    api.write([paper("1")], tmp_path / "papers.jsonl", format="jsonl")
    with pytest.raises(InputError, match="not an id and a specialty"):
        api.convert(
            [tmp_path / "papers.jsonl"], tmp_path / "out.jsonl", specialties=table(tmp_path, "x y z\n")
        )
    assert not (tmp_path / "out.jsonl").exists()
