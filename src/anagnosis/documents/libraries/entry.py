"""A record of a library as an entry: its key, the paper that it describes, and the paths of its files.

A reader gives a record as pairs of a field's name and its value, and a table from `names`: field → fact. Beside the
facts of `documents/bibliography.py` there are

    title, abstract    the sections of the document
    pmid               becomes the id
    citation_key       the user's key; else the record's, where no program made it
    extra              lines such as "PMID: 27000083"; others are left out
    user_notes         a section that is marked as the user's, a paragraph a line

Where several fields give one fact, the first of the table counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

import msgspec

from anagnosis.documents.bibliography import JOINT, join_values, listed_people, person, place
from anagnosis.documents.dates import iso_day, written_date
from anagnosis.documents.document import HEADING_PATH, NOTES, Document, Section
from anagnosis.documents.identifiers import bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.io.xml_stream import NOT_XML
from anagnosis.documents.libraries import LIBRARIES
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import unified, with_states
from anagnosis.documents.text import split_at_labels, tidied, unescaped

OF_LIBRARY = ("collections", "tags", "added", "citation_key")
"""Facts that a library has of a paper, and no file."""
LONGEST_FIELD = 1 << 20
"""Characters of a field; longer ones are left out."""
LONGEST_KEY = 200
MOST_ABOVE = 20  # collections above each other

# Fact of several values → the name under which values are counted as left out (bibliography.py).
_SEVERAL = {
    "authors": "author",
    "corporate_authors": "corporate_author",
    "keywords": "keyword",
    "tags": "tag",
    "collections": "collection",
}
_FACTS = (
    "title", "abstract", *_SEVERAL, "journal", "date", "volume", "issue", "pages", "pmid", "pmcid", "doi", "types",
    "language", "added", "citation_key", "retracted", "extra", "user_notes",
)  # fmt: skip
_ALSO_SEVERAL = ("types", "language", "date")
_IDENTIFIERS = {"pmid": plain_pmid, "pmcid": plain_pmcid, "doi": bare_doi}
_IDENTIFIER_LINE = re.compile(r"\s*(PMID|PMCID|DOI|Citation[ -]Key)\s*:\s*(\S+)\s*", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_DATE_SIGNS = str.maketrans("/-.", "   ")
_DAY_FIRST = re.compile(r"\A(\d{4}\s+)?(\d{1,2})\s+([^\W\d_]{3,})")  # BibTeX: month = "16~" # jul
# Ids that are no key of a user: numbers, identifiers, addresses, and what programs make.
_NO_KEY = re.compile(
    r"[\d.:_-]*|PMC\d+|(?:doi:)?10\.\d+/.*|\w+://.*|(?:\d+/)?[2-9A-NP-Z]{8}|ITEM-\d+|[\da-f-]{12,}"
    r"|2-s2\.0-\d+|(?:WOS|MEDLINE):\w+"
    rf"|(?:{'|'.join(LIBRARIES)})-.+-[\da-f]{{8}}"
)
_MEDLINE = re.compile(r"\b(?:pubmed|medline|nlm)\b", re.IGNORECASE)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A record of a library.

    key: in the library: Zotero's item key ("LIBRARYID/KEY" in a group), BibTeX's citation key, else the id that the
    record states, else a digest of DOI, PMID and title. document: title, abstract and facts; its id is the PMID, else
    the PMCID, else the DOI, else "<kind of library>-<key>". files: paths of attached PDF files, which may not exist.
    """

    key: str
    document: Document
    files: tuple[str, ...] = ()


def entry(
    kind: str,
    key: str,
    fields: Iterable[tuple[str, str]],
    table: Mapping[str, str],
    repairs: Repairs,
    where: str,
    *,
    files: tuple[str, ...] = (),
) -> list[Entry]:
    """The entry of a record; none of an empty one, which is noted.

    kind: of the library. table: from `names`. Counted: entry_empty, field_left_out (too long), what is unreadable,
    publication_day_impossible, and the names of `bibliography.join_values` and `place`.
    """
    values = _values(fields, table, repairs, where)
    first = {fact: each[0] for fact, each in values.items()}
    title, abstract = first.get("title", ""), first.get("abstract", "")
    pmid, pmcid, doi = (read(first.get(name, "")) for name, read in _IDENTIFIERS.items())
    doi = doi if _DOI.fullmatch(doi) else ""
    for name, plain in zip(_IDENTIFIERS, (pmid, pmcid, doi), strict=True):
        repairs.count(f"{name}_unreadable", name in first and not plain)
    if not (title or abstract or files or pmid or pmcid or doi):
        repairs.count("entry_empty")
        repairs.note(where, "an entry without title, abstract, identifier and file, left out")
        return []
    digest = sha256("\n".join((doi, pmid, title)).encode()).hexdigest()[:12]
    key = tidied(NOT_XML.sub(" ", key))[:LONGEST_KEY] or digest
    (date, exists), (added, _) = (_date(values.get(name, [])) for name in ("date", "added"))
    repairs.count("publication_day_impossible", not exists)
    repairs.count("date_unreadable", "date" in values and not date)
    repairs.count("added_unreadable", "added" in values and not added)
    facts = {
        "date": date,
        "year": date[:4],
        "journal": first.get("journal", ""),
        "language": JOINT.join(values.get("language", [])),
        "doi": doi,
        "pmcid": pmcid,
        "types": JOINT.join(dict.fromkeys(map(unified, values.get("types", [])))),
        "retracted": first.get("retracted", ""),
        **{name: join_values(values.get(name, []), repairs, thing) for name, thing in _SEVERAL.items()},
        **place(first, repairs),
        "added": added,
        "citation_key": first.get("citation_key") or ("" if _NO_KEY.fullmatch(key) else key),
    }
    facts = with_states({name: fact for name, fact in facts.items() if fact}, title)
    parts = split_at_labels(abstract) if abstract else []
    sections = [Section("title", title), *(Section("abstract", text, label) for label, text in parts)]
    if notes := values.get("user_notes"):
        sections.append(Section(NOTES, "\n".join(notes), "User's notes"))
    return [
        Entry(key, Document(pmid or pmcid or doi or f"{kind}-{key}", tuple(sections), facts=facts), files)
    ]


