"""The source of the bundled corpus: running text with mentions in brackets, from which we compute offsets.

    # a remark
    ID: ana0043
    TITLE: Does [[metformin|Chemical|MESH:D008687]] slow ageing?
    ABSTRACT: One line. A mention is [[surface|type|identifier]]. Mentions may be nested, which makes overlapping
    mentions: [[severe [[pain|Disease|MESH:D010146]]|Disease|MESH:D059350]].

(the abstract is one line; it is broken here for reading). Blank lines separate documents; a line that begins with
# is a remark. Type and identifier may be empty or joined (`MESH:D1;MESH:D2`): they are kept as
written. Offsets are those of PubTator: characters of title, one character, abstract.

`python -m anagnosis.corpus.marking` generates carried.pubtator from carried.txt.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats.pubtator import format as pubtator
from anagnosis.errors import InputError
from anagnosis.io import files

SOURCE = Path(__file__).with_name("carried.txt")
FIELDS = ("ID", "TITLE", "ABSTRACT")

_Line = tuple[int, str]

# An opening, a closing with its two fields, or a closing that lacks them.
_BRACKETS = re.compile(r"\[\[|\|(?P<type>[^|\[\]]*)\|(?P<identifier>[^\[\]]*)\]\]|\]\]")


def read(stream: BinaryIO, name: str = "") -> Iterator[Document]:
    """The documents of the source, in order. name: of the file, for errors ("carried.txt:12")."""
    seen: dict[str, int] = {}
    for lines in _blocks(stream, name):
        document = _document(lines, name)
        number = lines[0][0]
        if document.id in seen:
            raise InputError(
                f"the id {document.id} is used again (first on line {seen[document.id]})",
                f"{name}:{number}",
                "give this document another id",
            )
        seen[document.id] = number
        yield document


def unmarked(text: str, where: str = "", shift: int = 0) -> tuple[str, list[Mention]]:
    """(text without brackets, mentions sorted by start). shift: added to every offset."""
    parts: list[str] = []
    opened: list[int] = []
    mentions: list[Mention] = []
    length = at = 0
    for bracket in _BRACKETS.finditer(text):
        parts.append(text[at : bracket.start()])
        length += bracket.start() - at
        at = bracket.end()
        if bracket[0] == "[[":
            opened.append(length)
            continue
        if not opened:
            raise InputError(
                f"{bracket[0]!r} closes a mention that was not opened", where, "write [[ before the mention"
            )
        if bracket["type"] is None:
            raise InputError(
                "a mention without type and identifier", where, "write [[surface|type|identifier]]"
            )
        start = opened.pop()
        surface = "".join(parts)[start:]
        if not surface or surface != surface.strip():
            raise InputError(
                f"a mention of {surface!r}",
                where,
                "put the words only into brackets, without blanks at the ends",
            )
        mentions.append(
            Mention(((start + shift, length + shift),), surface, bracket["type"], bracket["identifier"])
        )
    if opened:
        raise InputError("a mention that is not closed", where, "write |type|identifier]] behind the mention")
    parts.append(text[at:])
    return "".join(parts), sorted(mentions, key=lambda mention: mention.spans)


def as_pubtator(source: Path) -> bytes:
    """The source file as PubTator text."""
    text = io.BytesIO()
    with files.open_input(source) as stream:
        pubtator.write(read(stream, source.name), text)
    return text.getvalue()


def main() -> None:
    """Generate carried.pubtator."""
    files.write_bytes(SOURCE.with_suffix(".pubtator"), as_pubtator(SOURCE))


def _blocks(stream: BinaryIO, name: str) -> Iterator[list[_Line]]:
    """The numbered lines of each document, without remarks."""
    block: list[_Line] = []
    for number, raw in enumerate(stream, 1):
        try:
            line = raw.decode().strip()
        except UnicodeDecodeError as fault:
            raise InputError("not UTF-8", f"{name}:{number}", "save the file as UTF-8") from fault
        if line.startswith("#"):
            continue
        if line:
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _document(lines: list[_Line], name: str) -> Document:
    values: list[str] = []
    for place, (number, line) in enumerate(lines):
        where = f"{name}:{number}"
        if place == len(FIELDS):
            raise InputError(
                f"a line after the abstract: {line[:40]!r}", where, "separate documents by a blank line"
            )
        if not line.startswith(f"{FIELDS[place]}:"):
            raise InputError(
                f"not a line `{FIELDS[place]}: …`: {line[:40]!r}",
                where,
                "write ID, TITLE and ABSTRACT in this order",
            )
        values.append(line.partition(":")[2].strip())
    last = f"{name}:{lines[-1][0]}"
    if len(values) < len(FIELDS):
        raise InputError(
            f"a document without a line `{FIELDS[len(values)]}: …`",
            last,
            "it may be empty, but it must be there",
        )
    ident, marked_title, marked_abstract = values
    if not ident or re.search(r"[|\s]", ident):
        raise InputError(f"the id {ident!r}", f"{name}:{lines[0][0]}", "write one word without bars")
    title, in_title = unmarked(marked_title, f"{name}:{lines[1][0]}")
    abstract, in_abstract = unmarked(marked_abstract, last, len(title) + 1)
    return Document(
        ident, (Section("title", title), Section("abstract", abstract)), (*in_title, *in_abstract)
    )


if __name__ == "__main__":
    main()
