"""Tables with tabs: one term a row, or one name a row, under a header line.

    id      name                    synonyms          semantic_type
    X1      Myocardial infarction   heart attack|HA   problem

A column is found by any of its names in COLUMNS; id and name must be there. Values of one column are parted by `|`.
Where a column `kind` has P (preferred) and S (synonym), each row is one name, and rows of one id belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from anagnosis.entities.concepts import Synonym, Term
from anagnosis.entities.formats import numbered
from anagnosis.entities.formats.mesh_categories import categories
from anagnosis.errors import InputError

SUFFIXES = (".tsv", ".tab")
# Field of a term → names of its column, in lower case, the first one present counts.
COLUMNS = {
    "identifier": ("id", "identifier", "cui", "mesh_id"),
    "name": ("name", "preferred_name", "label", "mesh_name"),
    "synonyms": ("synonyms", "entry_terms", "synonym"),
    "types": ("semantic_type", "semantic_types", "type", "types", "namespace"),
    "tree_numbers": ("tree_numbers",),
    "alternatives": ("alt_ids",),
    "references": ("xrefs",),
    "mapped_to": ("mapped_to",),
    "kind": ("kind",),
}
_SYNONYM = "s"  # of the column kind


def sniff(head: bytes) -> bool:
    """Whether the first line is a header of tab-separated columns, one of them an identifier or a name."""
    columns = head.split(b"\n", 1)[0].decode(errors="replace").rstrip("\r").lower().split("\t")
    known = {name for field in ("identifier", "name") for name in COLUMNS[field]}
    return len(columns) > 1 and not known.isdisjoint(columns)


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Iterator[Term]:
    """The term of each row. Counted: row_without_identifier.

    InputError: no column of identifiers or names, or a row with another number of columns than the header.
    """
    lines = numbered(stream, name)
    columns = next(lines, (1, ""))[1].lower().split("\t")
    place = {
        field: columns.index(here)
        for field, names in COLUMNS.items()
        if (here := next((column for column in names if column in columns), None)) is not None
    }
    if lacking := next((field for field in ("identifier", "name") if field not in place), ""):
        what = f"no column {' or '.join(COLUMNS[lacking])}"
        raise InputError(what, f"{name}:1", "name the columns in the first line")
    for number, line in lines:
        cells = line.split("\t")
        if line and len(cells) != len(columns):
            what, remedy = f"{len(cells)} columns, the header has {len(columns)}", "part columns by tabs"
            raise InputError(what, f"{name}:{number}", f"{remedy}, and leave no tab inside one")
        if line and cells[place["identifier"]].strip():
            yield _term({field: cells[column].strip() for field, column in place.items()})
        elif line:
            counts["row_without_identifier"] += 1


def _term(row: dict[str, str]) -> Term:
    def values(field: str) -> tuple[str, ...]:
        return tuple(part for each in row.get(field, "").split("|") if (part := each.strip()))

    name, synonyms = row["name"], tuple(Synonym(text) for text in values("synonyms"))
    if row.get("kind", "").lower() == _SYNONYM:
        name, synonyms = "", (Synonym(name), *synonyms)
    return Term(
        row["identifier"],
        name,
        synonyms,
        categories(values("tree_numbers")) or values("types"),
        mapped_to=tuple(part for value in values("mapped_to") for part in value.split(",") if part),
        alternatives=values("alternatives"),
        references=values("references"),
        tree_numbers=values("tree_numbers"),
    )
