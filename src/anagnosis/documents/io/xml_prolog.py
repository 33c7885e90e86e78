"""The prolog of an XML file: its encoding, whether it declares entities, and the root's name.

Read without a parser, so that we can detect the format, or refuse the file, from the first bytes.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from anagnosis.documents.io.malformed import MalformedError, empty_file
from anagnosis.errors import InputError

NOT_OBEYED = "encoding_declaration_not_obeyed"
"""The repair name of a file whose declaration is `DeclaredEncoding.is_disobeyed`."""

BOM = b"\xef\xbb\xbf"
_ENCODING = re.compile(rb"<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")
_BEFORE_ROOT = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[(.*?)\]\s*)?>", re.DOTALL)
_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]*)")


class Prolog(NamedTuple):
    """encoding: as declared, in lower case, or "". root: the name of the first element, or ""."""

    encoding: str
    declares_entities: bool
    root: str


def read_prolog(head: bytes) -> Prolog:
    """The prolog of a file that starts with these bytes."""
    head = head.removeprefix(BOM)
    declared = _ENCODING.match(head)
    encoding = declared[1].decode().lower() if declared else ""
    at, entities = 0, False
    while match := _BEFORE_ROOT.match(head, at):
        entities = entities or b"<!ENTITY" in (match[1] or b"")
        at = match.end()
    root = _ROOT.match(head, at)
    if root is None:
        # The first bytes end inside a DTD, or this is no XML.
        entities = entities or (head.startswith(b"<!DOCTYPE", at) and b"<!ENTITY" in head)
    return Prolog(encoding, entities, root[1].decode() if root else "")


def refuse_unreadable(head: bytes, prolog: Prolog, name: str) -> None:
    """Raise an error, from the first bytes, for an empty file, one that declares entities, and one that is no XML."""
    if not head.strip():
        raise empty_file(name)
    if prolog.declares_entities:
        raise declares_entities(name)
    if not prolog.root:
        raise MalformedError("malformed XML: no element in it", f"{name}:1", "check how the file was made")


def declares_entities(name: str) -> MalformedError:
    """The error for a file that declares XML entities."""
    return MalformedError(
        "the file declares XML entities of its own",
        name,
        "write their text in their place if the file is yours; expanding a stranger's file can fill the disk",
    )


class DeclaredEncoding:
    """The encoding that a file declares, and whether we read its bytes in that encoding.

    encoding: as in `Prolog`. recoded_from: as `files.recoded_from` gives it. is_disobeyed: we read characters outside
    ASCII in another encoding than the declared one.
    """

    def __init__(self, encoding: str, recoded_from: str = "") -> None:
        self._encoding = encoding
        self.is_disobeyed = False
        self._agrees = not encoding or _same_encoding(encoding, recoded_from or "utf-8")
        # Bytes outside ASCII may then be UTF-8; the reader refuses a record that is not, with its line.
        self._is_read_unchanged = self._agrees or bool(recoded_from) or _same_encoding(encoding, "ascii")

    def note(self, data: bytes) -> None:
        """Check bytes that we read as `recoded_from`, or else as UTF-8."""
        if not (self._agrees or self.is_disobeyed):
            # All encodings that we read agree on ASCII.
            self.is_disobeyed = not data.isascii()

    def in_utf_8(self, data: bytes, where: str) -> bytes:
        """Bytes recoded from the declared encoding into UTF-8; unchanged if they are UTF-8 already."""
        if not self._is_read_unchanged:
            data, is_obeyed = _recoded(data, self._encoding, where)
            if is_obeyed:
                return data
        self.note(data)
        return data


def _same_encoding(encoding: str, other: str) -> bool:
    """Whether two names mean one encoding; UTF-16 and its byte orders count as one."""
    try:
        first, second = codecs.lookup(encoding).name, codecs.lookup(other).name
    except LookupError:
        return False
    return first == second or (first.startswith("utf-16") and second.startswith("utf-16"))


def _recoded(data: bytes, encoding: str, where: str) -> tuple[bytes, bool]:
    """(the bytes in UTF-8, whether they were in the declared encoding)."""
    try:
        data.decode()
        return data, False
    except UnicodeDecodeError:
        pass
    try:
        return data.decode(encoding).encode(), True
    except (LookupError, UnicodeError) as fault:
        raise InputError(
            f"it declares the encoding {encoding}, which it is not in",
            where,
            "name its encoding with --encoding",
        ) from fault
