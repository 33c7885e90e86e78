"""A file that ends, stops or fills the process that reads it costs itself, and the next one is read."""

from __future__ import annotations

import pytest
from tests.documents.formats.pdf.printed import Page, printed
from tests.rows import each_row

from anagnosis.documents.formats.pdf.reader_process import Reader, UnreadableError

# A program that does what a file says, and else reads it.
PLANTED = """
from anagnosis.documents.formats.pdf import paper, reader_process
read = paper.read_paper

def planted(data, counts):
    if data == b"crash":
        import ctypes
        ctypes.string_at(0)
    if data == b"hang":
        import time
        time.sleep(600)
    if data == b"memory":
        bytearray(8 << 30)
    return read(data, counts)

paper.read_paper = planted
reader_process.main()
"""


@each_row(
    "planted, why",
    [
        (b"crash", "ends the program that reads it"),
        (b"hang", "takes longer than 2 s"),
        (b"memory", "takes more than 2 GiB of memory"),
    ],
)
def test_a_file_costs_itself(planted: bytes, why: str) -> None:
    reader = Reader(PLANTED)
    sound = printed(Page().text(50, 700, "Tea changes the sleep of older people."))
    try:
        assert reader.read(sound).document.text
        with pytest.raises(UnreadableError, match=why):
            reader.read(planted, seconds=2)
        assert reader.read(sound).document.text
    finally:
        reader.close()
