"""PubTator text: what is read of a clean file, what is counted of a dirty one, and that nothing depends on blocks."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.articles import article, text
from tests.builds import read_by_workers
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.documents.document import Document, Mention, Relation, Section, linked
from anagnosis.documents.formats import pubtator
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError

CLEAN = (Path(__file__).parents[2] / "samples/pubtator/clean.txt").read_bytes()
TITLE = "Zinc against colds"
ABSTRACT = "Zinc was taken daily. Colds were shorter."


class Read(NamedTuple):
    documents: list[Document]
    counts: dict[str, int]
    refusals: list[tuple[str, str]]


def read(data: bytes, name: str = "file") -> Read:
    repairs = Repairs()
    documents = up_to_the_break(pubtator.read(io.BytesIO(data), repairs, name), repairs)
    return Read(documents, dict(repairs.counts), repairs.refusals)


def written(documents: Iterable[Document]) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = pubtator.write(documents, stream)
    return stream.getvalue(), losses


def test_a_clean_file_is_read_as_it_stands() -> None:
    first, second = read(CLEAN).documents
    assert first == Document(
        "1",
        (Section("title", TITLE), Section("abstract", ABSTRACT)),
        (
            Mention(((0, 4),), "Zinc", "Chemical", "MESH:D015032"),
            Mention(((13, 18),), "colds", "Disease", "MESH:D003139"),
            Mention(((19, 23),), "Zinc", "Chemical", "MESH:D015032"),
            Mention(((41, 46),), "Colds", "Disease", "MESH:D003139"),
        ),
    )
    assert second.id == "2"


@each_row(
    ("data", "times", "counted"),
    [
        (CLEAN.replace(b"\n", b"\r\n"), 1, {"windows_line_end": CLEAN.count(b"\n")}),
        (CLEAN.replace(b"Zinc against", b"Zinc\0against"), 1, {"nul_character": 2}),
        # A mark is left where files were joined.
        (CLEAN + b"\xef\xbb\xbf" + CLEAN, 2, {"mark_inside": 1}),
    ],
    ids=["windows", "nul", "mark"],
)
def test_characters_that_are_none_of_the_text_are_counted(
    data: bytes, times: int, counted: dict[str, int]
) -> None:
    found = read(data)
    assert found.documents == read(CLEAN).documents * times
    assert found.counts == counted


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "windows"])
def test_only_the_documents_that_are_not_utf_8_are_refused_each_by_its_line(end: bytes) -> None:
    data = CLEAN + b"3|t|Caf\xe9\n3|a|y\n\n" + CLEAN.replace(b"1|t|Zinc", b"1|t|Z\xffnc") + CLEAN
    found = read(data.replace(b"\n", end))
    assert [d.id for d in found.documents] == ["1", "2", "2", "1", "2"]
    why = "not UTF-8; convert it to UTF-8"
    assert found.refusals == [("file:13", why), ("file:16", why)]


@each_row(
    "data",
    [bytes(range(256)) * 300, b"id,title\n1,Zinc\n", b"|t|no id\n|a|x\n"],
    ids=["binary", "table", "no id"],
)
def test_what_is_no_pubtator_text_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(InputError, match=r"file:1: no line like `27000083\|t\|Title`: not PubTator text"):
        read(data)


def test_a_document_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubtator, "LONGEST_DOCUMENT", 1 << 20)
    with pytest.raises(InputError, match="file:3: a document longer than 1 MiB"):
        read(b"1|t|a\n1|a|b\n2|t|" + b"x" * (1 << 20))


@each_row(
    "more",
    [
        b"3|a|" + b"|t| |title| " * 100_000 + b"\n",
        b"3|a|Colds.\n" * 100_000,
        b"\n3\t0\t4\tZinc\tChemical\tD1\n" * 100_000,
    ],
    ids=["title marks in a line", "abstracts", "rows behind blank lines"],
)
def test_a_long_document_is_read_in_linear_time(more: bytes) -> None:
    begins = perf_counter()
    assert [d.id for d in read(CLEAN + b"3|t|Zinc\n" + more).documents] == ["1", "2", "3"]
    assert perf_counter() - begins < 4  # it takes .2, and took over 20


def test_a_file_that_breaks_off_is_refused_or_read_up_to_there(tmp_path: Path) -> None:
    data = text(*[article(ident=str(n)) for n in range(1000)])
    whole = gzip.compress(data)
    (tmp_path / "a.gz").write_bytes(whole[: len(whole) * 9 // 10])
    with pytest.raises(
        TruncatedError, match=r"^a\.gz: the compressed file ends too early; fetch it again, or "
    ):
        list(InputFiles([tmp_path / "a.gz"]).blocks())
    inputs = InputFiles([tmp_path / "a.gz"], accept_truncated=True)
    found, repairs = read_by_workers(inputs)
    assert repairs.counts == {"truncated_file": 1}
    assert repairs.refusals == [("a.gz", "the compressed file ends too early")]
    assert 500 < len(found) < 1000
    assert found == read(data).documents[: len(found)]


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0\ufeff"), min_size=1, max_size=12)
CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\t\0|\ufeff"), min_size=1, max_size=8)
KINDS = st.sampled_from(["Gene", "Disease", "p-value", "type of"])


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """What PubTator text can hold."""
    texts = draw(st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=2))
    sections = tuple(map(Section, ("title", "abstract"), texts))
    mentions: set[tuple[int, int, str, str]] = set()
    begin = 0
    for part in texts:
        for _ in range(draw(st.integers(0, 4)) if part else 0):
            start = draw(st.integers(0, len(part) - 1))
            end = draw(st.integers(start + 1, len(part)))
            if "\t" not in part[start:end]:
                mentions.add((begin + start, begin + end, draw(KINDS), draw(st.one_of(st.just(""), CELLS))))
        begin += len(part) + 1
    found = sorted(mentions, key=lambda m: m[:2])
    whole = "\n".join(texts)
    relations = draw(st.lists(st.builds(Relation, KINDS, st.tuples(CELLS, CELLS)), max_size=2))
    return Document(
        draw(CELLS.filter(str.strip)),
        sections,
        tuple(Mention(((s, e),), whole[s:e], kind, linked(ident)) for s, e, kind, ident in found),
        tuple(relations),
    )


@given(st.lists(documents(), min_size=1, max_size=5))
def test_what_is_written_is_read_back_the_same(made: list[Document]) -> None:
    data, losses = written(made)
    assert losses == {}
    assert read(data).documents == made


LINES = st.sampled_from(
    [
        "1|t|Zinc against colds",
        "1|a|Zinc was taken. |t| 2|t|x",
        "22|t|Colds",
        "22|a|Colds went.",
        "22|title|Other",
        "22|abstract|words",
        "22|body|more",
        "1\t0\t4\tZinc\tChemical\tD1",
        "1\t19\t23\tZinc\tChemical\t",
        "22\t0\t5\tColds\tDisease\t-1",
        "22\t6\t11\tColds\tDisease\tD3",
        "22\tCID\tD1\tD3",
        "no row",
        "",
        "",
        "",
        "é|t|ünïcode",
    ]
)


@given(st.lists(LINES, max_size=25), st.integers(64, 400), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_blocks_of_any_size_give_the_same_documents_and_counts(
    lines: list[str], size: int, end: str, final: bool
) -> None:
    data = (end.join(["9|t|first", *lines]) + (end if final else "")).encode()
    repairs = Repairs()

    def in_blocks() -> Iterator[Document]:
        for block in pubtator.blocks(io.BytesIO(data), "file", size):
            for record in pubtator.records(block, repairs):
                yield pubtator.document(record, repairs, block.name)

    found = up_to_the_break(in_blocks(), repairs)
    whole = read(data)
    assert found == whole.documents
    assert dict(repairs.counts) == whole.counts
    assert sorted(repairs.refusals) == sorted(whole.refusals)


def test_blocks_are_cut_by_the_bytes_alone() -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(7)

    data = CLEAN * 40
    assert list(pubtator.blocks(Slow(data), "file", 1000)) == list(
        pubtator.blocks(io.BytesIO(data), "file", 1000)
    )


def test_writing_says_by_name_what_the_format_cannot_hold() -> None:
    document = Document(
        "1",
        (Section("abstract", "one\rtwo", "AIM"), Section("body", "three\nfour"), Section("abstract", "five")),
        (
            Mention(((0, 3), (4, 7)), "AIM one", "Gene", "1"),
            Mention(((4, 7),), "one", "", "2"),
            Mention(((4, 7),), "one", "a|b", "2"),
            Mention(((4, 7),), "", "Gene", "2"),
        ),
        (Relation("CID", ("1",)), Relation("2", ("1", "2")), Relation("CID", ("a\tb", "c\nd"))),
        {"journal": "none"},
    )
    data, losses = written([document])
    assert losses == {
        "section": 2,
        "fact": 1,
        "discontinuous_mention": 1,
        "mention": 3,
        "relation": 2,
    }
    assert data == b"1|t|\n1|a|AIM one two three four five\n1\t1\t8\tAIM one\tGene\t1\n1\tCID\ta b\tc d\n\n"


@each_row("ident", ["", "a|b", "a\tb", "a\nb", "a\rb"])
def test_an_id_that_would_break_a_line_is_refused(ident: str) -> None:
    with pytest.raises(InputError, match="PubTator text cannot hold this document id"):
        written([Document(ident, (Section("title", "x"),))])
