"""EndNote's XML export: a <record> a paper, its text in <style> elements.

    <xml><records><record><rec-number>7</rec-number><ref-type name="Journal Article">17</ref-type>
      <contributors><authors><author><style>Hellinger, Frank R</style></author></authors></contributors>
      <titles><title><style>Does aspirin prevent stroke?</style></title></titles>
      <urls><pdf-urls><url>internal-pdf://0123/a.pdf</url></pdf-urls></urls></record></records></xml>

We cut a stream behind records and parse its records one by one, so that a fault costs a record. The parser expands no
entity, loads no DTD and fetches nothing. Source: EndNote's help, "XML export"; RSXML DTD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.blocks import Block, cut
from anagnosis.documents.io.malformed import FETCH_AGAIN
from anagnosis.documents.io.xml_prolog import read_prolog, refuse_unreadable
from anagnosis.documents.io.xml_stream import Fault, parse_record
from anagnosis.documents.libraries.entry import Entry, authors, entry, names, pmid_of
from anagnosis.documents.libraries.files import attached
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import TruncatedError

if TYPE_CHECKING:
    from lxml.etree import _Element

KIND = "endnote"
_BLOCK = 1 << 20
_HEAD = 1 << 16
_START, _END = re.compile(rb"<record[\s>]"), b"</record>"
_ROOT_END = re.compile(rb"</xml\s*>\s*\Z")
# Element, with its parent inside a group of elements → fact.
_NAMES = names(
    title="titles/title",
    journal="periodical/full-title titles/secondary-title periodical/abbr-1",
    date="dates/year pub-dates/date",
    issue="number",
    doi="electronic-resource-num",
    issn="isbn",
    keywords="keywords/keyword",
    types="ref-type",
    extra="notes",
)
_DATABASES = ("remote-database-name", "remote-database-provider")


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is EndNote's XML."""
    return read_prolog(head).root == "xml" and b"<record" in head


def entries(stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()) -> Iterator[Entry]:
    """The entry of each record, in order, in memory bounded by a block.

    folder: of the library, for files in its .Data folder and relative paths. repairs: gets the names of `entry` and
    `attached`, and by "name:line" the refused records. MalformedError: no XML, or it declares entities. TruncatedError,
    after the entries: the file ends without closing its root.
    """
    last, line = b"", 1
    for block in cut(
        stream,
        name,
        _BLOCK,
        end_of_last=lambda data: data.rfind(_END) + len(_END) if _END in data else 0,
        refuse_other=lambda head, _: refuse_unreadable(head, read_prolog(head[:_HEAD]), name),
        what="EndNote's XML",
    ):
        for line, record in _records(block):
            where = f"{name}:{line}"
            element = parse_record(record, repairs)
            if isinstance(element, Fault):
                repairs.refuse(f"{name}:{line + element.row}", f"a broken record: {element.why}")
                continue
            fields = list(_fields(element))
            stated = ((value, "") for field, value in fields if field == "pdf-urls/url")
            files = attached(stated, folder, name, repairs, where)
            key = (element.findtext("rec-number") or "").strip()
            yield from entry(KIND, key, fields, _NAMES, repairs, where, files=files)
        last, line = block.data, block.line + block.data.count(b"\n")
    if _ROOT_END.search(last) is None:
        raise TruncatedError("the file ends without </xml>", f"{name}:{line}", FETCH_AGAIN)


def _records(block: Block) -> Iterator[tuple[int, bytes]]:
    """(line, bytes) of each record, from its start tag to its end tag, or to the next start tag where that is first."""
    starts = [match.start() for match in _START.finditer(block.data)]
    for start, limit in zip(starts, [*starts[1:], len(block.data)], strict=False):
        end = block.data.find(_END, start, limit)
        stop = end + len(_END) if end >= 0 else limit
        yield block.line + block.data.count(b"\n", 0, start), block.data[start:stop]


def _fields(record: _Element) -> Iterator[tuple[str, str]]:
    """(name in _NAMES, text) of each element that holds nothing but text and styles."""
    for style in record.iter("style"):
        if "superscript" in style.get("face", ""):
            style.text = f"<sup>{style.text or ''}</sup>"
    databases = " ".join("".join(each.itertext()) for tag in _DATABASES for each in record.iter(tag))
    for element in record.iter():
        tag, parent = str(element.tag), element.getparent()
        if tag == "style" or parent is None or any(child.tag != "style" for child in element):
            continue
        name = tag if parent is record else f"{parent.tag}/{tag}"
        text = "".join(element.itertext()).strip()
        if name == "authors/author":
            yield from authors(text)
        elif name == "accession-num" and pmid_of(text, databases):
            yield "pmid", text
        elif name == "custom2" and text[:3].upper() == "PMC":
            yield "pmcid", text
        else:
            yield name, element.get("name", text) if tag == "ref-type" else text
