"""What holds for every entry of FORMATS: a new one needs a sample (samples.py) and no line here."""

from __future__ import annotations

import io
import random
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.documents.formats.samples import TITLE, Sample, sample
from tests.truncated import up_to_the_break

from anagnosis import api
from anagnosis.documents.document import Document
from anagnosis.documents.formats import FORMATS
from anagnosis.documents.formats.detect import GROUP, detect, format_module, suffixes
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError
from anagnosis.registry import known

RECEIPTS = Path(__file__).parents[3] / "docs" / "receipts.md"
Check = Callable[[str, Sample, Path], None]


def stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))  # pyright: ignore[reportArgumentType]  (typeshed asks for a raw stream)


def read(format: str, data: bytes, repairs: Repairs | None = None) -> list[Document]:
    return list(format_module(format).read(stream(data), repairs or Repairs(), "ours"))


def tried(format: str, data: bytes, repairs: Repairs) -> list[Document] | None:
    """As `read`; None where the bytes are refused, which must take one line."""
    try:
        return read(format, data, repairs)
    except InputError as fault:
        if not is_one_line(fault):
            raise
        return None


def is_one_line(fault: InputError, most: int = 500) -> bool:
    return "\n" not in str(fault) and 0 < len(str(fault)) <= most


def has_what_loaders_need(name: str, sample: Sample, folder: Path) -> None:
    module = format_module(name)
    assert callable(module.sniff)
    assert callable(module.read)
    assert module.SUFFIXES
    assert set(module.SUFFIXES) <= set(suffixes())
    # Of tables only those with a name of their own are documents.
    assert all(suffix.startswith(".") or suffix == "metadata.csv" for suffix in module.SUFFIXES)


def is_detected_and_by_no_other(name: str, sample: Sample, folder: Path) -> None:
    opened = stream(sample.whole)
    assert detect(opened, "ours") == name
    assert opened.read() == sample.whole
    assert [other for other in known(FORMATS, GROUP) if format_module(other).sniff(sample.whole)] == [name]


def reads_the_sample(name: str, sample: Sample, folder: Path) -> None:
    documents = read(name, sample.whole)
    assert any(document.title.startswith(TITLE) for document in documents)
    assert len({document.id for document in documents}) == len(documents)


def has_nothing_in_an_empty_file(name: str, sample: Sample, folder: Path) -> None:
    assert not format_module(name).sniff(b"")
    for data in (b"", b" \n\r\n"):
        (folder / "empty").write_bytes(data)
        with pytest.raises(InputError) as told:
            api.convert([folder / "empty"], folder / "out.pubtator", format=name)
        assert is_one_line(told.value)
    assert not (folder / "out.pubtator").exists()


