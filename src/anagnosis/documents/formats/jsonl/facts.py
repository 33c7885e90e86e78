"""Facts from a JSON line of other people's making, normalised to the facts of other formats.

    {"id": "4983", "year": 2020.0, "pubmed_id": 27000083, "retracted": "no", "mesh": ["Humans"]}
    {"year": "2020", "pmid": "27000083", "mesh": "Humans", "date": "2020"}

A fact is any key that is no part of a document's text, or a key of "metadata", whose value is words, a number, a
boolean, or a list of these (joined by "; "). It keeps its name, except those of _NAMES. Authors may also be objects
with a last (family) and first (given) name, or a name. A date is an ISO date, as exact as we can read it. A notice
(retracted, expression_of_concern, erratum, notice_of) whose value means no is dropped; one whose value means only yes
is "unnamed". Only a key "pmid" shows that an id of digits is a PMID; without it "id_of" is "other".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import JOINT
from anagnosis.documents.dates import iso_day, written_date
from anagnosis.documents.document import UNLINKED
from anagnosis.documents.identifiers import NO_PMID, bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.listed_people import listed_people
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.retraction import UNNAMED

NOTICES = frozenset(("retracted", "expression_of_concern", "erratum", "notice_of"))
_NAMES = {
    "datestring": "date",
    "publish_time": "date",
    "pubmed_id": "pmid",
    "license": "licence",
    "lang": "language",
    "type": "types",
    "author": "authors",
    "keyword": "keywords",
    "page": "pages",
}
# Keys of an author's last and first name: Semantic Scholar's and CORD-19's, CSL's (citation styles), MEDLINE's.
_LAST = ("last", "family", "lastname", "last_name")
_FIRST = ("first", "given", "forename", "first_name")
_DATES = ("date", "year")
_NO = UNLINKED | {"0", "0.0", "no", "n", "false", "nan"}
_WORD = re.compile(r"\w+")
_YES = frozenset(("1", "1.0", "yes", "y", "true"))


def facts(values: Mapping[str, Any], ident: str, repairs: Repairs) -> dict[str, str]:
    """The facts in these keys of the document with this id.

    Counted: key_left_out, date_unreadable, and author_left_out (bibliography.py).
    """
    facts: dict[str, str] = {}
    for key, value in values.items():
        name = _NAMES.get(key, key)
        words = _authors(value, repairs) if name == "authors" else _words(value)
        if words and name in _DATES:
            words = plain_date(words, repairs)
        elif words and name in NOTICES:
            words = _notice(words)
        elif words and name in _READ_AS:
            words = _READ_AS[name](words) or None
        if words:
            facts.setdefault(name, words)
        repairs.count("key_left_out", words is None)
    if "year" in facts:
        facts.setdefault("date", facts["year"])
        facts["year"] = facts["year"][:4]
    elif "date" in facts:
        facts["year"] = facts["date"][:4]
    return facts if "pmid" in facts or not ident.isdecimal() else {**NO_PMID, **facts}


def plain_date(words: str, repairs: Repairs) -> str:
    """An ISO date, as exact as known; "" for no date. Counted: date_unreadable, if a part is unreadable."""
    parts = _WORD.findall(iso_day(words).removesuffix(".0"))
    date, _ = written_date(" ".join(parts))
    if date.startswith("0000"):
        date = ""
    repairs.count("date_unreadable", not date or len(date.split("-")) < len(parts))
    return date


def _words(value: Any) -> str | None:
    """A value as the text of a fact: "" for an empty value, None for a value of another type."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, str | int | float):
        return str(value).strip()
    if isinstance(value, list):
        each = [None if isinstance(item, list) else _words(item) for item in cast("list[Any]", value)]
        return None if None in each else JOINT.join(word for word in each if word)
    return None


def _authors(value: Any, repairs: Repairs) -> str | None:
    """The fact of authors in one string, or in a list of strings or objects; None for a value of another type."""
    given = cast("list[Any]", value if isinstance(value, list) else [value])
    names: list[str] = []
    for each in given:
        words = _person(cast("dict[str, Any]", each)) if isinstance(each, dict) else _words(each)
        if words is None or isinstance(each, list):
            return None
        names += listed_people(words)
    return bibliography.join_values(names, repairs, "author")


def _person(fields: Mapping[str, Any]) -> str | None:
    """An author from an object's last and first name, else from its name; None without either."""
    parts = [
        next(
            (words for key in keys if isinstance(words := fields.get(key), str) and words.strip()), ""
        ).strip()
        for keys in (_LAST, _FIRST, ("name", "literal"))
    ]
    return bibliography.person(parts[0], parts[1]) if parts[0] else parts[2] or None


def _notice(words: str) -> str:
    """The notices in a value, "" if there is none."""
    notices = [notice.strip() for notice in words.split(JOINT) if notice.strip().lower() not in _NO]
    return JOINT.join(UNNAMED if notice.lower() in _YES else notice for notice in notices)


_READ_AS: dict[str, Callable[[str], str]] = {"doi": bare_doi, "pmid": plain_pmid, "pmcid": plain_pmcid}
