"""The root element of a small XML file; hostile XML is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.malformed import MalformedError
from anagnosis.documents.io.xml_prolog import declares_entities
from anagnosis.documents.io.xml_stream import LONGEST_ELEMENT, SAFE_OPTIONS

if TYPE_CHECKING:
    from lxml.etree import _Element

_BLOCK = 1 << 20  # a stream that is asked for more sets memory aside for all of it


def xml_root(stream: BinaryIO, name: str) -> _Element:
    """The root. MalformedError: over 64 MiB, malformed, or with entities, which are never expanded."""
    import lxml.etree as etree

    data = bytearray()
    while block := stream.read(_BLOCK):
        data += block
        if len(data) > LONGEST_ELEMENT:
            raise MalformedError(f"over {LONGEST_ELEMENT >> 20} MiB", name, "write one document a file")
    try:
        root = etree.fromstring(bytes(data), etree.XMLParser(**SAFE_OPTIONS))
    except (etree.XMLSyntaxError, ValueError, LookupError) as fault:
        line = getattr(fault, "lineno", None) or 1
        raise MalformedError(
            f"malformed XML: {getattr(fault, 'msg', fault)}", f"{name}:{line}", "check how the file was made"
        ) from fault
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise declares_entities(name)
    return root
