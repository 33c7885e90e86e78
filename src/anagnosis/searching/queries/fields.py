"""The search fields of PubMed, one a line: how users write them, and what an index has for them.

Source: PubMed User Guide, "Search field tags". Names are compared in lower case, without repeated spaces.
"""

from __future__ import annotations

from typing import NamedTuple

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

FIELDS: dict[str, SearchField] = {
    "ti": _TITLE,
    "title": _TITLE,
    "ab": _ABSTRACT,
    "abstract": _ABSTRACT,
    "tiab": _BOTH,
    "title/abstract": _BOTH,
    "au": _AUTHOR,
    "author": _AUTHOR,
    "fau": _AUTHOR,
    "full author name": _AUTHOR,
    "author - full": _AUTHOR,
    "cn": _AUTHOR,
    "corporate author": _AUTHOR,
    "author - corporate": _AUTHOR,
    "ta": _JOURNAL,
    "jour": _JOURNAL,
    "journal": _JOURNAL,
    "so": _JOURNAL,
    "dp": _DATE,
    "pdat": _DATE,
    "ppdat": _DATE,
    "date - publication": _DATE,
    "publication date": _DATE,
    "pt": _TYPE,
    "ptyp": _TYPE,
    "publication type": _TYPE,
    "mh": MESH,
    "mesh": MESH,
    "mesh terms": MESH,
    "mh:noexp": MESH_ALONE,
    "mesh:noexp": MESH_ALONE,
    "mesh terms:noexp": MESH_ALONE,
    "ot": _KEYWORD,
    "other term": _KEYWORD,
    "keyword": _KEYWORD,
    "tw": _ANYWHERE,
    "text word": _ANYWHERE,
    "text words": _ANYWHERE,
    "all": _ANYWHERE,
    "all fields": _ANYWHERE,
    "pmid": ALIAS,
    "uid": ALIAS,
    "pmcid": ALIAS,
    "doi": _DOI,
    "aid": _DOI,
    "lid": _DOI,
}

# Fields that an index does not have apart from another one, which is searched instead: (name, reason).
NEAREST: dict[str, tuple[str, str]] = {
    "1au": ("au", "the first author is not kept apart"),
    "author - first": ("au", "the first author is not kept apart"),
    "first author name": ("au", "the first author is not kept apart"),
    "lastau": ("au", "the last author is not kept apart"),
    "author - last": ("au", "the last author is not kept apart"),
    "majr": ("mh", "major topics are not kept apart"),
    "mesh major topic": ("mh", "major topics are not kept apart"),
    "majr:noexp": ("mh:noexp", "major topics are not kept apart"),
    "edat": ("dp", "an index has only dates of publication"),
    "date - entry": ("dp", "an index has only dates of publication"),
    "date - entrez": ("dp", "an index has only dates of publication"),
    "crdt": ("dp", "an index has only dates of publication"),
    "date - create": ("dp", "an index has only dates of publication"),
    "mhda": ("dp", "an index has only dates of publication"),
    "epdat": ("dp", "an index has only dates of publication"),
    "tt": ("ti", "titles in other languages are not kept apart"),
    "transliterated title": ("ti", "titles in other languages are not kept apart"),
    "nm": ("tw", "substances are not kept apart"),
    "supplementary concept": ("tw", "substances are not kept apart"),
    "rn": ("tw", "numbers of substances are not kept apart"),
    "ec/rn number": ("tw", "numbers of substances are not kept apart"),
}

# Fields whose parts are left out, since an index has nothing of the kind: name → what it lacks.
LEFT_OUT: dict[str, str] = {
    "la": "languages",
    "lang": "languages",
    "language": "languages",
    "ad": "affiliations",
    "affl": "affiliations",
    "affiliation": "affiliations",
    "sb": "subsets",
    "subset": "subsets",
    "filter": "filters of PubMed",
    "sh": "subheadings",
    "mesh subheading": "subheadings",
    "gr": "grants",
    "grants and funding": "grants",
    "ip": "issues as a field",
    "issue": "issues as a field",
    "vi": "volumes as a field",
    "volume": "volumes as a field",
    "pg": "pages as a field",
    "pagination": "pages as a field",
    "is": "ISSNs",
    "issn": "ISSNs",
    "pl": "places of publication",
    "place of publication": "places of publication",
    "si": "secondary sources",
    "ed": "editors",
    "editor": "editors",
    "ir": "investigators",
    "investigator": "investigators",
    "pubn": "publishers",
    "publisher": "publishers",
}
LONGEST_NAME = 40  # characters between the brackets


def field_name(text: str) -> str:
    """The normal form of what stands between brackets; "" if no field has that name."""
    name = " ".join(text.casefold().split())
    name = name.partition(":~")[0].strip()
    return name if name in FIELDS or name in NEAREST or name in LEFT_OUT else ""
