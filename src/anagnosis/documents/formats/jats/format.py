"""JATS and NLM journal XML, the format of PMC's articles (.nxml): front matter, abstracts, and on request full texts.

    <article article-type="research-article"><front><journal-meta>…</journal-meta><article-meta>
      <article-id pub-id-type="pmid">27000083</article-id>
      <title-group><article-title>Does aspirin prevent stroke?</article-title></title-group>
      <abstract><sec><title>Methods</title><p>We asked …</p></sec>…</abstract>
    </article-meta></front><body>…</body><back>…</back></article>

One article, or a set of them (Europe PMC's <articles>, efetch's <pmc-articleset>, PMC's OAI service). Articles inside
articles are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.formats.jats import front_matter
from anagnosis.documents.formats.jats.body import text_sections
from anagnosis.documents.formats.jats.prose import local
from anagnosis.documents.io.malformed import until_malformed
from anagnosis.documents.io.xml_stream import elements, root_of
from anagnosis.documents.repairs import Repairs
from anagnosis.wording import shortened

SUFFIXES = (".nxml", ".xml", ".XML")
_SETS = ("articles", "pmc-articleset", "article-set", "OAI-PMH")
# <Reply> and <error>: what efetch and PMC's OAI service give instead of an article.
_TAGS = ("{*}article", "{*}Reply", "{*}error")
_BEHIND = frozenset(("body", "back", "floats-group", "floats-wrap"))


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is an article in JATS, or a set of them."""
    return root_of(head) in ("article", *_SETS)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by an article.

    repairs: gets the refused articles by "name:line". Errors: as of `until_malformed` and `elements`.
    """
    return until_malformed(_documents(stream, repairs, name, full_text=False), repairs)


def read_full_text(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The documents of `read` with their full text behind the abstracts."""
    return until_malformed(_documents(stream, repairs, name, full_text=True), repairs)


def _documents(stream: BinaryIO, repairs: Repairs, name: str, *, full_text: bool) -> Iterator[Document]:
    for where, article in elements(stream, _TAGS, name, repairs, _SETS):
        if local(article) != "article":
            attributes = "".join(f' {key}="{value}"' for key, value in article.items())
            repairs.refuse(where, f"<{local(article)}{shortened(attributes)}> instead of an article")
            continue
        space, brace, _ = str(article.tag).rpartition("}")
        for each in article.iter(f"{space}}}*") if brace else ():  # OAI services give a namespace
            each.tag = local(each)
        document = front_matter.document(article, repairs)
        if document is None:
            has_front = article.find("front/article-meta") is not None
            without = "PMID, PMCID or DOI" if has_front else "front matter"
            repairs.refuse(where, f"an article without {without}")
        elif not full_text:
            yield document
        else:
            for part in [each for each in article if each.tag not in _BEHIND]:
                article.remove(part)
            sections = (*document.sections, *text_sections(article, repairs))
            yield msgspec.structs.replace(document, sections=sections)
