"""The elements of an XML file one by one, in memory bounded by one element; hostile XML is refused.

Entities are never expanded, no DTD is loaded, nothing is fetched, and libxml2's own limits (10 MB a text,
depth, entity amplification) stay on. A file that declares entities of its own is refused as a whole,
because no format read here needs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, TypedDict

from anagnosis.documents.malformed import MalformedError
from anagnosis.documents.xml_prolog import declares_entities

if TYPE_CHECKING:
    from lxml.etree import XMLPullParser, _Element

BLOCK = 1 << 18
LONGEST_ELEMENT = 64 << 20


class _Safely(TypedDict):
    resolve_entities: bool
    load_dtd: bool
    no_network: bool
    huge_tree: bool
    remove_comments: bool
    remove_pis: bool


# How every parser of input is made: nothing expanded, loaded or fetched, comments and instructions left out.
SAFELY: _Safely = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}

# What libxml2 appends to its messages, and what stands in the error's own place.
_PLACE = re.compile(r",? line \d+, column \d+$")


def elements(stream: BinaryIO, tags: tuple[str, ...], name: str = "") -> Iterator[_Element]:
    """Each element with one of `tags`, complete, in order; it is emptied when the next one is asked for.

    tags: at any depth; of two, one inside another, the inner one comes first and is empty in the outer one.
    """
    import lxml.etree as etree

    parser = etree.XMLPullParser(events=("end",), tag=tags, **SAFELY)
    waiting = 0
    ended = False
    while not ended:
        block = stream.read(BLOCK)
        ended = not block
        fault = _fed(parser, block)
        for _, element in parser.read_events():
            _refuse_declared_entities(element, name)
            yield element
            _free(element)
            waiting = 0
        if fault is not None:
            raise MalformedError(
                _reason(parser, fault), f"{name}:{_line(parser, fault)}", "check how the file was made"
            )
        waiting += len(block)
        if waiting > LONGEST_ELEMENT:
            raise MalformedError(
                f"a <{tags[0]}> longer than {LONGEST_ELEMENT >> 20} MiB", name, "split the file"
            )


def undefined_entity(element: _Element) -> str:
    """The first entity reference (`&nbsp;`) inside an element that XML itself does not define, or ""."""
    import lxml.etree as etree

    for entity in element.iter(etree.Entity):
        return str(entity.text)
    return ""


def _fed(parser: XMLPullParser, block: bytes) -> Exception | None:
    import lxml.etree as etree

    try:
        if block:
            parser.feed(block)
        else:
            parser.close()
    except etree.XMLSyntaxError as fault:
        return fault
    return None


def _refuse_declared_entities(element: _Element, name: str) -> None:
    dtd: Any = element.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise declares_entities(name)


def _free(element: _Element) -> None:
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _reason(parser: XMLPullParser, fault: Exception) -> str:
    errors = parser.error_log.filter_from_errors()
    message = str(errors[0].message) if len(errors) else str(getattr(fault, "msg", fault))
    return f"malformed XML: {_PLACE.sub('', message.strip())}"


def _line(parser: XMLPullParser, fault: Exception) -> int:
    errors = parser.error_log.filter_from_errors()
    return int(errors[0].line) if len(errors) else int(getattr(fault, "lineno", None) or 1)
