"""The rows below a PubTator document: parsing of columns, repair of offsets.

    id TAB start TAB end TAB text TAB type TAB identifier [TAB anything]     a mention
    id TAB word TAB identifier TAB identifier [TAB anything]                 a relation

start and end count characters of title and abstract with one character between them; `documents/offsets.py` places
those of files that count otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.documents.document import Relation, linked
from anagnosis.documents.offsets import Claim, places
from anagnosis.documents.repairs import Repairs

# Longer rows take the careful path: Python refuses to convert a number of more digits.
_LONGEST_ROW = 4_000

Row = tuple[int, int, str, str, str]


def parse_rows(text: str, ident: str, where: str, repairs: Repairs) -> list[Row]:
    """The mention rows of a document in the order of its lines; other rows are counted."""
    rows: list[Row] = []
    unlinked = 0
    for row in text.split("\n"):
        cells = row.split("\t")
        if (
            len(cells) == 6
            and cells[1].isdecimal()
            and cells[2].isdecimal()
            and cells[0] == ident
            and cells[3]
            and cells[4]
            and "|" not in cells[4]
            and ":" not in cells[4]
            and len(row) < _LONGEST_ROW
        ):
            identifier = linked(cells[5])
            unlinked += not identifier
            rows.append((int(cells[1]), int(cells[2]), cells[3], cells[4], identifier))
        elif len(cells) > 1:
            irregular = _irregular_row(cells, ident, where, repairs)
            if irregular is not None:
                rows.append(irregular)
                unlinked += not irregular[4]
        elif row.strip():
            repairs.note(where, "a line without tabs among the rows, whose columns tabs separate")
            repairs.count("row_unreadable")
    repairs.count("mention_without_identifier", unlinked)
    return rows


def _irregular_row(cells: list[str], ident: str, where: str, repairs: Repairs) -> Row | None:
    """The mention in a row that is not six regular columns; None for a relation, and for an unreadable one, counted."""
    if cells[0] != ident:
        repairs.count("row_of_another_document")
        return None
    if is_relation(cells):
        return None
    if not 5 <= len(cells) <= 7 or not all(cell.isdecimal() and len(cell) < 10 for cell in cells[1:3]):
        repairs.note(where, "a row whose columns are no mention: id, start, end, text, type, identifier")
        repairs.count("row_unreadable")
        return None
    if not _is_type(cells[4]):
        repairs.count("row_without_type")
        return None
    if not cells[3]:
        repairs.count("mention_without_text")
        return None
    identifier = cells[5] if len(cells) > 5 else ""
    return (int(cells[1]), int(cells[2]), cells[3], cells[4], linked(identifier))


def is_relation(cells: Sequence[str]) -> bool:
    """Whether a row is id, word, identifier, identifier, …; a word begins with a letter."""
    return len(cells) > 3 and cells[1][:1].isalpha()


def _is_type(cell: str) -> bool:
    """Whether a cell is a type, which is a word; an identifier in the wrong column has digits or separators."""
    return bool(cell) and cell[0].isalpha() and not any(c in cell for c in "|:;=") and not cell.isdigit()


def fit_offsets(rows: list[Row], texts: Sequence[str], where: str, repairs: Repairs) -> list[Row]:
    """Rows with offsets in the document's text, without misfits. texts: of the sections."""
    kept: list[Row] = []
    beyond = differing = 0
    claims = [Claim(((start, end),), surface) for start, end, surface, _, _ in rows]
    full = "\n".join(texts)
    for place, (_, _, surface, kind, ident) in zip(places(claims, texts, repairs.counts), rows, strict=True):
        if place.spans is None or not place.agreement:
            beyond += place.is_beyond
            differing += not place.is_beyond
            continue
        ((start, end),) = place.spans
        repairs.count("mention_text_normalised", int(full[start:end] != surface))
        kept.append((start, end, full[start:end], kind, ident))
    for count, counter, what in (
        (beyond, "mention_beyond_text", "mentions that end beyond the text"),
        (differing, "mention_text_differs", "mentions where another text stands"),
    ):
        if count:
            repairs.count(counter, count)
            repairs.note(where, f"{what}: {count}, left out")
    return kept


def relations(text: str, ident: str) -> Iterator[Relation]:
    """The rows of a document that link identifiers."""
    for row in text.split("\n"):
        cells = row.split("\t")
        if cells[0] == ident and is_relation(cells):
            yield Relation(cells[1], tuple(cells[2:]))
