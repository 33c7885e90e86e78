"""CORD-19: releases in folders, their parts alone, what is dirty in them and what is hostile."""

from __future__ import annotations

import io
import json
import re
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis import api
from anagnosis.documents.document import Document
from anagnosis.documents.formats import cord19 as cord19
from anagnosis.documents.formats.detect import suffixes
from anagnosis.documents.reading import inputs
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError

NEW = (
    "cord_uid,sha,source_x,title,doi,pmcid,pubmed_id,license,abstract,publish_time,authors,journal,mag_id,"
    "who_covidence_id,arxiv_id,pdf_json_files,pmc_json_files,url"
)
OLD = (
    "cord_uid,sha,source_x,title,doi,pmcid,pubmed_id,license,abstract,publish_time,authors,journal,"
    "Microsoft Academic Paper ID,WHO #Covidence,has_pdf_parse,has_pmc_xml_parse,full_text_file,url"
)
A, B = "a" * 40, "b" * 40


def row(header: str = NEW, **told: str) -> str:
    cells = [told.get(name, "") for name in header.split(",")]
    return ",".join('"' + cell.replace('"', '""') + '"' if cell else "" for cell in cells)


def table(*rows: str, header: str = NEW) -> str:
    return "\n".join((header, *rows)) + "\n"


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


