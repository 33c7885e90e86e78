"""EndNote's XML export: a <record> a paper, its text in <style> elements.

    <xml><records><record><rec-number>7</rec-number><ref-type name="Journal Article">17</ref-type>
      <contributors><authors><author><style>Hellinger, Frank R</style></author></authors></contributors>
      <titles><title><style>Does aspirin prevent stroke?</style></title></titles>
      <urls><pdf-urls><url>internal-pdf://0123/a.pdf</url></pdf-urls></urls></record></records></xml>

Source: EndNote's help, "XML export"; RSXML DTD.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.malformed import until_malformed
from anagnosis.documents.io.xml_stream import elements, root_of
from anagnosis.documents.libraries.entry import Entry, authors, entry, names, pmid_of
from anagnosis.documents.libraries.files import attached
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from lxml.etree import _Element

KIND = "endnote"
# Element, with its parent inside a group of elements → fact.
_NAMES = names(
    title="titles/title",
    journal="periodical/full-title titles/secondary-title periodical/abbr-1",
    date="dates/year pub-dates/date",
    issue="number",
    doi="electronic-resource-num",
    keywords="keywords/keyword",
    types="ref-type",
    extra="notes",
)
_DATABASES = ("remote-database-name", "remote-database-provider")


def sniff(head: bytes) -> bool:
    return root_of(head) == "xml" and b"<record" in head


def entries(stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()) -> Iterator[Entry]:
    """In memory bounded by a record. folder: also of its .Data folder."""
    return until_malformed(_entries(stream, repairs, name, folder), repairs)


def _entries(stream: BinaryIO, repairs: Repairs, name: str, folder: Path) -> Iterator[Entry]:
    for where, record in elements(stream, ("record",), name, repairs, ("xml",)):
        fields = list(_fields(record))
        stated = ((value, "") for field, value in fields if field == "pdf-urls/url")
        files = attached(stated, folder, name, repairs, where)
        key = (record.findtext("rec-number") or "").strip()
        yield from entry(KIND, key, fields, _NAMES, repairs, where, files=files)


def _fields(record: _Element) -> Iterator[tuple[str, str]]:
    """(name in _NAMES, text) of each element that holds nothing but text and styles."""
    for style in record.iter("style"):
        if "superscript" in style.get("face", ""):
            style.text = f"<sup>{style.text or ''}</sup>"
    databases = " ".join("".join(each.itertext()) for tag in _DATABASES for each in record.iterfind(tag))
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
