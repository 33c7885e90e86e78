"""MEDLINE and PubMed XML: citation sets of any year of their DTD, and the output of efetch.

    <PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">27000083</PMID><Article>
      <ArticleTitle>Does aspirin prevent stroke?</ArticleTitle>
      <Abstract><AbstractText Label="METHODS" NlmCategory="METHODS">We asked …</AbstractText></Abstract>
    </Article></MedlineCitation></PubmedArticle><DeleteCitation><PMID Version="1">1</PMID></DeleteCitation>…

`citation.py` converts a citation. A PMID that NLM deleted is a document without sections and with the fact
deleted = "yes". A chapter of a book, or a book, is a paper if it has an abstract; others are counted and left out.

We cut a stream behind records, and parse its records one by one, so that a fault costs a record and parts that nobody
asks for are not parsed. The parser expands no entity, loads no DTD and fetches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.formats.medline import citation as medline_citation
from anagnosis.documents.formats.medline.records import (
    Records,
    Span,
    breaks_off,
    end_of_last,
    may_hold_records,
    strays,
    without_unread,
)
from anagnosis.documents.io.blocks import Block, cut
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError, until_malformed
from anagnosis.documents.io.xml_prolog import (
    NOT_OBEYED,
    DeclaredEncoding,
    Prolog,
    read_prolog,
    refuse_unreadable,
)
from anagnosis.documents.io.xml_stream import Fault, parse_record, parser
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import TruncatedError
from anagnosis.io.files import recoded_from

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".xml", ".XML", ".medline")
_HEAD = 1 << 16
# Few citations are as long; more often one is not closed.
_LONG = 1 << 16
# Size of blocks that fit into the processor's cache, which makes parsing faster.
_IN_CACHE = 1 << 20

_BOOKS = ("PubmedBookArticle", "BookDocument")
_DELETED = ("DeleteCitation", "DeleteDocument")
_WITHOUT_PMID = "a citation without PMID"
_PMID = re.compile(rb"<PMID[^<>]*>\s*([^<\s]+)")


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is MEDLINE or PubMed XML."""
    return may_hold_records(read_prolog(head).root)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a block.

    repairs: gets book_left_out, deleted_citation_without_pmid, the names of `citation.document_with_bibliography`, and
    by "name:line" the refused records. MalformedError, before any document: a file that is no MEDLINE or PubMed XML or
    declares entities. TruncatedError, after the documents: the stream breaks off or the file ends without closing its
    root.
    """
    return _read(stream, repairs, name, _ALL)


def read_texts(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream as from `read`, without the facts of `bibliography`, twice as fast.

    Parts that such a document lacks (authors, history, references) are not parsed, so a fault in them has no effect.
    """
    return _read(stream, repairs, name, _WITHOUT_BIBLIOGRAPHY)


def _blocks(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Block]:
    """Blocks of whole records in UTF-8. Counted: encoding_declaration_not_obeyed."""
    prolog = Prolog("", False, "")

    def begin(head: bytes, is_all: bool) -> None:
        nonlocal prolog
        prolog = read_prolog(head[:_HEAD])
        _refuse_other_xml(head, prolog, name, is_all=is_all)

    last, declared, is_noticed = None, None, False
    for block in cut(
        stream, name, _IN_CACHE, end_of_last=end_of_last, refuse_other=begin, what="MEDLINE or PubMed XML"
    ):
        declared = declared or DeclaredEncoding(prolog.encoding, recoded_from(stream))
        data = declared.in_utf_8(block.data, f"{block.name}:{block.line}")
        last = block if data is block.data else msgspec.structs.replace(block, data=data)
        repairs.count(NOT_OBEYED, declared.is_disobeyed and not is_noticed)
        is_noticed = is_noticed or declared.is_disobeyed
        yield last
    if last is not None and breaks_off(last.data, prolog.root):
        line = last.line + last.data.rstrip().count(b"\n")
        lacking = f"without </{prolog.root}>" if prolog.root else "inside a record"
        raise TruncatedError(f"the file ends {lacking}", f"{name}:{line}", FETCH_AGAIN)


class _Extent(NamedTuple):
    """How much of a citation to read. cut: gives the bytes to parse."""

    cut: Callable[[bytes, Span], bytes]
    document: Callable[[_Element, Repairs], Document | None]


