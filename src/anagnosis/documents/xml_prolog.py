"""What stands before the root of an XML file: its encoding, whether it declares entities, and the root's name.

Looked at without a parser, so that a file can be told apart, and refused, by its first bytes.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from anagnosis.documents.malformed import MalformedError
from anagnosis.errors import InputError

_MARK = b"\xef\xbb\xbf"
_ENCODING = re.compile(rb"<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")
_BEFORE_ROOT = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[(.*?)\]\s*)?>", re.DOTALL)
_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]*)")


class Prolog(NamedTuple):
    """encoding: as declared, in lower case, "" where it is not. root: the name of the first element, "" for none."""

    encoding: str
    declares_entities: bool
    root: str


def read_prolog(head: bytes) -> Prolog:
    """The prolog of a file that starts with these bytes."""
    head = head.removeprefix(_MARK)
    declared = _ENCODING.match(head)
    encoding = declared[1].decode().lower() if declared else ""
    at, entities = 0, False
    while found := _BEFORE_ROOT.match(head, at):
        entities = entities or b"<!ENTITY" in (found[1] or b"")
        at = found.end()
    root = _ROOT.match(head, at)
    if root is None:
        # The beginning ends inside a DTD, or this is no XML.
        entities = entities or (head.startswith(b"<!DOCTYPE", at) and b"<!ENTITY" in head)
    return Prolog(encoding, entities, root[1].decode() if root else "")


def refuse_unreadable(head: bytes, prolog: Prolog, name: str) -> None:
    """An empty file, one that declares entities of its own, and what is no XML, by its beginning."""
    if not head.strip():
        raise InputError("the file is empty", name, "check how it was made")
    if prolog.declares_entities:
        raise declares_entities(name)
    if not prolog.root:
        raise MalformedError("malformed XML: no element in it", f"{name}:1", "check how the file was made")


def declares_entities(name: str) -> MalformedError:
    """What is said of such a file."""
    return MalformedError(
        "the file declares XML entities of its own", name, "expand them first: xmllint --noent"
    )


def in_utf_8(data: bytes, encoding: str, where: str) -> bytes:
    """Bytes of a file recoded from the encoding that it declares; themselves where they are UTF-8 already."""
    if encoding in ("", "utf-8", "utf8", "us-ascii", "ascii"):
        return data
    try:
        data.decode()
        return data
    except UnicodeDecodeError:
        pass
    try:
        return data.decode(encoding).encode()
    except (LookupError, UnicodeError) as fault:
        raise InputError(
            f"it declares the encoding {encoding}, which it is not in",
            where,
            "name its encoding with --encoding",
        ) from fault
