"""Archives as input: members streamed in order, nothing that leads out of them, every break and fault in one line."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import random
import tarfile
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.errors import InputError
from anagnosis.io import compression
from anagnosis.io.archives import open_each
from anagnosis.io.compression import HEAD
from anagnosis.io.files import sha256

zstd = compression.zstd()
Pack = Callable[[bytes], bytes]
PACKS: dict[str, Pack] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zstandard": zstd.compress,
}
FILES = {"a/b.txt": b"one\n", "a/c.xml.gz": gzip.compress(b"two\n"), "d.txt": b"", "readme.md": b"no"}
SUFFIXES = (".txt", ".xml")


def tar(files: dict[str, bytes], format: int = tarfile.PAX_FORMAT) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=format) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return data.getvalue()


def tar_of(*members: tarfile.TarInfo) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(bytes(member.size)))
    return data.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, linkname: str = "", size: int = 0) -> tarfile.TarInfo:
    found = tarfile.TarInfo(name)
    found.type, found.linkname, found.size = kind, linkname, size
    return found


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.tar"


def read(
    file: Path, suffixes: Sequence[str] = SUFFIXES
) -> tuple[list[tuple[str, bytes]], list[tuple[str, str]]]:
    """(members, what was left out)."""
    left: list[tuple[str, str]] = []
    opened = open_each(file, suffixes, on_left_out=lambda name, where, why: left.append((name, where)))
    return [(each.name, each.stream.read()) for each in opened], left


EXPECTED = [("some.tar/a/b.txt", b"one\n"), ("some.tar/a/c.xml.gz", b"two\n"), ("some.tar/d.txt", b"")]
OTHERS = [("archive_other_file", "some.tar/readme.md")]


@pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS.keys())
@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_members_are_read_in_order_whatever_the_compression(format: int, pack: Pack, file: Path) -> None:
    file.write_bytes(pack(tar(FILES, format)))
    assert read(file) == (EXPECTED, OTHERS)


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_of_a_zip_archive_are_read_too(compression: int, file: Path) -> None:
    file.write_bytes(zipped(FILES, compression))
    assert read(file) == (EXPECTED, OTHERS)


def test_a_file_that_is_no_archive_is_itself(file: Path) -> None:
    file.write_bytes(gzip.compress(b"one\n"))
    assert read(file) == ([("some.tar", b"one\n")], [])


@pytest.mark.parametrize("format", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names_of_any_letters_come_back(format: int, file: Path) -> None:
    names = [f"{'α' * 60}/{'b c' * 50}.txt", "d.txt", f"{'é' * 49}.txt"]
    file.write_bytes(tar(dict.fromkeys(names, b"one"), format))
    assert read(file) == ([(f"some.tar/{name}", b"one") for name in names], [])


def test_all_bytes_of_an_archive_are_seen(file: Path) -> None:
    for data in (gzip.compress(tar(FILES) + bytes(100_000)), zipped(FILES)):
        file.write_bytes(data)
        digest = hashlib.sha256()
        for _ in open_each(file, SUFFIXES, on_read=digest.update):
            pass
        assert digest.hexdigest() == sha256(file)


def test_archives_that_stand_one_after_the_other_are_read_as_one(file: Path) -> None:
    file.write_bytes(tar({"a.txt": b"one"}) + tar({"b.txt": b"two"}))
    assert read(file) == ([("some.tar/a.txt", b"one"), ("some.tar/b.txt", b"two")], [])


@pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS.keys())
def test_a_look_at_a_member_sees_its_beginning_wherever_it_lies(pack: Pack, file: Path) -> None:
    draw = random.Random(0)
    files = {f"{number}.txt": b"%d " % number + draw.randbytes(3000 + number) for number in range(500)}
    file.write_bytes(pack(tar(files)))
    seen = {each.name: each.stream.peek(HEAD) for each in open_each(file, SUFFIXES)}
    assert seen == {f"some.tar/{name}": data for name, data in files.items()}


def test_a_member_that_nobody_reads_is_passed_over(file: Path) -> None:
    file.write_bytes(tar({"a.txt": bytes(5000), "b.txt": b"two"}))
    assert [each.name for each in open_each(file, SUFFIXES)] == ["some.tar/a.txt", "some.tar/b.txt"]


def test_an_archive_without_its_end_is_noticed(file: Path) -> None:
    for before in (b"", tar({"a.txt": b"one"})):
        file.write_bytes(before + tar({"a.txt": b"one"})[: 2 * 512])
        members, left_out = read(file)
        assert {*members} == {("some.tar/a.txt", b"one")}
        assert left_out == [("archive_without_end", "some.tar")]


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, b"S", b"V"]
)
def test_what_is_no_file_is_reported_and_not_followed(kind: bytes, file: Path) -> None:
    file.write_bytes(tar_of(member("x.txt", kind, "/etc/passwd"), member("a.txt")))
    assert read(file) == ([("some.tar/a.txt", b"")], [("archive_no_file", "some.tar/x.txt")])


def test_a_link_in_a_zip_archive_is_reported_and_not_followed(file: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        link = zipfile.ZipInfo("x.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a.txt", "")
    file.write_bytes(data.getvalue())
    assert read(file) == ([("some.tar/a.txt", b"")], [("archive_no_file", "some.tar/x.txt")])


def test_a_name_of_several_lines_is_told_on_one(file: Path) -> None:
    file.write_bytes(tar({"./a\nb\x1b[2J.txt": b""}))
    assert read(file) == ([("some.tar/a␊b␛[2J.txt", b"")], [])


def header(**fields: bytes) -> bytes:
    """A header of an empty file, with fields put in their places and a right sum."""
    block = bytearray(tar({"a.txt": b""})[:512])
    for name, value in fields.items():
        at, size = {"size": (124, 12), "kind": (156, 1), "sum": (148, 8)}[name]
        block[at : at + size] = value.ljust(size, b"\0")
    if "sum" not in fields:
        block[148:156] = b"%06o\0 " % (sum(block[:148]) + sum(block[156:]) + 256)
    return bytes(block)


_EARLY = "the archive ends too early; fetch it again"
_NO_HEADER = "the archive is broken (invalid header); fetch it again"
_WRONG_SUM = "the archive is broken (bad checksum); fetch it again"
_NO_SIZE = "the archive is broken (a member has an impossible size, or a path over 64 KiB); fetch it again"
BROKEN = {
    "breaks off in a member": (tar({"a.txt": bytes(5000)})[:3000], _EARLY),
    "breaks off in a header": (tar(FILES)[:700], _EARLY),
    "breaks off in the padding": (tar({"a.txt": b"x"})[:600], _EARLY),
    "no header": (tar({"a.txt": b""})[:512] + b"x" * 512, _NO_HEADER),
    "a wrong sum": (header(sum=b"000001\0 "), _WRONG_SUM),
    "no sum": (header(sum=b"        "), _WRONG_SUM),
    "a size that is none": (header(size=b"9999"), _NO_HEADER),
    "a negative size": (header(size=b"\xff" * 12), _NO_SIZE),
    "a huge size": (header(size=b"\x80" + b"\xff" * 11), _EARLY),
    "a long path": (header(kind=b"L", size=b"77777777777"), _NO_SIZE),
    "a header behind a whole member": (tar(FILES)[:1024] + b"x" * 512 + tar(FILES)[1536:], _NO_HEADER),
    "a header whose sum is wrong behind a whole member": (
        tar({"a.txt": b"one"})[:1024] + header(sum=b"000001\0 ") + tar({"b.txt": b"two"}),
        _WRONG_SUM,
    ),
    "no document": (
        tar({f"{n}.md": b"" for n in range(7)}),
        "no member ending in .txt, .xml; it holds 7 other files",
    ),
    "no file": (tar_of(member("a/", tarfile.DIRTYPE)), "no member ending in .txt, .xml; it holds no file"),
    "half of gzip": (
        gzip.compress(tar({"a.txt": bytes(range(256)) * 20}))[:150],
        "the compressed file ends too early; fetch it again",
    ),
    "half of zip": (zipped(FILES)[:100], "the archive is broken (File is not a zip file); fetch it again"),
    "an empty zip": (zipped({}), "no member ending in .txt, .xml; it holds no file"),
    "zip inside gzip": (
        gzip.compress(zipped(FILES)),
        "the archive is broken (File is not a zip file); fetch it again",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "line"), BROKEN.values(), ids=BROKEN.keys())
def test_what_is_wrong_with_an_archive_is_one_line(data: bytes, line: str, file: Path) -> None:
    file.write_bytes(data)
    with pytest.raises(InputError) as told:
        read(file)
    assert str(told.value) == f"some.tar: {line}"


def test_a_member_whose_bytes_are_wrong_is_told(file: Path) -> None:
    data = bytearray(zipped({"a.txt": bytes(range(256)) * 9}, zipfile.ZIP_STORED))
    data[300] ^= 1
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"some.tar: the archive is broken \(Bad CRC-32.*\); fetch it again"):
        read(file)


def test_an_encrypted_member_is_refused(file: Path) -> None:
    data = bytearray(zipped({"a.txt": b"one"}))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"the archive is broken .*is encrypted, password required"):
        read(file)


def test_a_name_that_stands_twice_is_read_twice(file: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            archive.writestr("a.txt", "one")
            archive.writestr("a.txt", "two")
    file.write_bytes(data.getvalue())
    assert [content for _, content in read(file)[0]] == [b"one", b"two"]


def test_a_member_of_one_repeated_byte_is_unpacked_piece_by_piece(file: Path) -> None:
    size = 64 << 20
    file.write_bytes(gzip.compress(header(size=b"%o" % size) + bytes(size + 1024), 1))
    tracemalloc.start()
    try:
        sizes = [
            sum(map(len, iter(partial(each.stream.read, 1 << 20), b""))) for each in open_each(file, SUFFIXES)
        ]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sizes == [size]
    assert peak < 50 << 20


@given(st.binary(max_size=1200), st.integers(0, 1500))
def test_bytes_of_any_kind_end_in_members_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, at: int
) -> None:
    file = tmp_path_factory.mktemp("any") / "a.tar"
    whole = tar({"a.txt": b"one" * 100})
    told = ""
    for mixed in (whole[:at] + data + whole[at:], zipped(FILES)[: at % 300] + data):
        file.write_bytes(mixed)
        try:
            read(file)
        except InputError as fault:
            told = str(fault)
        assert "\n" not in told


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_compression_of_zip_that_cannot_be_unpacked_in_pieces_is_refused(
    compression: int, file: Path
) -> None:
    file.write_bytes(zipped({"a.txt": b"one"}, compression))
    with pytest.raises(InputError, match=r"some.tar/a.txt: its compression is not read; pack it again"):
        read(file)


def test_a_zip_archive_of_too_many_members_is_refused(file: Path) -> None:
    data = bytearray(zipped({"a.txt": b"one"}))
    data[-10:-6] = (1 << 25).to_bytes(4, "little")
    file.write_bytes(data)
    with pytest.raises(InputError, match="a zip archive with so many members is not read; pack it as tar"):
        read(file)
