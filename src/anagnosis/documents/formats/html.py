"""Papers as web pages, such as case reports: the text without menus, advertisements and footers, by jusText.

    <html><head><meta name="citation_title" content="A girl with fever"><meta name="citation_pmid" content="27">…</head>
    <body><nav>…</nav><h1>A girl with fever</h1><h2>Summary</h2><p>She had …</p><h2>Learning points</h2><ul>…

jusText keeps paragraphs with many function words and few links, and short ones between them. Headings divide the text
into sections `body` ("Treatment › Drugs"); the section Summary or Abstract is the `abstract`. A page is one document.
Its facts are those of the names that Google Scholar asks for (citation_…). The extra `html` installs jusText.

Source: Pomikálek 2011, "Removing boilerplate and duplicate content from web corpora"; CliCR (Šuster and Daelemans 2018)
read the pages of BMJ Case Reports so.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import listed_people
from anagnosis.documents.dates import iso_day
from anagnosis.documents.document import HEADING_PATH, Document, Section
from anagnosis.documents.identifiers import bare_doi, plain_pmid
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError, empty_file
from anagnosis.documents.io.xml_prolog import BOM
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import tidied
from anagnosis.errors import TruncatedError, missing_extra
from anagnosis.io.compression import without_compression

if TYPE_CHECKING:
    from lxml.html import HtmlElement


SUFFIXES = (".html", ".htm", ".xhtml")
LONGEST = 16 << 20
_HEAD = 1 << 12  # bytes in which a page declares its charset; HTML asks for the first 1,024
_BEGIN = re.compile(
    rb"(?:<\?xml[^>]*>\s*|<!--(?:(?!-->).)*+-->\s*)*+(?:<!doctype\s+html|<html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_END = re.compile(rb"</html\s*>", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_LEVEL = re.compile(r"\bh([1-6])\b")
_ABSTRACT = frozenset(("abstract", "summary"))

# Name of a <meta> → fact.
_FACTS = {
    "citation_publication_date": "date",
    "citation_date": "date",
    "citation_journal_title": "journal",
    "citation_doi": "doi",
    "citation_pmid": "pmid",
    "citation_section": "subjects",
    "citation_volume": "volume",
    "citation_issue": "issue",
}

# Name of a <meta> that may stand several times, or hold several values, → fact.
_SEVERAL = {
    "citation_author": "authors",
    "citation_authors": "authors",
    "citation_keyword": "keywords",
    "citation_keywords": "keywords",
}
_PAGES = ("citation_firstpage", "citation_lastpage")


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is HTML."""
    return _BEGIN.match(head.removeprefix(BOM).lstrip()) is not None


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The page's one document; its id is the PMID, else the DOI, else the file's name.

    Counted: boilerplate_left_out (paragraphs), page_without_text, text_behind_page_left_out, and what bibliography.py
    counts of authors, keywords and the place in the journal. Refused: a page that is
    neither UTF-8 nor in the charset that it declares, or nested too deeply. TruncatedError, behind the document: a page
    without </html>. InputError: jusText is not installed.
    """
    data = stream.read(LONGEST + 1)
    if not data.strip():
        raise empty_file(name)
    if len(data) > LONGEST:
        raise MalformedError(f"a page longer than {LONGEST >> 20} MiB", name, "give a file for each paper")
    end = _END.search(data)
    if end:
        repairs.count("text_behind_page_left_out", bool(data[end.end() :].strip()))
        data = data[: end.end()]
    text = _decoded(data.removeprefix(BOM))
    if text is None:
        repairs.refuse(name, "neither UTF-8 nor in a charset that it declares")
    elif document := _document(text, repairs, name):
        yield document
    if not end:
        raise TruncatedError("the page ends without </html>", name, FETCH_AGAIN)


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        declared = _CHARSET.search(data[:_HEAD])
    try:
        return data.decode(codecs.lookup(declared[1].decode()).name) if declared else None
    except (LookupError, UnicodeDecodeError):
        return None


def _document(text: str, repairs: Repairs, name: str) -> Document | None:
    try:
        import justext
        import lxml.etree
        import lxml.html
    except ImportError as fault:
        raise missing_extra("jusText", "html", "HTML") from fault

    # A declaration of the encoding in front of decoded text is an error for the parser.
    text = re.sub(r"^\s*<\?xml[^>]*>", "", text)
    try:
        page = lxml.html.document_fromstring(text)
        paragraphs: list[Any] = justext.justext(text, justext.get_stoplist("English"))
    except (lxml.etree.LxmlError, RecursionError, ValueError) as fault:
        repairs.refuse(name, f"a page that cannot be parsed ({type(fault).__name__})")
        return None
    meta = _meta(page)
    good = [each for each in paragraphs if not each.is_boilerplate]
    repairs.count("boilerplate_left_out", len(paragraphs) - len(good))
    title = meta.get("citation_title") or _first_text(page, "h1") or _first_text(page, "title")
    sections = list(_sections(good, title))
    repairs.count("page_without_text", not sections)
    facts = {**_facts(meta), **_bibliography(page, meta, repairs)}
    stem = PurePath(without_compression(name)).name.rpartition(".")[0] or name
    titled = [Section("title", title)] if title else []
    return Document(facts.get("pmid") or facts.get("doi") or stem, (*titled, *sections), facts=facts)


def _sections(paragraphs: list[Any], title: str) -> Iterator[Section]:
    """The sections of jusText's paragraphs; a heading that repeats the title begins none."""
    headings: list[tuple[int, str]] = []
    lines: list[str] = []

    def section() -> Iterator[Section]:
        path = [heading for _, heading in headings]
        is_abstract = bool(path) and path[-1].strip(" .:").lower() in _ABSTRACT
        if lines:
            label, heading = ("abstract", "") if is_abstract else ("body", HEADING_PATH.join(path))
            yield Section(label, "\n".join(lines), heading)
        lines.clear()

    for each in paragraphs:
        words, levels = tidied(each.text), _LEVEL.findall(each.dom_path)
        if not levels:
            lines.append(words)
        elif words.casefold() != title.casefold():
            yield from section()
            level = int(levels[-1])
            headings = [outer for outer in headings if outer[0] < level] + [(level, words)]
    yield from section()


