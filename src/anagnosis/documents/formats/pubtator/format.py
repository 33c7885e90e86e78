"""PubTator text: one line of title, one of abstract, a row for each mention, a blank line.

    27000083|t|Aspirin and stroke.
    27000083|a|Patients took aspirin daily. …
    27000083<TAB>0<TAB>7<TAB>Aspirin<TAB>Chemical<TAB>MESH:D001241

Offsets count characters of title and abstract with one character between them; those of files that count otherwise
are placed by the mentions of the document (`documents/offsets.py`). NCBI describes the format
(ncbi.nlm.nih.gov/research/pubtator); we count real files' departures from it by name (docs/receipts.md).

Reading has two steps, so that a builder can stop early: `records` splits text into records without reading their
rows, `mentions` reads the rows of one record. `read` does both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import ne
from typing import BinaryIO

import msgspec

from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats.pubtator import rows as pubtator_rows
from anagnosis.documents.io.blocks import BLOCK, Block, cut
from anagnosis.documents.io.malformed import FETCH_AGAIN, empty_file, ends_inside_line
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import states
from anagnosis.errors import InputError, TruncatedError

SUFFIXES = (".pubtator", ".txt", ".offset", ".offsets")

_TITLE_KINDS = ("t", "title")
_ABSTRACT_KINDS = ("a", "abstract")
_TITLE_LINE = re.compile(rb"^[^|\t\r\n]+\|(?:t|title)\|", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.?!…][\])}\"'”’»]*\s*$")
_BOM = "\ufeff"


class Record(msgspec.Struct, frozen=True, gc=False):
    """A document whose rows are still text. line: of the title. more: sections after the abstract."""

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

    repairs: gets the repairs by name, and the refused documents by "name:line".
    """
    for block in blocks(stream, name):
        yield from documents(block, repairs)


def blocks(stream: BinaryIO, name: str = "", size: int = BLOCK) -> Iterator[Block]:
    """Cut a stream between documents into blocks of about `size` bytes; the cuts depend on the bytes alone.

    Raises TruncatedError after the last block if the stream breaks off or the last line is incomplete.
    """
    last = None
    for last in cut(
        stream,
        name,
        size,
        end_of_last=lambda data: max(0, _last_header(data)),
        refuse_other=lambda head, is_all: _refuse_other_text(head, name, is_all=is_all),
        what="PubTator text",
    ):
        yield last
    if last is not None and ends_inside_line(last.data, _is_unfinished):
        line = last.line + last.data.count(b"\n")
        raise TruncatedError("the file ends inside a line", f"{name}:{line}", FETCH_AGAIN)


def documents(block: Block, repairs: Repairs) -> Iterator[Document]:
    """The documents of a block, with their mentions and relations."""
    return (document(record, repairs, block.name) for record in records(block, repairs))


def records(block: Block, repairs: Repairs) -> Iterator[Record]:
    """The records of a block, each with its rows unread. Counts the text's faults."""
    line = block.line
    waiting: Record | None = None
    for paragraph in _decoded(block, repairs).split("\n\n"):
        head, _, rest = paragraph.partition("\n")
        second, _, rows = rest.partition("\n")
        ident, _, title = head.partition("|t|")
        ident_2, _, abstract = second.partition("|a|")
        regular = ident and ident == ident_2 and "|" not in ident and "\t" not in ident
        if regular and "|t|" not in rows and "|a|" not in rows and "|title|" not in rows:
            complete = [Record(ident, title, abstract, rows, line)]
        else:
            complete = _irregular_records(paragraph, line, waiting, block.name, repairs)
        for record in complete:
            if waiting is not None and record.line != waiting.line:
                repairs.count("document_without_abstract_line", int(not waiting.has_abstract_line))
                yield waiting
            waiting = record
        line += paragraph.count("\n") + 2
    if waiting is not None:
        repairs.count("document_without_abstract_line", int(not waiting.has_abstract_line))
        yield waiting


def document(record: Record, repairs: Repairs, name: str = "") -> Document:
    """The document of a record, with its rows read."""
    sections = [Section("title", record.title)]
    if record.has_abstract_line:
        sections.append(Section("abstract", record.abstract))
    sections.extend(record.more)
    return Document(
        record.id,
        tuple(sections),
        tuple(mentions(record, repairs, name)),
        tuple(pubtator_rows.relations(record.rows, record.id)),
        states(record.title),
    )


def text(record: Record) -> str:
    """The record's full text: title, abstract and further sections joined by one newline."""
    return "\n".join(_texts(record))


