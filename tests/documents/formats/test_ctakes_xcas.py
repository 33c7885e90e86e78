"""cTAKES's XCAS as a tokenised report."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Document
from anagnosis.documents.formats import ctakes_xcas as xcas
from anagnosis.documents.formats.ctakes_xcas import Token, tokenised
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SYNTAX = "org.apache.ctakes.typesystem.type"
TEXT = "A rash.\n\nHe (45) took: zinc.\nLearning points\nZinc helps. "


def tokens(text: str) -> list[Token]:
    """Words, signs and line ends, as cTAKES parts them."""
    return [Token(m.start(), m.end(), m[0] == "\n") for m in re.finditer(r"\w+|\n|[^\w\s]", text)]


def cas(text: str, *, more: str = "") -> bytes:
    """An XCAS of a text, a sentence to each full stop and line end."""
    kinds = {True: "NewlineToken", False: "WordToken"}
    units = [len(text[:at].encode("utf-16-le")) // 2 for at in range(len(text) + 1)]
    listed = "".join(
        f'<{SYNTAX}.syntax.{kinds[t.is_newline]} begin="{units[t.start]}" end="{units[t.end]}"/>'
        for t in tokens(text)
    )
    listed += "".join(
        f'<{SYNTAX}.textspan.Sentence begin="0" end="{units[m.end()]}"/>'
        for m in re.finditer(r"\.|points", text)
    )
    sofa = text.replace("\n", "&#10;")
    return f'<CAS version="2"><uima.cas.Sofa _id="1" sofaString="{sofa}"/>{listed}{more}</CAS>'.encode()


def read(data: bytes, repairs: Repairs | None = None) -> list[Document]:
    return list(xcas.read(io.BytesIO(data), repairs or Repairs(), "bcr-1.xcas"))


def test_a_cas_becomes_a_report_with_its_sections() -> None:
    (document,) = read(cas(TEXT))
    assert document.id == "bcr-1"
    # Each line end stands once for the sentence and once for the token; of two tokens in a row one is left.
    assert document.text == "A rash .\n\nHe ( 45 ) took : zinc .\n\nLearning points\n\nZinc helps .\n"
    assert [each.label for each in document.sections] == ["title", "body", "learning points"]


@each_row(
    ("text", "ends", "written"),
    [
        ("a b. c ", [4], "a b .\nc"),
        ("a (b) c ", [5], "a ( b ) c"),
        ("a: b ", [2], "a : b"),
        ("a (b)\nc ", [6], "a ( b )\nc"),
        ("a\n\n\nb ", [], "a\n\nb"),
        ("a\n\nb\n\nc ", [], "a\nb\nc"),
        ("a b", [3], "a"),
        ("a\n", [1], "a\n"),
    ],
)
def test_tokens_are_written_with_blanks_and_sentences_with_line_ends(
    text: str, ends: list[int], written: str
) -> None:
    assert tokenised(text, tokens(text), ends) == written


def test_tokens_may_stand_in_any_order() -> None:
    assert tokenised("a b. c ", tokens("a b. c ")[::-1], [4]) == "a b .\nc"


def test_offsets_count_utf_16_units() -> None:
    (document,) = read(cas("The 𝛽 cell. It grew. "))
    assert document.text == "The 𝛽 cell .\nIt grew .\n"


def test_the_mentions_of_the_same_file_are_moved_to_the_tokens(tmp_path: Path) -> None:
    text = "A rash.\n\nHe (45) took: zinc-ointment.\nIt helps.\n"
    start = text.index("zinc")
    more = (
        f'<{SYNTAX}.textsem.MedicationMention _ref_sofa="1" begin="{start}" end="{start + 13}" polarity="1"/>'
    )
    (tmp_path / "bcr-1.xcas").write_bytes(cas(text, more=more))
    out = tmp_path / "out.jsonl"
    api.annotate([tmp_path / "bcr-1.xcas"], out, annotations=[("ctakes", tmp_path / "bcr-1.xcas")])
    (document,) = api.read(out)
    assert document.text == "A rash .\n\nHe ( 45 ) took : zinc - ointment .\n\nIt helps .\n"
    assert [(each.text, each.type) for each in document.mentions] == [("zinc - ointment", "Medication")]


def test_mentions_and_further_texts_are_counted() -> None:
    more = f'<{SYNTAX}.textsem.SignSymptomMention begin="2" end="6"/><uima.cas.Sofa _id="9" sofaString="b"/>'
    repairs = Repairs()
    assert read(cas(TEXT, more=more), repairs) == read(cas(TEXT))
    assert repairs.counts == {"annotation_left_out": 1, "further_text_left_out": 1}


@each_row(
    ("data", "what"),
    [
        (b'<CAS version="2"/>', "no text with tokens of cTAKES"),
        (b'<CAS><uima.cas.Sofa sofaString="a b"/></CAS>', "no text with tokens of cTAKES"),
        (cas("a b. ").replace(b'begin="0"', b'begin="-1"', 1), "offsets '-1' and '1'"),
        (cas("a b. ").replace(b'end="1"', b'end="' + b"9" * 40 + b'"', 1), "offsets '0' and '9"),
        (cas("a b. ")[:-3], "malformed XML"),
    ],
)
def test_a_broken_cas_is_one_line(data: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what) as refused:
        read(data)
    assert "\n" not in str(refused.value)


def test_the_programs_cases(shared: Path) -> None:
    cases = json.loads((shared / "vectors/clicr/ctakes_to_tok.json").read_text("utf-8"))["cases"]
    assert len(cases) == 4
    for case in cases:
        text, written = case["input"]["text"], case["input"]["xmi"]
        sofa = f'<CAS version="2"><uima.cas.Sofa sofaString="{text}"/>'.replace("\n", "&#10;")
        (document,) = read(written.replace('<CAS version="2">', sofa).encode())
        assert document.text == case["output"]
