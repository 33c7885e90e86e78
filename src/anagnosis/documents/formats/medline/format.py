"""MEDLINE and PubMed XML: citation sets of any year of their DTD, and what efetch gives.

    <PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">27000083</PMID><Article>
      <ArticleTitle>Does aspirin prevent stroke?</ArticleTitle>
      <Abstract><AbstractText Label="METHODS" NlmCategory="METHODS">We asked …</AbstractText></Abstract>
    </Article></MedlineCitation></PubmedArticle><DeleteCitation><PMID Version="1">1</PMID></DeleteCitation>…

What becomes of a citation is said in `medline_citation.py`. A PMID that NLM deleted is a document without sections and
with the fact deleted = "yes". Books are counted and left out.

Reading has two steps, so that many can share it: `blocks` cuts a stream behind records, `documents` parses the records
of one block, each by itself. `read` does both. Entities are never expanded, no DTD is loaded, nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.formats.medline import bibliography as medline_bibliography
from anagnosis.documents.formats.medline import citation as medline_citation
from anagnosis.documents.formats.medline.element import Fault, parsed, parser
from anagnosis.documents.formats.medline.records import (
    Records,
    Span,
    breaks_off,
    end_of_last,
    may_hold_records,
    strays,
    without_unread,
)
from anagnosis.documents.formats.medline.writing import write
from anagnosis.documents.io.blocks import BLOCK, Block, cut
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError, until_malformed
from anagnosis.documents.io.xml_prolog import NOT_OBEYED, Declared, Prolog, read_prolog, refuse_unreadable
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import TruncatedError
from anagnosis.files import recoded_from

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["BLOCK", "SUFFIXES", "Block", "blocks", "documents", "read", "read_texts", "sniff", "write"]

SUFFIXES = (".xml", ".XML", ".medline")
_HEAD = 1 << 16
# Citations are seldom as long; rather, one was not closed.
_LONG = 1 << 16
# The size of blocks that are read at once: what stays in the processor's cache is read faster.
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

    repairs: what was repaired or left out, by the names of `documents` and `medline_bibliography.document`; the records
    refused, by "name:line". A file that ends without closing its root is a TruncatedError behind its documents.
    """
    return _read(stream, repairs, name, _WHOLE)


