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
from tests.rows import each_row

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


def zip_of(*members: tuple[zipfile.ZipInfo | str, str]) -> bytes:
    data = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(data, "w") as archive:
        warnings.simplefilter("ignore")
        for name, content in members:
            archive.writestr(name, content)
    return data.getvalue()


def link_in_zip() -> bytes:
    link = zipfile.ZipInfo("x.txt")
    link.external_attr = 0o120777 << 16
    return zip_of((link, "/etc/passwd"), ("a.txt", ""))


LONG = dict.fromkeys([f"{'α' * 60}/{'b c' * 50}.txt", "d.txt", f"{'é' * 49}.txt"], b"one")
LONG_READ = [(f"some.tar/{name}", b"one") for name in LONG]
NO_FILE = ([("some.tar/a.txt", b"")], [("archive_no_file", "some.tar/x.txt")])
ONE_TWO = [("some.tar/a.txt", b"one"), ("some.tar/b.txt", b"two")]
# archive → its members and what is left out
READ = {
    "stored": (zipped(FILES, zipfile.ZIP_STORED), (EXPECTED, OTHERS)),
    "deflated": (zipped(FILES), (EXPECTED, OTHERS)),
    "no archive": (gzip.compress(b"one\n"), ([("some.tar", b"one\n")], [])),
    "long names of GNU": (tar(LONG, tarfile.GNU_FORMAT), (LONG_READ, [])),
    "long names of PAX": (tar(LONG), (LONG_READ, [])),
    "one after the other": (tar({"a.txt": b"one"}) + tar({"b.txt": b"two"}), (ONE_TWO, [])),
    "a name of several lines": (tar({"./a\nb\x1b[2J.txt": b""}), ([("some.tar/a␊b␛[2J.txt", b"")], [])),
    "a name twice": (
        zip_of(("a.txt", "one"), ("a.txt", "two")),
        ([("some.tar/a.txt", b"one"), ("some.tar/a.txt", b"two")], []),
    ),
    "a link in zip": (link_in_zip(), NO_FILE),
    **{
        f"kind {kind}": (tar_of(member("x.txt", kind, "/etc/passwd"), member("a.txt")), NO_FILE)
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, b"S", b"V")
    },
}


@each_row(("data", "found"), READ.values(), ids=READ)
def test_members_are_read_and_what_is_no_file_is_not_followed(data: bytes, found: object, file: Path) -> None:
    file.write_bytes(data)
    assert read(file) == found


def test_all_bytes_of_an_archive_are_seen(file: Path) -> None:
    for data in (gzip.compress(tar(FILES) + bytes(100_000)), zipped(FILES)):
        file.write_bytes(data)
        digest = hashlib.sha256()
        for _ in open_each(file, SUFFIXES, on_read=digest.update):
            pass
        assert digest.hexdigest() == sha256(file)


@pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS.keys())
def test_a_look_at_a_member_sees_its_beginning_wherever_it_lies(pack: Pack, file: Path) -> None:
    draw = random.Random(0)
    files = {f"{number}.txt": b"%d " % number + draw.randbytes(3000 + number) for number in range(500)}
    file.write_bytes(pack(tar(files)))
    seen = {each.name: each.stream.peek(HEAD) for each in open_each(file, SUFFIXES)}
    assert seen == {f"some.tar/{name}": data for name, data in files.items()}


def test_an_archive_without_its_end_is_noticed(file: Path) -> None:
    for before in (b"", tar({"a.txt": b"one"})):
        file.write_bytes(before + tar({"a.txt": b"one"})[: 2 * 512])
        members, left_out = read(file)
        assert {*members} == {("some.tar/a.txt", b"one")}
        assert left_out == [("archive_without_end", "some.tar")]


def header(**fields: bytes) -> bytes:
    """A header of an empty file, with fields put in their places and a right sum."""
    block = bytearray(tar({"a.txt": b""})[:512])
    for name, value in fields.items():
        at, size = {"size": (124, 12), "kind": (156, 1), "sum": (148, 8)}[name]
        block[at : at + size] = value.ljust(size, b"\0")
    if "sum" not in fields:
        block[148:156] = b"%06o\0 " % (sum(block[:148]) + sum(block[156:]) + 256)
    return bytes(block)


def changed(data: bytes, **places: tuple[int, bytes]) -> bytes:
    """The bytes with others at some places."""
    made = bytearray(data)
    for at, own in places.values():
        made[at : at + len(own)] = own
    return bytes(made)


_ZIP = zipped({"a.txt": b"one"})
_LISTED = _ZIP.rindex(b"PK\x01\x02") + 8
_EARLY = "the archive ends too early; fetch it again"
_UNREAD = "its compression is not read; pack it again, as tar or deflated"
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
    "a wrong byte": (
        changed(zipped({"a.txt": bytes(range(256)) * 9}, zipfile.ZIP_STORED), byte=(300, b"\0")),
        "the archive is broken (Bad CRC-32 for file 'a.txt'); fetch it again",
    ),
    "encrypted": (
        changed(_ZIP, member=(6, b"\1"), listed=(_LISTED, b"\1")),
        "the archive is broken (File <ZipInfo filename='a.txt'",
    ),
    "zip with bzip2": (zipped({"a.txt": b"one"}, zipfile.ZIP_BZIP2), _UNREAD),
    "zip with LZMA": (zipped({"a.txt": b"one"}, zipfile.ZIP_LZMA), _UNREAD),
    "too many members": (
        changed(_ZIP, size=(len(_ZIP) - 10, (1 << 25).to_bytes(4, "little"))),
        "a zip archive with so many members is not read; pack it as tar",
    ),
}  # fmt: skip


@each_row(("data", "line"), BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_with_an_archive_is_one_line(data: bytes, line: str, file: Path) -> None:
    file.write_bytes(data)
    with pytest.raises(InputError) as told:
        read(file)
    assert str(told.value).startswith(f"some.tar{'/a.txt' if line == _UNREAD else ''}: {line}")


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
