"""MEDLINE and PubMed XML: citation sets of any year of their DTD, and the output of efetch.

    <PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">27000083</PMID><Article>
      <ArticleTitle>Does aspirin prevent stroke?</ArticleTitle>
      <Abstract><AbstractText Label="METHODS" NlmCategory="METHODS">We asked …</AbstractText></Abstract>
    </Article></MedlineCitation></PubmedArticle><DeleteCitation><PMID Version="1">1</PMID></DeleteCitation>…

`citation.py` converts a citation. A PMID that NLM deleted is a document without sections and with the fact
deleted = "yes". A chapter of a book, or a book, is a paper if it has an abstract; others are counted and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.document import Document
from anagnosis.documents.formats.medline import citation as medline_citation
from anagnosis.documents.io.malformed import until_malformed
from anagnosis.documents.io.xml_stream import elements, root_of
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".xml", ".XML", ".medline")
_BOOKS = ("PubmedBookArticle", "BookDocument")
_DELETED = ("DeleteCitation", "DeleteDocument")
_RECORDS = ("PubmedArticle", "PubMedArticle", "MedlineCitation", *_BOOKS, *_DELETED)
_ROOTS = (*(f"{name}Set" for name in _RECORDS), *_RECORDS)


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is MEDLINE or PubMed XML."""
    return root_of(head) in _ROOTS


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a citation.

    repairs: gets book_left_out, deleted_citation_without_pmid, the names of `citation.document_with_bibliography` and
    `elements`, and by "name:line" the refused records. Errors: as of `until_malformed` and `elements`.
    """
    return until_malformed(
        _documents(stream, repairs, name, medline_citation.document_with_bibliography), repairs
    )


def read_texts(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream as from `read`, without the facts of `bibliography`."""
    return until_malformed(_documents(stream, repairs, name, medline_citation.document), repairs)


def _documents(
    stream: BinaryIO, repairs: Repairs, name: str, document_of: Callable[[_Element, Repairs], Document | None]
) -> Iterator[Document]:
    for where, record in elements(stream, _RECORDS, name, repairs, _ROOTS):
        if record.tag in _DELETED:
            yield from _deleted(record, repairs)
        elif record.tag in _BOOKS and not medline_citation.book_as_citation(record):
            repairs.count("book_left_out")
            pmid = medline_citation.text_of(next(record.iter("PMID"), None))
            repairs.note(where, f"PMID {pmid} is a book without an abstract, left out")
        elif (document := document_of(record, repairs)) is not None:
            yield document
        else:
            repairs.refuse(where, "a citation without PMID")


def _deleted(record: _Element, repairs: Repairs) -> Iterator[Document]:
    for deleted in record:
        ident = (deleted.text or "").strip()
        if deleted.tag == "PMID" and ident:
            yield Document(ident, (), facts={"deleted": "yes"})
        else:
            repairs.count("deleted_citation_without_pmid")
