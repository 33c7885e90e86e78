"""What stands before the root of an XML file: its encoding, whether it declares entities, and the root's name.

Looked at without a parser, so that a file can be told apart, and refused, by its first bytes.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from anagnosis.documents.io.malformed import MalformedError
from anagnosis.errors import InputError

NOT_OBEYED = "encoding_declaration_not_obeyed"
"""The name that a file is counted under whose declaration is `Declared.is_disobeyed`."""

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
        "the file declares XML entities of its own",
        name,
        "write their text in their place if the file is yours; expanding a stranger's file can fill the disk",
    )


class Declared:
    """The encoding that a file declares, and whether its bytes were read by it.

    encoding: as `Prolog` has it. recoded_from: as `files.recoded_from` has it. is_disobeyed: characters outside ASCII
    were read in another encoding than the declared one.
    """

    def __init__(self, encoding: str, recoded_from: str = "") -> None:
        self._encoding = encoding
        self.is_disobeyed = False
        self._agrees = not encoding or _are_one(encoding, recoded_from or "utf-8")
        # Whatever is no ASCII can be UTF-8 then, and a record that is not is refused by its line.
        self._is_read_as_it_is = self._agrees or bool(recoded_from) or _are_one(encoding, "ascii")

    def note(self, data: bytes) -> None:
        """Look at bytes that are read as `recoded_from`, or else as UTF-8."""
        if not (self._agrees or self.is_disobeyed):
            # Of ASCII alone every encoding that can be read here says the same.
            self.is_disobeyed = not data.isascii()

    def in_utf_8(self, data: bytes, where: str) -> bytes:
        """Bytes recoded from the declared encoding; themselves where they are UTF-8 already."""
        if not self._is_read_as_it_is:
            data, is_obeyed = _recoded(data, self._encoding, where)
            if is_obeyed:
                return data
        self.note(data)
        return data


def _are_one(encoding: str, other: str) -> bool:
    """Whether two names are of one encoding; of UTF-16 and its byte orders too."""
    try:
        one, two = codecs.lookup(encoding).name, codecs.lookup(other).name
    except LookupError:
        return False
    return one == two or (one.startswith("utf-16") and two.startswith("utf-16"))


def _recoded(data: bytes, encoding: str, where: str) -> tuple[bytes, bool]:
    """(bytes in UTF-8, whether they were in the declared encoding)."""
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
