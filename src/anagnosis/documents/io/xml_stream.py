"""The elements of an XML file one by one, in memory bounded by one element, or one record; hostile XML is refused.

The parser expands no entity, loads no DTD and fetches nothing; libxml2's limits (10 MB a text, depth, entity
amplification) stay on. We refuse a file that declares entities, because no format read here needs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html.entities import html5
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypedDict

from anagnosis.documents.io.blocks import partial_read
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError
from anagnosis.documents.io.xml_prolog import NOT_OBEYED, DeclaredEncoding, declares_entities, read_prolog
from anagnosis.errors import TruncatedError
from anagnosis.io.files import recoded_from

if TYPE_CHECKING:
    from lxml.etree import XMLParser, XMLPullParser, XMLSyntaxError, _Element

    from anagnosis.documents.repairs import Repairs


BLOCK = 1 << 18
_HEAD = 1 << 16
LONGEST_ELEMENT = 64 << 20
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML does not allow."""

# libxml2 appends the place to its messages; our errors give it separately.
_PLACE = re.compile(r",? line \d+, column \d+$")
_BLOCK = 1 << 20  # a stream that is asked for more sets memory aside for all of it


class _ParserOptions(TypedDict):
    resolve_entities: bool
    load_dtd: bool
    no_network: bool
    huge_tree: bool
    remove_comments: bool
    remove_pis: bool


# Options of every parser of input: expand, load and fetch nothing, skip comments and instructions.
SAFE_OPTIONS: _ParserOptions = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


def elements(
    stream: BinaryIO, tags: tuple[str, ...], name: str = "", repairs: Repairs | None = None
) -> Iterator[_Element]:
    """Each complete element with one of `tags`, in order; asking for the next one empties it.

    tags: at any depth. Of nested elements the inner one comes first; it is then empty in the outer one.
    A recoded stream is read as UTF-8, another one as it declares. Counted: encoding_declaration_not_obeyed,
    named_entity_resolved.
    """
    import lxml.etree as etree

    parser, declared = None, DeclaredEncoding("")
    read = _resolving(partial_read(stream), repairs)
    waiting = 0
    at_end = noticed = False
    while not at_end:
        block = read(BLOCK)
        if parser is None:
            source = recoded_from(stream)
            # If the user named no encoding, libxml2 obeys the declaration or reports that it cannot.
            declared = DeclaredEncoding(read_prolog(block[:_HEAD]).encoding if source else "", source)
            encoding = "utf-8" if source else None
            parser = etree.XMLPullParser(events=("end",), tag=tags, encoding=encoding, **SAFE_OPTIONS)
        declared.note(block)
        if repairs is not None and declared.is_disobeyed and not noticed:
            repairs.count(NOT_OBEYED)
            noticed = True
        at_end = not block
        fault = _fed(parser, block)
        for _, element in parser.read_events():
            _refuse_declared_entities(element, name)
            yield element
            _free(element)
            waiting = 0
        if fault is not None:
            errors = parser.error_log.filter_from_errors()
            first: Any = errors[0] if len(errors) else None
            line = first.line if first else getattr(fault, "lineno", None) or 1
            message = str(first.message if first else getattr(fault, "msg", fault))
            what, where = f"malformed XML: {_PLACE.sub('', message.strip())}", f"{name}:{line}"
            # At the end of the file the text breaks off, unless more stands behind the root.
            if at_end and not (first and first.type_name == "ERR_DOCUMENT_END"):
                raise TruncatedError(what, where, FETCH_AGAIN)
            raise MalformedError(what, where, "check how the file was made")
        waiting += len(block)
        if waiting > LONGEST_ELEMENT:
            raise MalformedError(
                f"a <{tags[0]}> longer than {LONGEST_ELEMENT >> 20} MiB", name, "split the file"
            )


_NAMED = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{0,31};)")
_LONGEST_ENTITY = 34


def numbered(data: bytes, repairs: Repairs | None) -> bytes:
    """XML with the characters that HTML names by number: "&alpha;" gives "&#945;". Counted: named_entity_resolved.

    Files without their DTD name characters too. Names outside the table stay.
    """
    signs = {name: html5[name.decode()] for name in {*_NAMED.findall(data)} if name.decode() in html5}
    if not signs:
        return data
    if repairs is not None:
        repairs.count("named_entity_resolved", sum(name in signs for name in _NAMED.findall(data)))
    return _NAMED.sub(
        lambda entity: (
            b"".join(b"&#%d;" % ord(sign) for sign in signs[entity[1]]) if entity[1] in signs else entity[0]
        ),
        data,
    )


def _resolving(read: Callable[[int], bytes], repairs: Repairs | None) -> Callable[[int], bytes]:
    """A `read` with `numbered` bytes, which no block cuts inside an entity."""
    rest = b""

    def resolved(size: int) -> bytes:
        nonlocal rest
        while True:
            data = read(size)
            whole = rest + data
            begun = whole.rfind(b"&", max(0, len(whole) - _LONGEST_ENTITY)) if data else -1
            end = begun if begun >= 0 and b";" not in whole[begun:] else len(whole)
            rest = whole[end:]
            if end or not data:
                return numbered(whole[:end], repairs)

    return resolved


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


def xml_root(stream: BinaryIO, name: str) -> _Element:
    """The root, with `numbered` characters.

    MalformedError: over 64 MiB, malformed, or with entities, which are never expanded.
    """
    import lxml.etree as etree

    data = bytearray()
    while block := stream.read(_BLOCK):
        data += block
        if len(data) > LONGEST_ELEMENT:
            raise MalformedError(f"over {LONGEST_ELEMENT >> 20} MiB", name, "write one document a file")
    try:
        root = etree.fromstring(numbered(bytes(data), None), etree.XMLParser(**SAFE_OPTIONS))
    except (etree.XMLSyntaxError, ValueError, LookupError) as fault:
        line = getattr(fault, "lineno", None) or 1
        raise MalformedError(
            f"malformed XML: {getattr(fault, 'msg', fault)}", f"{name}:{line}", "check how the file was made"
        ) from fault
    _refuse_declared_entities(root, name)
    return root


_PREFIX = re.compile(rb"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]")
# The place in libxml2's messages, which counts from the record's start.
_PLACE_IN_RECORD = re.compile(r",? line \d+(?:, column \d+.*$)?")
_UNDEFINED_ENTITY = re.compile(r"Entity '(.+)' not defined")
_UNDEFINED_PREFIX = 201  # XML_NS_ERR_UNDEFINED_NAMESPACE


class Fault(NamedTuple):
    """Why a record cannot be parsed. row: lines from the record's first line to the fault."""

    why: str
    row: int = 0


def parse_record(record: bytes, repairs: Repairs) -> _Element | Fault:
    """The element, or the first fault in it. Counted: named_entity_resolved."""
    import lxml.etree as etree

    try:
        return etree.fromstring(record, parser())
    except etree.XMLSyntaxError as fault:
        if (plain := numbered(record, repairs)) != record:
            return parse_record(plain, repairs)
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
    message = _PLACE_IN_RECORD.sub("", str(fault.msg)).strip()
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
