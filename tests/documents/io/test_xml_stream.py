"""XML read element by element: what is read, where it ends, and that nothing depends on the blocks of the stream."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.io import xml_stream
from anagnosis.documents.io.xml_stream import elements, root_of
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError

PROLOG = b'<?xml version="1.0"?>\n<!DOCTYPE s PUBLIC "-//x//" "https://example.org/s.dtd">\n'
LATIN = b'<?xml version="1.0" encoding="ISO-8859-1"?>'


def read(
    data: bytes, roots: tuple[str, ...] | None = None
) -> tuple[list[tuple[str, str]], str, dict[str, int]]:
    """((line, text) of each <r>, the fault or "", counts)."""
    found, repairs, fault = list[tuple[str, str]](), Repairs(), ""
    try:
        for where, element in elements(io.BytesIO(data), ("r",), "f", repairs, roots):
            found.append((where.removeprefix("f:"), "".join(map(str, element.itertext()))))
    except InputError as error:
        fault = f"{type(error).__name__} {error.where}: {error.what}"
    return found, fault, dict(repairs.counts)


@each_row(
    ("head", "root"),
    [
        (b"<set><a/></set>", "set"),
        (b'\xef\xbb\xbf<?xml version="1.0" encoding="Latin-1"?>\n<set>', "set"),
        (b"<!-- <no> --><set>", "set"),
        (b'<!DOCTYPE set SYSTEM "a.dtd"><set>', "set"),
        (b"<!DOCTYPE set [<!ENTITY x 'y'>]><set>", "set"),
        (b"<!DOCTYPE set [ " + b" " * 99, ""),
        (b"plain text", ""),
        (b"", ""),
    ],
)
def test_the_root_is_the_first_element(head: bytes, root: str) -> None:
    assert root_of(head) == root


READ = {
    "lines": (b"<s>\n<r>1</r>\n\n<r>2</r></s>", [("2", "1"), ("4", "2")], {}),
    "several documents": (
        (PROLOG + b"<s>\n<r>1</r></s>\n") * 2 + PROLOG + b"<s/>",
        [("4", "1"), ("8", "1")],
        {},
    ),
    "an element inside another": (b"<s><r>1<r>2</r></r></s>", [("1", "12")], {}),
    "several documents, each with a mark": (
        (b"\xef\xbb\xbf" + PROLOG + b"<s>\n<r>1</r></s>\n") * 2,
        [("4", "1"), ("8", "1")],
        {},
    ),
    "more lines than libxml2 counts": (
        b"<s>" + 65_533 * b"\n" + b"<r>1</r>\n<r>2</r>\n<r>3</r></s>",
        [("65534", "1"), ("65535 or later", "2"), ("65536", "3")],
        {},
    ),
    "a blank in front": (b"\n\n" + PROLOG + b"<s><r>1</r></s>", [("5", "1")], {}),
    "a mark": (b"\xef\xbb\xbf" + PROLOG + b"<s><r>1</r></s>", [("3", "1")], {}),
    "what looks like markup": (
        b"<s><!-- <?xml > &no; --><r><![CDATA[</r> &alpha; &no; <?xml <!ENTITY]]></r><?pi &no; ?></s>",
        [("1", "</r> &alpha; &no; <?xml <!ENTITY")],
        {},
    ),
    "names of characters": (
        b"<s><r a='&nbsp;'>&alpha;&lt;&acE;</r></s>",
        [("1", "\u03b1<\u223e\u0333")],
        {"named_entity_resolved": 3},
    ),
    "an undefined prefix": (b"<s><r><m:i>1</m:i></r></s>", [("1", "1")], {}),
    "UTF-8 that calls itself Latin-1": (LATIN + "<s><r>\xe9</r></s>".encode(), [("1", "\xe9")], {}),
    "no element": (b"<s/>", [], {}),
}
FAULTS = {
    "nothing": (b" \n", [], "InputError f: the file is empty"),
    "no XML": (b"PMID- 1", [], "MalformedError f:1: malformed XML: Start tag expected, '<' not found"),
    "another root": (b"<t/>", [], "MalformedError f: no <r> in this XML"),
    "another namespace": (b"<s xmlns='urn:x'><r/></s>", [], "MalformedError f: no <r> in this XML"),
    "an entity": (
        b"<s><r>1</r>\n<r>&alpha; &no;</r><r>2</r></s>",
        [("1", "1")],
        "MalformedError f:2: the entity &no; is not defined",
    ),
    "an entity with a long name": (
        b"<s>&" + b"n" * 9999 + b";</s>",
        [],
        f"MalformedError f:1: the entity &{'n' * 60}\u2026 is not defined",
    ),
    "an entity of an attribute, beside a DTD": (
        PROLOG + b"<s><r a='&no;'/></s>",
        [],
        "MalformedError f:3: the entity &no; is not defined",
    ),
    "an entity of its own": (
        b"<!DOCTYPE s [\n<!ENTITY no SYSTEM 'f'>]><s><r>&no;</r></s>",
        [],
        "MalformedError f:2: the file declares XML entities of its own",
    ),
    "an endless DTD": (
        b"<!DOCTYPE s [ <!ENTITY % x '<!--'>" + b" " * 70_000,
        [],
        "MalformedError f:1: the file declares XML entities of its own",
    ),
    "a broken tag": (
        b"<s><r>1</r>\n<r><i></r><r>2</r></s>",
        [("1", "1")],
        "MalformedError f:2: malformed XML: Opening and ending tag mismatch: i line 2 and r",
    ),
    "a broken tag with a long name": (
        b"<s></" + b"n" * 9999 + b">",
        [],
        f"MalformedError f:1: malformed XML: Opening and ending tag mismatch: s line 1 and {'n' * 154}\u2026",
    ),
    "a broken tag of the second document": (
        PROLOG + b"<s><r>1</r></s>" + PROLOG + b"<s><r></i></s>",
        [("3", "1")],
        "MalformedError f:5: malformed XML: Opening and ending tag mismatch: r line 3 and i",
    ),
    "the end": (
        b"<s><r>1</r><r>2",
        [("1", "1")],
        "TruncatedError f:1: malformed XML: Premature end of data in tag r line 1",
    ),
    "the end of the first document": (
        PROLOG + b"<s><r>1</r>" + PROLOG + b"<s><r>2</r></s>",
        [("3", "1")],
        "TruncatedError f:3: malformed XML: Premature end of data in tag s line 3",
    ),
    "text behind the root": (
        b"<s><r>1</r></s>\ntext",
        [("1", "1")],
        "MalformedError f:2: malformed XML: Extra content at the end of the document",
    ),
    "no UTF-8": (LATIN + b"<s><r>1</r><r>\xe9</r></s>", [("1", "1")], "MalformedError f:1: not UTF-8"),
    "depth": (
        b"<s><r>1</r>" + b"<i>" * 100_000,
        [("1", "1")],
        "MalformedError f:1: malformed XML: Excessive depth",
    ),
    "a long text": (
        b"<s><r>1</r><r>" + b"x" * (11 << 20) + b"</r></s>",
        [("1", "1")],
        "MalformedError f:1: over 10 MiB without a tag",
    ),
}


@each_row(("data", "found", "counts"), READ.values(), ids=READ)
def test_elements_are_read_with_their_lines(
    data: bytes, found: list[tuple[str, str]], counts: dict[str, int]
) -> None:
    assert read(data, ("s",)) == (found, "", counts)


@each_row(("data", "found", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_fault_ends_the_file_and_keeps_what_came_before(
    data: bytes, found: list[tuple[str, str]], fault: str
) -> None:
    got = read(data, ("s",))
    assert got[0] == found
    assert got[1].startswith(fault)


PIECES = st.sampled_from(
    [
        *(data for data, *_ in READ.values()),
        *(
            b"<r>1</r>",
            b"\n",
            b"<r>\xc3\xa9</r>",
            b"<!-- a > b -->",
            b"<![CDATA[ > ]]>",
            b"&alpha;",
            b"&no;",
            b"<",
            b"&",
        ),
        *(b"</s>", b"<?xml version='1.0'?>", b"<?pi > ?>", b"<!ENTITY", b"<s>", b"text"),
    ]
)


@given(st.lists(PIECES, max_size=6), st.integers(1, 40))
def test_blocks_of_any_size_give_the_same(pieces: list[bytes], size: int) -> None:
    data = b"".join(pieces)
    whole = read(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_stream, "BLOCK", size)
        found = read(data)
    assert found[:2] == whole[:2]
    # Behind a fault nobody counts on.
    assert whole[1] or found[2] == whole[2]


def test_a_stream_that_breaks_off_gives_what_came_before() -> None:
    class Breaking(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            if data := super().read1(size):
                return data
            raise TruncatedError("ends too early", "f", "")

    found = list[str]()
    with pytest.raises(TruncatedError, match="too early"):
        found.extend(where for where, _ in elements(Breaking(b"<s><r>1</r><r>2</r><r"), ("r",), "f"))
    assert found == ["f:1", "f:1"]


@pytest.mark.parametrize("hostile", [b"<!--", b"<![CDATA[<!--", b"<", b"&a", b"<r ", b"&lt;"])
def test_hostile_files_take_no_time(hostile: bytes) -> None:
    assert read(b"<s><r>1</r>" + hostile * 300_000)[0] == [("1", "1")]
