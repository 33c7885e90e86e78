"""PubTator text: one line of title, one of abstract, a row for each mention, a blank line.

    27000083|t|Aspirin and stroke.
    27000083|a|Patients took aspirin daily. …
    27000083<TAB>0<TAB>7<TAB>Aspirin<TAB>Chemical<TAB>MESH:D001241
    27000083<TAB>CID<TAB>D001241<TAB>D020521                         a relation: a word, and identifiers

Offsets count characters of title and abstract with one character between them; those of files that count otherwise
are placed by the mentions of the document (`documents/offsets.py`). NCBI describes the format
(ncbi.nlm.nih.gov/research/pubtator).

A builder reads in two steps: `records` splits text into records, `mentions` reads the rows of one record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import BinaryIO

import msgspec

from anagnosis.documents.document import Document, Mention, Relation, Section, linked
from anagnosis.documents.io.malformed import FETCH_AGAIN, empty_file, ends_inside_line
from anagnosis.documents.io.xml_stream import partial_read
from anagnosis.documents.offsets import Claim, places
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import states
from anagnosis.errors import InputError, TruncatedError

SUFFIXES = (".pubtator", ".txt", ".offset", ".offsets")
BLOCK = 8 << 20
LONGEST_DOCUMENT = 64 << 20
_HEAD = 1 << 16  # bytes that show whether it is this format

_TITLES, _ABSTRACTS = ("t", "title"), ("a", "abstract")
_TITLE_LINE = re.compile(rb"^[^|\t\r\n]+\|(?:t|title)\|", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.?!…][\])}\"'”’»]*\s*$")
_MOST_DIGITS = 9
_BOM = "\ufeff"

_Row = tuple[int, int, str, str, str]


class Block(msgspec.Struct, frozen=True, gc=False):
    """Whole documents cut out of a file. line: the number of its first line, from 1."""

    name: str
    line: int
    data: bytes


class Record(msgspec.Struct, gc=False):
    """A document whose rows are still text. line: of the title. more: sections after the abstract."""

    id: str
    title: str
    abstract: str
    rows: list[str]
    line: int
    more: list[Section] = []
    has_abstract_line: bool = True


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is PubTator text."""
    return _TITLE_LINE.match(head.lstrip(b"\r\n")) is not None


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a block.

    repairs: gets the repairs by name, and the refused documents by "name:line".
    """
    for block in blocks(stream, name):
        yield from documents(block, repairs)


def blocks(stream: BinaryIO, name: str = "", size: int = BLOCK) -> Iterator[Block]:
    """Cut a stream between documents into blocks of about `size` bytes; the cuts depend on the bytes alone.

    If the stream breaks off, its error follows the blocks before the break; so does TruncatedError for a last line that
    is incomplete. InputError: another format, or a document longer than 64 MiB.
    """
    line, rest, block, wanted = 1, b"", None, size
    while True:
        data, fault = _read_fully(stream, wanted)
        is_end = len(data) < wanted and fault is None
        rest += data
        end = _last_title(rest)
        if block is None and end < 0 and is_end and not rest.strip():
            raise empty_file(name)
        if block is None and end < 0 and rest.strip() and (is_end or len(rest) >= _HEAD):
            what = "no line like `27000083|t|Title`: not PubTator text"
            raise InputError(what, f"{name}:1", "check the format, or name it with --format")
        end = max(0, end)
        if len(rest) - end > LONGEST_DOCUMENT:
            what = f"a document longer than {LONGEST_DOCUMENT >> 20} MiB"
            begins = line + rest.count(b"\n", 0, end)
            raise InputError(what, f"{name}:{begins}", "split it, or check that this is PubTator text")
        end = len(rest) if is_end else end
        if end:
            block = Block(name, line, rest[:end])
            yield block
            line += rest.count(b"\n", 0, end)
            rest = rest[end:]
        # Search a long document again only once twice as much of it is there.
        wanted = max(size, min(len(rest), LONGEST_DOCUMENT + 1 - len(rest)))
        if fault is not None:
            raise fault
        if is_end:
            break
    if block is not None and ends_inside_line(block.data, _is_unfinished):
        raise TruncatedError("the file ends inside a line", f"{name}:{line}", FETCH_AGAIN)


def documents(block: Block, repairs: Repairs) -> Iterator[Document]:
    """The documents of a block, with their mentions and relations."""
    return (document(record, repairs, block.name) for record in records(block, repairs))


def records(block: Block, repairs: Repairs) -> Iterator[Record]:
    """The records of a block, each with its rows unread.

    Counted: document_without_abstract_line, row_unreadable, nul_character, windows_line_end, mark_inside.
    """
    for record in _records(_decoded(block, repairs), block, repairs):
        repairs.count("document_without_abstract_line", not record.has_abstract_line)
        yield record


def _records(text: str, block: Block, repairs: Repairs) -> Iterator[Record]:
    line = block.line
    record: Record | None = None
    for paragraph in text.split("\n\n"):
        head, _, rest = paragraph.partition("\n")
        second, _, rows = rest.partition("\n")
        ident, _, title = head.partition("|t|")
        ident_2, _, abstract = second.partition("|a|")
        regular = ident and ident == ident_2 and "|" not in ident and "\t" not in ident
        if regular and "|t|" not in rows and "|a|" not in rows and "|title|" not in rows:
            if record is not None:
                yield record
            record = Record(ident, title, abstract, rows.split("\n"), line)
        else:
            # Several documents, or more of the last one behind a blank line inside it.
            for number, row in enumerate(paragraph.split("\n"), line):
                kind, ident, value = _header(row)
                if kind in _TITLES:
                    if record is not None:
                        yield record
                    record = Record(ident, value, "", [], number, has_abstract_line=False)
                elif record is None or ident != record.id:
                    if row.strip():
                        repairs.count("row_unreadable")
                        repairs.note(f"{block.name}:{number}", "a line that belongs to no title line")
                elif not kind:
                    record.rows.append(row)
                elif kind in _ABSTRACTS and not record.has_abstract_line:
                    record.abstract, record.has_abstract_line = value, True
                else:  # a second abstract is a section of its own
                    record.more.append(Section("abstract" if kind in _ABSTRACTS else kind.lower(), value))
        line += paragraph.count("\n") + 2
    if record is not None:
        yield record


def document(record: Record, repairs: Repairs, name: str = "") -> Document:
    """The document of a record, with its rows read."""
    abstract = (Section("abstract", record.abstract),) if record.has_abstract_line else ()
    rows = (row.split("\t") for row in record.rows)
    return Document(
        record.id,
        (Section("title", record.title), *abstract, *record.more),
        tuple(mentions(record, repairs, name)),
        tuple(Relation(row[1], tuple(row[2:])) for row in rows if row[0] == record.id and _is_relation(row)),
        states(record.title),
    )


def mentions(record: Record, repairs: Repairs, name: str = "") -> list[Mention]:
    """The mentions of a record, ordered by start, with offsets into its title, abstract and further sections.

    A mention is kept if its text, or a normalised form of it, stands at its offsets. Counted: row_unreadable,
    mention_without_identifier, duplicate_row, mention_text_normalised, mention_text_differs, mention_beyond_text, and
    what `places` counts.
    """
    where = f"{name}:{record.line}"
    rows = _rows(record, where, repairs)
    if not rows:
        return []
    texts = [record.title, record.abstract] if record.has_abstract_line else [record.title]
    texts += [section.text for section in record.more]
    text = "\n".join(texts)
    if any(text[start:end] != surface for start, end, surface, _, _ in rows):
        rows = _placed(rows, texts, where, repairs)
    ordered = sorted(rows, key=lambda row: row[:2])
    repairs.count("duplicate_row", len(rows) - len(set(rows)))
    return [Mention(((row[0], row[1]),), *row[2:]) for row in dict.fromkeys(ordered)]


def _rows(record: Record, where: str, repairs: Repairs) -> list[_Row]:
    """The rows of mentions, in the order of the lines."""
    rows: list[_Row] = []
    unlinked = unreadable = 0
    for row in record.rows:
        cells = row.split("\t")
        if (
            4 < len(cells) < 8
            and cells[0] == record.id
            and len(cells[1]) <= _MOST_DIGITS
            and len(cells[2]) <= _MOST_DIGITS
            and cells[1].isdecimal()
            and cells[2].isdecimal()
            and cells[3]
            and _is_type(cells[4])
        ):
            identifier = linked(cells[5]) if len(cells) > 5 else ""
            unlinked += not identifier
            rows.append((int(cells[1]), int(cells[2]), cells[3], cells[4], identifier))
        elif row.strip() and not (cells[0] == record.id and _is_relation(cells)):
            unreadable += 1
    repairs.count("mention_without_identifier", unlinked)
    if unreadable:
        repairs.count("row_unreadable", unreadable)
        repairs.note(where, "a row that is no mention: id, start, end, text, type, identifier")
    return rows


@lru_cache(maxsize=1 << 10)
def _is_type(cell: str) -> bool:
    """Whether a cell is a type; an identifier in the wrong column is a number or has separators."""
    return bool(cell) and not cell.isdigit() and "|" not in cell and ":" not in cell


def _is_relation(cells: Sequence[str]) -> bool:
    return len(cells) > 3 and cells[1][:1].isalpha()


def _placed(rows: list[_Row], texts: Sequence[str], where: str, repairs: Repairs) -> list[_Row]:
    """Rows with offsets in the document's text, without misfits. texts: of the sections."""
    kept: list[_Row] = []
    left_out = Counter[str]()
    claims = [Claim(((start, end),), surface) for start, end, surface, _, _ in rows]
    text = "\n".join(texts)
    for place, (_, _, surface, kind, ident) in zip(places(claims, texts, repairs.counts), rows, strict=True):
        if place.spans is None or not place.agreement:
            left_out["mention_text_differs" if place.spans else "mention_beyond_text"] += 1
            continue
        ((start, end),) = place.spans
        repairs.count("mention_text_normalised", text[start:end] != surface)
        kept.append((start, end, text[start:end], kind, ident))
    for counter, count in left_out.items():
        repairs.count(counter, count)
        repairs.note(where, f"{counter}: {count}, left out")
    return kept


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as PubTator text; returns counts, by name, of what the format cannot express.

    Sections after the title go into the abstract line, with a blank for each newline, so that offsets stay valid; of a
    document that begins with no plain title all do, and offsets grow by one.
    """
    losses = Counter[str]()
    for doc in documents:
        if not doc.id or any(c in doc.id for c in "|\t\r\n"):
            raise InputError(
                "PubTator text cannot hold this document id", repr(doc.id), "give the document a plain id"
            )
        has_title = doc.sections[:1] == (Section("title", doc.title),)
        title, others = (doc.title, doc.sections[1:]) if has_title else ("", doc.sections)
        losses["section"] += sum(each.label != "abstract" or at > 0 for at, each in enumerate(others))
        losses["fact"] += len(doc.facts)
        lines = [f"{doc.id}|t|{_one_line(title)}"]
        if others or not has_title:
            lines.append(f"{doc.id}|a|{_one_line(doc.text[len(title) + has_title :])}")
        for mention in doc.mentions:
            if not mention.text or not mention.type or "|" in mention.type:
                losses["mention"] += 1
                continue
            losses["discontinuous_mention"] += len(mention.spans) > 1
            places = (str(place + (not has_title)) for place in (mention.start, mention.end))
            lines.append(_row(doc.id, *places, mention.text, mention.type, mention.identifier))
        for relation in doc.relations:
            row = doc.id, relation.type, *relation.arguments
            losses["relation"] += not _is_relation(row)
            if _is_relation(row):
                lines.append(_row(*row))
        stream.write(("\n".join(lines) + "\n\n").encode())
    return dict(+losses)


def _row(*cells: str) -> str:
    return "\t".join(_one_line(cell).replace("\t", " ") for cell in cells)


def _one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")


def _read_fully(stream: BinaryIO, size: int) -> tuple[bytes, InputError | None]:
    """`size` bytes, or fewer at the end of the stream; with the error of a stream that breaks off."""
    parts: list[bytes] = []
    read = partial_read(stream)
    try:
        while size > 0 and (data := read(size)):
            parts.append(data)
            size -= len(data)
    except InputError as fault:
        return b"".join(parts), fault
    return b"".join(parts), None


def _decoded(block: Block, repairs: Repairs) -> str:
    try:
        decoded = block.data.decode()
    except UnicodeDecodeError:
        decoded = _decoded_by_document(block, repairs)
    # A blank of the same width keeps all offsets valid; a lone carriage return is a character of the text; joining
    # files leaves the byte order mark of each.
    for counter, found, instead in (
        ("nul_character", "\0", " "),
        ("windows_line_end", "\r\n", "\n"),
        ("mark_inside", f"\n{_BOM}", "\n"),
    ):
        if found in decoded:
            repairs.count(counter, decoded.count(found))
            decoded = decoded.replace(found, instead)
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
            repairs.refuse(f"{block.name}:{bad}", "not UTF-8; convert it to UTF-8")
            texts.append("\n" * data.count(b"\n"))
        line += data.count(b"\n")
    return "".join(texts)


def _header(row: str) -> tuple[str, str, str]:
    """(kind, id, value) of a `id|kind|value` line; ("", id, "") of a row of tabs."""
    ident, bar, rest = row.partition("|")
    kind, bar_2, value = rest.partition("|")
    if bar and bar_2 and ident and kind.isalpha() and "\t" not in ident:
        return kind, ident, value
    return "", row.partition("\t")[0], ""


def _is_unfinished(line: str) -> bool:
    """Whether the last line shows that the text breaks off, since PubTator text has no end tag.

    Signs: a title without its abstract, an abstract without rows that ends inside a sentence, a row without type.
    """
    kind, _, value = _header(line)
    if kind:
        return kind in _TITLES or (bool(value) and not _SENTENCE_END.search(value))
    cells = line.split("\t")
    return not _is_relation(cells) and not "".join(cells[4:5])


def _last_title(data: bytes) -> int:
    """The start of the last title line, -1 if there is none."""
    end = len(data)
    while end >= 0:
        start = data.rfind(b"\n", 0, end) + 1
        if _TITLE_LINE.match(data[start:end]):
            return start
        end = start - 1
    return -1
