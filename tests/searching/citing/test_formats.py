"""Exported references: public parsers read back what was written, whatever papers hold."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.libraries.reading import read
from tests.rows import each_row
from tests.searching.citing.references import REFERENCES, WHOLE

from anagnosis.documents.bibliography import printed_name, signatories
from anagnosis.documents.formats import jsonl
from anagnosis.documents.repairs import Repairs
from anagnosis.searching.citing.formats import (
    COLUMNS,
    ESCAPES,
    FORMATS,
    export_format,
    pages_span,
    ris_author,
)
from anagnosis.searching.citing.reference import Reference, citation

rispy = pytest.importorskip("rispy")
bibtexparser = pytest.importorskip("bibtexparser", reason="the extra libraries is not installed")

SOME = st.lists(REFERENCES, max_size=3)


def text(name: str, *references: Reference) -> str:
    return "".join(export_format(name).lines(references))


def entries(written: str) -> list[dict[str, Any]]:
    """key and fields of each entry, as bibtexparser reads them."""
    library = bibtexparser.parse_string(written)
    assert library.failed_blocks == []
    return [
        {"key": each.key, **{field.key: field.value for field in each.fields}} for each in library.entries
    ]


def unescaped(value: str) -> str:
    """The text of a field without LaTeX's escapes and protecting braces."""
    for number, command in enumerate(ESCAPES.values()):
        value = value.replace(command, chr(0xE000 + number))
    value = value.replace("{", "").replace("}", "")
    for number, plain in enumerate(ESCAPES):
        value = value.replace(chr(0xE000 + number), plain)
    return value


def test_a_reference_manager_reads_every_field_of_ris() -> None:
    (read,) = rispy.loads(text("ris", WHOLE))
    assert read == {
        "type_of_reference": "JOUR",
        "authors": ["Hellinger, Frank R, Jr", "van der Bergé, J-P", "Salt and Sea Study Group,"],
        "title": WHOLE.title,
        "secondary_title": "Journal of Salt",
        "year": "2016",
        "date": "2016/03/23/",
        "volume": "12",
        "number": "Suppl 1",
        "start_page": "817",
        "end_page": "820",
        "doi": WHOLE.doi,
        "accession_number": "27000083",
        "custom2": "PMC7",
        "language": "eng",
        "keywords": ["salt", "sea", "Humans"],
        "abstract": WHOLE.abstract,
        "notes": ["RETRACTED (33)"],
        "urls": [WHOLE.address],
        "id": "27000083",
    }


@each_row(
    ("date", "month"), [("2016-01-02", "jan"), ("2016-12", "dec"), ("2016-00", None), ("2016-13", None)]
)
def test_bibtex_names_the_months_of_a_year_and_has_the_day(date: str, month: str | None) -> None:
    written = text("bibtex", msgspec.structs.replace(WHOLE, date=date))
    assert [line for line in written.splitlines() if "month" in line] == [f"  month = {month},"] * bool(month)
    assert ("  day = {02},\n" in written) == (len(date) == 10)


def test_bibtex_divides_names_and_protects_capitals() -> None:
    from bibtexparser import middlewares

    written = text("bibtex", WHOLE)
    title = r"Salt \& {\textless{}Sea\textgreater{}:} 50\% of {\textbraceleft{}IL-6\textbraceright{}\_x} in the {USA?}"
    assert f"  title = {{{title}}},\n" in written
    assert "  month = mar,\n" in written
    assert "  pages = {817--820},\n" in written
    assert f"  doi = {{{WHOLE.doi}}},\n" in written
    library = bibtexparser.parse_string(
        written, append_middleware=[middlewares.SeparateCoAuthors(), middlewares.SplitNameParts()]
    )
    first, second, group = library.entries[0].fields_dict["author"].value
    assert (first.last, first.jr, first.first) == (["Hellinger"], ["Jr"], ["Frank", "R"])
    assert (second.von, second.last, second.first) == (["van", "der"], ["Bergé"], ["J-P"])
    assert group.last == ["{Salt and Sea Study Group}"]


@pytest.mark.parametrize("name", ["Salt, Sea, and Soup", "Salt; Sea and Soup", "Salt and Sea"])
def test_a_group_is_one_author_in_every_format(name: str) -> None:
    (group,) = signatories({"corporate_authors": name.replace("; ", ";\u00a0")})
    written = Reference(id="1", title="T", authors=(group, "Nemo, Ana"))
    assert f"author = {{{{{name}}} and Nemo, Ana}}" in text("bibtex", written)
    assert f"AU  - {name.replace(', ', ',, ', 1)},\r\nAU  - Nemo, Ana\r\n" in text("ris", written)
    (line,) = csv.DictReader(io.StringIO(text("csv", written).removeprefix("\ufeff")))
    assert [printed_name(each) for each in line["authors"].split("; ")] == [name, "Nemo, Ana"]
    (document,) = jsonl.read(io.BytesIO(text("jsonl", written).encode()), Repairs())
    assert list(map(printed_name, signatories(document.facts))) == ["Nemo, Ana", name]
    assert citation(written).startswith(f"{name}, Nemo A.")


