"""PMC's plain texts: parts as sections, with and without a header, old and new front matter."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.truncated import up_to_the_break

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import pmc_text
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

HEADER = (
    "PMID: 12\nAccession ID: PMC34\nLicense: CC BY\nLast Updated: 2021-01-05 08:21:03\nRetracted: no\n"
    "Citation: PLoS Biol. 2003 Oct 18; 1(1):e5\n"
)
NEW = (
    "==== Front\nJ Salt\nA Journal of All Salt\n\n10.1000/s.1\ns-1\nCase Report\nSalt after a meal\nNg Ann\n"
)
OLD = "==== Front\nJ SaltJ Salt1234-5678 10.1000/s.1Case ReportSalt after a mealNg Ann \n1\nWe asked.\n"
BODY = "==== Body\nIntroduction\nSalt is  good.\n\nFigure 1 A meal\n(A) Salt.\n"
REST = "==== Refs\n1 Ng A. Salt.\n==== Back\nThanks.\n"


def read(text: str | bytes, name: str = "ours", *, references: bool = True) -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    stream = io.BytesIO(text.encode() if isinstance(text, str) else text)
    reader = pmc_text.read_with_references if references else pmc_text.read
    return up_to_the_break(reader(stream, repairs, name), repairs), repairs


def test_parts_are_sections_and_the_header_gives_facts():
    (document,), repairs = read(HEADER + NEW + BODY + REST)
    assert document.id == "12"
    assert document.sections == (
        Section("title", "Salt after a meal"),
        Section("front", "J Salt\nA Journal of All Salt\n10.1000/s.1\ns-1\nCase Report\nNg Ann"),
        Section("body", "Introduction\nSalt is good.\nFigure 1 A meal\n(A) Salt."),
        Section("references", "1 Ng A. Salt."),
        Section("back", "Thanks."),
    )
    assert document.facts == {
        "date": "2003-10-18",
        "year": "2003",
        "journal": "PLoS Biol",
        "doi": "10.1000/s.1",
        "pmid": "12",
        "pmcid": "PMC34",
        "licence": "CC BY",
    }
    assert repairs.counts == {"title_by_position": 1}


def test_references_are_left_out_unless_they_are_asked_for():
    (document,), _ = read(HEADER + NEW + BODY + REST, references=False)
    assert [part.label for part in document.sections] == ["title", "front", "body", "back"]


def test_an_old_front_matter_has_no_title_and_the_files_name_gives_the_id():
    (document,), repairs = read(OLD + BODY, "oa.tar.gz/PMC000/PMC77.txt")
    assert (document.id, document.title, repairs.counts) == ("PMC77", "", {"title_unmarked": 1})
    assert document.sections[0].label == "front"


def test_articles_follow_each_other_and_a_header_like_line_in_references_is_text():
    cited = BODY + "==== Refs\nPMID: 99\nNg A.\n"
    documents, _ = read(HEADER + NEW + cited + HEADER.replace("12", "13") + NEW + BODY)
    assert [each.id for each in documents] == ["12", "13"]
    assert documents[0].sections[-1].text == "PMID: 99\nNg A."


def test_a_retracted_article_is_marked():
    (document,), _ = read(HEADER.replace("Retracted: no", "Retracted: yes") + NEW + BODY)
    assert document.facts["retracted"] == "unnamed"


REFUSED = {
    "without an id": (
        OLD + BODY,
        "ours:1: an article without PMID or PMCID, in the header or in the file's name",
    ),
    "without a body": (HEADER + NEW + HEADER + NEW + BODY, "ours:1: an article without ==== Body"),
    "not UTF-8": (
        (HEADER + NEW + BODY).encode() + "Caf\u00e9\n".encode("latin-1"),
        "ours:22: not UTF-8, or an unreadable character",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_with_its_line(name: str):
    text, line = REFUSED[name]
    _, repairs = read(text)
    assert [": ".join(each) for each in repairs.refusals] == [line]


def test_a_file_that_ends_in_front_of_the_body_breaks_off(tmp_path: Path):
    (tmp_path / "PMC1.txt").write_text(HEADER + NEW)
    with pytest.raises(InputError, match="ends in front of an article's body"):
        list(api.read(tmp_path / "PMC1.txt"))


@given(st.lists(st.text(st.characters(categories=("L", "N")), min_size=1), min_size=1, max_size=6))
def test_every_line_of_a_body_is_read_once(lines: list[str]):
    (document,), _ = read(HEADER + NEW + "==== Body\n" + "\n\n".join(lines))
    assert document.sections[-1].text == "\n".join(lines)