_WITHOUT_BIBLIOGRAPHY = _Extent(without_unread, medline_citation.document)
_ALL = _Extent(
    lambda data, record: data[record.start : record.end], medline_citation.document_with_bibliography
)


def _read(stream: BinaryIO, repairs: Repairs, name: str, extent: _Extent) -> Iterator[Document]:
    blocks = _blocks(stream, repairs, name)
    return until_malformed(
        (document for block in blocks for document in _documents(block, repairs, extent)), repairs
    )


def _documents(block: Block, repairs: Repairs, extent: _Extent) -> Iterator[Document]:
    import lxml.etree as etree

    data, at, lines, records, xml = block.data, 0, _Lines(block), Records(block.data), parser()
    while (record := records.next(at)) is not None:
        gap, at = data[at : record.start], record.end
        if gap.strip():
            _refuse_strays(gap, record.start - len(gap), lines, repairs)
        if record.tag == "PubmedArticle" and 0 < record.end - record.start < _LONG:
            try:
                element = etree.fromstring(extent.cut(data, record), xml)
            except etree.XMLSyntaxError:
                at = yield from _unusual(records, record, lines, repairs, extent)
                continue
            document = extent.document(element, repairs)
            if document is not None:
                yield document
            else:
                repairs.refuse(lines.where(record.start), _WITHOUT_PMID)
        else:
            at = yield from _unusual(records, record, lines, repairs, extent)
    _refuse_strays(data[at:], at, lines, repairs)


def _refuse_strays(gap: bytes, at: int, lines: _Lines, repairs: Repairs) -> None:
    for offset, why in strays(gap):
        repairs.refuse(lines.where(at + offset), why)


class _Lines:
    """Line numbers of places in a block, for rising places."""

    def __init__(self, block: Block) -> None:
        self._data, self._name, self._line, self._at = block.data, block.name, block.line, 0

    def where(self, at: int, rows: int = 0) -> str:
        """ "name:line" of a byte, or of the line `rows` lines behind it."""
        self._line += self._data.count(b"\n", self._at, at)
        self._at = at
        return f"{self._name}:{self._line + rows}"


def _unusual(
    records: Records, record: Span, lines: _Lines, repairs: Repairs, extent: _Extent
) -> Generator[Document, None, int]:
    """The documents of a record that needs the full parse; returns where the next one may begin."""
    fault, data = Fault(f"<{record.tag}> is not closed"), records.data
    inner = records.inner_beginning(record)
    if record.end >= 0 and inner < 0:
        element = parse_record(data[record.start : record.end], repairs)
        if not isinstance(element, Fault):
            if record.tag in _BOOKS and not medline_citation.book_as_citation(element):
                repairs.count("book_left_out")
                name = _record_name(data, record.start, record.end)
                repairs.note(lines.where(record.start), f"{name} is a book without an abstract, left out")
            elif record.tag in _DELETED:
                yield from _deleted(element, repairs)
            elif (document := extent.document(element, repairs)) is not None:
                yield document
            else:
                repairs.refuse(lines.where(record.start), _WITHOUT_PMID)
            return record.end
        fault = element
    end = next(at for at in (inner, record.end, len(data)) if at >= 0)
    repairs.refuse(
        lines.where(record.start, fault.row), f"{_record_name(data, record.start, end)}: {fault.why}"
    )
    return end


def _deleted(element: _Element, repairs: Repairs) -> Iterator[Document]:
    for deleted in element:
        ident = (deleted.text or "").strip()
        if deleted.tag == "PMID" and ident:
            yield Document(ident, (), facts={"deleted": "yes"})
        else:
            repairs.count("deleted_citation_without_pmid")


def _record_name(data: bytes, start: int, end: int) -> str:
    """A record's name in a refusal: its PMID, if it has one."""
    pmid = _PMID.search(data, start, min(end, start + _HEAD))
    return f"PMID {pmid[1].decode(errors='replace')}" if pmid else "a record"


def _refuse_other_xml(head: bytes, prolog: Prolog, name: str, *, is_all: bool) -> None:
    """Raise an error if the first bytes cannot be MEDLINE or PubMed XML."""
    if not head.strip() and not is_all:
        return
    refuse_unreadable(head, prolog, name)
    if is_all and not may_hold_records(prolog.root) and Records(head).next(0) is None:
        raise MalformedError(
            "no PubMed article in this XML", name, "check the format, or name it with --format"
        )
