"""PubTator text: what is read of a clean file, what is counted of a dirty one, and that nothing depends on blocks."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from anagnosis import api
from anagnosis.datasets.inputs import InputFiles
from anagnosis.documents import pubtator
from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SAMPLES = Path(__file__).parents[1] / "samples/pubtator"
CLEAN = (SAMPLES / "clean.txt").read_bytes()
TITLE = "Zinc against colds"
ABSTRACT = "Zinc was taken daily. Colds were shorter."


class Read(NamedTuple):
    documents: list[Document]
    counts: dict[str, int]
    refusals: list[tuple[str, str]]


def read(data: bytes, name: str = "file") -> Read:
    repairs = Repairs()
    documents = list(pubtator.read(io.BytesIO(data), repairs, name))
    return Read(documents, dict(repairs.counts), repairs.refusals)


def sample(name: str) -> Read:
    return read((SAMPLES / name).read_bytes(), name)


def written(documents: Iterable[Document]) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = pubtator.write(documents, stream)
    return stream.getvalue(), losses


# file → (what is counted, how many mentions each document keeps).
FOUND: dict[str, tuple[dict[str, int], list[int]]] = {
    "abstract-offset-0.txt": ({"abstract_offset_0": 1}, [4]),
    "abstract-offset-2.txt": ({"abstract_offset_2": 1}, [4]),
    "blank-line-inside-document.txt": ({"blank_line_inside_document": 2}, [4, 1]),
    "blank-lines-around.txt": ({}, [4, 1]),
    "clean.txt": ({}, [4, 2]),
    "composite-identifier.txt": ({}, [4]),
    "duplicate-row.txt": ({"duplicate_row": 1}, [2]),
    "empty-abstract.txt": ({}, [1]),
    "five-columns.txt": ({"mention_without_identifier": 2}, [2]),
    "identifier-missing.txt": ({"mention_without_identifier": 3}, [4]),
    "kinds-mixed-without-blank-lines.txt": ({}, [4, 1]),
    "line-of-no-document.txt": ({"line_unreadable": 2, "row_of_another_document": 1}, [4]),
    "mention-beyond-text.txt": ({"mention_beyond_text": 1}, [2]),
    "mention-text-differs.txt": ({"mention_text_differs": 1}, [2]),
    "mention-text-normalised.txt": ({"mention_text_normalised": 2}, [2]),
    "mention-without-text.txt": ({"mention_without_text": 1}, [1]),
    "no-abstract-line.txt": ({"document_without_abstract_line": 1}, [2, 1]),
    "no-blank-line-between-documents.txt": ({}, [4, 1, 0]),
    "no-final-newline.txt": ({}, [4, 2]),
    "offsets-by-majority.txt": ({"mention_text_differs": 1}, [3]),
    "offsets-differ-by-document.txt": ({"abstract_offset_0": 1, "abstract_offset_2": 1}, [3, 3, 3]),
    "offsets-fit-nowhere.txt": ({"mention_text_differs": 2, "offsets_fit_nowhere": 1}, [1]),
    "relation-rows.txt": ({"relation": 2}, [4]),
    "repeated-id.txt": ({}, [4, 1]),
    "row-of-another-document.txt": ({"row_of_another_document": 2}, [2]),
    "row-unreadable.txt": ({"row_unreadable": 7}, [4]),
    "row-without-type.txt": ({"row_without_type": 4}, [1]),
    "rows-out-of-order.txt": ({"rows_out_of_order": 2}, [4]),
    "second-abstract-line.txt": ({"second_abstract_line": 1}, [5]),
    "seven-columns.txt": ({"empty_seventh_column": 1, "extra_column": 1, "score_column": 2}, [4]),
    "title-abstract-body.txt": ({}, [5, 0]),
    "title-mark-inside-abstract.txt": ({}, [4, 1]),
}


def test_every_sample_has_its_line_in_the_table() -> None:
    assert sorted(FOUND) == sorted(path.name for path in SAMPLES.glob("*.txt"))


@pytest.mark.parametrize("name", FOUND)
def test_each_kind_of_dirt_is_counted_under_its_name(name: str) -> None:
    found = sample(name)
    assert (found.counts, [len(d.mentions) for d in found.documents]) == FOUND[name]


@pytest.mark.parametrize("name", FOUND)
def test_every_mention_that_is_kept_stands_where_it_says(name: str) -> None:
    for document in sample(name).documents:
        assert [document.text[m.start : m.end] for m in document.mentions] == [m.text for m in document.mentions]
        assert list(document.mentions) == sorted(document.mentions, key=lambda m: m.spans)


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


@pytest.mark.parametrize("joint", [0, 2])
def test_offsets_of_another_convention_are_brought_to_the_text(joint: int) -> None:
    assert sample(f"abstract-offset-{joint}.txt").documents == read(CLEAN).documents[:1]


def test_composite_identifiers_are_kept_as_they_were_read() -> None:
    (document,) = sample("composite-identifier.txt").documents
    assert [m.identifier for m in document.mentions] == [
        "MESH:D015032;MESH:D000",
        "D003139|D000",
        "D1+D2",
        "c|DEL|-1607|G;Gene:1",
    ]


def test_a_normalised_mention_gets_the_words_of_the_text() -> None:
    (document,) = sample("mention-text-normalised.txt").documents
    assert [m.text for m in document.mentions] == ["CXCR-1", "TNF-α"]


def test_relation_rows_become_relations_and_no_mentions() -> None:
    (document,) = sample("relation-rows.txt").documents
    assert document.relations == (
        Relation("CID", ("D015032", "D003139")),
        Relation("Positive_Correlation", ("MESH:D015032", "MESH:D003139", "Novel")),
    )


def test_the_words_title_abstract_and_body_stand_for_their_letters() -> None:
    whole, bare = sample("title-abstract-body.txt").documents
    assert [s.label for s in whole.sections] == ["title", "abstract", "body"]
    assert whole.mentions[4].text == "Zinc"
    assert whole.mentions[4].start == len(TITLE) + len(ABSTRACT) + 2
    assert [s.label for s in bare.sections] == ["title", "abstract"]


def test_a_document_without_an_abstract_line_has_no_abstract() -> None:
    document, _ = sample("no-abstract-line.txt").documents
    assert document.text == f"{TITLE} {ABSTRACT}"
    assert [s.label for s in document.sections] == ["title"]


def test_what_is_left_out_keeps_its_place() -> None:
    assert sample("line-of-no-document.txt").refusals == [
        (f"line-of-no-document.txt:{line}", "a line that belongs to no title line") for line in (1, 9, 10)
    ]
    assert sample("mention-beyond-text.txt").refusals == [
        ("mention-beyond-text.txt:1", "mentions that end beyond the text: 1, left out")
    ]
    (place,) = sample("second-abstract-line.txt").refusals
    assert place[0] == "second-abstract-line.txt:3"


def test_windows_line_ends_change_nothing_but_their_count() -> None:
    found = read(CLEAN.replace(b"\n", b"\r\n"))
    assert found.documents == read(CLEAN).documents
    assert found.counts == {"windows_line_end": CLEAN.count(b"\n")}


def test_a_lone_carriage_return_is_a_character_of_the_text() -> None:
    found = read(b"1|t|a\rb\n1|a|c\n1\t2\t3\tb\tGene\t7\n")
    assert found.documents[0].title == "a\rb"
    assert found.documents[0].mentions[0].text == "b"
    assert found.counts == {"lone_carriage_return": 1}


def test_lines_that_end_in_carriage_returns_alone_are_told() -> None:
    with pytest.raises(InputError, match=r"file:1: its lines end in carriage returns alone; convert them"):
        read(CLEAN.replace(b"\n", b"\r"))


def test_nul_becomes_a_blank_so_that_offsets_stay_true() -> None:
    found = read(CLEAN.replace(b"Zinc against", b"Zinc\0against"))
    assert found.documents == read(CLEAN).documents
    assert found.counts == {"nul_character": 2}


def test_marks_left_where_files_were_joined_are_taken_away() -> None:
    found = read(CLEAN + b"\xef\xbb\xbf" + CLEAN)
    assert found.documents == read(CLEAN).documents * 2
    assert found.counts == {"mark_inside": 1}


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "windows"])
def test_only_the_documents_that_are_not_utf_8_are_refused_each_by_its_line(end: bytes) -> None:
    data = CLEAN + b"3|t|Caf\xe9\n3|a|y\n\n" + CLEAN.replace(b"1|t|Zinc", b"1|t|Z\xffnc") + CLEAN
    found = read(data.replace(b"\n", end))
    assert [d.id for d in found.documents] == ["1", "2", "2", "1", "2"]
    why = "not UTF-8; name its encoding with --encoding"
    assert found.refusals == [("file:14", why), ("file:17", why)]


def test_only_the_refused_documents_are_lost_where_no_blank_lines_part_them() -> None:
    data = b"1|t|a\n1|a|b\n2|t|\xff\n2|a|b\n3|t|c\n3|a|d\n"
    found = read(data)
    assert [d.id for d in found.documents] == ["1", "3"]
    assert found.refusals == [("file:3", "not UTF-8; name its encoding with --encoding")]


def test_a_named_encoding_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("1|t|Café\n1|a|naïve\n".encode("latin-1"))
    (document,) = api.read(tmp_path / "a.txt", encoding="latin-1")
    assert document.text == "Café\nnaïve"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_marked_text_is_read_and_its_mark_counted(encoding: str, tmp_path: Path) -> None:
    text = CLEAN.decode() if encoding in ("utf-8-sig", "utf-16") else "\ufeff" + CLEAN.decode()
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    assert list(api.read(tmp_path / "a.txt")) == read(CLEAN).documents
    inputs = InputFiles([tmp_path / "a.txt"])
    assert b"".join(shard.data for shard in inputs.shards()) == CLEAN
    assert inputs.repairs.counts == {"utf_8_mark" if encoding == "utf-8-sig" else "utf_16_recoded": 1}


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstandard"])
@pytest.mark.parametrize("name", ["a.pubtator", "a.gz", "a.zst"])
def test_compression_is_known_by_its_bytes_whatever_the_name(pack: object, name: str, tmp_path: Path) -> None:
    assert callable(pack)
    (tmp_path / name).write_bytes(pack(CLEAN))
    assert list(api.read(tmp_path / name)) == read(CLEAN).documents


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "file: the file is empty; check how it was made"),
        (b"\n \r\n", "file: the file is empty; check how it was made"),
        (bytes(range(256)) * 300, "file:1: no line like `27000083|t|Title`: not PubTator text"),
        (b"id,title\n1,Zinc\n", "file:1: no line like `27000083|t|Title`: not PubTator text"),
        (b"|t|no id\n|a|x\n", "file:1: no line like `27000083|t|Title`: not PubTator text"),
    ],
    ids=["empty", "blank", "binary", "table", "no id"],
)
def test_what_is_no_pubtator_text_is_refused_in_one_line(data: bytes, line: str) -> None:
    with pytest.raises(InputError) as refused:
        read(data)
    assert str(refused.value).startswith(line)


class Endless(io.RawIOBase):
    """A title line of so many bytes, made while it is read."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.given = b"1|t|"

    def read(self, size: int = -1) -> bytes:
        data, self.given = self.given, b""
        data += b"x" * max(0, min(size - len(data), self.left))
        self.left -= len(data)
        return data if self.left > 0 else b""