def _meta(page: HtmlElement) -> dict[str, str]:
    """Name of each <meta> in lower case → its first content that is not empty."""
    found: dict[str, str] = {}
    for each in page.iter("meta"):
        name, content = str(each.get("name", "")).lower(), tidied(str(each.get("content", "")))
        if content:
            found.setdefault(name, content)
    return found


def _bibliography(page: HtmlElement, meta: Mapping[str, str], repairs: Repairs) -> dict[str, str]:
    """Authors, keywords, volume, issue and pages."""
    values: dict[str, list[str]] = {"authors": [], "keywords": []}
    for each in page.iter("meta"):
        fact = _SEVERAL.get(str(each.get("name", "")).lower())
        content = tidied(str(each.get("content", "")))
        if fact == "authors":
            values[fact] += listed_people(content)
        elif fact is not None:
            values[fact].append(content)
    in_journal = {
        fact: meta[name] for name, fact in _FACTS.items() if fact in bibliography.PLACE and name in meta
    }
    in_journal["pages"] = bibliography.page_range(*(meta.get(name, "") for name in _PAGES))
    added = bibliography.add_facts(Document("", ()), values, repairs, journal_place=in_journal)
    return added.facts


def _first_text(page: HtmlElement, tag: str) -> str:
    element = next(page.iter(tag), None)
    return "" if element is None else tidied("".join(str(part) for part in element.itertext()))


def _facts(meta: Mapping[str, str]) -> dict[str, str]:
    facts: dict[str, str] = {}
    for name, fact in _FACTS.items():
        if name in meta and fact not in bibliography.PLACE:
            facts.setdefault(fact, meta[name])
    if "date" in facts:
        facts["date"] = iso_day(facts["date"].replace("/", "-"))
        if not re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", facts["date"]):
            del facts["date"]
    facts["year"] = facts.get("date", "")[:4]
    facts["pmid"] = plain_pmid(facts.get("pmid", ""))
    facts["doi"] = bare_doi(facts.get("doi", ""))
    return {key: value for key, value in facts.items() if value}
