"""The search fields of PubMed, one a line with its names: how users write them, their values, and what an index has.

Source: PubMed User Guide, "Search field tags". Names are compared in lower case, without repeated spaces.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from anagnosis.documents.states import PUBLICATION_TYPES
from anagnosis.searching.filters import date_number, is_date
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import language_code

DATE_TAG, FILTER_TAG, LANGUAGE_TAG = "dp", "filter", "la"
HAS_ABSTRACT = "hasabstract"  # the one filter that is no other field's value


class SearchField(NamedTuple):
    """A field. label: before its words in the line that shows how a query was understood. tag: how we write it.

    fields: of the tree, in any of which a part may stand; () for dates, and for words that may stand anywhere.
    """

    label: str
    tag: str
    fields: tuple[str, ...]

    @property
    def is_name(self) -> bool:
        """Whether a part is one whole name."""
        return bool(self.fields) and self.fields[0] in tree.NAME_FIELDS


_TITLE = SearchField("title", "ti", (tree.TITLE,))
_ABSTRACT = SearchField("abstract", "ab", (tree.ABSTRACT,))
_BOTH = SearchField("title or abstract", "tiab", (tree.TITLE, tree.ABSTRACT))
_AUTHOR = SearchField("author", "au", (tree.AUTHOR,))
_JOURNAL = SearchField("journal", "ta", (tree.JOURNAL,))
_TYPE = SearchField("type", "pt", (tree.TYPE,))
MESH = SearchField("MeSH", "mh", (tree.MESH,))
MESH_ALONE = SearchField("MeSH (this term alone)", "mh:noexp", (tree.MESH,))
_KEYWORD = SearchField("keyword", "ot", (tree.KEYWORD,))
_FIRST = SearchField("first author", "1au", (tree.FIRST_AUTHOR,))
_LAST = SearchField("last author", "lastau", (tree.LAST_AUTHOR,))
_LANGUAGE = SearchField("language", LANGUAGE_TAG, (tree.LANGUAGE,))
_FILTER = SearchField("filter", FILTER_TAG, (tree.FILTER,))
_DATE = SearchField("published", DATE_TAG, ())
_ANYWHERE = SearchField("anywhere", "tw", ())
ALIAS = SearchField("paper", "pmid", (tree.ALIAS,))
_DOI = SearchField("paper", "doi", (tree.ALIAS,))

# A field that an index does not have apart from another one has the other one's line.
FIELDS = {
    name: field
    for names, field in {
        "ti, title, tt, transliterated title": _TITLE,
        "ab, abstract": _ABSTRACT,
        "tiab, title/abstract": _BOTH,
        "au, author, fau, full author name, author - full, cn, corporate author, author - corporate": _AUTHOR,
        "1au, author - first, first author name": _FIRST,
        "lastau, author - last, last author name": _LAST,
        "ta, jour, journal, so": _JOURNAL,
        "la, lang, language": _LANGUAGE,
        "filter": _FILTER,
        "dp, pdat, ppdat, date - publication, publication date": _DATE,
        "edat, date - entry, date - entrez, crdt, date - create, mhda, epdat": _DATE,
        "pt, ptyp, publication type": _TYPE,
        "mh, mesh, mesh terms, majr, mesh major topic": MESH,
        "mh:noexp, mesh:noexp, mesh terms:noexp, majr:noexp": MESH_ALONE,
        "ot, other term, keyword": _KEYWORD,
        "tw, text word, text words, all, all fields": _ANYWHERE,
        "nm, supplementary concept, rn, ec/rn number": _ANYWHERE,
        "pmid, uid, pmcid": ALIAS,
        "doi, aid, lid": _DOI,
    }.items()
    for name in names.split(", ")
}

# Fields whose parts are left out, since an index has nothing of the kind.
_LEFT_OUT = """ad, affl, affiliation, sb, subset, sh, mesh subheading, gr, grants and funding, ip, issue, vi, volume,
pg, pagination, is, issn, pl, place of publication, si, ed, editor, ir, investigator, pubn, publisher"""
LEFT_OUT = frozenset(" ".join(_LEFT_OUT.split()).split(", "))
# Filters of several words that an index does not know.
UNKNOWN_FILTER = re.compile(r"(?:loattr)?(?:free )?full text|open access|books and documents|associated data")
# Filters of PubMed that are a MeSH term, or else a type of publication; it writes some without blanks and signs.
_FILTERS = {
    "mh": "Humans|Animals|Male|Female|Infant|Infant, Newborn|Child|Child, Preschool|Adolescent|Adult|Young Adult|"
    "Middle Aged|Aged|Aged, 80 and over",
    "pt": "Meta-Analysis|Clinical Trial|Clinical Study|Controlled Clinical Trial|Randomized Controlled Trial|"
    f"Observational Study|Multicenter Study|Guideline|Practice Guideline|{'|'.join(PUBLICATION_TYPES)}",
    FILTER_TAG: HAS_ABSTRACT,
}
_NO_LETTER = re.compile(r"[\W_]+")
_KNOWN_FILTERS = {
    _NO_LETTER.sub("", value.lower()): (tag, value)
    for tag, values in _FILTERS.items()
    for value in values.split("|")
}
# Dates as PubMed writes them: 2015, 2019/03, 2015:2020, 2019/03:2020/05/12, 2015:3000. The year 3000 is "until today".
_ONE_DATE = re.compile(r"([0-9]{4})(?:[/.-]([0-9]{1,2})(?:[/.-]([0-9]{1,2}))?)?")
_YEARS = re.compile(r"([0-9]{4})[-\u2013]([0-9]{4})")
_OPEN = 3000
LONGEST_NAME = 40  # characters between the brackets


def filter_of(typed: str) -> tuple[str, str] | None:
    """(tag, value) that a filter of PubMed stands for: humans, review, english; None for another one."""
    known = _KNOWN_FILTERS.get(_NO_LETTER.sub("", typed.casefold()))
    return known or ((LANGUAGE_TAG, typed) if language_code(typed) else None)


def field_name(text: str) -> str:
    """The normal form of what stands between brackets; "" if no field has that name."""
    name = " ".join(text.casefold().split())
    name = name.partition(":~")[0].strip()
    return name if name in FIELDS or name in LEFT_OUT else ""


def date_range(written: str) -> tuple[str, str] | None:
    """The ISO dates of a range, both inclusive, "" where it is open; None for anything else."""
    written = "".join(written.split())
    years = _YEARS.fullmatch(written)
    first, colon, last = (years[1], ":", years[2]) if years else written.partition(":")
    since, until = _iso(first), _iso(last if colon else first)
    if since is None or until is None or (first and not since) or not (since or until):
        return None
    if since and until and date_number(since) > date_number(until, last=True):
        return None
    return since, until


def _iso(written: str) -> str | None:
    """An ISO date; "" for nothing, and for a year that stands for no end; None for anything else."""
    match = _ONE_DATE.fullmatch(written)
    if match is None:
        return None if written else ""
    if int(match[1]) >= _OPEN:
        return ""
    date = "-".join([match[1], *(f"{int(part):02}" for part in match.groups()[1:] if part)])
    return date if is_date(date) else None
