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

DATE_TAG, FILTER_TAG, LANGUAGE_TAG, MESH_TAG = "dp", "filter", "la", "mh"
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


# Label, fields of the tree, and names, of which the first is the tag. A field that an index does not have apart from
# another one has the other one's line.
_TABLE = (
    ("title", (tree.TITLE,), "ti, title, tt, transliterated title"),
    ("abstract", (tree.ABSTRACT,), "ab, abstract"),
    ("title or abstract", (tree.TITLE, tree.ABSTRACT), "tiab, title/abstract"),
    (
        "author",
        (tree.AUTHOR,),
        "au, author, fau, full author name, author - full, cn, corporate author, author - corporate",
    ),
    ("first author", (tree.FIRST_AUTHOR,), "1au, author - first, first author name"),
    ("last author", (tree.LAST_AUTHOR,), "lastau, author - last, last author name"),
    ("journal", (tree.JOURNAL,), "ta, jour, journal, so"),
    ("language", (tree.LANGUAGE,), f"{LANGUAGE_TAG}, lang, language"),
    ("filter", (tree.FILTER,), FILTER_TAG),
    ("published", (), f"{DATE_TAG}, pdat, ppdat, date - publication, publication date"),
    ("published", (), f"{DATE_TAG}, edat, date - entry, date - entrez, crdt, date - create, mhda, epdat"),
    ("type", (tree.TYPE,), "pt, ptyp, publication type"),
    ("MeSH", (tree.MESH,), f"{MESH_TAG}, mesh, mesh terms, majr, mesh major topic"),
    ("MeSH (this term alone)", (tree.MESH,), "mh:noexp, mesh:noexp, mesh terms:noexp, majr:noexp"),
    ("keyword", (tree.KEYWORD,), "ot, other term, keyword"),
    ("anywhere", (), "tw, text word, text words, all, all fields"),
    ("anywhere", (), "tw, nm, supplementary concept, rn, ec/rn number"),
    ("paper", (tree.ALIAS,), "pmid, uid, pmcid"),
    ("paper", (tree.ALIAS,), "doi, aid, lid"),
)
FIELDS = {
    name: SearchField(label, tag, fields)
    for label, fields, names in _TABLE
    for tag, *others in [names.split(", ")]
    for name in (tag, *others)
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
