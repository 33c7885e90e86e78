"""What the beginning of an XML file declares, before a parser sees it."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.documents.io.xml_prolog import Prolog, read_prolog


@each_row(
    ("head", "expected"),
    [
        (b"<set><a/></set>", Prolog("", False, "set")),
        (b'\xef\xbb\xbf<?xml version="1.0" encoding="Latin-1"?>\n<set>', Prolog("latin-1", False, "set")),
        (b"<!-- <!ENTITY x 'y'> --><set>", Prolog("", False, "set")),
        (b'<!DOCTYPE set SYSTEM "a.dtd"><set>', Prolog("", False, "set")),
        (b"<!DOCTYPE set [<!ENTITY x 'y'>]><set>", Prolog("", True, "set")),
        (b"<!DOCTYPE set [<!ENTITY x '" + b" " * 99, Prolog("", True, "")),
        (b"<!DOCTYPE set [ " + b" " * 99, Prolog("", False, "")),
        (b"plain text", Prolog("", False, "")),
        (b"", Prolog("", False, "")),
    ],
)
def test_encoding_entities_and_root_are_read(head: bytes, expected: Prolog) -> None:
    assert read_prolog(head) == expected
