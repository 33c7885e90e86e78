"""PubTator text: one line of title, one of abstract, a row for each mention, a blank line.

    27000083|t|Aspirin and stroke.
    27000083|a|Patients took aspirin daily. …
    27000083<TAB>0<TAB>7<TAB>Aspirin<TAB>Chemical<TAB>MESH:D001241

Offsets count characters of title and abstract with one character between them; files that count none or two are
told apart per document by which convention fits more of its mentions. The format is described by NCBI
(ncbi.nlm.nih.gov/research/pubtator); what true files do beyond it is counted here by name (docs/receipts.md).

Reading has two steps, so that a builder can stop early: `records` splits text into records without looking at the
rows, `mentions` reads the rows of one record. `read` does both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import BinaryIO

import msgspec

from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.documents.mention_text import is_normalised
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SUFFIXES = (".pubtator", ".txt", ".offset", ".offsets")
BLOCK = 8 << 20
LONGEST_DOCUMENT = 64 << 20

_TITLE_KINDS = ("t", "title")
_ABSTRACT_KINDS = ("a", "abstract")
_UNLINKED = ("", "-", "-1")
# Characters between title and abstract, the common one first: it wins a tie.
_JOINTS = (1, 0, 2)


class Block(msgspec.Struct, frozen=True, gc=False):
    """Whole documents cut out of a file. line: the number of its first line, from 1."""

    name: str
    line: int
    data: bytes


class Record(msgspec.Struct, frozen=True, gc=False):
    """A document whose rows are still text. line: where its title stands. more: sections after the abstract."""

    id: str
    title: str
    abstract: str
    rows: str
    line: int
    more: tuple[Section, ...] = ()
    has_abstract_line: bool = True


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is PubTator text."""
    line = head.lstrip(b"\r\n").split(b"\n", 1)[0]
    return _is_header(line)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a block.

    repairs: what was mended, by name, and the documents refused, by "name:line".
    """
    for block in blocks(stream, name):
        for record in records(block, repairs):
            yield document(record, repairs, block.name)


def blocks(
    stream: BinaryIO, name: str = "", size: int = BLOCK, *, accept_truncated: bool = False
) -> Iterator[Block]:
    """Cut a stream between documents into blocks of about `size` bytes; the cuts depend on the bytes alone.

    accept_truncated: when the stream breaks off, give what was whole before the break, then raise its error.
    """
    line, rest, first = 1, b"", True
    while True:
        data, fault = _read_fully(stream, size)
        if fault is not None and not accept_truncated:
            raise fault
        ended = len(data) < size
        rest += data
        if first and rest.strip() and not _has_header(rest):
            raise InputError(
                "no line like `27000083|t|Title`: not PubTator text",
                f"{name}:1",
                "check the format, or name it with --format",
            )
        if ended and fault is None:
            if first and not rest.strip():
                raise InputError("the file is empty", name, "check how it was made")
            if rest:
                yield Block(name, line, rest)
            return
        cut = _last_header(rest)
        if cut > 0:
            yield Block(name, line, rest[:cut])
            line += rest.count(b"\n", 0, cut)
            rest = rest[cut:]
        elif len(rest) > LONGEST_DOCUMENT:
            raise InputError(
                f"a document longer than {LONGEST_DOCUMENT >> 20} MiB",
                f"{name}:{line}",
                "split it, or check that this is PubTator text",
            )
        if fault is not None:
            raise fault
        first = False


def records(block: Block, repairs: Repairs) -> Iterator[Record]:
    """The records of a block, each with its rows unread. Dirt of the text is counted here."""
    line = block.line
    waiting: Record | None = None
    for piece in _decoded(block, repairs).split("\n\n"):
        head, _, rest = piece.partition("\n")
        second, _, rows = rest.partition("\n")
        ident, _, title = head.partition("|t|")
        ident_2, _, abstract = second.partition("|a|")
        regular = ident and ident == ident_2 and "|" not in ident and "\t" not in ident
        if regular and "|t|" not in rows and "|a|" not in rows:
            found = [Record(ident, title, abstract, rows, line)]
        else:
            found = _odd_piece(piece, line, waiting, block.name, repairs)
        for record in found:
            if waiting is not None and record.line != waiting.line:
                yield waiting
            waiting = record
        line += piece.count("\n") + 2
    if waiting is not None:
        yield waiting


def document(record: Record, repairs: Repairs, name: str = "") -> Document:
    """The whole document of a record, its rows read."""
    sections = [Section("title", record.title)]
    if record.has_abstract_line:
        sections.append(Section("abstract", record.abstract))
    sections.extend(record.more)
    found = mentions(record, repairs, name)
    return Document(record.id, tuple(sections), tuple(found), tuple(_relations(record)))


def text(record: Record) -> str:
    """The record's full text: title, abstract and further sections joined by one newline."""
    parts = [record.title, record.abstract] if record.has_abstract_line else [record.title]
    return "\n".join([*parts, *(s.text for s in record.more)])


