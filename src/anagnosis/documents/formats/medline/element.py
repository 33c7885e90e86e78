"""Parsing of one record: its element, or the fault and its line.

The parser expands no entity, loads no DTD and fetches nothing; libxml2's limits (10 MB a text, depth) stay on.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.documents.io.xml_stream import SAFE_OPTIONS

if TYPE_CHECKING:
    from lxml.etree import XMLParser, XMLSyntaxError, _Element

_PREFIX = re.compile(rb"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]")
# The place in libxml2's messages, which counts from the record's start.
_PLACE = re.compile(r",? line \d+(?:, column \d+.*$)?")
_UNDEFINED_ENTITY = re.compile(r"Entity '(.+)' not defined")
_UNDEFINED_PREFIX = 201  # XML_NS_ERR_UNDEFINED_NAMESPACE


class Fault(NamedTuple):
    """Why a record cannot be parsed. row: lines from the record's first line to the fault."""

    why: str
    row: int = 0


def parse_record(record: bytes) -> _Element | Fault:
    """The element, or the first fault in it."""
    import lxml.etree as etree

    try:
        return etree.fromstring(record, parser())
    except etree.XMLSyntaxError as fault:
        if fault.code != _UNDEFINED_PREFIX:
            return _fault(record, fault)
    # The root may declare a prefix (mml:) that a record alone lacks.
    undeclared = sorted({*_PREFIX.findall(record)} - {b"xml", b"xmlns"})
    prefixes = b" ".join(b'xmlns:%s="%s"' % (prefix, prefix) for prefix in undeclared)
    try:
        return etree.fromstring(b"<_ " + prefixes + b">" + record + b"</_>", parser())[0]
    except etree.XMLSyntaxError as fault:
        return _fault(record, fault)


def _fault(record: bytes, fault: XMLSyntaxError) -> Fault:
    try:
        record.decode()
    except UnicodeDecodeError as other:
        rows = record.count(b"\n", 0, other.start)
        return Fault("not UTF-8; name its encoding with --encoding", rows)
    message = _PLACE.sub("", str(fault.msg)).strip()
    if entity := _UNDEFINED_ENTITY.search(message):
        message = f"the entity &{entity[1]}; is not defined"
    else:
        message = f"malformed XML: {message}"
    return Fault(message, max(0, (fault.lineno or 1) - 1))


@cache
def parser() -> XMLParser:
    """The parser of all records, with SAFE_OPTIONS."""
    import lxml.etree as etree

    return etree.XMLParser(encoding="utf-8", **SAFE_OPTIONS)
