"""The rows below a PubTator document: columns told apart, offsets brought to the text.

    id TAB start TAB end TAB text TAB type TAB identifier [TAB anything]     a mention
    id TAB word TAB identifier TAB identifier [TAB anything]                 a relation

start and end count characters of title and abstract with one character between them. A file that counts none or
two there is told apart per document, by which convention fits more of its mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from anagnosis.documents.document import Relation, linked
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text.mention_text import is_normalised

# Characters between title and abstract, the common one first: it wins a tie.
_JOINTS = (1, 0, 2)
# Longer ones are read with care: Python refuses to make a number of more digits.
_LONGEST_ROW = 4_000

Row = tuple[int, int, str, str, str]


def parsed(text: str, ident: str, where: str, repairs: Repairs) -> list[Row]:
    """The mention rows of a document in the order of its lines; what is none is counted."""
    found: list[Row] = []
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
            found.append((int(cells[1]), int(cells[2]), cells[3], cells[4], identifier))
        elif len(cells) > 1:
            odd = _odd_row(cells, ident, where, repairs)
            if odd is not None:
                found.append(odd)
                unlinked += not odd[4]
        elif row.strip():
            repairs.note(where, "a line without tabs among the rows, whose columns tabs separate")
            repairs.count("row_unreadable")
    repairs.count("mention_without_identifier", unlinked)
    return found


def _odd_row(cells: list[str], ident: str, where: str, repairs: Repairs) -> Row | None:
    """A row that is not six columns: relations pass, 5 and 7 columns are told apart by what they hold."""
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
    """id, word, identifier, identifier, …: a word begins with a letter."""
    return len(cells) > 3 and cells[1][:1].isalpha()


def _is_offset(cell: str) -> bool:
    return cell.isdecimal() and len(cell) < 10


def _is_type(cell: str) -> bool:
    """A type is a word; an identifier that slipped into its column has digits or separators."""
    return bool(cell) and cell[0].isalpha() and not any(c in cell for c in "|:;=") and not cell.isdigit()


def _seventh_column(cell: str) -> str:
    if not cell:
        return "empty_seventh_column"
    try:
        float(cell)
    except ValueError:
        return "extra_column"
    return "score_column"


def fitted(rows: list[Row], text: str, border: int, where: str, repairs: Repairs) -> list[Row]:
    """Rows brought to the convention that fits most of the abstract's mentions; those that fit none are left out.

    border: where the title ends in the text.
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
        stands = text[start:end] if 0 <= start < end else ""
        if stands == surface:
            kept.append((start, end, surface, kind, ident))
        elif end > len(text):
            beyond += 1
        elif stands and is_normalised(surface, stands):
            repairs.count("mention_text_normalised")
            kept.append((start, end, stands, kind, ident))
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
    """How many of the abstract's rows name what stands where they say, under that convention."""
    shift = 1 - joint
    return sum(
        start + shift >= 0 and agree(surface, text[start + shift : end + shift])
        for start, end, surface, _, _ in rows
    )


def ordered(rows: list[Row], repairs: Repairs) -> list[Row]:
    """Rows by start and end, each once."""
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