def test_a_person_without_given_name_is_a_person_in_every_format() -> None:
    people = ("Plato,", "Ibn Sina,", "Smith and Sons,", "Nemo, Ana")
    written = Reference(id="1", title="T", authors=people)
    assert "author = {Plato and Ibn{ Sina} and Smith{ and Sons} and Nemo, Ana}" in text("bibtex", written)
    assert "AU  - Plato\r\nAU  - Ibn Sina\r\n" in text("ris", written)
    assert ",Plato; Ibn Sina; Smith and Sons; Nemo, Ana," in text("csv", written).replace('"', "")
    for format in ("bibtex", "ris"):
        (entry,), _ = read(format, text(format, written))
        assert signatories(entry.document.facts) == [*people]
    (document,) = jsonl.read(io.BytesIO(text("jsonl", written).encode()), Repairs())
    assert signatories(document.facts) == [*people]
    assert citation(written).startswith("Plato, Ibn Sina, Smith and Sons, et al.")


def test_references_without_a_journal_are_no_articles_and_preprints_are_unpublished() -> None:
    bare = Reference(id="a b/c", types=("Preprint",))
    assert text("bibtex", bare) == "@misc{abc,\n}\n\n"
    assert text("ris", bare) == "TY  - UNPB\r\nID  - a b/c\r\nER  - \r\n\r\n"


def test_keys_differ_where_ids_look_alike() -> None:
    papers = [Reference(id=ident, authors=("Ünal, X",), date="2016-03") for ident in ("a-1", "a/1", "a.1")]
    assert [each["key"] for each in entries(text("bibtex", *papers))] == [
        "unal2016-a1",
        "unal2016-a1-2",
        "unal2016-a1-3",
    ]


@each_row(
    ("pages", "span"),
    [
        ("817-20", ("817", "820")),
        ("817-820", ("817", "820")),
        ("99-102", ("99", "102")),
        ("S12-8", ("S12", "S18")),
        ("S12-S19", ("S12", "S19")),
        ("S12-19", ("S12", "S19")),
        ("S817-S20", ("S817", "S820")),
        ("817-S20", ("817", "S20")),
        ("817\u201320", ("817", "820")),
        ("e1000", ("e1000", "")),
        ("1-7; 12", ("1-7; 12", "")),
        ("", ("", "")),
        ("1-2-3", ("1-2-3", "")),
    ],
)
def test_short_last_pages_are_completed(pages: str, span: tuple[str, str]) -> None:
    assert pages_span(pages) == span


@pytest.mark.parametrize("name", FORMATS)
@given(papers=SOME)
def test_each_reference_is_one_piece_and_pieces_do_not_depend_on_others(
    name: str, papers: list[Reference]
) -> None:
    head = [text(name)] if text(name) else []
    pieces = list(export_format(name).lines(papers))
    assert len(pieces) == len(head) + len(papers)
    if name != "bibtex":  # whose keys differ from each other
        assert pieces == head + [text(name, each).removeprefix("".join(head)) for each in papers]


@given(SOME)
def test_whatever_ris_holds_is_read_back(papers: list[Reference]) -> None:
    read = rispy.loads(text("ris", *papers))
    assert len(read) == len(papers)
    tags: dict[str, Callable[[Reference], str]] = {
        "title": lambda one: one.title,
        "secondary_title": lambda one: one.journal,
        "abstract": lambda one: one.abstract,
        "doi": lambda one: one.doi,
        "id": lambda one: one.id,
        "volume": lambda one: one.volume,
    }
    for one, back in zip(papers, read, strict=True):
        assert {tag: back.get(tag, "") for tag in tags} == {tag: value(one) for tag, value in tags.items()}
        assert back.get("authors", []) == [ris_author(author) for author in one.authors]


@given(SOME)
def test_whatever_bibtex_holds_is_read_back(papers: list[Reference]) -> None:
    read = entries(text("bibtex", *papers))
    assert len({each["key"] for each in read}) == len(read) == len(papers)
    for one, back in zip(papers, read, strict=True):
        for name, value in {
            "title": one.title,
            "abstract": one.abstract,
            "journal": one.journal,
            "volume": one.volume,
            "number": one.issue,
            "keywords": "; ".join(dict.fromkeys((*one.keywords, *one.mesh))),
        }.items():
            assert unescaped(back.get(name, "")) == value


@given(SOME)
def test_whatever_csv_holds_is_read_back_and_no_cell_is_a_formula(papers: list[Reference]) -> None:
    rows = list(csv.reader(io.StringIO(text("csv", *papers).removeprefix("\ufeff"), newline="")))
    assert rows[0] == list(COLUMNS)
    assert len(rows) == 1 + len(papers)
    for one, row in zip(papers, rows[1:], strict=True):
        cells = dict(zip(COLUMNS, row, strict=True))
        for name in ("title", "abstract", "journal", "id", "doi"):
            assert getattr(one, name) in (cells[name], cells[name][1:])
        assert not any(cell.startswith(("=", "+", "-", "@", "\uff1d")) for cell in row)


@given(SOME)
def test_json_lines_are_documents_with_the_same_facts(papers: list[Reference]) -> None:
    written = text("jsonl", *papers).encode()
    lines = [msgspec.json.decode(line) for line in written.splitlines()]
    assert [line["title"] for line in lines] == [one.title for one in papers]
    documents = list(jsonl.read(io.BytesIO(written), Repairs())) if papers else []
    assert [each.id for each in documents] == [one.id for one in papers]
    for one, document in zip(papers, documents, strict=True):
        assert document.title == one.title
        assert [part.text for part in document.sections[1:]] == [one.abstract] * bool(one.abstract)
        assert {
            notice.kind: notice.about or "unnamed" for notice in one.notices
        }.items() <= document.facts.items()
