"""The elements of XML one by one, in memory bounded by one of them; hostile XML is refused.

A file may hold several documents, each behind its own <?xml …?>, as results of efetch that were written one behind the
other. The parser expands no entity, loads no DTD and fetches nothing, and libxml2's limits (10 MB a text, depth) stay
on. Characters that HTML and ISO name (&alpha;) are read, since many files lack their DTD; any other entity, and a
declaration of one, ends the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html.entities import html5
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError, empty_file
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import TruncatedError
from anagnosis.io.files import TO_UTF8
from anagnosis.wording import shortened

if TYPE_CHECKING:
    from lxml.etree import XMLPullParser, XMLSyntaxError, _Element

BLOCK = 1 << 16
LONGEST_ELEMENT = 64 << 20
_LONGEST_TEXT = 10 << 20  # bytes between two tags
_LAST_LINE = 65_535  # that libxml2 counts
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML does not allow."""

_CHECK = "check how the file was made"
_PLACE = re.compile(r",? line \d+, column \d+$")  # libxml2 appends it
_NO_ELEMENT, _EMPTY, _INVALID_BYTES, _UNDEFINED_PREFIX = 1, 4, 81, 201  # xmlParserErrors
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)(?P<entity>[A-Za-z][\w.-]*;)")
_HIDING = {b"!--": b"-->", b"![CDATA[": b"]]>", b"?": b"?>"}
_MARKS = re.compile(rb"<(?:(?P<hides>!--|!\[CDATA\[|\?)|(?P<declares>!ENTITY))")
_MARKS_AND_ENTITIES = re.compile(_MARKS.pattern + b"|" + _ENTITY.pattern)  # far slower
_FAULTS = {
    "declares": "the file declares XML entities of its own",
    "entity": "the entity &{} is not defined",
}
_NEWLINE, _BLANK = b"\n", b"\xef\xbb\xbf \t\r\n"
_DECLARATION = re.compile(rb"<\?xml\s")
_BEFORE_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf|\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>)*", re.DOTALL
)
_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]*)")


def partial_read(stream: BinaryIO) -> Callable[[int], bytes]:
    """The stream's `read1` if it has one: unlike `read`, it gives the bytes before a break and then raises."""
    return getattr(stream, "read1", stream.read)


def root_of(head: bytes) -> str:
    """The name of the first element of XML that starts with these bytes, or ""."""
    before = _BEFORE_ROOT.match(head)
    root = _ROOT.match(head, before.end() if before else 0)
    return root[1].decode() if root else ""


def elements(
    stream: BinaryIO,
    tags: tuple[str, ...],
    name: str = "",
    repairs: Repairs | None = None,
    roots: tuple[str, ...] | None = None,
) -> Iterator[tuple[str, _Element]]:
    """("name:line", element) of each complete element with one of `tags`, but for those inside another.

    Asking for the next one empties it. roots: of documents that may lack such an element; None: any. The bytes are read
    as UTF-8, whatever they declare. Counted: named_entity_resolved. MalformedError: as of `until_malformed`.
    TruncatedError: the file ends inside an element.
    """
    import lxml.etree as etree

    names, parser, root, found, waiting = {_local(tag) for tag in tags}, _parser(tags), "", False, 0
    for before, data in _pieces(stream, name, Repairs() if repairs is None else repairs):
        fault = None
        try:
            if data:
                parser.feed(data)
            else:
                root = str(parser.close().tag)
        except etree.XMLSyntaxError as error:
            fault = error
        for _, element in parser.read_events():
            outer = parent = element.getparent()
            while outer is not None and _local(outer.tag) not in names:
                outer = outer.getparent()
            if outer is not None:
                continue
            line = element.sourceline or 0
            yield f"{name}:{before + line}{' or later' * (line == _LAST_LINE)}", element
            found, waiting = True, 0
            element.clear()
            while parent is not None and element.getprevious() is not None:
                del parent[0]
        if fault is not None and not (fault.code == _UNDEFINED_PREFIX and found):
            raise _error(fault, name, before, at_end=not data)
        waiting += len(data)
        if waiting > LONGEST_ELEMENT:
            raise MalformedError(
                f"a <{_local(tags[0])}> over {LONGEST_ELEMENT >> 20} MiB", name, "split the file"
            )
        if not data:
            parser = _parser(tags)
    root = _local(root) if tags[0].startswith("{*}") else root  # else a namespace is another format
    if roots is not None and not found and root not in roots:
        raise MalformedError(
            f"no <{_local(tags[0])}> in this XML", name, "check the format, or name it with --format"
        )


