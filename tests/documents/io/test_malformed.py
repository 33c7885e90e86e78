"""An input that breaks off is an error: which last lines say so, and what an archive gives before it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.packed import packed
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Document
from anagnosis.documents.formats.detect import format_module
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import TruncatedError

JATS = b"<article><front><article-meta><article-id pub-id-type='pmid'>%d</article-id>" + (
    b"<title-group><article-title>T %d</article-title></title-group></article-meta></front>"
    b"<body><p>Text.</p></body></article>\n"
)


def read(format: str, data: bytes) -> list[Document]:
    stream = io.BufferedReader(io.BytesIO(data))  # pyright: ignore[reportArgumentType]
    return list(format_module(format).read(stream, Repairs(), "ours"))


# These formats have no mark of their end: a cut between records, or inside words of the last line, cannot be seen.
LAST_LINES = {
    ("pubtator", b"1|t|A title"): True,
    ("pubtator", b"1|t|A title\n1|a|It was not shown that asp"): True,
    ("pubtator", b"1|t|A title\n1|a|It was shown."): False,
    ("pubtator", b"1|t|A title\n1|a|"): False,
    ("pubtator", b"1|t|A title\n1|a|It\n1\t0\t1\tA"): True,
    ("pubtator", b"1|t|A title\n1|a|It\n1\t0\t1\tA\tGene\t7"): False,
    ("pubtator", b"1|t|A title\n1|a|It\n1\tCID\tD1\tD2"): False,
    ("pubtator", b"1|t|A title\n1|a|caf\xc3"): True,
    ("nbib", b"PMID- 1\nTI  - A title"): False,
    ("nbib", b"PMID- 1\nTI"): True,
    ("nbib", b"PMID- 1\nTI  - A title\nSO  - J.\n\nPMID- 2\nTI  - A ti"): True,
    ("nbib", b"PMID- 1\nTI  - A title\nSO  - J.\n\nPMID- 2\nTI  - A title\nSO  - J."): False,
    ("jsonl", b'{"id": "1", "title": "T"}\n{"id": "2", "ti'): True,
    ("jsonl", b'{"id": "1", "title": "T"}\n{"id": "2", "title": "T"}'): False,
}


@each_row(("case", "expected"), LAST_LINES.items())
def test_where_nothing_marks_the_end_an_unfinished_last_line_tells(
    case: tuple[str, bytes], *, expected: bool
) -> None:
    if not expected:
        assert read(*case)
        return
    with pytest.raises(TruncatedError, match=r"^ours:\d+: the file ends inside"):
        read(*case)


def test_a_member_of_an_archive_that_breaks_off_ends_it_or_is_read_so_far(tmp_path: Path) -> None:
    members = {"1.xml": JATS % (1, 1), "2.xml": (JATS % (2, 2))[:-20], "3.xml": JATS % (3, 3)}
    packed(tmp_path / "a.tar", members)
    found: list[str] = []
    with pytest.raises(TruncatedError) as told:
        found.extend(document.id for document in api.read(tmp_path / "a.tar"))
    assert found == ["1"]
    assert str(told.value) == (
        "a.tar/2.xml:1: malformed XML: expected '>'; fetch it again, or use what comes before the break with "
        "accept_truncated"
    )
    repairs = Repairs()
    accepted = api.read(tmp_path / "a.tar", repairs=repairs, accept_truncated=True)
    assert [document.id for document in accepted] == ["1", "3"]
    assert repairs.counts["truncated_file"] == 1
