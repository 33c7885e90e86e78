"""Files: opened whatever their compression, listed in order, written whole or not at all."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import io
import lzma
import os
import sys
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.errors import InputError
from anagnosis.io import compression
from anagnosis.io.files import (
    atomic_write,
    display_name,
    open_input,
    open_output,
    open_unpacked,
    part_of,
    sha256,
    write_bytes,
    write_text,
)

zstd = compression.zstd()
TEXT = b"".join(b"line %d of a text that is long enough\n" % n for n in range(5000))
Pack = Callable[[bytes], bytes]
PACKS = pytest.mark.parametrize(
    "pack",
    [gzip.compress, zstd.compress, lzma.compress, bz2.compress],
    ids=["gzip", "zstandard", "xz", "bzip2"],
)


def content(path: Path) -> bytes:
    with open_input(path) as stream:
        return stream.read()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some file"


@PACKS
def test_members_that_stand_one_after_the_other_are_read_as_one_text(pack: Pack, file: Path) -> None:
    file.write_bytes(pack(b"") + pack(TEXT) + pack(b"x") + pack(b"") + bytes(1000))  # zeros are padding
    assert content(file) == TEXT + b"x"


def test_an_xz_file_that_wants_gigabytes_of_memory_is_refused(file: Path) -> None:
    packed = bytearray(lzma.compress(b"x", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    # The block's header: the fifth byte is the size of the dictionary, the last four are a checksum.
    packed[16] = 36
    packed[20:24] = zlib.crc32(packed[12:20]).to_bytes(4, "little")
    file.write_bytes(packed)
    with pytest.raises(InputError, match=r"the compressed data are broken \(Memory usage limit exceeded\)"):
        content(file)


@PACKS
@given(part=st.floats(0.01, 0.999))
def test_a_file_that_breaks_off_gives_what_was_there_and_then_tells(
    pack: Pack, part: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("torn") / "torn.gz"
    whole = pack(TEXT)
    file.write_bytes(whole[: max(4, int(len(whole) * part))])
    found = b""
    told = ""
    try:
        with open_input(file) as stream:
            while data := stream.read1(1 << 20):
                found += data
    except InputError as refused:
        told = str(refused)
    assert told == "torn.gz: the compressed file ends too early; fetch it again"
    assert TEXT.startswith(found)


@PACKS
@pytest.mark.parametrize("tail", [b"and then something else", b"0"])
def test_what_is_no_member_after_the_end_is_told(pack: Pack, tail: bytes, file: Path) -> None:
    file.write_bytes(pack(TEXT) + tail)
    with pytest.raises(InputError, match=r"some file: the compress"):
        content(file)


@PACKS
def test_a_byte_that_is_wrong_is_found_by_the_checksum(pack: Pack, file: Path) -> None:
    plain_bytes = Random(7).randbytes(3000)
    options = {zstd.CompressionParameter.checksum_flag: 1}
    data = bytearray(
        zstd.compress(plain_bytes, options=options) if pack is zstd.compress else pack(plain_bytes)
    )
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"some file: the compressed data are broken .*; fetch it again"):
        content(file)


@pytest.mark.parametrize(
    ("pack", "bound"),
    [
        (lambda data: gzip.compress(data, 1), 50),
        (zstd.compress, 30),
        (lambda data: lzma.compress(data, preset=0), 30),
        (bz2.compress, 30),
    ],
    ids=["gzip", "zstandard", "xz", "bzip2"],
)
def test_a_file_of_one_repeated_byte_is_unpacked_piece_by_piece(pack: Pack, bound: int, file: Path) -> None:
    file.write_bytes(pack(bytes(64 << 20)))
    tracemalloc.start()
    try:
        with open_input(file) as stream:
            size = sum(map(len, iter(lambda: stream.read(1 << 20), b"")))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size == 64 << 20
    assert peak < bound << 20


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
def test_a_mark_tells_the_encoding_and_is_not_handed_out(encoding: str, file: Path) -> None:
    text = "αβγ 𝒳\r\n" * 3
    file.write_bytes(gzip.compress(f"\ufeff{text}".encode(encoding)))
    assert content(file).decode() == text
    file.write_bytes(gzip.compress(text.encode()))
    assert content(file).decode() == text


def test_utf_16_that_breaks_off_is_told(file: Path) -> None:
    file.write_bytes("abc".encode("utf-16")[:-1])
    with pytest.raises(InputError, match="some file: not the UTF-16 that it begins as; convert it to UTF-8"):
        content(file)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_bytes_on_disk_can_be_watched(pack: Pack, file: Path) -> None:
    file.write_bytes(pack(TEXT))
    digest = hashlib.sha256()
    with open_unpacked(file, digest.update) as stream:
        assert stream.read() == TEXT
    assert digest.hexdigest() == sha256(file)


def test_standard_input_is_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    with open_input("-") as stream:
        assert stream.read() == TEXT
    assert display_name("-") == "standard input"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing", "no such file or directory"), (".", "is a directory"), ("x" * 300, "file name too long")],
)
def test_what_cannot_be_opened_is_told(name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{reason}; check the path"), open_input(tmp_path / name):
        pass


def test_a_file_takes_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new/a"
    with atomic_write(path) as stream:
        stream.write(b"1")
        assert not path.exists()
    assert path.read_bytes() == b"1"
    assert path.stat().st_mode & 0o777 == 0o644


def test_what_a_killed_writer_left_is_overwritten_and_what_is_being_written_is_waited_for(
    tmp_path: Path,
) -> None:
    path = tmp_path / "out.txt"
    part_of(path).write_bytes(b"longer than what comes")
    (tmp_path / ".out.txt.more.part").touch()
    begun, second = (
        threading.Event(),
        threading.Thread(target=lambda: (begun.set(), write_text(path, "second"))),
    )
    with atomic_write(path) as first:
        second.start()
        begun.wait()
        time.sleep(0.05)
        first.write(b"first")
        assert not path.exists()
    second.join()
    assert path.read_text() == "second"
    assert {path.name for path in tmp_path.iterdir()} == {".out.txt.more.part", "out.txt"}


def test_a_disk_that_is_found_full_at_the_last_moment_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(InputError, match="writing failed: no space left on device; free some space"):
        write_text(tmp_path / "a", "x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.txt", "a.gz", "a.zst"])
def test_output_is_compressed_as_its_name_says_and_the_same_each_time(name: str, tmp_path: Path) -> None:
    for folder in "xy":
        with open_output(tmp_path / folder / name) as stream:
            stream.write(TEXT)
    assert content(tmp_path / "x" / name) == TEXT
    assert sha256(tmp_path / "x" / name) == sha256(tmp_path / "y" / name)
    assert (tmp_path / "x" / name).read_bytes()[:2] == {
        "a.txt": b"li",
        "a.gz": b"\x1f\x8b",
        "a.zst": b"\x28\xb5",
    }[name]


def test_output_to_a_dash_is_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with open_output("-") as stream:
        stream.write(TEXT)
    assert capsysbinary.readouterr().out == TEXT


def test_a_process_that_writes_what_its_parent_writes_is_refused(tmp_path: Path) -> None:
    def write() -> None:
        try:
            write_bytes(tmp_path / "a", b"child")
        except InputError as fault:
            (tmp_path / "said").write_text(str(fault))

    child = get_context("fork").Process(target=write)
    with atomic_write(tmp_path / "a") as stream:
        child.start()
        child.join(20)
        child.kill()
        stream.write(b"parent")
    assert "another process is writing; wait until it has ended" in (tmp_path / "said").read_text()
    assert (tmp_path / "a").read_bytes() == b"parent"
