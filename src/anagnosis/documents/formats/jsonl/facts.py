"""The facts of a JSON line that somebody else wrote, told as other formats tell them.

    {"id": "4983", "year": 2020.0, "pubmed_id": 27000083, "retracted": "no", "mesh": ["Humans"]}
    {"year": "2020", "pmid": "27000083", "mesh": "Humans", "date": "2020"}

All keys that are no part of a document's text, and those of "metadata", if they are words, numbers, yes or no, or lists
of these (joined by "; "), under their own names but for some that other formats call otherwise (_NAMES). A date is an
ISO date, as exact as it is plain. A notice (retracted, expression_of_concern, erratum, notice_of) that says no, in
whatever way, is none; one that says only yes is "unnamed". An id of digits is known to be a PMID by a key "pmid" alone;
without one "id_of" is "other".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from anagnosis.documents.bibliography import JOINT
from anagnosis.documents.dates import iso_day, written_date
from anagnosis.documents.document import UNLINKED
from anagnosis.documents.identifiers import NO_PMID, bare_doi, plain_pmcid, plain_pmid
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
}
_DATES = ("date", "year")
_NO = UNLINKED | {"0", "0.0", "no", "n", "false", "nan"}
_WORD = re.compile(r"\w+")
_YES = frozenset(("1", "1.0", "yes", "y", "true"))


def facts(told: Mapping[str, Any], ident: str, repairs: Repairs) -> dict[str, str]:
    """The facts that these keys tell of the document with this id. Counted: key_left_out, date_unreadable."""
    found: dict[str, str] = {}
    for key, value in told.items():
        name, words = _NAMES.get(key, key), _words(value)
        if words and name in _DATES:
            words = plain_date(words, repairs)
        elif words and name in NOTICES:
            words = _notice(words)
        elif words and name in _READ_AS:
            words = _READ_AS[name](words) or None
        if words:
            found.setdefault(name, words)
        repairs.count("key_left_out", words is None)
    if "year" in found:
        found.setdefault("date", found["year"])
        found["year"] = found["year"][:4]
    elif "date" in found:
        found["year"] = found["date"][:4]
    return found if "pmid" in found or not ident.isdecimal() else {**NO_PMID, **found}


def plain_date(words: str, repairs: Repairs) -> str:
    """An ISO date, as exact as known; of a time its day, "" for none. Counted where not all of it can be read."""
    parts = _WORD.findall(iso_day(words).removesuffix(".0"))
    date, _ = written_date(" ".join(parts))
    if date.startswith("0000"):
        date = ""
    repairs.count("date_unreadable", not date or len(date.split("-")) < len(parts))
    return date


def _words(value: Any) -> str | None:
    """A value as a fact is told: "" where it tells nothing, None where it is of another shape."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, str | int | float):
        return str(value).strip()
    if isinstance(value, list):
        each = [None if isinstance(one, list) else _words(one) for one in cast("list[Any]", value)]
        return None if None in each else JOINT.join(word for word in each if word)
    return None


def _notice(words: str) -> str:
    """The notices that are named, "" where there is none."""
    each = [one.strip() for one in words.split(JOINT) if one.strip().lower() not in _NO]
    return JOINT.join(UNNAMED if one.lower() in _YES else one for one in each)


_READ_AS: dict[str, Callable[[str], str]] = {"doi": bare_doi, "pmid": plain_pmid, "pmcid": plain_pmcid}
