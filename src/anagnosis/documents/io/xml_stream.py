"""The elements of an XML file one by one, in memory bounded by one element; hostile XML is refused.

Entities are never expanded, no DTD is loaded, nothing is fetched, and libxml2's own limits (10 MB a text,
depth, entity amplification) stay on. A file that declares entities of its own is refused as a whole,
because no format read here needs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, TypedDict

from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError
from anagnosis.documents.io.xml_prolog import NOT_OBEYED, Declared, declares_entities, read_prolog
from anagnosis.errors import TruncatedError
from anagnosis.files import recoded_from

if TYPE_CHECKING:
    from lxml.etree import XMLPullParser, _Element

    from anagnosis.documents.repairs import Repairs

BLOCK = 1 << 18
_HEAD = 1 << 16
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


def elements(
    stream: BinaryIO, tags: tuple[str, ...], name: str = "", repairs: Repairs | None = None
) -> Iterator[_Element]:
    """Each element with one of `tags`, complete, in order; it is emptied when the next one is asked for.

    tags: at any depth; of two, one inside another, the inner one comes first and is empty in the outer one.
    Bytes that were recoded are read as UTF-8, others as they declare. Counted: encoding_declaration_not_obeyed.
    """
    import lxml.etree as etree

    parser, declared = None, Declared("")
    # Unlike read, read1 gives what was there before a break.
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    waiting = 0
    ended = noticed = False
    while not ended:
        block = read(BLOCK)
        if parser is None:
            source = recoded_from(stream)
            # Where nobody named an encoding, libxml2 obeys the declaration or reports that it cannot.
            declared = Declared(read_prolog(block[:_HEAD]).encoding if source else "", source)
            encoding = "utf-8" if source else None
            parser = etree.XMLPullParser(events=("end",), tag=tags, encoding=encoding, **SAFELY)
        declared.note(block)
        if repairs is not None and declared.is_disobeyed and not noticed:
            repairs.count(NOT_OBEYED)
            noticed = True
        ended = not block
        fault = _fed(parser, block)
        for _, element in parser.read_events():
            _refuse_declared_entities(element, name)
            yield element
            _free(element)
            waiting = 0
        if fault is not None:
            where = f"{name}:{_line(parser, fault)}"
            if ended and not _has_ended(parser):
                raise TruncatedError(_reason(parser, fault), where, FETCH_AGAIN)
            raise MalformedError(_reason(parser, fault), where, "check how the file was made")
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


def _has_ended(parser: XMLPullParser) -> bool:
    """Whether what is wrong stands behind the root's end."""
    errors = parser.error_log.filter_from_errors()
    return len(errors) > 0 and errors[0].type_name == "ERR_DOCUMENT_END"


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
