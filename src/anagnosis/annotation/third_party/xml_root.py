"""The root element of a small XML file; hostile XML is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.xml_prolog import declares_entities
from anagnosis.documents.io.xml_stream import LONGEST_ELEMENT, SAFE_OPTIONS
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element


def xml_root(stream: BinaryIO, name: str) -> _Element:
    """The root. InputError: over 64 MiB, malformed, or with entities, which are never expanded."""
    import lxml.etree as etree

    data = stream.read(LONGEST_ELEMENT + 1)
    if len(data) > LONGEST_ELEMENT:
        raise InputError(f"over {LONGEST_ELEMENT >> 20} MiB", name, "write one document a file")
    try:
        root = etree.fromstring(data, etree.XMLParser(**SAFE_OPTIONS))
    except (etree.XMLSyntaxError, ValueError, LookupError) as fault:
        line = getattr(fault, "lineno", None) or 1
        raise InputError(
            f"malformed XML: {getattr(fault, 'msg', fault)}", f"{name}:{line}", "check how the file was made"
        ) from fault
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise declares_entities(name)
    return root
