"""The rows below a PubTator document: parsing of columns, repair of offsets.

    id TAB start TAB end TAB text TAB type TAB identifier [TAB anything]     a mention
    id TAB word TAB identifier TAB identifier [TAB anything]                 a relation

start and end count characters of title and abstract with one character between them. Some files count none or two
there: for each document we take the convention that fits more of its mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from anagnosis.documents.document import Relation, linked
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import is_normalised

# Numbers of characters between title and abstract, the usual one first: it wins a tie.
_JOINTS = (1, 0, 2)
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
    """The mention in a row that is not six regular columns; None, counted, for a relation or an unreadable row."""
    if cells[0] != ident:
        repairs.count("row_of_another_document")
        return None
    if is_relation(cells):
        repairs.count("relation")
        return None
    if not 5 <= len(cells) <= 7 or not _is_offset(cells[1]) or not _is_offset(cells[2]):
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
    if len(cells) == 7:
        repairs.count(_seventh_column(cells[6]))
    return (int(cells[1]), int(cells[2]), cells[3], cells[4], linked(identifier))


def is_relation(cells: Sequence[str]) -> bool:
    """Whether a row is id, word, identifier, identifier, …; a word begins with a letter."""
    return len(cells) > 3 and cells[1][:1].isalpha()


def _is_offset(cell: str) -> bool:
    return cell.isdecimal() and len(cell) < 10


def _is_type(cell: str) -> bool:
    """Whether a cell is a type, which is a word; an identifier in the wrong column has digits or separators."""
    return bool(cell) and cell[0].isalpha() and not any(c in cell for c in "|:;=") and not cell.isdigit()


def _seventh_column(cell: str) -> str:
    if not cell:
        return "empty_seventh_column"
    try:
        float(cell)
    except ValueError:
        return "extra_column"
    return "score_column"


def fit_offsets(rows: list[Row], text: str, border: int, where: str, repairs: Repairs) -> list[Row]:
    """Rows with offsets shifted by the convention that fits most of the abstract's mentions, without misfits.

    border: the end of the title in the text.
    """
    in_abstract = [row for row in rows if row[1] > border]
    fits = {joint: _fits(in_abstract, text, joint, str.__eq__) for joint in _JOINTS}
    if not any(fits.values()):
        fits = {joint: _fits(in_abstract, text, joint, is_normalised) for joint in _JOINTS}
    joint = max(_JOINTS, key=lambda j: fits[j])
    if in_abstract and not fits[joint]:
        repairs.count("offsets_fit_nowhere")
    elif joint != 1:
        repairs.count(f"abstract_offset_{joint}")
    kept: list[Row] = []
    beyond = differing = 0
    for row in rows:
        start, end, surface, kind, ident = row
        if end > border:
            start, end = start + 1 - joint, end + 1 - joint
        covered = text[start:end] if 0 <= start < end else ""
        if covered == surface:
            kept.append((start, end, surface, kind, ident))
        elif end > len(text):
            beyond += 1
        elif covered and is_normalised(surface, covered):
            repairs.count("mention_text_normalised")
            kept.append((start, end, covered, kind, ident))
        else:
            differing += 1
    for count, counter, what in (
        (beyond, "mention_beyond_text", "mentions that end beyond the text"),
        (differing, "mention_text_differs", "mentions where another text stands"),
    ):
        if count:
            repairs.count(counter, count)
            repairs.note(where, f"{what}: {count}, left out")
    return kept


def _fits(rows: list[Row], text: str, joint: int, agree: Callable[[str, str], bool]) -> int:
    """Number of the abstract's rows whose text stands at their offsets under this convention."""
    shift = 1 - joint
    return sum(
        start + shift >= 0 and agree(surface, text[start + shift : end + shift])
        for start, end, surface, _, _ in rows
    )


def sort_rows(rows: list[Row], repairs: Repairs) -> list[Row]:
    """Rows sorted by start and end, without duplicates."""
    rows = sorted(rows, key=lambda row: row[:2])
    if len(set(rows)) != len(rows):
        repairs.count("duplicate_row", len(rows) - len(set(rows)))
        rows = list(dict.fromkeys(rows))
    return rows


def relations(text: str, ident: str) -> Iterator[Relation]:
    """The rows of a document that link identifiers."""
    for row in text.split("\n"):
        cells = row.split("\t")
        if cells[0] == ident and is_relation(cells):
            yield Relation(cells[1], tuple(cells[2:]))
