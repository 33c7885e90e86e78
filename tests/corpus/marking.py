"""Marked text: running text with mentions in brackets, from which offsets are computed.

    # a remark
    ID: ana0043
    TITLE: Does [[metformin|Chemical|MESH:D008687]] slow ageing?
    ABSTRACT: One line. A mention is [[surface|type|identifier]]. Mentions may be nested, which makes overlapping
    mentions: [[severe [[pain|Disease|MESH:D010146]]|Disease|MESH:D059350]].

(the abstract is one line; it is broken here for reading). Blank lines separate documents. Type and identifier may be
empty or joined (`MESH:D1;MESH:D2`): they are kept as written. Offsets are those of PubTator: characters of title, one
character, abstract.

`python -m tests.corpus.marking` generates the bundled carried.pubtator from carried.txt.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats import pubtator

SOURCE = Path(__file__).with_name("carried.txt")
_FIELDS = ("ID", "TITLE", "ABSTRACT")
# An opening, or a closing with its two fields.
_BRACKETS = re.compile(r"\[\[|\|(?P<type>[^|\[\]]*)\|(?P<identifier>[^\[\]]*)\]\]")


def read(text: str) -> Iterator[Document]:
    """The documents of a marked text, in order."""
    lines = (line.strip() for line in text.split("\n") if not line.startswith("#"))
    for block in "\n".join(lines).split("\n\n"):
        if not block.strip():
            continue
        fields = [line.partition(":") for line in block.strip().split("\n")]
        assert tuple(name for name, _, _ in fields) == _FIELDS, block
        ident, marked_title, marked_abstract = (value.strip() for _, _, value in fields)
        title, in_title = unmarked(marked_title)
        abstract, in_abstract = unmarked(marked_abstract, len(title) + 1)
        sections = (Section("title", title), Section("abstract", abstract))
        yield Document(ident, sections, (*in_title, *in_abstract))


def unmarked(text: str, shift: int = 0) -> tuple[str, list[Mention]]:
    """(text without brackets, mentions sorted by start). shift: added to every offset."""
    plain = ""
    opened: list[int] = []
    mentions: list[Mention] = []
    at = 0
    for bracket in _BRACKETS.finditer(text):
        plain += text[at : bracket.start()]
        at = bracket.end()
        if bracket[0] == "[[":
            opened.append(len(plain))
            continue
        start = opened.pop()
        surface = plain[start:]
        assert surface == surface.strip() != "", text
        span = (start + shift, len(plain) + shift)
        mentions.append(Mention((span,), surface, bracket["type"], bracket["identifier"]))
    plain += text[at:]
    assert not opened, text
    assert not re.search(r"\[\[|\]\]", plain), text
    return plain, sorted(mentions, key=lambda mention: mention.spans)


def as_pubtator() -> bytes:
    """The source of the bundled corpus as PubTator text."""
    stream = io.BytesIO()
    pubtator.write(read(SOURCE.read_text(encoding="utf-8")), stream)
    return stream.getvalue()


if __name__ == "__main__":
    carried().write_bytes(as_pubtator())