def _texts(record: Record) -> list[str]:
    parts = [record.title, record.abstract] if record.has_abstract_line else [record.title]
    return [*parts, *(section.text for section in record.more)]


def mentions(record: Record, repairs: Repairs, name: str = "") -> list[Mention]:
    """The mentions of a record, ordered by start, with offsets into `text(record)`.

    A mention is kept if its text, or a normalised form of it, stands at its offsets.
    Counted: mention_without_identifier, mention_without_text, row_without_type, row_unreadable,
    row_of_another_document, duplicate_row, rows_out_of_order, mention_text_normalised, mention_text_differs,
    mention_beyond_text, and what `places` counts.
    """
    where = f"{name}:{record.line}"
    rows = pubtator_rows.parse_rows(record.rows, record.id, where, repairs)
    if not rows:
        return []
    repairs.count("rows_out_of_order", sum(b[0] < a[0] for a, b in pairwise(rows)))
    full = text(record)
    if any(full[start:end] != surface for start, end, surface, _, _ in rows):
        rows = pubtator_rows.fit_offsets(rows, _texts(record), where, repairs)
    ordered = sorted(rows, key=lambda row: row[:2])
    repairs.count("duplicate_row", len(rows) - len(set(rows)))
    return [Mention(((row[0], row[1]),), *row[2:]) for row in dict.fromkeys(ordered)]


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as PubTator text; returns counts, by name, of what the format cannot express.

    Sections after the title go into the abstract line, with a blank for each newline, so that offsets stay valid.
    """
    losses = Counter[str]()
    for doc in documents:
        if not doc.id or any(c in doc.id for c in "|\t\r\n"):
            raise InputError(
                "PubTator text cannot hold this document id", repr(doc.id), "give the document a plain id"
            )
        lines = _text_lines(doc, losses)
        for row in _rows(doc, losses):
            cells = [_one_line(cell).replace("\t", " ") for cell in row]
            losses["tab_or_line_break_in_row"] += sum(map(ne, cells, row))
            lines.append("\t".join(cells))
        stream.write(("\n".join(lines) + "\n\n").encode())
    return dict(+losses)


def _has_title(doc: Document) -> bool:
    """Whether the text starts with a plain title; if not, the title line is empty and offsets grow by one."""
    return bool(doc.sections) and doc.sections[0].label == "title" and not doc.sections[0].title


def _text_lines(doc: Document, losses: Counter[str]) -> list[str]:
    """The title line, and the abstract line with all other sections."""
    if _has_title(doc):
        title, others = doc.sections[0].text, doc.sections[1:]
        abstract = doc.text[len(title) + 1 :]
    else:
        title, others, abstract = "", doc.sections, doc.text
        losses["title_moved_to_abstract"] += bool(others)
    section_breaks = max(0, len(doc.sections) - 1)
    losses["section_boundary"] += max(0, len(others) - 1)
    losses["section_label"] += sum(section.label != "abstract" for section in others)
    losses["line_break_in_text"] += doc.text.count("\n") + doc.text.count("\r") - section_breaks
    losses["fact"] += len(doc.facts)
    lines = [f"{doc.id}|t|{_one_line(title)}"]
    if others or not _has_title(doc):
        lines.append(f"{doc.id}|a|{_one_line(abstract)}")
    return lines


def _rows(doc: Document, losses: Counter[str]) -> Iterator[tuple[str, ...]]:
    """The cells of each mention's row, then of each relation's."""
    shift = 0 if _has_title(doc) else 1
    for mention in doc.mentions:
        if not mention.text:
            losses["mention_without_text"] += 1
        elif not mention.type or "|" in mention.type:
            losses["mention_type"] += 1
        else:
            losses["discontinuous_mention"] += len(mention.spans) > 1
            losses["mention_name"] += bool(mention.name)
            start, end = str(mention.start + shift), str(mention.end + shift)
            yield doc.id, start, end, mention.text, mention.type, mention.identifier
    for relation in doc.relations:
        row = (doc.id, relation.type, *relation.arguments)
        if pubtator_rows.is_relation(row):
            yield row
        else:
            losses["relation"] += 1


def _one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")


def _decoded(block: Block, repairs: Repairs) -> str:
    data = block.data
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        decoded = _decoded_by_document(block, repairs)
    if "\0" in decoded:
        # A blank of the same width keeps all offsets valid.
        repairs.count("nul_character", decoded.count("\0"))
        decoded = decoded.replace("\0", " ")
    if "\r" in decoded:
        repairs.count("windows_line_end", decoded.count("\r\n"))
        decoded = decoded.replace("\r\n", "\n")
        # A lone carriage return is a character of the text.
        repairs.count("lone_carriage_return", decoded.count("\r"))
    if _BOM in decoded:
        # Joining files leaves the byte order mark of each.
        repairs.count("mark_inside", decoded.count(f"\n{_BOM}"))
        decoded = decoded.replace(f"\n{_BOM}", "\n")
    return decoded


def _decoded_by_document(block: Block, repairs: Repairs) -> str:
    """The block decoded document by document; one that is not UTF-8 is refused and leaves empty lines."""
    titles = [title.start() for title in _TITLE_LINE.finditer(block.data)]
    texts: list[str] = []
    line = block.line
    for start, end in pairwise(sorted({0, *titles, len(block.data)})):
        data = block.data[start:end]
        try:
            texts.append(data.decode())
        except UnicodeDecodeError as fault:
            bad = line + data.count(b"\n", 0, fault.start)
            repairs.refuse(f"{block.name}:{bad}", "not UTF-8; name its encoding with --encoding")
            texts.append("\n" * data.count(b"\n"))
        line += data.count(b"\n")
    return "".join(texts)


def _irregular_records(
    paragraph: str, line: int, waiting: Record | None, name: str, repairs: Repairs
) -> list[Record]:
    """The records in text between two blank lines that is not one regular record.

    It may continue the waiting record (a blank line inside a document), which keeps its line number.
    """
    irregular: list[Record] = []
    current = waiting
    for number, row in enumerate(paragraph.split("\n"), line):
        if not row.strip():
            continue
        kind, ident, value = _header(row)
        if kind in _TITLE_KINDS:
            current = Record(ident, value, "", "", number, has_abstract_line=False)
            irregular.append(current)
            continue
        if current is None or ident != current.id:
            repairs.count("row_of_another_document" if "\t" in row else "line_unreadable")
            repairs.note(f"{name}:{number}", "a line that belongs to no title line")
            continue
        if kind in _ABSTRACT_KINDS and current.has_abstract_line:
            repairs.count("second_abstract_line")
            repairs.note(f"{name}:{number}", f"a second abstract line of {ident}, kept as a separate section")
            changed = msgspec.structs.replace(current, more=(*current.more, Section("abstract", value)))
        elif kind in _ABSTRACT_KINDS:
            changed = msgspec.structs.replace(current, abstract=value, has_abstract_line=True)
        elif kind:
            changed = msgspec.structs.replace(current, more=(*current.more, Section(kind.lower(), value)))
        else:
            changed = msgspec.structs.replace(current, rows=f"{current.rows}\n{row}" if current.rows else row)
        if not irregular:
            repairs.count("blank_line_inside_document")
            irregular.append(changed)
        else:
            irregular[-1] = changed
        current = changed
    return irregular


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


def _refuse_other_text(head: bytes, name: str, *, is_all: bool) -> None:
    """Raise an error if the first bytes cannot be PubTator text."""
    if not head.strip():
        if is_all:
            raise empty_file(name)
    elif b"\r" in head and b"\n" not in head:
        raise InputError(
            "its lines end in carriage returns alone", f"{name}:1", "convert them, as with tr '\\r' '\\n'"
        )
    elif _last_header(head) < 0:
        raise InputError(
            "no line like `27000083|t|Title`: not PubTator text",
            f"{name}:1",
            "check the format, or name it with --format",
        )


def _is_unfinished(line: str) -> bool:
    """Whether the last line shows that the text breaks off, since PubTator text has no end tag.

    Signs: a title without its abstract, an abstract without rows that ends inside a sentence, a row without type.
    """
    kind, _, value = _header(line)
    if kind in _TITLE_KINDS:
        return True
    if kind:
        return bool(value) and not _SENTENCE_END.search(value)
    cells = line.split("\t")
    return not pubtator_rows.is_relation(cells) and (len(cells) < 5 or not cells[4])


def _last_header(data: bytes) -> int:
    """The start of the last title line, -1 if there is none."""
    return max(_last_line_with(b"|t|", data), _last_line_with(b"|title|", data))


def _last_line_with(separator: bytes, data: bytes) -> int:
    end = len(data)
    while (at := data.rfind(separator, 0, end)) >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        if _is_header(data[start : at + len(separator)]):
            return start
        end = start
    return -1