def test_a_line_of_seventy_megabytes_is_refused_in_bounded_memory() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="one-line:1: a document longer than 64 MiB"):
            list(pubtator.read(io.BufferedReader(Endless(70 << 20)), Repairs(), "one-line"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 200 << 20


def test_a_long_line_full_of_title_marks_is_read_in_linear_time() -> None:
    data = CLEAN + b"3|t|Zinc\n3|a|" + b"|t| |title| " * 100_000 + b"\n"
    assert [d.id for d in read(data).documents] == ["1", "2", "3"]


def torn(at: int, pack: str = "gzip") -> bytes:
    data = b"".join(CLEAN.replace(b"1|", b"%d|" % n).replace(b"1\t", b"%d\t" % n) for n in range(3, 60))
    whole = gzip.compress(data) if pack == "gzip" else zstandard.compress(data)
    return whole[: len(whole) * at // 100]


@pytest.mark.parametrize("pack", ["gzip", "zstandard"])
def test_a_file_that_breaks_off_is_refused_or_read_up_to_there(pack: str, tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(torn(95, pack))
    with pytest.raises(InputError, match=r"^a\.gz: the compressed file ends too early; fetch it again$"):
        list(InputFiles([tmp_path / "a.gz"]).shards())
    inputs = InputFiles([tmp_path / "a.gz"], accept_truncated=True)
    found = [d for s in inputs.shards() for d in read(s.data).documents]
    assert inputs.repairs.counts == {"truncated_file": 1}
    if pack == "gzip":
        assert len(found) > 50
    assert all(len(d.mentions) in (2, 4) for d in found)


def test_of_a_torn_file_the_last_document_is_left_out_for_it_may_lack_rows(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(CLEAN)[:-9])
    inputs = InputFiles([tmp_path / "a.gz"], accept_truncated=True)
    assert [d.id for s in inputs.shards() for d in read(s.data).documents] == ["1"]


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
    for text in texts:
        for _ in range(draw(st.integers(0, 4)) if text else 0):
            start = draw(st.integers(0, len(text) - 1))
            end = draw(st.integers(start + 1, len(text)))
            if "\t" not in text[start:end]:
                mentions.add((begin + start, begin + end, draw(KINDS), draw(st.one_of(st.just(""), CELLS))))
        begin += len(text) + 1
    found = sorted(mentions, key=lambda m: m[:2])
    whole = "\n".join(texts)
    relations = draw(st.lists(st.builds(Relation, KINDS, st.tuples(CELLS, CELLS)), max_size=2))
    return Document(
        draw(CELLS.filter(str.strip)),
        sections,
        tuple(
            Mention(((s, e),), whole[s:e], kind, "" if ident in ("-", "-1") else ident)
            for s, e, kind, ident in found
        ),
        tuple(relations),
    )


@given(st.lists(documents(), min_size=1, max_size=5))
def test_what_is_written_is_read_back_the_same(given_documents: list[Document]) -> None:
    data, losses = written(given_documents)
    assert losses == {}
    assert read(data).documents == given_documents


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


@settings(max_examples=150)
@given(
    st.lists(LINES, max_size=25), st.integers(64, 400), st.sampled_from(["\n", "\r\n"]), st.booleans()
)
def test_blocks_of_any_size_give_the_same_documents_and_counts(
    lines: list[str], size: int, end: str, final: bool
) -> None:
    data = (end.join(["9|t|first", *lines]) + (end if final else "")).encode()
    repairs = Repairs()

    def in_blocks() -> Iterator[Document]:
        for block in pubtator.blocks(io.BytesIO(data), "file", size):
            for record in pubtator.records(block, repairs):
                yield pubtator.document(record, repairs, block.name)

    found = list(in_blocks())
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


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_with_one_line(tail: bytes) -> None:
    data = b"1|t|a\n" + tail
    try:
        found = read(data)
    except InputError as refused:
        assert "\n" not in str(refused)
    else:
        assert all(d.text[m.start : m.end] == m.text for d in found.documents for m in d.mentions)


def test_writing_says_by_name_what_the_format_cannot_hold() -> None:
    document = Document(
        "1",
        (Section("abstract", "one\rtwo", "AIM"), Section("body", "three\nfour")),
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
        "title_moved_to_abstract": 1,
        "section_boundary": 1,
        "section_label": 1,
        "line_break_in_text": 3,
        "fact": 1,
        "discontinuous_mention": 1,
        "mention_type": 2,
        "mention_without_text": 1,
        "relation": 2,
    }
    assert data == b"1|t|\n1|a|AIM one two three four\n1\t1\t8\tAIM one\tGene\t1\n1\tCID\ta b\tc d\n\n"


@pytest.mark.parametrize("ident", ["", "a|b", "a\tb", "a\nb", "a\rb"])
def test_an_id_that_would_break_a_line_is_refused(ident: str) -> None:
    with pytest.raises(InputError, match="PubTator text cannot hold this document id"):
        written([Document(ident, (Section("title", "x"),))])


# file → documents, rows that are mentions, and what is counted; the counts of data/README.d/pubtator.md.
FACTS = {}
