"""CORD-19: tables and parses, what is dirty in them and what is hostile."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis.documents.formats import cord19
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError

if TYPE_CHECKING:
    from anagnosis.documents.document import Document

NEW = (
    "cord_uid,sha,source_x,title,doi,pmcid,pubmed_id,license,abstract,publish_time,authors,journal,mag_id,"
    "who_covidence_id,arxiv_id,pdf_json_files,pmc_json_files,url"
)
A = "a" * 40


def row(**told: str) -> str:
    cells = [told.get(name, "") for name in NEW.split(",")]
    return ",".join('"' + cell.replace('"', '""') + '"' if cell else "" for cell in cells)


def table(*rows: str) -> str:
    return "\n".join((NEW, *rows)) + "\n"


def parse(ident: str, *texts: str, abstract: str | None = None, **others: Any) -> str:
    """A parse; of each text "Heading|words"."""
    paragraphs = [dict(zip(("section", "text"), text.split("|"), strict=True)) for text in texts]
    told: dict[str, Any] = {
        "paper_id": ident,
        "metadata": {"title": "Of the PDF"},
        "body_text": paragraphs,
        **others,
    }
    if abstract is not None:
        told["abstract"] = [{"text": abstract, "section": "Abstract"}]
    return json.dumps(told)


def read(data: str | bytes, name: str = "metadata.csv") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return up_to_the_break(cord19.read(stream, repairs, name), repairs), repairs


def told(document: Document) -> list[tuple[str, str, str]]:
    return [(part.label, part.title, part.text) for part in document.sections]


TABLE = table(
    row(
        cord_uid="u1", title="Masks", doi="https://doi.org/10.1/x", pmcid="PMC7", pubmed_id="27000083.0",
        license="cc-by", abstract="Abstract We asked.", publish_time="2020-03-05", journal="J",
        authors="DiSano, Krista D.; Bo, B",
    ),
    row(cord_uid="u2", title="RETRACTED: Salt", publish_time="2019"),
    row(cord_uid="u1", title="Again"),
    row(cord_uid="u3", title="Alone", abstract="BACKGROUND: Why. RESULTS: So."),
)  # fmt: skip
FACTS = {
    "date": "2020-03-05", "year": "2020", "journal": "J", "authors": "DiSano, Krista D.; Bo, B", "doi": "10.1/x",
    "pmcid": "PMC7", "pmid": "27000083", "licence": "cc-by",
}  # fmt: skip


def test_a_table_gives_a_paper_for_each_cord_uid() -> None:
    documents, repairs = read(TABLE)
    assert [(document.id, told(document)) for document in documents] == [
        ("u1", [("title", "", "Masks"), ("abstract", "", "We asked.")]),
        ("u2", [("title", "", "RETRACTED: Salt")]),
        ("u3", [("title", "", "Alone"), ("abstract", "BACKGROUND", "Why."), ("abstract", "RESULTS", "So.")]),
    ]
    assert [document.facts for document in documents[:2]] == [
        FACTS,
        {"date": "2019", "year": "2019", "retracted": "unnamed"},
    ]
    assert repairs.counts == {"cord_uid_repeated": 1, "article_without_date": 1}
    assert not repairs.refused


def test_a_parse_gives_its_text() -> None:
    texts = "Methods|We.", "Masks ::: Methods|Of cloth.", "Masks ::: Methods|Or paper."
    captions = {"FIGREF0": {"text": "Figure 1: A mask.", "type": "figure"}}
    data = parse(
        "PMC7", *texts, abstract="It is salt.", ref_entries=captions, back_matter=[{"text": "We thank."}]
    )
    (document,), repairs = read(data, "PMC7.xml.json")
    assert (document.id, document.facts, repairs.counts) == ("PMC7", {"pmcid": "PMC7"}, {})
    assert told(document) == [
        ("title", "", "Of the PDF"), ("abstract", "", "It is salt."), ("body", "Methods", "We."),
        ("body", "Methods › Masks", "Of cloth.\nOr paper."),
    ]  # fmt: skip


TEXTS = [
    (["179|One.", "|Two."], [("body", "", "One.\nTwo.")]),
    (
        ["Aim|One.", "End|Two.", "Aim|Three."],
        [("body", "Aim", "One."), ("body", "End", "Two."), ("body", "Aim", "Three.")],
    ),
    (["Aim|", "Aim|  "], []),
]


@each_row(("texts", "expected"), TEXTS)
def test_paragraphs_under_one_heading_are_a_section(
    texts: list[str], expected: list[tuple[str, str, str]]
) -> None:
    (document,), _ = read(parse(A, *texts), "a.json")
    assert told(document)[1:] == expected


ABSTRACTS = [
    ("Abstract The cells.", "The cells."),
    ("AbstractThe cells.", "The cells."),
    ("Summary: Ten.", "Ten."),
    ("Summary of cells.", "Summary of cells."),
    ("Abstracts were read.", "Abstracts were read."),
    ("Unknown", ""),
]


@each_row(("written", "expected"), ABSTRACTS)
def test_an_abstract_loses_its_own_heading_only(written: str, expected: str) -> None:
    (document,), _ = read(table(row(cord_uid="u", title="T", abstract=written)))
    assert [text for label, _, text in told(document) if label == "abstract"] == (
        [expected] if expected else []
    )


BAD_ROWS = [
    ("u1,a,b", "a row with more or fewer cells than columns", True),
    (row(title="T"), "a row without cord_uid", True),
    ("u1,caf\udce9", "a row of the table: not UTF-8", False),
    ('u1,"' + "x" * (5 << 20), "a row of the table: field larger than field limit (4194304)", False),
    ('u1,"T"x', "a row of the table: ',' expected after '\"'", False),
]


@each_row(("bad", "why", "goes_on"), BAD_ROWS)
def test_a_row_that_cannot_be_read_is_told_with_its_line_and_ends_the_table_where_it_is_no_csv(
    bad: str, why: str, goes_on: bool
) -> None:
    text = 'Why, \n\nthen "so",\nand u9,,,,,,,,,,,,,,,,,\r\nthus.'
    rows = row(cord_uid="u0", title="T", abstract=text), bad, row(cord_uid="u2", title="T")
    data = table(*rows).encode("utf-8", "surrogateescape")
    documents, repairs = read(data)
    assert [document.id for document in documents] == (["u0", "u2"] if goes_on else ["u0"])
    assert told(documents[0])[1] == ("abstract", "", " ".join(text.split()))
    if goes_on:
        assert repairs.refusals == [("metadata.csv:7", why)]
        return
    with pytest.raises(TruncatedError, match=re.escape(f"metadata.csv:7: {why}")):
        list(cord19.read(io.BytesIO(data), Repairs(), "metadata.csv"))


def test_a_table_without_a_column_is_refused() -> None:
    with pytest.raises(InputError, match=re.escape("metadata.csv:1: no column cord_uid, abstract")):
        list(cord19.read(io.BytesIO(b"sha,title\n"), Repairs(), "metadata.csv"))


@each_row(
    ("head", "expected"),
    [
        (b'{"paper_id": 1', True),
        (b'\xef\xbb\xbf \n{"paper_id": 1', True),
        (b'[{"paper_id": 1', False),
        (b'{"other": 1', False),
        (b'{"x": "' + b" " * 5000 + b'", "paper_id": 1', False),
        (b"title,abstract,cord_uid\na,b,c", True),
        (b"title,abstract,cord_uid\r\na,b,c", True),
        (b"title,abstract\ncord_uid", False),
    ],
)
def test_tables_and_parses_are_told_by_their_first_bytes(head: bytes, expected: bool) -> None:
    assert cord19.sniff(head) is expected


BAD_PARSES = [
    (b'{"paper_id": 7}', "Expected `str`, got `int` - at `$.paper_id`"),
    (b'{"paper_id": " "}', "a parse without paper_id"),
    (b'{"body_text": []}', "Object missing required field `paper_id`"),
    (b'{"paper_id": "a", "x": ' + b"[" * 100_000, "malformed JSON: "),
]


@each_row(("data", "why"), BAD_PARSES)
def test_a_parse_that_cannot_be_read_is_refused_by_its_name(data: bytes, why: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"a.json: {why}")) as refused:
        list(cord19.read(io.BytesIO(data), Repairs(), "a.json"))
    assert "\n" not in str(refused.value)


def test_a_table_is_read_in_pieces_of_bounded_size() -> None:
    class Sized(io.BytesIO):
        def __next__(self) -> bytes:
            raise AssertionError

    data = table(row(cord_uid="u", title="T")).encode()
    (document,) = cord19.read(Sized(data), Repairs(), "metadata.csv")
    assert document.title == "T"