def mentions(record: Record, repairs: Repairs, name: str = "") -> list[Mention]:
    """The mentions of a record, ordered by start, with offsets into `text(record)`.

    Kept are mentions whose text stands where they say, or whose text is a normalised form of what stands there.
    Counted: mention_without_identifier, empty_seventh_column, score_column, extra_column, row_without_type,
    row_unreadable, row_of_another_document, duplicate_row, rows_out_of_order, abstract_offset_0,
    abstract_offset_2, offsets_fit_nowhere, mention_text_normalised, mention_text_differs, mention_beyond_text.
    """
    rows = _mention_rows(record, repairs, name)
    if not rows:
        return []
    repairs.count("rows_out_of_order", sum(b[0] < a[0] for a, b in pairwise(rows)))
    full = text(record)
    if any(full[start:end] != surface for start, end, surface, _, _ in rows):
        rows = _fitted(rows, record, full, repairs)
    return [
        Mention(((start, end),), surface, kind, ident)
        for start, end, surface, kind, ident in _ordered(rows, repairs)
    ]


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as PubTator text; says by name what the format could not hold.

    Sections after the title stand on the abstract line, a blank for each newline, so that offsets stay true.
    """
    losses: dict[str, int] = {}

    def lost(what: str, n: int = 1) -> None:
        if n:
            losses[what] = losses.get(what, 0) + n

    for doc in documents:
        if not doc.id or any(c in doc.id for c in "|\t\n"):
            raise InputError(
                "PubTator text cannot hold this document id", repr(doc.id), "give the document a plain id"
            )
        titled = bool(doc.sections) and doc.sections[0].label == "title" and not doc.sections[0].title
        title = doc.sections[0].text if titled else ""
        shift = 0 if titled else 1
        body = doc.text[len(title) + 1 :] if titled else doc.text
        lost("title_moved_to_abstract", int(not titled and bool(doc.sections)))
        lost("section_boundary", max(0, len(doc.sections) - (2 if titled else 1)))
        lost("line_break_in_text", doc.text.count("\n") - max(0, len(doc.sections) - 1))
        lost("fact", len(doc.facts))
        lines = [f"{doc.id}|t|{_one_line(title)}"]
        if len(doc.sections) > 1 or not titled:
            lines.append(f"{doc.id}|a|{_one_line(body)}")
        for mention in doc.mentions:
            lost("discontinuous_mention", int(len(mention.spans) > 1))
            row = (
                doc.id,
                str(mention.start + shift),
                str(mention.end + shift),
                mention.text,
                mention.type,
                mention.identifier,
            )
            lines.append("\t".join(map(_one_cell, row)))
        lines.extend("\t".join((doc.id, r.type, *r.arguments)) for r in doc.relations)
        stream.write(("\n".join(lines) + "\n\n").encode())
    return losses


def _one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")


def _one_cell(text: str) -> str:
    return _one_line(text).replace("\t", " ")


_Row = tuple[int, int, str, str, str]


def _mention_rows(record: Record, repairs: Repairs, name: str) -> list[_Row]:
    found: list[_Row] = []
    ident = record.id
    unlinked = 0
    for row in record.rows.split("\n"):
        cells = row.split("\t")
        if (
            len(cells) == 6
            and cells[1].isdigit()
            and cells[2].isdigit()
            and cells[0] == ident
            and "|" not in cells[4]
        ):
            identifier = cells[5]
            if identifier in _UNLINKED:
                identifier = ""
                unlinked += 1
            found.append((int(cells[1]), int(cells[2]), cells[3], cells[4], identifier))
        elif len(cells) > 1:
            odd = _odd_row(cells, ident, repairs)
            if odd is not None:
                found.append(odd)
                unlinked += not odd[4]
        elif row.strip():
            repairs.note(f"{name}:{record.line}", f"a line without tabs among the rows of {ident}")
            repairs.count("row_unreadable")
    repairs.count("mention_without_identifier", unlinked)
    return found


def _odd_row(cells: list[str], ident: str, repairs: Repairs) -> _Row | None:
    """A row that is not six columns: relations pass, 5 and 7 columns are told apart by what they hold."""
    if cells[0] != ident:
        repairs.count("row_of_another_document")
        return None
    if not cells[1].isdigit():
        repairs.count("relation" if len(cells) > 3 else "row_unreadable")
        return None
    if not 5 <= len(cells) <= 7 or not cells[2].isdigit():
        repairs.count("row_unreadable")
        return None
    if not _is_type(cells[4]):
        repairs.count("row_without_type")
        return None
    identifier = cells[5] if len(cells) > 5 else ""
    if len(cells) == 7:
        repairs.count(_seventh_column(cells[6]))
    return (int(cells[1]), int(cells[2]), cells[3], cells[4], "" if identifier in _UNLINKED else identifier)


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


def _fitted(rows: list[_Row], record: Record, full: str, repairs: Repairs) -> list[_Row]:
    """Rows brought to the convention that fits most of the abstract's mentions; those that fit none are left out."""
    border = len(record.title)
    in_abstract = [row for row in rows if row[1] > border]
    fits = {joint: sum(_stands(row, full, joint, border) for row in in_abstract) for joint in _JOINTS}
    joint = max(_JOINTS, key=lambda j: fits[j])
    if in_abstract and not fits[joint]:
        repairs.count("offsets_fit_nowhere")
    elif joint != 1:
        repairs.count(f"abstract_offset_{joint}")
    kept: list[_Row] = []
    for row in rows:
        start, end, surface, kind, ident = row
        if end > border:
            start, end = start + 1 - joint, end + 1 - joint
        stands = full[start:end] if 0 <= start < end else ""
        if stands == surface:
            kept.append((start, end, surface, kind, ident))
        elif end > len(full):
            repairs.count("mention_beyond_text")
        elif stands and is_normalised(surface, stands):
            repairs.count("mention_text_normalised")
            kept.append((start, end, stands, kind, ident))
        else:
            repairs.count("mention_text_differs")
    return kept