def is_cut_at_any_byte(name: str, sample: Sample, folder: Path) -> None:
    """A cut is an error, or every document is there; of a format without a mark of its end half the cuts are seen."""
    for data in filter(None, (sample.whole.rstrip() if sample.has_end else sample.whole, sample.also)):
        whole, unseen = read(name, data), 0
        for end in range(1, len(data)):
            found = tried(name, data[:end], Repairs())
            if found is None:
                continue
            unseen += 1
            assert not sample.has_end or found == whole, data[:end][-80:]
        # JATS is read behind its set's end tag's name; what stands there are documents already.
        assert unseen <= (len("</collection>") if sample.has_end else len(data) // 2)


def gives_what_stands_before_the_break(name: str, sample: Sample, folder: Path) -> None:
    whole, repairs = read(name, sample.whole), Repairs()
    if len(whole) == 1 or not sample.has_end:
        return
    half = stream(sample.whole[: len(sample.whole) * 3 // 4])
    if sample.at_once:
        with pytest.raises(TruncatedError):
            list(format_module(name).read(half, repairs, "ours"))
        return
    found = up_to_the_break(format_module(name).read(half, repairs, "ours"), repairs)
    assert found
    assert found == whole[: len(found)]
    assert repairs.counts["truncated_file"] == 1


def is_read_in_its_encoding_or_tells(name: str, sample: Sample, folder: Path) -> None:
    """A byte order mark is passed over; bytes that are not UTF-8 are never taken silently."""
    whole, text = read(name, sample.whole), sample.whole.decode()
    path = folder / "ours"  # as in `read`: a format may take ids from names
    path.write_bytes(text.encode("utf-8-sig"))
    assert list(api.read(path, format=name)) == whole
    repairs = Repairs()
    plain = Repairs()
    read(name, sample.whole, plain)
    found = tried(name, text.encode("latin-1"), repairs)
    if found is None:
        return
    assert repairs.refused or repairs.counts - plain.counts
    assert not any(TITLE in document.title for document in found)


def survives_damage(name: str, sample: Sample, folder: Path) -> None:
    """Changed bytes end in documents, refusals or one line; a mention that stays has the words at its place."""
    dice = random.Random(7)
    for _ in range(200):
        data = bytearray(sample.whole)
        for _ in range(dice.randrange(1, 4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        repairs = Repairs()
        found = tried(name, bytes(data[: dice.randrange(len(data) // 2, len(data) + 1)]), repairs)
        assert all(is_one_line(InputError(why, where)) for where, why in repairs.refusals)
        assert all(
            document.text[mention.start : mention.end] == mention.text
            for document in found or ()
            for mention in document.mentions
        )


def survives_a_bomb(name: str, sample: Sample, folder: Path) -> None:
    """It is one line, a counted refusal, or documents that are not longer than the file, in a few times its memory."""
    repairs = Repairs()
    tracemalloc.start()
    found = tried(name, sample.bomb, repairs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found is None or found or repairs.refused
    assert all(is_one_line(InputError(why, where)) for where, why in repairs.refusals)
    assert peak < (16 << 20) + 64 * len(sample.bomb)
    assert sum(len(document.text) for document in found or ()) <= len(sample.bomb)


def keeps_or_counts_two_records_of_one_id(name: str, sample: Sample, folder: Path) -> None:
    repairs, once = Repairs(), Repairs()
    found = read(name, sample.same_id, repairs)
    assert len({document.id for document in found}) == 1
    read(name, sample.whole, once)
    assert len(found) == 2 or repairs.refused or repairs.counts - once.counts


def counts_what_it_repairs(name: str, sample: Sample, folder: Path) -> None:
    if sample.fault is None:
        return
    data, fault = sample.fault
    repairs, again, clean = Repairs(), Repairs(), Repairs()
    assert read(name, data, repairs) == read(name, data, again)
    assert repairs.counts == again.counts
    read(name, sample.whole, clean)
    assert repairs.counts[fault] == 1
    assert fault not in clean.counts
    if name in FORMATS:
        listed = set(re.findall(r"`([a-z_0-9]+)`", RECEIPTS.read_text("utf-8")))
        assert repairs.counts.keys() <= listed


def reads_back_what_it_writes(name: str, sample: Sample, folder: Path) -> None:
    """Its own sample comes back equal; of every format's documents what came back is written the same."""
    module = format_module(name)
    if not hasattr(module, "write"):
        with pytest.raises(InputError, match=f"{name} can be read, not written") as told:
            api.write([], folder / "out", format=name)
        assert is_one_line(told.value)
        return
    for other in known(FORMATS, GROUP):
        documents = read(other, _sample(other).whole)
        written = io.BytesIO()
        losses = module.write(documents, written)
        back = read(name, written.getvalue())
        if other == name:
            assert not losses
        again = io.BytesIO()
        assert not module.write(back, again)
        assert again.getvalue() == written.getvalue(), other


CHECKS: tuple[Check, ...] = (
    has_what_loaders_need,
    is_detected_and_by_no_other,
    reads_the_sample,
    has_nothing_in_an_empty_file,
    is_cut_at_any_byte,
    gives_what_stands_before_the_break,
    is_read_in_its_encoding_or_tells,
    survives_damage,
    survives_a_bomb,
    keeps_or_counts_two_records_of_one_id,
    counts_what_it_repairs,
    reads_back_what_it_writes,
)
_sample = sample  # a check's own argument is called so too


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", FORMATS)
def test_a_format_keeps_the_contract(name: str, check: Check, tmp_path: Path) -> None:
    check(name, sample(name), tmp_path)


@pytest.mark.parametrize("data", [b"pmid,title\n", b"\x00\x01\x02", b"\x89PNG", b'{"a": 1'])
def test_unknown_bytes_are_refused_and_the_formats_named(data: bytes) -> None:
    with pytest.raises(InputError, match=r"^a:1: no format recognises its first bytes; .*pubtator, bioc-xml"):
        detect(stream(data), "a")


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(InputError, match=r"unknown format 'pubtater'; did you mean pubtator\?"):
        format_module("pubtater")
