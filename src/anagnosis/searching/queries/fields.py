"""The search fields of PubMed, one a line with its names: how users write them, and what an index has for them.

Source: PubMed User Guide, "Search field tags". Names are compared in lower case, without repeated spaces.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeVar

from anagnosis.searching.queries import tree

DATE_TAG = "dp"


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
_DATE = SearchField("published", DATE_TAG, ())
_ANYWHERE = SearchField("anywhere", "tw", ())
ALIAS = SearchField("paper", "pmid", (tree.ALIAS,))
_DOI = SearchField("paper", "doi", (tree.ALIAS,))

T = TypeVar("T")


def _by_name(table: dict[str, T]) -> dict[str, T]:
    """Each name of a table, whose keys are lists of names."""
    return {name: value for names, value in table.items() for name in names.split(", ")}


FIELDS = _by_name(
    {
        "ti, title": _TITLE,
        "ab, abstract": _ABSTRACT,
        "tiab, title/abstract": _BOTH,
        "au, author, fau, full author name, author - full, cn, corporate author, author - corporate": _AUTHOR,
        "ta, jour, journal, so": _JOURNAL,
        "dp, pdat, ppdat, date - publication, publication date": _DATE,
        "pt, ptyp, publication type": _TYPE,
        "mh, mesh, mesh terms": MESH,
        "mh:noexp, mesh:noexp, mesh terms:noexp": MESH_ALONE,
        "ot, other term, keyword": _KEYWORD,
        "tw, text word, text words, all, all fields": _ANYWHERE,
        "pmid, uid, pmcid": ALIAS,
        "doi, aid, lid": _DOI,
    }
)

# Fields that an index does not have apart from another one, which is searched instead: (name, reason).
NEAREST = _by_name(
    {
        "1au, author - first, first author name": ("au", "the first author is not kept apart"),
        "lastau, author - last": ("au", "the last author is not kept apart"),
        "majr, mesh major topic": ("mh", "major topics are not kept apart"),
        "majr:noexp": ("mh:noexp", "major topics are not kept apart"),
        "edat, date - entry, date - entrez, crdt, date - create, mhda, epdat": (
            "dp",
            "an index has only dates of publication",
        ),
        "tt, transliterated title": ("ti", "titles in other languages are not kept apart"),
        "nm, supplementary concept": ("tw", "substances are not kept apart"),
        "rn, ec/rn number": ("tw", "numbers of substances are not kept apart"),
    }
)

# Fields whose parts are left out, since an index has nothing of the kind: name → what it lacks.
LEFT_OUT = _by_name(
    {
        "la, lang, language": "languages",
        "ad, affl, affiliation": "affiliations",
        "sb, subset": "subsets",
        "filter": "filters of PubMed",
        "sh, mesh subheading": "subheadings",
        "gr, grants and funding": "grants",
        "ip, issue": "issues as a field",
        "vi, volume": "volumes as a field",
        "pg, pagination": "pages as a field",
        "is, issn": "ISSNs",
        "pl, place of publication": "places of publication",
        "si": "secondary sources",
        "ed, editor": "editors",
        "ir, investigator": "investigators",
        "pubn, publisher": "publishers",
    }
)
# Of several words, which all go with the field that is left out.
FILTER = re.compile(
    r"(?:loattr)?(?:free )?full text|open access|(?:randomized controlled|controlled clinical|clinical) trial"
    r"|(?:clinical|observational) study|case reports|systematic reviews?|books and documents|associated data"
)
LONGEST_NAME = 40  # characters between the brackets


def field_name(text: str) -> str:
    """The normal form of what stands between brackets; "" if no field has that name."""
    name = " ".join(text.casefold().split())
    name = name.partition(":~")[0].strip()
    return name if name in FIELDS or name in NEAREST or name in LEFT_OUT else ""