def _stands(row: _Row, full: str, joint: int, border: int) -> bool:
    shift = 1 - joint if row[1] > border else 0
    return row[0] + shift >= 0 and full[row[0] + shift : row[1] + shift] == row[2]


def _ordered(rows: list[_Row], repairs: Repairs) -> list[_Row]:
    rows = sorted(rows, key=lambda row: row[:2])
    if len(set(rows)) != len(rows):
        repairs.count("duplicate_row", len(rows) - len(set(rows)))
        rows = list(dict.fromkeys(rows))
    return rows


def _relations(record: Record) -> Iterator[Relation]:
    for row in record.rows.split("\n"):
        cells = row.split("\t")
        if len(cells) > 3 and cells[0] == record.id and not cells[1].isdigit():
            yield Relation(cells[1], tuple(cells[2:]))


def _decoded(block: Block, repairs: Repairs) -> str:
    data = block.data
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        decoded = _decoded_by_document(block, repairs)
    if "\0" in decoded:
        # A blank of the same width keeps every offset true.
        repairs.count("nul_character", decoded.count("\0"))
        decoded = decoded.replace("\0", " ")
    if "\r" in decoded:
        repairs.count("windows_line_end", decoded.count("\r\n"))
        decoded = decoded.replace("\r\n", "\n")
    return decoded


