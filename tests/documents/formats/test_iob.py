"""Tokens with tags: spans of mentions in the rebuilt text, ids of documents, lines that are none."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import iob
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError


def read(text: str | bytes, name: str = "notes/train.iob2") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    stream = io.BytesIO(text.encode() if isinstance(text, str) else text)
    return up_to_the_break(iob.read(stream, repairs, name), repairs), repairs


def mentions(*tags: str) -> list[tuple[int, int, str]]:
    """(start, end, type) over words a, b, c, …"""
    lines = "".join(f"{chr(97 + place)}\t{tag}\n" for place, tag in enumerate(tags))
    (document,), _ = read(lines)
    assert all(document.text[m.start : m.end] == m.text for m in document.mentions)
    return [(m.start, m.end, m.type) for m in document.mentions]


TAGS = {
    "B-X I-X O": [(0, 3, "X")],
    "B-X B-X": [(0, 1, "X"), (2, 3, "X")],
    "I-X I-X O I-Y": [(0, 3, "X"), (6, 7, "Y")],
    "I-X I-Y": [(0, 1, "X"), (2, 3, "Y")],
    "I-X B-X": [(0, 1, "X"), (2, 3, "X")],
    "B-X I-X E-X S-X": [(0, 5, "X"), (6, 7, "X")],
    "B-X L-X U-Y O": [(0, 3, "X"), (4, 5, "Y")],
    "O O": [],
}


@each_row("tags", TAGS)
def test_every_scheme_of_tags_gives_its_mentions(tags: str):
    assert mentions(*tags.split()) == TAGS[tags]


def test_sentences_are_lines_and_no_mention_crosses_them():
    (document,), repairs = read("a\tB-X\n\nb\tI-X\n\n\nc\tO\n")
    assert document.sections == (Section("body", "a\nb\nc"),)
    assert [m.spans for m in document.mentions] == [((0, 1),), ((2, 3),)]
    assert repairs.counts == {"begin_tag_missing": 1, "mention_without_identifier": 2}


@each_row(
    "line", ["###MEDLINE:77", "-DOCSTART- (77)", "# newdoc id = 77", "# id = 77", "-DOCSTART- -X- (77) O"]
)
def test_a_line_of_an_id_begins_a_document_with_a_title(line: str):
    first, second = read(f"{line}\nSalt\tO\n\nWe\tO\nate\tO\n{line.replace('77', '78')}\nTea\tO\n")[0]
    assert (first.id, second.id) == ("77", "78")
    assert first.sections == (Section("title", "Salt"), Section("abstract", "We ate"))
    assert second.sections == (Section("title", "Tea"),)


def test_documents_without_an_id_are_named_after_the_file():
    documents, _ = read("-DOCSTART- -X- O O\n\na NN O\n\n-DOCSTART- -X- O O\nb NN B-X\n")
    assert [(each.id, each.text) for each in documents] == [("train", "a"), ("train:2", "b")]


def test_hashes_are_comments_or_tokens():
    (document,), _ = read("# text = a\n#\tO\na\tO\n")
    assert document.text == "# a"


def test_a_line_that_is_no_token_refuses_its_document_alone():
    documents, repairs = read("# id = 1\na\tO\nb\n# id = 2\nc\tO\n# id = 3\nd\tZ-X\n")
    assert [each.id for each in documents] == ["2"]
    why = "no token and tag (O, B-Type, I-Type)"
    assert repairs.refusals == [("notes/train.iob2:3", why), ("notes/train.iob2:7", why)]


def test_bytes_that_are_not_utf_8_refuse_their_document():
    documents, repairs = read(b"# id = 1\ncaf\xe9\tO\n# id = 2\nc\tO\n")
    assert [each.id for each in documents] == ["2"]
    assert repairs.refusals == [("notes/train.iob2:2", "not UTF-8")]


def test_a_file_that_ends_inside_a_line_breaks_off(tmp_path: Path):
    (tmp_path / "a.iob").write_text("a\tO\nb")
    with pytest.raises(InputError, match=r"a.iob:2: the file ends inside a line"):
        list(api.read(tmp_path / "a.iob"))


def test_entities_are_converted(tmp_path: Path):
    (tmp_path / "a.iob").write_text("# id = 1\nSalt\tB-Chemical\n\nWe\tO\n")
    api.convert([tmp_path / "a.iob"], tmp_path / "out.pubtator")
    rows = (tmp_path / "out.pubtator").read_text().splitlines()
    assert rows[2].split("\t")[:5] == ["1", "0", "4", "Salt", "Chemical"]


WORD = st.text(st.characters(categories=("L", "N", "P"), exclude_characters="#"), min_size=1, max_size=6)
SPAN = st.tuples(st.lists(WORD, min_size=1, max_size=3), st.sampled_from(["", "Gene", "Disease"]))


@given(st.lists(st.lists(SPAN, min_size=1, max_size=5), min_size=1, max_size=4))
def test_written_spans_come_back(sentences: list[list[tuple[list[str], str]]]):
    lines, expected = list[str](), list[tuple[str, str]]()
    for sentence in sentences:
        for words, type in sentence:
            for place, word in enumerate(words):
                tag = f"{'I' if place else 'B'}-{type}" if type else "O"
                lines.append(f"{word}\t{tag}")
            if type:
                expected.append((" ".join(words), type))
        lines.append("")
    (document,), repairs = read("\n".join(lines) + "\n")
    assert [(m.text, m.type) for m in document.mentions] == expected
    assert all(document.text[m.start : m.end] == m.text for m in document.mentions)
    assert not repairs.refused