def _parser(tags: tuple[str, ...]) -> XMLPullParser:
    import lxml.etree as etree

    return etree.XMLPullParser(
        events=("end",), tag=tags, encoding="utf-8", resolve_entities=False, load_dtd=False, no_network=True,
        huge_tree=False, remove_comments=True, remove_pis=True,
    )  # fmt: skip


def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2]


def _error(fault: XMLSyntaxError, name: str, before: int, *, at_end: bool) -> MalformedError | TruncatedError:
    where = f"{name}:{before + (fault.lineno or 1)}"
    if fault.code == _INVALID_BYTES:
        return MalformedError("not UTF-8", where, TO_UTF8)
    what = f"malformed XML: {shortened(_PLACE.sub('', str(fault.msg).strip()), 200)}"
    if at_end and fault.code not in (_NO_ELEMENT, _EMPTY):
        return TruncatedError(what, where, FETCH_AGAIN)
    return MalformedError(what, where, _CHECK)


def _pieces(stream: BinaryIO, name: str, repairs: Repairs) -> Iterator[tuple[int, bytes]]:
    """(lines in front of the document, bytes of it that end behind a tag; b"" where it ends)."""
    read = partial_read(stream)
    rest, lines, before, begun, block = b"", 0, 0, False, b" "
    while block:
        block = read(BLOCK)
        data, parts, at, seen = rest + block, list[bytes](), 0, 0
        end = data.rfind(b">") + 1 if block else len(data)
        odd = _MARKS_AND_ENTITIES if _ENTITY.search(data) else _MARKS
        while match := odd.search(data, seen, end):
            kind, start, seen = match.lastgroup, match.start(), match.end()
            entity = match["entity"].decode() if kind == "entity" else ""
            if kind == "hides":
                closing = _HIDING[match["hides"]]
                close = data.find(closing, seen)
                if close < 0:
                    end = start if block else end
                    break
                seen = close + len(closing)
                if _DECLARATION.match(data, start) is None:
                    continue
                if begun or data[at:start].strip(_BLANK):
                    if piece := b"".join((*parts, data[at:start].rstrip(_BLANK))):
                        yield before, piece
                    yield before, b""
                parts, at, begun = [], start, True
                before = lines + data.count(_NEWLINE, 0, at)
            elif signs := html5.get(entity):
                repairs.count("named_entity_resolved")
                parts += [data[at:start], *(b"&#%d;" % ord(sign) for sign in signs)]
                at = seen
            else:
                if piece := b"".join((*parts, data[at:start])):
                    yield before, piece
                what = _FAULTS[str(kind)].format(shortened(entity))
                where = f"{name}:{lines + data.count(_NEWLINE, 0, start) + 1}"
                raise MalformedError(what, where, "write the characters in its place")
        if len(data) - end > _LONGEST_TEXT:
            raise MalformedError(
                f"over {_LONGEST_TEXT >> 20} MiB without a tag", f"{name}:{lines + 1}", _CHECK
            )
        parts.append(data[at:end])
        if piece := b"".join(parts):
            begun = begun or bool(piece.strip(_BLANK))
            yield before, piece
        lines, rest = lines + data.count(_NEWLINE, 0, end), data[end:]
    if not begun:
        raise empty_file(name)
    yield before, b""