def _decoded_by_document(block: Block, repairs: Repairs) -> str:
    pieces: list[str] = []
    line = block.line
    for piece in block.data.split(b"\n\n"):
        try:
            pieces.append(piece.decode())
        except UnicodeDecodeError as fault:
            bad = line + piece.count(b"\n", 0, fault.start)
            repairs.refuse(f"{block.name}:{bad}", "not UTF-8; name its encoding with --encoding")
            pieces.append("\n" * piece.count(b"\n"))
        line += piece.count(b"\n") + 2
    return "\n\n".join(pieces)


def _odd_piece(piece: str, line: int, waiting: Record | None, name: str, repairs: Repairs) -> list[Record]:
    """What stands between two blank lines and is not one regular record.

    May go on with the waiting record (a blank line inside a document); such a record keeps its line number.
    """
    found: list[Record] = []
    current = waiting
    for number, row in enumerate(piece.split("\n"), line):
        if not row.strip():
            continue
        kind, ident, value = _header(row)
        if kind in _TITLE_KINDS:
            current = Record(ident, value, "", "", number, has_abstract_line=False)
            found.append(current)
            continue
        if current is None or ident != current.id:
            repairs.count("row_of_another_document" if "\t" in row else "line_unreadable")
            repairs.note(f"{name}:{number}", "a line that belongs to no title line")
            continue
        if kind in _ABSTRACT_KINDS and current.has_abstract_line:
            repairs.count("second_abstract_line")
            repairs.note(
                f"{name}:{number}", f"a second abstract line of {ident}, kept as a section of its own"
            )
            changed = msgspec.structs.replace(current, more=(*current.more, Section("abstract", value)))
        elif kind in _ABSTRACT_KINDS:
            changed = msgspec.structs.replace(current, abstract=value, has_abstract_line=True)
        elif kind:
            changed = msgspec.structs.replace(current, more=(*current.more, Section(kind.lower(), value)))
        else:
            changed = msgspec.structs.replace(current, rows=f"{current.rows}\n{row}" if current.rows else row)
        if not found:
            repairs.count("blank_line_inside_document", int(number == line))
            found.append(changed)
        else:
            found[-1] = changed
        current = changed
    repairs.count("document_without_abstract_line", sum(not r.has_abstract_line for r in found))
    return found


def _header(row: str) -> tuple[str, str, str]:
    """(kind, id, value) of a `id|kind|value` line; ("", id, "") of a row of tabs."""
    ident, bar, rest = row.partition("|")
    kind, bar_2, value = rest.partition("|")
    if bar and bar_2 and ident and kind.isalpha() and "\t" not in ident:
        return kind, ident, value
    return "", row.partition("\t")[0], ""


def _is_header(line: bytes) -> bool:
    ident, bar, rest = line.partition(b"|")
    return bool(bar) and bool(ident) and b"\t" not in ident and rest.startswith((b"t|", b"title|"))


def _has_header(data: bytes) -> bool:
    return _last_header(data) >= 0


def _last_header(data: bytes) -> int:
    """Where the last title line begins, -1 if there is none."""
    end = len(data)
    while True:
        at = max(data.rfind(b"|t|", 0, end), data.rfind(b"|title|", 0, end))
        if at < 0:
            return -1
        start = data.rfind(b"\n", 0, at) + 1
        if _is_header(data[start : at + 7]):
            return start
        end = at


def _read_fully(stream: BinaryIO, size: int) -> tuple[bytes, InputError | None]:
    """`size` bytes, or fewer at the end of the stream; with the error of a stream that breaks off."""
    parts: list[bytes] = []
    while size > 0:
        try:
            data = stream.read(min(size, 1 << 20))
        except InputError as fault:
            return b"".join(parts), fault
        if not data:
            break
        parts.append(data)
        size -= len(data)
    return b"".join(parts), None