def folder(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def released(path: Path) -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return up_to_the_break(cord19.release(path, repairs), repairs), repairs


def told(document: Document) -> list[tuple[str, str, str]]:
    return [(part.label, part.title, part.text) for part in document.sections]


FILES = {
    "metadata.csv": table(
        row(
            cord_uid="u1", title="Masks", doi="https://doi.org/10.1/x", pmcid="PMC7", pubmed_id="27000083.0",
            license="cc-by", abstract="Abstract We asked.", publish_time="2020-03-05", journal="J",
            pdf_json_files=f"document_parses/pdf_json/{A}.json",
            pmc_json_files="document_parses/pmc_json/PMC7.xml.json",
        ),
        row(cord_uid="u2", title="RETRACTED: Salt", publish_time="2019", pdf_json_files=f"pdf_json/{B}.json"),
        row(cord_uid="u3", title="Alone", abstract="BACKGROUND: Why. RESULTS: So."),
    ),
    f"document_parses/pdf_json/{A}.json": parse(A, "Intro|From the PDF.", abstract="Not this."),
    f"document_parses/pdf_json/{B}.json": parse(B, "Intro|Salt.", abstract="It is salt."),
    "document_parses/pmc_json/PMC7.xml.json": parse(
        "PMC7", "Methods|We.", "Masks ::: Methods|Of cloth.", "Masks ::: Methods|Or paper.",
        ref_entries={
            "FIGREF0": {"text": "Figure 1: A mask.", "type": "figure"},
            "TABREF0": {"text": "Masks by kind.", "type": "table"},
            "FIGREF1": {"text": "", "type": "figure"},
        },
        back_matter=[{"text": "We thank.", "section": "Thanks"}],
    ),
}  # fmt: skip
EXPECTED = {
    "u1": [
        ("title", "", "Masks"), ("abstract", "", "We asked."), ("body", "Methods", "We."),
        ("body", "Methods › Masks", "Of cloth.\nOr paper."), ("back", "Thanks", "We thank."),
        ("figure", "Figure 1", "A mask."), ("table", "", "Masks by kind."),
    ],
    "u2": [("title", "", "RETRACTED: Salt"), ("abstract", "", "It is salt."), ("body", "Intro", "Salt.")],
    "u3": [("title", "", "Alone"), ("abstract", "BACKGROUND", "Why."), ("abstract", "RESULTS", "So.")],
}  # fmt: skip


def test_a_release_gives_its_papers(tmp_path: Path) -> None:
    path = folder(tmp_path / "release", FILES)
    assert cord19.is_release(path)
    assert list(api.read(path, format="cord19")) == list(api.read(path))
    documents, repairs = released(path)
    assert [(document.id, told(document)) for document in documents] == list(EXPECTED.items())
    facts = {document.id: document.facts for document in documents}
    assert facts["u1"] == {
        "date": "2020-03-05", "year": "2020", "journal": "J", "doi": "10.1/x", "pmcid": "PMC7", "pmid": "27000083",
        "licence": "cc-by",
    }  # fmt: skip
    assert facts["u2"] == {"date": "2019", "year": "2019", "retracted": "unnamed"}
    assert repairs.counts == {"abstract_heading_left_out": 1, "article_without_date": 1}
    assert not repairs.refused


def test_the_older_schema_names_parses_by_sha_and_pmcid(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "old",
        {
            "metadata.csv": table(
                row(
                    OLD,
                    cord_uid="u1",
                    sha=f"{B}; {A}",
                    title="T",
                    abstract="x",
                    has_pdf_parse="True",
                    full_text_file="c",
                ),
                row(OLD, cord_uid="u2", pmcid="PMC9", title="U", abstract="x", has_pmc_xml_parse="True"),
                row(OLD, cord_uid="u3", sha="c" * 40, title="V", abstract="x", has_pdf_parse="True"),
                header=OLD,
            ),
            f"c/pdf/{A}.json": parse(A, abstract=""),
            f"c/pdf/{B}.json": parse(B, "|Second."),
            "c/PMC9.xml.json": parse("PMC9", "|Ninth."),
        },
    )
    documents, repairs = released(path)
    assert {document.id: document.sections[-1].text for document in documents} == {
        "u1": "Second.",
        "u2": "Ninth.",
        "u3": "x",
    }
    assert repairs.counts["paper_without_text"] == 1


def test_the_first_row_of_a_cord_uid_counts_and_gives_the_text_of_one_parse(tmp_path: Path) -> None:
    named = {"pdf_json_files": f"{A}.json; {B}.json", "pmc_json_files": "PMC1.xml.json"}
    files = {
        "metadata.csv": table(
            row(cord_uid="u", title="First", **named),
            row(cord_uid="v", title="Other", pdf_json_files=f"c/{A}.json"),
            row(cord_uid="u", title="Second", abstract="Told.", pdf_json_files=f"{'c' * 40}.json"),
            row(cord_uid="w", title="Cut", pdf_json_files=f"{B}.json"),
        ),
        f"{A}.json": parse(A, "|Of the PDF.", abstract="Read."),
        f"{B}.json": parse(B, "|Cut.")[:40],
        f"{'c' * 40}.json": parse("c" * 40, "|Of no document."),
        "PMC1.xml.json": parse("PMC1", "|Of PMC."),
    }
    documents, repairs = released(folder(tmp_path / "release", files))
    assert [[text for _, _, text in told(document)] for document in documents] == [
        ["First", "Of PMC."],
        ["Other", "Read.", "Of the PDF."],
        ["Cut"],
    ]
    assert repairs.refusals == [(f"release/{B}.json", "the text ends too early")]
    assert repairs.counts == {"cord_uid_repeated": 1, "paper_without_text": 1, "article_without_date": 3}


def test_a_parse_that_no_row_names_is_a_document_by_itself(tmp_path: Path) -> None:
    path = folder(
        tmp_path,
        {"metadata.csv": table(row(cord_uid="u", title="T")), f"{A}.json": parse(A, "|x", abstract="y")},
    )
    documents, repairs = released(path)
    assert [document.id for document in documents] == ["u", A]
    assert told(documents[1]) == [("title", "", "Of the PDF"), ("abstract", "", "y"), ("body", "", "x")]
    assert repairs.counts["parse_without_row"] == 1


TEXTS = [
    (["179|One.", "|Two."], [("body", "", "One.\nTwo.")], {"heading_without_word": 1}),
    (
        ["Aim|One.", "End|Two.", "Aim|Three."],
        [("body", "Aim", "One."), ("body", "End", "Two."), ("body", "Aim", "Three.")],
        {},
    ),
    (["Aim|", "Aim|  "], [], {}),
]


@each_row(("texts", "expected", "counted"), TEXTS)
def test_what_programs_read_into_pdfs_is_told_apart(
    texts: list[str], expected: list[tuple[str, str, str]], counted: dict[str, int]
) -> None:
    repairs = Repairs()
    (document,) = cord19.read(io.BytesIO(parse(A, *texts).encode()), repairs, "a.json")
    assert told(document)[1:] == expected
    assert repairs.counts == counted


ABSTRACTS = [
    ("Abstract The cells.", "The cells."),
    ("AbstractThe cells.", "The cells."),
    ("Summary: Ten.", "Ten."),
    ("Abstract cDNA clones.", "cDNA clones."),
    ("Summary of cells.", "Summary of cells."),
    ("Abstracts were read.", "Abstracts were read."),
    ("Unknown", ""),
]


@each_row(("written", "expected"), ABSTRACTS)
def test_an_abstract_loses_its_own_heading_only(written: str, expected: str) -> None:
    data = table(row(cord_uid="u", title="T", abstract=written)).encode()
    (document,) = cord19.read(io.BytesIO(data), Repairs(), "metadata.csv")
    assert [text for label, _, text in told(document) if label == "abstract"] == (
        [expected] if expected else []
    )


def test_authors_of_a_table_and_of_a_parse_are_spelled_alike() -> None:
    names = "DiSano, Krista D.; Bo, B; Salt Group"
    (of_table,) = cord19.read(
        io.BytesIO(table(row(cord_uid="u", title="T", authors=names)).encode()), Repairs(), "metadata.csv"
    )
    people = [
        {"first": "Krista", "middle": ["D."], "last": "DiSano", "suffix": ""},
        {"first": "B", "middle": [], "last": "Bo", "suffix": ""},
        {"first": "", "middle": [], "last": "", "suffix": ""},
        {"first": None, "middle": None, "last": "Salt Group", "suffix": None},
    ]
    parse = json.dumps({"paper_id": "a" * 40, "metadata": {"title": "T", "authors": people}})
    (of_parse,) = cord19.read(io.BytesIO(parse.encode()), Repairs(), "a.json")
    assert of_table.facts["authors"] == of_parse.facts["authors"] == names


BAD_ROWS = [
    ("u1,a,b", "a row with more or fewer cells than columns", True),
    (row(title="T"), "a row without cord_uid", True),
    ("u1,caf\udce9", "a row of the table: not UTF-8", False),
    ('u1,"' + "x" * (5 << 20), "a row of the table: field larger than field limit (4194304)", False),
    ('u1,"T"x', "a row of the table: ',' expected after '\"'", False),
]


@each_row(("bad", "why", "goes_on"), BAD_ROWS)
def test_a_row_that_cannot_be_read_is_told_with_its_line_and_ends_the_table_where_it_is_no_csv(
    bad: str, why: str, goes_on: bool, tmp_path: Path
) -> None:
    text = 'Why, \n\nthen "so",\nand u9,,,,,,,,,,,,,,,,,\r\nthus.'
    rows = row(cord_uid="u0", title="T", abstract=text), bad, row(cord_uid="u2", title="T")
    data, repairs = table(*rows).encode("utf-8", "surrogateescape"), Repairs()
    documents = up_to_the_break(cord19.read(io.BytesIO(data), repairs, "metadata.csv"), repairs)
    assert [document.id for document in documents] == (["u0", "u2"] if goes_on else ["u0"])
    assert told(documents[0])[1] == ("abstract", "", " ".join(text.split()))
    if goes_on:
        assert repairs.refusals == [("metadata.csv:7", why)]
        return
    with pytest.raises(TruncatedError, match=re.escape(f"metadata.csv:7: {why}")):
        list(cord19.read(io.BytesIO(data), Repairs(), "metadata.csv"))
    path = folder(tmp_path, {f"{A}.json": parse(A, "|x")})
    (path / "metadata.csv").write_bytes(data)
    documents, repairs = [], Repairs()
    with pytest.raises(TruncatedError, match=re.escape(f"{tmp_path.name}/metadata.csv:7: {why}")):
        documents.extend(document.id for document in cord19.release(path, repairs))
    assert documents == ["u0"]


@each_row("given", ["../secret.json", "/etc/secret.json", "C:\\secret.json"])
def test_a_path_that_leads_out_of_the_release_is_not_opened(tmp_path: Path, given: str) -> None:
    (tmp_path / "secret.json").write_text(parse(A, "|Secret."))
    path = folder(
        tmp_path / "release", {"metadata.csv": table(row(cord_uid="u", title="T", pdf_json_files=given))}
    )
    (document,), repairs = released(path)
    assert told(document) == [("title", "", "T")]
    assert repairs.counts["paper_without_text"] == 1


def test_a_table_that_cannot_be_read_is_refused_and_the_parses_stay(tmp_path: Path) -> None:
    files = {"metadata.csv": "sha,title\n", f"{A}.json": parse(A, "|x")}
    (document,), repairs = released(folder(tmp_path / "release", files))
    assert document.id == A
    assert repairs.refusals == [("release/metadata.csv:1", "no column cord_uid, abstract")]


def test_a_caption_without_words_and_an_entry_of_another_kind_are_left_out() -> None:
    entries = {
        "FIGREF0": {"text": " ", "type": "figure"},
        "BIBREF0": {"text": "A paper.", "type": "bibliography"},
        "TABREF0": {"text": "Table 1", "type": "table"},
    }
    data = parse(A, "|x", ref_entries=entries).encode()
    (document,) = cord19.read(io.BytesIO(data), Repairs(), "a.json")
    assert told(document)[1:] == [("body", "", "x"), ("table", "", "Table 1")]


@each_row(
    ("head", "expected"),
    [
        (b'{"paper_id": 1', True),
        (b'\xef\xbb\xbf \n{"paper_id": 1', True),
        (b'[{"paper_id": 1', False),
        (b'{"other": 1', False),
        (b'{"x": "' + b" " * 5000 + b'", "paper_id": 1', False),
    ],
)
def test_a_parse_is_told_by_its_first_bytes(head: bytes, expected: bool) -> None:
    assert cord19.sniff(head) is expected


BAD_PARSES = [
    (b'{"paper_id": "a", "body_text": [{"te', "the text ends too early"),
    (b'{"paper_id": 7}', "Expected `str`, got `int` - at `$.paper_id`"),
    (b'{"paper_id": " "}', "a parse without paper_id"),
    (b'{"body_text": []}', "Object missing required field `paper_id`"),
    (b'{"paper_id": "a", "x": ' + b"[" * 100_000, "malformed JSON: "),
]


@each_row(("data", "why"), BAD_PARSES)
def test_a_parse_that_cannot_be_read_is_refused_by_its_name(tmp_path: Path, data: bytes, why: str) -> None:
    path = folder(
        tmp_path / "release",
        {"metadata.csv": table(row(cord_uid="u", title="T", pdf_json_files=f"{A}.json"))},
    )
    (path / f"{A}.json").write_bytes(data)
    (document,), repairs = released(path)
    assert told(document) == [("title", "", "T")]
    ((where, told_why),) = repairs.refusals
    assert where == f"release/{A}.json"
    assert told_why.startswith(why)
    assert "\n" not in told_why


def test_what_is_no_release_is_not_taken_for_one(tmp_path: Path) -> None:
    no = folder(
        tmp_path / "no", {"metadata.csv": "id,title\n1,2\n", f"{A}.json": parse(A, "|x"), "a.json": "{}"}
    )
    assert not cord19.is_release(no)
    assert not cord19.is_release(tmp_path / "absent")
    assert not cord19.is_release(no / "metadata.csv")
    (no / "metadata.csv.gz").write_bytes(b"\x1f\x8b\x08broken")
    assert not cord19.is_release(no)
    assert not cord19.is_release("\0")


def test_releases_inside_a_folder_stay_one_input_each(tmp_path: Path) -> None:
    folder(tmp_path, {f"b/{name}": text for name, text in FILES.items()})
    folder(
        tmp_path,
        {
            "a.jsonl": '{"id": "1", "title": "T"}\n',
            "c/d/metadata.csv": FILES["metadata.csv"],
            "c/e/document_parses/a.json": parse(A, "|x"),
            "z.txt": "1|t|T\n",
        },
    )
    assert [name for name, _ in inputs([tmp_path], Repairs())] == [
        "a.jsonl", "b", "c/d", "c/e/document_parses/a.json", "z.txt",
    ]  # fmt: skip
    assert [name for name, _ in inputs([tmp_path / "b"], Repairs())] == ["b"]
    with pytest.raises(InputError, match="no such file"):
        inputs([tmp_path / "absent"], Repairs())
    with pytest.raises(InputError, match="no input file"):
        inputs([], Repairs())


BESIDE = {
    "more.jsonl": '{"id": "4", "title": "Beside", "text": "x"}\n',
    "pubmed/a.xml": "<MedlineCitation><PMID>5</PMID><Article><ArticleTitle>Below</ArticleTitle></Article>"
    "</MedlineCitation>",
    "json_schema.txt": "{",
    "cord_19_embeddings_2020-05-19.csv": "u1,0.1",
    "changelog": "x",
}


def test_other_files_in_a_release_s_folder_are_inputs_too(tmp_path: Path) -> None:
    path = folder(tmp_path / "all" / "release", {**FILES, **BESIDE})
    names = [name for name, _ in inputs([path], Repairs())]
    assert names == ["more.jsonl", "pubmed/a.xml", "release"]
    beside = [name for name, _ in inputs([path.parent], Repairs(), (*suffixes(), ".tar", ".tar.gz"))]
    assert beside == ["release", "release/more.jsonl", "release/pubmed/a.xml"]
    done = api.convert([path], tmp_path / "out.jsonl", to="jsonl")
    assert (done.documents, done.refused) == (3 + 2, 0)
    assert {"u1", "u2", "u3", "4", "5"} == {document.id for document in api.read(tmp_path / "out.jsonl")}


@pytest.mark.shared
def test_the_samples_of_real_releases_give_their_known_counts(shared: Path, tmp_path: Path) -> None:
    with tarfile.open(shared / "data/cord19/cord19_samples.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    repairs = Repairs()
    documents = [
        document for _, path in inputs([tmp_path], repairs) for document in api.read(path, repairs=repairs)
    ]
    labels = Counter(part.label for document in documents for part in document.sections)
    # 64 parses alone, 3 rows and 3 rows with parses in both schemas, 1,000 rows alone.
    assert len(documents) == 1070
    assert labels["abstract"] >= 61 + 705
    assert sum("pmid" in document.facts for document in documents) == 691 + 6
    assert (repairs.refused, repairs.counts["paper_without_text"]) == (0, 712)
    by_id = {document.id: document for document in documents}
    assert by_id["xqhn0vbp"].facts["pmcid"] == "PMC140314"
    assert ("body", "Methods › Organism") in [(part.label, part.title) for part in by_id["xqhn0vbp"].sections]


def test_a_table_is_known_by_its_first_line_however_that_ends() -> None:
    for end in (b"\n", b"\r\n"):
        assert cord19.sniff(b"title,abstract,cord_uid" + end + b"a,b,c")
        assert not cord19.sniff(b"title,abstract" + end + b"cord_uid")


def test_a_table_is_read_in_pieces_of_bounded_size() -> None:
    class Sized(io.BytesIO):
        def __next__(self) -> bytes:
            raise AssertionError

    data = table(row(cord_uid="u", title="T")).encode()
    (document,) = cord19.read(Sized(data), Repairs(), "metadata.csv")
    assert document.title == "T"
