"""The front matter of a JATS article as a document.

id: the PMID, else the PMCID ("PMC" and digits), else the DOI. Sections: "title", with the subtitle; "abstract", one for
each part of it (abstract.py); "other abstract", in another language or of another kind (graphical, teaser,
author-highlights, …), with kind and language as category, as in MEDLINE. Facts, absent if unknown:

    version, date, year, journal, language, doi, pmcid, types (of article-type), keywords, licence (each address, or
    else the words), authors, place in the journal, and the paper's states (documents/states.py)

The date is the earliest date of publication (electronic, in print, or of the collection), as exact as known; without
one it is the date of a preprint or of the release in PMC. A language is spelled as in MEDLINE ("eng"). Links give the
other paper by PMID, PMCID, DOI, or volume and page.

Source: NISO Z39.96 (JATS), Archiving tag set 1.3, its lists of suggested values; "PMC Tagging Guidelines", related
articles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import JOINT, join_values
from anagnosis.documents.dates import earliest, iso_day, written_date
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.jats.abstract import parts
from anagnosis.documents.formats.jats.prose import attribute, local, outermost, text
from anagnosis.documents.identifiers import NO_PMID, PMCID, bare_doi, plain_pmid, without_end
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import OF_LINK, is_notice, of_type, states, unified
from anagnosis.wording import shortened

if TYPE_CHECKING:
    from lxml.etree import _Element

# Types of the abstract; types that serve if there is no such one.
_PLAIN = frozenset(("", "normal"))
_NEXT_BEST = frozenset(("executive-summary", "short", "summary"))
_PUBLISHED = frozenset(("epub", "ppub", "epub-ppub", "collection", "pub", "publication", "cover", ""))
_AT_LAST = frozenset(("epreprint", "preprint", "pmc-release"))
_COMMONS = "creativecommons.org"
# Differences between spellings of one address.
_SAME_LICENCE = re.compile(r"^https?://(?:www\.)?|/(?:legalcode)?/?$", re.IGNORECASE)
# ISO 639-1 → NLM's code, for the most frequent languages of MEDLINE.
_LANGUAGES = {
    "ar": "ara", "bg": "bul", "bs": "bos", "ca": "cat", "cs": "cze", "da": "dan", "de": "ger", "el": "gre", "en": "eng",
    "es": "spa", "et": "est", "fa": "per", "fi": "fin", "fr": "fre", "he": "heb", "hr": "hrv", "hu": "hun", "is": "ice",
    "it": "ita", "ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav", "ms": "may", "nl": "dut", "no": "nor", "pl": "pol",
    "pt": "por", "ro": "rum", "ru": "rus", "sk": "slo", "sl": "slv", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur",
    "uk": "ukr", "vi": "vie", "zh": "chi",
}  # fmt: skip


def document(article: _Element, repairs: Repairs) -> Document | None:
    """The document of an <article>; None if it has no identifier."""
    front = article.find("front")
    meta = None if front is None else front.find("article-meta")
    if front is None or meta is None:
        return None
    ids = dict(_identifiers(meta))
    ident = ids.get("pmid") or ids.get("pmcid") or ids.get("doi", "")
    if not ident:
        return None
    title = _title(meta.find("title-group"))
    kind = article.get("article-type", "").strip()
    date = _date(meta, repairs)
    language = _language(attribute(article, "lang"))
    versions = map(text, meta.iter("article-version"))
    people, groups = _authors(meta)
    sections = [Section("title", title), *_abstracts(meta, language, ids.get("doi", ""))]
    facts = {
        "version": ids.get("version") or next(filter(str.isdecimal, versions), ""),
        "date": date,
        "year": date[:4],
        "journal": _journal(front),
        "language": language,
        "doi": ids.get("doi", ""),
        "pmcid": ids.get("pmcid", ""),
        "types": unified(kind),
        **(NO_PMID if ident.isdecimal() and "pmid" not in ids else {}),
        "keywords": join_values(map(text, _keywords(meta, language)), repairs, "keyword"),
        "licence": _licence(meta),
        **states(title, kind, _links(meta, kind)),
        "authors": join_values(people, repairs, "author"),
        "corporate_authors": join_values(groups, repairs, "corporate_author"),
        **bibliography.place(
            {"volume": text(meta.find("volume")), "issue": text(meta.find("issue")), "pages": _pages(meta)},
            repairs,
        ),
    }
    return Document(ident, tuple(sections), facts={name: fact for name, fact in facts.items() if fact})


def _identifiers(meta: _Element) -> Iterator[tuple[str, str]]:
    """(kind, value) of pmid, pmcid, doi and version; the first of each kind comes last, so that it wins in a dict."""
    for each in reversed(meta.findall("article-id")):
        kind, value = each.get("pub-id-type", ""), text(each)
        if kind == "pmid" and plain_pmid(value):
            yield "pmid", plain_pmid(value)
        elif kind in ("pmc", "pmcid", "pmcid-ver") and (pmcid := PMCID.fullmatch(without_end(value))):
            yield "pmcid", f"PMC{pmcid[1]}"
            if pmcid[2]:
                yield "version", pmcid[2]
        elif kind == "doi" and (doi := bare_doi(value)):
            yield "doi", doi


def _title(group: _Element | None) -> str:
    if group is None:
        return ""
    parts = [text(group.find("article-title"))]
    for subtitle in filter(None, map(text, group.iterfind("subtitle"))):
        colon = "" if not parts[-1] or parts[-1].endswith((":", "?", "!", ".", "–", "—", "-")) else ":"
        parts.append(f"{colon} {subtitle}")
    return "".join(parts).strip()


def _abstracts(meta: _Element, language: str, doi: str) -> Iterator[Section]:
    abstracts = meta.findall("abstract")
    own = [each for each in abstracts if _is_in_language(each, language)]
    main = [each for each in own if _kind(each) in _PLAIN]
    main = main or [each for each in own if _kind(each) in _NEXT_BEST][:1]
    for each in main:
        yield from (
            Section("abstract", words, label, category) for label, words, category in parts(each, doi)
        )
    others = dict.fromkeys((*abstracts, *meta.iterfind("trans-abstract")))
    for each in main:
        del others[each]
    for each in others:
        kind = shortened(f"{_kind(each)} {_language(attribute(each, 'lang'))}".strip())
        yield from (Section("other abstract", words, label, kind) for label, words, _ in parts(each, doi))


def _kind(abstract: _Element) -> str:
    return abstract.get("abstract-type", "").strip()


def _is_in_language(element: _Element, language: str) -> bool:
    """Whether an element is in the article's language, or gives none."""
    code = _language(attribute(element, "lang"))
    return not code or not language or code == language


