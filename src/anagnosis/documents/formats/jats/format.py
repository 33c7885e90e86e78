"""JATS and NLM journal XML, the format of PMC's articles (.nxml): front matter, abstracts, and on request full texts.

    <article article-type="research-article"><front><journal-meta>…</journal-meta><article-meta>
      <article-id pub-id-type="pmid">27000083</article-id>
      <title-group><article-title>Does aspirin prevent stroke?</article-title></title-group>
      <abstract><sec><title>Methods</title><p>We asked …</p></sec>…</abstract>
    </article-meta></front><body>…</body><back>…</back></article>

One article, or a set of them (Europe PMC's <articles>, efetch's <pmc-articleset>, PMC's OAI service). `front_matter.py`
converts the front matter, also of chapters of books (BITS: <book-part>), `body.py` the rest: `read` skips it,
`read_full_text` reads it, and `read_with_references` the text of the reference lists too. The parser expands no entity,
loads no DTD and fetches nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.jats import bibliography as jats_bibliography
from anagnosis.documents.formats.jats import front_matter as jats_front
from anagnosis.documents.formats.jats.articles import SETS, Article, Articles
from anagnosis.documents.formats.jats.body import text_sections
from anagnosis.documents.io.blocks import partial_read
from anagnosis.documents.io.malformed import MalformedError, until_malformed
from anagnosis.documents.io.xml_prolog import NOT_OBEYED, DeclaredEncoding, read_prolog, refuse_unreadable
from anagnosis.documents.io.xml_stream import Fault, parse_record
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import recoded_from

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".nxml", ".xml", ".XML")
_HEAD = 1 << 16
_DocumentOf = Callable[["_Element", Repairs], Document | None]
_SectionsOf = Callable[["_Element", Repairs], Iterator[Section]]
_WITHOUT_ID = "an article without PMID, PMCID or DOI"


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is an article in JATS, or a set of them."""
    root = read_prolog(head).root
    return root in ("article", "book-part", *SETS) and (root != "book" or b"<book-meta" in head)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by an article's front matter.

    repairs: gets the names of `bibliography.document`, and the refused articles by "name:line". TruncatedError: the
    file ends inside an article or its set; the document of an article with complete front matter comes first.
    """
    return until_malformed(_documents(stream, repairs, name, jats_bibliography.document), repairs)


def read_texts(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The documents of `read` without the facts of `bibliography`, except keywords."""
    return until_malformed(_documents(stream, repairs, name, jats_front.document), repairs)


def read_full_text(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The documents of `read` with their full text behind the abstracts, in memory bounded by one article.

    They have the fact "references" too. repairs: gets the names of `read`, `body.text_sections` and
    `bibliography.references`, and body_unreadable (the document comes without its body).
    """
    return until_malformed(
        _documents(stream, repairs, name, jats_bibliography.document, sections_of=text_sections), repairs
    )


def read_with_references(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The documents of `read_full_text` with their reference lists as sections `references`."""
    sections_of = partial(text_sections, with_references=True)
    return until_malformed(
        _documents(stream, repairs, name, jats_bibliography.document, sections_of=sections_of), repairs
    )


def _documents(
    stream: BinaryIO,
    repairs: Repairs,
    name: str,
    document_of: _DocumentOf,
    *,
    sections_of: _SectionsOf | None = None,
) -> Iterator[Document]:
    """sections_of: gives the sections behind the front matter; None: they are not read."""
    head = _head(stream)
    prolog = read_prolog(head)
    refuse_unreadable(head, prolog, name)

    def instead(line: int, why: str) -> None:
        repairs.refuse(f"{name}:{line}", why)

    has_articles = prolog.root in SETS
    declared = DeclaredEncoding(prolog.encoding, recoded_from(stream))
    noticed = False
    for article in Articles(stream, head, name, prolog.root, instead, full_text=sections_of is not None):
        has_articles = True
        document = _document(article, declared, repairs, name, document_of, sections_of)
        if declared.is_disobeyed and not noticed:
            repairs.count(NOT_OBEYED)
            noticed = True
        if document is not None:
            yield document
    if not has_articles:
        raise MalformedError("no article in this XML", name, "check the format, or name it with --format")


def _head(stream: BinaryIO) -> bytes:
    """The first 64 KiB, or all bytes of a shorter stream."""
    data = stream.read(1)
    read = partial_read(stream)
    while len(data) < _HEAD and (more := read(_HEAD)):
        data += more
    return data


def _document(
    article: Article,
    declared: DeclaredEncoding,
    repairs: Repairs,
    name: str,
    document_of: _DocumentOf,
    sections_of: _SectionsOf | None,
) -> Document | None:
    if article.fault:
        repairs.refuse(f"{name}:{article.line}", f"an article: {article.fault}")
    if not article.front:
        return None
    element = parse_record(declared.in_utf_8(article.front, f"{name}:{article.line}"), repairs)
    if isinstance(element, Fault):
        repairs.refuse(f"{name}:{article.line + element.row}", element.why)
        return None
    jats_front.chapter_as_article(element)
    document = document_of(element, repairs)
    if document is None:
        why = "an article without front matter" if element.find("front/article-meta") is None else _WITHOUT_ID
        repairs.refuse(f"{name}:{article.line}", why)
        return None
    if not article.text or sections_of is None:
        return document
    sections, facts = _behind(article, declared, repairs, name, sections_of)
    return msgspec.structs.replace(
        document, sections=(*document.sections, *sections), facts={**document.facts, **facts}
    )


def _behind(
    article: Article, declared: DeclaredEncoding, repairs: Repairs, name: str, sections_of: _SectionsOf
) -> tuple[list[Section], dict[str, str]]:
    """The sections behind the abstract and their facts; none, with a note, if the text does not parse."""
    element = parse_record(declared.in_utf_8(article.text, f"{name}:{article.text_line}"), repairs)
    if isinstance(element, Fault):
        repairs.count("body_unreadable")
        repairs.note(
            f"{name}:{article.text_line + element.row}", f"the text behind the front matter: {element.why}"
        )
        return [], {}
    facts = jats_bibliography.references(element, repairs)
    return list(sections_of(element, repairs)), facts