def names(**fields: str) -> dict[str, str]:
    """The table of a reader. fields: for each fact the names of its fields, best first; behind them its own name."""
    given = {name: fact for fact, each in fields.items() for name in each.split()}
    return {**given, **{fact: fact for fact in _FACTS if fact not in given}}


def authors(name: str) -> Iterator[tuple[str, str]]:
    """(fact, name) of an author as EndNote and RIS write one: "Hellinger, Frank R, Jr", "Hellinger FR"; or of several.

    A group's name ends in a comma, and the first inside is two: "Salt,, Soup Group,".
    """
    if name.endswith(","):
        yield "corporate_authors", name[:-1].replace(",, ", ", ", 1)
        return
    for one in listed_people(name):
        family, *rest = (part.strip() for part in one.split(","))
        yield "authors", person(family, *rest) if 1 <= len(rest) <= 2 else one


def listed(words: str) -> list[str]:
    """The words of a list with semicolons, or else with commas, between them."""
    return words.split(";" if ";" in words else ",")


def pmid_of(accession: str, databases: str) -> str:
    """The PMID that an accession number is, or ""; that of a record that names only other databases is none."""
    return plain_pmid(accession) if not databases or _MEDLINE.search(databases) else ""


def _values(
    fields: Iterable[tuple[str, str]], table: Mapping[str, str], repairs: Repairs, where: str
) -> dict[str, list[str]]:
    """The values of each fact, in the table's order, without empty ones. Room is taken for each, as it comes."""
    order = {name: place for place, name in enumerate(table)}
    values: dict[str, list[str]] = {}
    rows = ((name, value, repairs.take_room(2 * len(value), where)) for name, value in fields)
    for name, value, _ in sorted(rows, key=lambda row: order.get(row[0], 0)):
        fact = table.get(name)
        repairs.count("field_left_out", len(value) > LONGEST_FIELD)
        if fact is None or not value.strip() or len(value) > LONGEST_FIELD:
            continue
        value = NOT_XML.sub(" ", value)
        if fact == "extra":
            for match in filter(None, map(_IDENTIFIER_LINE.fullmatch, value.splitlines())):
                values.setdefault(re.sub("[ -]", "_", match[1].lower()), []).append(match[2])
        elif fact == "user_notes":
            lines = (tidied(unescaped(tidied(line))) for line in value.split("\n"))
            values.setdefault(fact, []).append("\n".join(filter(None, lines)))
        elif fact in _SEVERAL or fact in _ALSO_SEVERAL or fact not in values:
            values.setdefault(fact, []).append(tidied(unescaped(tidied(value))))
    # A collection inside another is in that one too: "Diet", "Diet › Salt".
    inside = [collection_path(one).split(HEADING_PATH, MOST_ABOVE) for one in values.pop("collections", [])]
    paths = (HEADING_PATH.join(some[:depth]) for some in inside for depth in range(1, len(some) + 1))
    return values | ({"collections": list(dict.fromkeys(paths))} if inside else {})


def collection_path(name: str) -> str:
    """The name of a collection inside another: "Diet › Salt", also written "Diet > Salt"."""
    return name.replace(" > ", HEADING_PATH)


def _date(stated: list[str]) -> tuple[str, bool]:
    """(most exact date, whether its day exists) of fields, of which one may have the year alone, another "Mar 23"."""
    days = [re.sub(r"\b(\d{4})[a-z]\b", r"\1", iso_day(each)) for each in stated]  # "2016a", one of several
    words = [_DAY_FIRST.sub(r"\1\3 \2", each.translate(_DATE_SIGNS).strip()) for each in days]
    year_first = " ".join(sorted(words, key=lambda each: not each[:4].isdecimal()))
    dates = [written_date(each) for each in (*words, year_first)]
    date, exists = max(dates, key=lambda each: len(each[0]))
    return "" if date.startswith("0000") else date, exists