def _language(code: str) -> str:
    """NLM's code of a language: "en-GB" gives "eng"; codes outside the table stay."""
    bare = code.lower().partition("-")[0].partition("_")[0]
    return _LANGUAGES.get(bare, bare)


def _date(meta: _Element, repairs: Repairs) -> str:
    dates: dict[bool, list[str]] = {True: [], False: []}
    for each in meta.iterfind("pub-date"):
        kinds = {each.get("pub-type", ""), each.get("date-type", "")} - {""} or {""}
        if kinds & (_PUBLISHED | _AT_LAST):
            date, exists = written_date(_as_written(each))
            repairs.count("publication_day_impossible", not exists)
            dates[bool(kinds & _PUBLISHED)].append(date)
    date = earliest(dates[True]) or earliest(dates[False])
    repairs.count("article_without_date", not date)
    return date


def _as_written(date: _Element) -> str:
    """The most exact of: year, month and day as far as given, "2014 11 10", "2014 Spring"; a date in one string."""
    parts = " ".join(takewhile(bool, (text(date.find(part)) for part in ("year", "month", "day"))))
    iso = iso_day(attribute(date, "iso-8601-date")).replace("-", " ")
    return max(parts, iso, text(date.find("string-date")), key=lambda words: len(written_date(words)[0]))


def _journal(front: _Element) -> str:
    metas = front.findall("journal-meta")[:1]
    names = ("journal-title",), ("abbrev-journal-title", "journal-id")
    return next((text(each) for kinds in names for meta in metas for each in meta.iter(*kinds)), "")


def _keywords(meta: _Element, language: str) -> dict[_Element, None]:
    """The keywords in the article's language, as elements."""
    return dict.fromkeys(
        keyword
        for group in meta.iterfind("kwd-group")
        if group.get("kwd-group-type") != "abbreviations" and _is_in_language(group, language)
        for keyword in outermost(group, ("kwd", "compound-kwd"))
    )


def _licence(meta: _Element) -> str:
    """Every licence, since an article may name several; words only without an address."""
    urls: dict[str, str] = {}
    words: dict[str, None] = {}
    for licence in outermost(meta, ("license",)):
        named = [attribute(licence, "href")]
        for each in licence.iter():
            if local(each) == "license_ref":
                named.append(text(each))
            elif local(each) in ("ext-link", "uri") and _COMMONS in (url := attribute(each, "href")):
                named.append(url)
        for url in filter(None, named):
            urls.setdefault(_SAME_LICENCE.sub("", url).lower(), url)
        words[text(licence)] = None
    return JOINT.join(urls.values() or filter(None, words))


def _links(meta: _Element, kind: str) -> Iterator[tuple[str, str]]:
    """(state, the other paper) of each link; those of a notice all lead to its papers, whatever their type."""
    of_notice = of_type(kind) if is_notice(of_type(kind)) else ""
    for each in meta.iterfind("related-article"):
        if state := OF_LINK.get(each.get("related-article-type", "")):
            yield of_notice or state, _target(each)


def _target(related: _Element) -> str:
    href = bare_doi(attribute(related, "href"))
    if related.get("ext-link-type") == "pmc" and (pmcid := PMCID.fullmatch(href)):
        return f"PMC{pmcid[1]}"
    place = related.get("vol", ""), related.get("page") or related.get("elocation-id", "")
    return href or text(related) or ":".join(filter(None, place))


def _authors(meta: _Element) -> tuple[list[str], list[str]]:
    """(people, groups) in the article's order; the members of a group are no authors."""
    people, groups = list[str](), list[str]()
    for contributor in meta.iterfind("contrib-group/contrib"):
        if contributor.get("contrib-type", "") not in ("", "author"):
            continue
        groups += map(text, contributor.xpath("(collab|collab-alternatives/collab)[1]"))
        if name := _person(contributor):
            people.append(name)
    return people, groups


def _person(contributor: _Element) -> str:
    name = next(contributor.iterchildren("name", "string-name", "name-alternatives"), None)
    if name is not None and local(name) == "name-alternatives":
        name = next(name.iterchildren("name", "string-name"), None)
    if name is None:
        return ""
    parts = [text(name.find(part)) for part in ("surname", "given-names", "suffix")]
    return bibliography.person(*parts) if any(parts) else text(name)


def _pages(meta: _Element) -> str:
    """The pages, else the number of an electronic article, which some journals leave to the DOI."""
    number = text(meta.find("elocation-id"))
    first, last = (text(meta.find(name)) for name in ("fpage", "lpage"))
    return (
        text(meta.find("page-range"))
        or bibliography.page_range(first, last)
        or ("" if number.startswith("10.") else number)
    )