def read_texts(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The same documents without the facts of `bibliography`, as `documents` gives them, twice as fast."""
    return _read(stream, repairs, name, _TEXTS)


def blocks(stream: BinaryIO, name: str = "", size: int = BLOCK) -> Iterator[Block]:
    """Cut a stream behind records into blocks of about `size` bytes of UTF-8; the cuts depend on the bytes alone.

    A declaration of the encoding that is not obeyed is `counted` by the block where that shows first.
    Raises MalformedError, before anything, for what is no MEDLINE or PubMed XML or declares entities of its own;
    TruncatedError, after the last block, where the stream breaks off or the file ends without closing its root.
    """
    prolog = Prolog("", False, "")

    def begin(head: bytes, whole: bool) -> None:
        nonlocal prolog
        prolog = read_prolog(head[:_HEAD])
        _refuse_other_xml(head, prolog, name, whole=whole)

    last, declared, is_noticed = None, None, False
    for block in cut(
        stream,
        name,
        size,
        end_of_last=end_of_last,
        refuse_other=begin,
        what="MEDLINE or PubMed XML",
    ):
        declared = declared or Declared(prolog.encoding, recoded_from(stream))
        data = declared.in_utf_8(block.data, f"{block.name}:{block.line}")
        last = block if data is block.data else msgspec.structs.replace(block, data=data)
        if declared.is_disobeyed and not is_noticed:
            last, is_noticed = msgspec.structs.replace(last, counted=(NOT_OBEYED,)), True
        yield last
    if last is not None and breaks_off(last.data, prolog.root):
        line = last.line + last.data.rstrip().count(b"\n")
        lacking = f"without </{prolog.root}>" if prolog.root else "inside a record"
        raise TruncatedError(f"the file ends {lacking}", f"{name}:{line}", FETCH_AGAIN)


def documents(block: Block, repairs: Repairs) -> Iterator[Document]:
    """The documents of a block, without the facts of `bibliography`. What cannot be read is refused by its line.

    What such a document does not hold (authors, history, references) is not looked at, so a fault in it is none.
    Counted: book_left_out, deleted_citation_without_pmid, and what `medline_citation.document` counts.
    """
    return _documents(block, repairs, _TEXTS)


class _Depth(NamedTuple):
    """How much of a citation is read. cut: its bytes, as far as they are parsed."""

    cut: Callable[[bytes, Span], bytes]
    document: Callable[[_Element, Repairs], Document | None]


def _all(data: bytes, record: Span) -> bytes:
    return data[record.start : record.end]


_TEXTS = _Depth(without_unread, medline_citation.document)
_WHOLE = _Depth(_all, medline_bibliography.document)


def _read(stream: BinaryIO, repairs: Repairs, name: str, depth: _Depth) -> Iterator[Document]:
    def documents() -> Iterator[Document]:
        for block in blocks(stream, name, _IN_CACHE):
            for noticed in block.counted:
                repairs.count(noticed)
            yield from _documents(block, repairs, depth)

    return until_malformed(documents(), repairs)


def _documents(block: Block, repairs: Repairs, depth: _Depth) -> Iterator[Document]:
    import lxml.etree as etree

    data, at, lines, records, xml = block.data, 0, _Lines(block), Records(block.data), parser()
    while (record := records.next(at)) is not None:
        gap, at = data[at : record.start], record.end
        if gap.strip():
            _refuse_strays(gap, record.start - len(gap), lines, repairs)
        if record.tag == "PubmedArticle" and 0 < record.end - record.start < _LONG:
            try:
                element = etree.fromstring(depth.cut(data, record), xml)
            except etree.XMLSyntaxError:
                at = yield from _unusual(records, record, lines, repairs, depth)
                continue
            document = depth.document(element, repairs)
            if document is not None:
                yield document
            else:
                repairs.refuse(lines.where(record.start), _WITHOUT_PMID)
        else:
            at = yield from _unusual(records, record, lines, repairs, depth)
    _refuse_strays(data[at:], at, lines, repairs)


def _refuse_strays(gap: bytes, at: int, lines: _Lines, repairs: Repairs) -> None:
    for offset, why in strays(gap):
        repairs.refuse(lines.where(at + offset), why)


class _Lines:
    """Where in a file a place of a block is, asked for in rising order."""

    def __init__(self, block: Block) -> None:
        self._data, self._name, self._line, self._at = block.data, block.name, block.line, 0

    def where(self, at: int, rows: int = 0) -> str:
        """ "name:line" of a byte, or of so many lines behind it."""
        self._line += self._data.count(b"\n", self._at, at)
        self._at = at
        return f"{self._name}:{self._line + rows}"


def _unusual(
    records: Records, record: Span, lines: _Lines, repairs: Repairs, depth: _Depth
) -> Generator[Document, None, int]:
    """The documents of any record, parsed whole; then where the next one may begin."""
    fault, data = Fault(f"<{record.tag}> is not closed"), records.data
    inner = records.inner_beginning(record)
    if record.end >= 0 and inner < 0:
        if record.tag in _BOOKS:
            repairs.count("book_left_out")
            repairs.note(
                lines.where(record.start), f"{_called(data, record.start, record.end)} is a book, left out"
            )
            return record.end
        element = parsed(data[record.start : record.end])
        if not isinstance(element, Fault):
            if record.tag in _DELETED:
                yield from _deleted(element, repairs)
            elif (document := depth.document(element, repairs)) is not None:
                yield document
            else:
                repairs.refuse(lines.where(record.start), _WITHOUT_PMID)
            return record.end
        fault = element
    end = next(at for at in (inner, record.end, len(data)) if at >= 0)
    repairs.refuse(lines.where(record.start, fault.row), f"{_called(data, record.start, end)}: {fault.why}")
    return end


def _deleted(element: _Element, repairs: Repairs) -> Iterator[Document]:
    for deleted in element:
        ident = (deleted.text or "").strip()
        if deleted.tag == "PMID" and ident:
            yield Document(ident, (), facts={"deleted": "yes"})
        else:
            repairs.count("deleted_citation_without_pmid")


def _called(data: bytes, start: int, end: int) -> str:
    """How a record is called in a refusal: by its PMID, if it has one."""
    pmid = _PMID.search(data, start, min(end, start + _HEAD))
    return f"PMID {pmid[1].decode(errors='replace')}" if pmid else "a record"


def _refuse_other_xml(head: bytes, prolog: Prolog, name: str, *, whole: bool) -> None:
    """What cannot be MEDLINE or PubMed XML is refused by its beginning."""
    if not head.strip() and not whole:
        return
    refuse_unreadable(head, prolog, name)
    if whole and not may_hold_records(prolog.root) and Records(head).next(0) is None:
        raise MalformedError(
            "no PubMed article in this XML", name, "check the format, or name it with --format"
        )
