"""Marked text: offsets are computed, nested marks overlap, and a slip is told with its line."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.corpus import marking
from anagnosis.documents.document import Document, Mention
from anagnosis.errors import InputError

GOOD = """# a remark

ID: one
TITLE: Does [[metformin|Chemical|MESH:D008687]] slow ageing?
# a remark between
ABSTRACT: [[Metformin|Chemical|MESH:D008687]] | [severe [[pain|Disease|]]].


ID: two
TITLE:
ABSTRACT:
"""

SLIPS = [
    ("ID: a\nTITLE: t\nABSTRACT: [[x|T|1]\n", 3, "not closed"),
    ("ID: a\nTITLE: x|T|1]] y\nABSTRACT: z\n", 2, "not opened"),
    ("ID: a\nTITLE: t\nABSTRACT: z ]] y\n", 3, "not opened"),
    ("ID: a\nTITLE: [[x]] y\nABSTRACT: z\n", 2, "without type and identifier"),
    ("ID: a\nTITLE: [[x|T]] y\nABSTRACT: z\n", 2, "without type and identifier"),
    ("ID: a\nTITLE: [[|T|1]] y\nABSTRACT: z\n", 2, "a mention of ''"),
    ("ID: a\nTITLE: [[x |T|1]] y\nABSTRACT: z\n", 2, "a mention of 'x '"),
    ("ID: a\nABSTRACT: z\n", 2, "not a line `TITLE: …`"),
    ("ID: a\nTITLE: t\n", 2, "without a line `ABSTRACT: …`"),
    ("ID: a\nTITLE: t\nABSTRACT: z\nmore\n", 4, "a line after the abstract"),
    ("\n\nTITLE: t\nABSTRACT: z\n", 3, "not a line `ID: …`"),
    ("ID: a b\nTITLE: t\nABSTRACT: z\n", 1, "the id 'a b'"),
    ("ID:\nTITLE: t\nABSTRACT: z\n", 1, "the id ''"),
    ("ID: a\nTITLE: t\nABSTRACT: z\n\nID: a\nTITLE: t\nABSTRACT: z\n", 5, "used again (first on line 1)"),
]


def read(text: str) -> list[Document]:
    return list(marking.read(io.BytesIO(text.encode()), "marked.txt"))


def test_offsets_are_those_of_pubtator() -> None:
    one, two = read(GOOD)
    assert one.title == "Does metformin slow ageing?"
    assert one.sections[1].text == "Metformin | [severe pain]."
    assert [one.text[m.start : m.end] for m in one.mentions] == ["metformin", "Metformin", "pain"]
    assert one.mentions[1] == Mention(((28, 37),), "Metformin", "Chemical", "MESH:D008687")
    assert one.mentions[2].identifier == ""
    assert (two.id, two.text) == ("two", "\n")


def test_nested_marks_make_overlapping_mentions() -> None:
    text, mentions = marking.unmarked("a [[severe [[pain|B|2]]|A|1;3|4]] b")
    assert text == "a severe pain b"
    assert mentions == [
        Mention(((2, 13),), "severe pain", "A", "1;3|4"),
        Mention(((9, 13),), "pain", "B", "2"),
    ]


@each_row(("text", "line", "words"), SLIPS)
def test_a_slip_is_told_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert caught.value.where == f"marked.txt:{line}"
    assert words in caught.value.what
    assert caught.value.remedy


def test_text_that_is_not_utf_8_is_told_with_its_line() -> None:
    with pytest.raises(InputError, match=r"marked\.txt:2: not UTF-8"):
        list(marking.read(io.BytesIO(b"ID: a\nTITLE: \xff\nABSTRACT: z\n"), "marked.txt"))


PLAIN = st.text(
    st.characters(exclude_characters="[]|\n\r", exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=12
)
SURFACE = PLAIN.map(str.strip).filter(bool)


@given(st.lists(st.tuples(PLAIN, SURFACE), max_size=6), PLAIN)
def test_marks_made_from_mentions_are_read_back(pieces: list[tuple[str, str]], end: str) -> None:
    marked = "".join(f"{before}[[{surface}|T|{at}]]" for at, (before, surface) in enumerate(pieces)) + end
    text, mentions = marking.unmarked(marked, shift=5)
    assert text == "".join(before + surface for before, surface in pieces) + end
    assert [m.text for m in mentions] == [surface for _, surface in pieces]
    assert [text[m.start - 5 : m.end - 5] for m in mentions] == [m.text for m in mentions]
    assert [m.identifier for m in mentions] == [str(at) for at in range(len(pieces))]
