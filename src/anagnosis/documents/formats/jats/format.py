"""JATS and NLM journal XML, the format of PMC's articles (.nxml): front matter, abstracts, and on request full texts.

    <article article-type="research-article"><front><journal-meta>…</journal-meta><article-meta>
      <article-id pub-id-type="pmid">27000083</article-id>
      <title-group><article-title>Does aspirin prevent stroke?</article-title></title-group>
      <abstract><sec><title>Methods</title><p>We asked …</p></sec>…</abstract>
    </article-meta></front><body>…</body><back>…</back></article>

One article, or a set of them (Europe PMC's <articles>, efetch's <pmc-articleset>, PMC's OAI service). `front_matter.py`
converts the front matter, `body.py` the rest: `read` leaves it out, `read_full_text` reads it, and
`read_with_references` the text of the reference lists too. Articles inside articles are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.jats import front_matter
from anagnosis.documents.formats.jats.body import text_sections
from anagnosis.documents.formats.jats.prose import local
from anagnosis.documents.io.malformed import until_malformed
from anagnosis.documents.io.xml_stream import elements, root_of
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".nxml", ".xml", ".XML")
_SETS = ("articles", "pmc-articleset", "article-set", "OAI-PMH")
# <Reply> and <error>: what efetch and PMC's OAI service give instead of an article.
_TAGS = ("{*}article", "{*}Reply", "{*}error")
_BEHIND = frozenset(("body", "back", "floats-group", "floats-wrap"))
_SectionsOf = Callable[["_Element", Repairs], Iterator[Section]]


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is an article in JATS, or a set of them."""
    return root_of(head) in ("article", *_SETS)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by an article.

    repairs: gets the names of `front_matter.document` and `elements`, and the refused articles by "name:line". Errors:
    as of `until_malformed` and `elements`.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def read_full_text(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The documents of `read` with their full text behind the abstracts, and with the fact "references".

    repairs: gets the names of `read`, `body.text_sections` and `bibliography.references`.
    """
    return until_malformed(_documents(stream, repairs, name, text_sections), repairs)


def read_with_references(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The documents of `read_full_text` with their reference lists as sections `references`."""
    sections_of = partial(text_sections, with_references=True)
    return until_malformed(_documents(stream, repairs, name, sections_of), repairs)


def _documents(
    stream: BinaryIO, repairs: Repairs, name: str, sections_of: _SectionsOf | None = None
) -> Iterator[Document]:
    """sections_of: gives the sections behind the front matter; None: they are not read."""
    for where, article in elements(stream, _TAGS, name, repairs, _SETS):
        if local(article) != "article":
            attributes = "".join(f' {key}="{value}"' for key, value in article.items())
            repairs.refuse(where, f"<{local(article)}{attributes}> instead of an article")
            continue
        _strip_namespace(article)
        document = front_matter.document(article, repairs)
        if document is None:
            has_front = article.find("front/article-meta") is not None
            without = "PMID, PMCID or DOI" if has_front else "front matter"
            repairs.refuse(where, f"an article without {without}")
        elif sections_of is None:
            yield document
        else:
            for part in [each for each in article if each.tag not in _BEHIND]:
                article.remove(part)
            facts = {**document.facts, **front_matter.references(article, repairs)}
            sections = (*document.sections, *sections_of(article, repairs))
            yield msgspec.structs.replace(document, sections=sections, facts=facts)


def _strip_namespace(article: _Element) -> None:
    """Name the elements of a JATS namespace, which OAI services give, as those of an article without one."""
    space, brace, _ = str(article.tag).rpartition("}")
    for each in article.iter(f"{space}}}*") if brace else ():
        each.tag = local(each)
