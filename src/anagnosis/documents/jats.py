"""JATS and NLM journal XML, the format of PMC's articles (.nxml): front matter, abstracts, and full texts if asked for.

    <article article-type="research-article"><front><journal-meta>…</journal-meta><article-meta>
      <article-id pub-id-type="pmid">27000083</article-id>
      <title-group><article-title>Does aspirin prevent stroke?</article-title></title-group>
      <abstract><sec><title>Methods</title><p>We asked …</p></sec>…</abstract>
    </article-meta></front><body>…</body><back>…</back></article>

One article, or a set of them (Europe PMC's <articles>, efetch's <pmc-articleset>, PMC's OAI service). What becomes of
the front matter is said in `jats_front.py`, of the rest in `jats_body.py`: `read` passes it over and counts it,
`read_whole` reads it. Read only: what `read` gives can be written as MEDLINE XML. Entities are never expanded, no DTD
is loaded, nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from anagnosis.documents import jats_front
from anagnosis.documents.document import Document, Section
from anagnosis.documents.jats_articles import SETS, Article, Articles
from anagnosis.documents.jats_body import text_sections
from anagnosis.documents.malformed import MalformedError, until_malformed
from anagnosis.documents.medline_element import Fault, parsed
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.xml_prolog import in_utf_8, read_prolog, refuse_unreadable

SUFFIXES = (".nxml", ".xml", ".XML")
_HEAD = 1 << 16
_WITHOUT_ID = "an article without PMID, PMCID or DOI"


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is an article in JATS, or a set of them."""
    return read_prolog(head).root in ("article", *SETS)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by an article's front matter.

    repairs: what was mended, by the names of `jats_front.document`, and body_left_out, article_inside_left_out; the
    articles refused, by "name:line". A file that ends inside an article or its set is refused there; of an article
    whose front matter is whole the document comes before.
    """
    return until_malformed(_documents(stream, repairs, name, whole=False), repairs)


def read_whole(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The same documents with the text of their bodies behind the abstracts, in memory bounded by one article.

    repairs: beside the names of `read` those of `jats_body.text_sections`, and body_unreadable: the document is given
    without it. body_left_out is then of articles that are not whole.
    """
    return until_malformed(_documents(stream, repairs, name, whole=True), repairs)


def _documents(stream: BinaryIO, repairs: Repairs, name: str, *, whole: bool) -> Iterator[Document]:
    head = _head(stream)
    prolog = read_prolog(head)
    refuse_unreadable(head, prolog, name)

    def instead(line: int, why: str) -> None:
        repairs.refuse(f"{name}:{line}", why)

    anything = prolog.root in SETS
    for article in Articles(stream, head, name, prolog.root, instead, whole=whole):
        anything = True
        document = _document(article, prolog.encoding, repairs, name)
        if document is not None:
            yield document
    if not anything:
        raise MalformedError("no article in this XML", name, "check the format, or name it with --format")


def _head(stream: BinaryIO) -> bytes:
    """The first bytes, 64 KiB if there are so many."""
    data = stream.read(1)
    # Unlike read, read1 gives what was there before a break, and raises only when asked again.
    read = getattr(stream, "read1", stream.read)
    while len(data) < _HEAD and (more := read(_HEAD)):
        data += more
    return data


def _document(article: Article, encoding: str, repairs: Repairs, name: str) -> Document | None:
    if article.fault:
        repairs.refuse(f"{name}:{article.line}", f"an article: {article.fault}")
    if not article.front:
        return None
    element = parsed(in_utf_8(article.front, encoding, f"{name}:{article.line}"))
    if isinstance(element, Fault):
        repairs.refuse(f"{name}:{article.line + element.row}", element.why)
        return None
    document = jats_front.document(element, repairs)
    if document is None:
        why = "an article without front matter" if element.find("front/article-meta") is None else _WITHOUT_ID
        repairs.refuse(f"{name}:{article.line}", why)
        return None
    repairs.count("article_inside_left_out", article.inside)
    if not article.text:
        repairs.count("body_left_out", article.has_body)
        return document
    return msgspec.structs.replace(
        document, sections=(*document.sections, *_text(article, encoding, repairs, name))
    )


def _text(article: Article, encoding: str, repairs: Repairs, name: str) -> list[Section]:
    """The sections behind the abstract; none where they do not parse, which is told with its line."""
    element = parsed(in_utf_8(article.text, encoding, f"{name}:{article.text_line}"))
    if isinstance(element, Fault):
        repairs.count("body_unreadable")
        repairs.note(
            f"{name}:{article.text_line + element.row}", f"the text behind the front matter: {element.why}"
        )
        return []
    return list(text_sections(element, repairs))
