"""The files of a build: read in order, named, counted; the vocabulary of its answers."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
from pathlib import Path

import pytest
from tests.articles import article as pubtator_article
from tests.articles import text
from tests.builds import read_by_workers
from tests.packed import packed

from anagnosis import api
from anagnosis.datasets.build.inputs import InputFiles, Piece
from anagnosis.datasets.build.synonyms import opened_vocabulary, prepared_terms, term_sources
from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.files import sha256

BIOC = Path(__file__).parents[2] / "samples/bioc"


def corpus(first: int, count: int) -> bytes:
    return text(*[pubtator_article(ident=str(n)) for n in range(first, first + count)])


def read(inputs: InputFiles) -> list[str]:
    return [document.id for document in read_by_workers(inputs)[0]]


def pieces(inputs: InputFiles) -> list[Piece]:
    return [piece for block in inputs.blocks() for piece in block]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.pubtator").write_bytes(corpus(0, 5))
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(corpus(5, 3)))
    (tmp_path / "z.xml").write_bytes((BIOC / "two-documents.xml").read_bytes())
    return tmp_path


def test_files_of_any_format_are_read_in_order_and_named_by_their_place(folder: Path) -> None:
    inputs = InputFiles([folder])
    found = pieces(inputs)
    assert [(piece.name, piece.format) for piece in found] == [
        ("a/b.pubtator", "pubtator"),
        ("c.txt.gz", "pubtator"),
        ("z.xml", "bioc-xml"),
    ]
    assert inputs.choices() == {"formats": ["bioc-xml", "pubtator"]}
    everything = InputFiles([folder])
    ids = read(everything)
    assert (ids[:8], len(ids)) == ([str(n) for n in range(8)], 10)
    assert everything.share == 1
    for name, entry in zip(("a/b.pubtator", "c.txt.gz", "z.xml"), everything.read_so_far(), strict=True):
        path = folder / name
        assert (entry.name, entry.bytes, entry.sha256) == (name, path.stat().st_size, sha256(path))


def test_a_file_that_is_given_twice_is_refused(folder: Path) -> None:
    for again in (folder / "a/b.pubtator", folder / "a", folder):
        with pytest.raises(
            InputError, match=r"b\.pubtator: the same file is given twice; give each file once"
        ):
            InputFiles([folder / "a/b.pubtator", again])


def test_standard_input_is_hashed_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    data = gzip.compress(corpus(0, 3))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    inputs = InputFiles(["-"])
    assert read(inputs) == ["0", "1", "2"]
    (found,) = inputs.read_so_far()
    assert (found.name, found.sha256) == ("standard input", hashlib.sha256(data).hexdigest())
    assert inputs.share is None


@pytest.mark.parametrize("limit", range(1, 11))
def test_a_limit_holds_over_files_and_formats(limit: int, folder: Path) -> None:
    everything = read(InputFiles([folder]))
    assert read(InputFiles([folder], limit=limit)) == everything[:limit]


def test_a_format_can_be_named_where_the_first_bytes_do_not_tell_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"# made by hand\n" + corpus(0, 2))
    with pytest.raises(InputError, match="no format recognises its first bytes"):
        read(InputFiles([tmp_path / "a.txt"]))
    assert read(InputFiles([tmp_path / "a.txt"], format="pubtator")) == ["0", "1"]


def test_builders_that_ask_for_whole_articles_get_them(tmp_path: Path) -> None:
    (tmp_path / "a.nxml").write_text(
        "<article><front><article-meta><article-id pub-id-type='pmid'>1</article-id><title-group><article-title>Salt"
        "</article-title></title-group></article-meta></front><body><p>We asked.</p></body></article>"
    )

    for whole, labels in ((False, ["title"]), (True, ["title", "body"])):
        inputs = InputFiles([tmp_path / "a.nxml"], whole_articles=whole)
        ((document,), _) = read_by_workers(inputs, whole_articles=whole)
        assert [section.label for section in document.sections] == labels


def test_pieces_name_the_line_where_they_begin(folder: Path) -> None:
    inputs = InputFiles([folder / "a/b.pubtator"], block_bytes=500)
    found = pieces(inputs)
    assert len(found) > 2
    lines = (folder / "a/b.pubtator").read_bytes().split(b"\n")
    for piece in found:
        assert piece.data.split(b"\n")[0] == lines[piece.line - 1]


def article(ident: int) -> bytes:
    return (
        f'<article><front><article-meta><article-id pub-id-type="pmid">{ident}</article-id></article-meta></front>'
        "</article>"
    ).encode()


FILES = {
    "p/1.nxml": article(1),
    "p/2.nxml.gz": gzip.compress(article(2)),
    "p/notes.md": b"nothing",
    "p/empty.xml": b"",
    "p/page.xml": b"<html/>",
    "p/3.pubtator": corpus(10, 4),
    "p/4.nxml": article(4),
    "p/5.xml": (BIOC / "two-documents.xml").read_bytes(),
}
ORDER = ["1", "2", "10", "11", "12", "13", "4"]


def test_an_archive_is_one_input_and_its_members_are_read_as_files(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.tar.xz", FILES)
    inputs = InputFiles([path])
    found, repairs = read_by_workers(inputs)
    assert [document.id for document in found][:7] == ORDER
    (entry,) = inputs.read_so_far()
    assert (entry.name, entry.bytes, entry.sha256) == ("a.tar.xz", path.stat().st_size, sha256(path))
    assert inputs.share == 1
    assert repairs.refusals == [
        ("a.tar.xz/p/empty.xml", "the file is empty"),
        ("a.tar.xz/p/page.xml:1", "no format recognises its first bytes"),
    ]
    assert (repairs.refused, repairs.counts["archive_other_file"]) == (2, 1)


@pytest.mark.parametrize(("block_bytes", "blocks"), [(1 << 20, 1), (2 * len(article(1)), 2), (1, 4)])
def test_small_files_share_a_block(block_bytes: int, blocks: int, tmp_path: Path) -> None:
    for number in range(1, 5):
        (tmp_path / f"{number}.nxml").write_bytes(article(number))
    inputs = InputFiles([tmp_path], block_bytes=block_bytes)
    assert len(list(inputs.blocks())) == blocks
    assert read(InputFiles([tmp_path], block_bytes=block_bytes)) == ["1", "2", "3", "4"]


# What a worker parses, and, of a block that is too small for it, the parent.
@pytest.mark.parametrize("block_bytes", [1 << 20, 100])
@pytest.mark.parametrize("is_member", [False, True])
def test_a_file_that_breaks_off_gives_what_comes_before(
    is_member: bool, block_bytes: int, tmp_path: Path
) -> None:
    torn = b"<articles>" + article(1) + article(2) + article(3)[:-20]
    path = tmp_path / "a.tar"
    if is_member:
        packed(path, {"1.nxml": torn, "4.nxml": article(4), "5.nxml": b"<article><a></b>"})
    else:
        (path := tmp_path / "a.nxml").write_bytes(torn)
    with pytest.raises(TruncatedError, match="or use what comes before the break with --accept-truncated"):
        read(InputFiles([path], block_bytes=block_bytes))
    inputs = InputFiles([path], block_bytes=block_bytes, accept_truncated=True)
    found, repairs = read_by_workers(inputs)
    assert [document.id for document in found] == ["1", "2", *(["4"] if is_member else [])]
    assert (repairs.counts["truncated_file"], repairs.counts["file_refused"]) == (1, is_member)
    (entry,) = inputs.read_so_far()
    assert (entry.bytes, entry.sha256) == (path.stat().st_size, sha256(path))


def test_of_a_torn_archive_the_documents_before_the_break_are_used(tmp_path: Path) -> None:
    whole = packed(tmp_path / "a.tar", FILES).read_bytes()
    torn = tmp_path / "torn.tar"
    for data, line in (
        (whole[: whole.index(b"p/4.nxml") + 600], "the archive ends too early"),
        (lzma.compress(whole)[:-40], "the compressed file ends too early"),
    ):
        torn.write_bytes(data)
        with pytest.raises(InputError, match=f"torn.tar: {line}; fetch it again"):
            read(InputFiles([torn]))
        inputs = InputFiles([torn], accept_truncated=True)
        found, repairs = read_by_workers(inputs)
        assert [document.id for document in found][:6] == ORDER[:6]
        assert repairs.counts["truncated_file"] == 1


TABLE = "id\tname\tsynonyms\nC0015967\tFever\tfever|pyrexia\n"
RRF = (
    "C0015967|ENG|P|L1|PF|S1|Y|A1||||MSH|MH|D1|Fever|0|N|256|\n"
    "C0015967|ENG|S|L2|PF|S2|Y|A2||||MSH|ET|D1|Feverishness|0|O||\n"
    "C0015967|GER|P|L3|PF|S3|Y|A3||||MSHGER|MH|D1|Fieber|3|N||\n"
)


def test_a_stored_vocabulary_is_used_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TABLE)
    api.store_terms([tmp_path / "a.tsv"], tmp_path / "a.terms")
    read = term_sources([tmp_path / "a.terms"])
    found = prepared_terms([tmp_path / "a.terms"], read, tmp_path / "work")
    assert found is not None
    assert (found.path, found.name) == (str(tmp_path / "a.terms"), "a")
    assert not (tmp_path / "work").exists()


def test_files_of_terms_are_stored_once_with_suppressed_names_and_without_other_languages(
    tmp_path: Path,
) -> None:
    (tmp_path / "MRCONSO.RRF").write_text(RRF)
    (tmp_path / "more.tsv").write_text(TABLE)
    paths = [tmp_path / "MRCONSO.RRF", tmp_path / "more.tsv"]
    found = prepared_terms(paths, term_sources(paths), tmp_path)
    assert found is not None
    assert found.name == "MRCONSO and more"
    assert set(opened_vocabulary(found.path).names("C0015967")) == {
        "Fever",
        "Feverishness",
        "fever",
        "pyrexia",
    }


def test_standard_input_and_files_without_a_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read twice"):
        term_sources(["-"])
    (tmp_path / "a.tsv").write_text("id\tname\n")
    with pytest.raises(InputError, match="no term with a name"):
        prepared_terms([tmp_path / "a.tsv"], term_sources([tmp_path / "a.tsv"]), tmp_path)
