"""cTAKES's output as XCAS, read as the tokenised report that CliCR's program makes of it.

    <CAS version="2">
    <uima.cas.Sofa _id="1" sofaString="A fever.&#10;No cough."/>
    <org.apache.ctakes.typesystem.type.syntax.WordToken begin="0" end="1"/>
    <org.apache.ctakes.typesystem.type.textspan.Sentence begin="0" end="8"/>

gives "A fever ." and, in another line, "No cough": what ends where the text ends is lost. The document has the sections
of the format clicr-report.

Source: ctakes_to_tok of the program of CliCR (clips/clicr, commit 557f6d9); no real release was tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from anagnosis.documents.document import Document
from anagnosis.documents.formats.clicr_report import PROGRAM_INPUT, sections
from anagnosis.documents.io.malformed import MalformedError
from anagnosis.documents.io.xml_prolog import read_prolog
from anagnosis.documents.io.xml_stream import xml_root
from anagnosis.documents.offsets import characters_of
from anagnosis.documents.repairs import Repairs
from anagnosis.io.compression import without_compression

if TYPE_CHECKING:
    from lxml.etree import _Element


SUFFIXES = (".xcas", ".xml")
_NEWLINE = "NewlineToken"

# Behind these the program writes no line end for a cTAKES sentence.
_CONTINUES = (")", ":")
_REMEDY = "write the CAS with its text, tokens and sentences"


class Token(NamedTuple):
    """start, end: characters of the text, the end exclusive. is_newline: a NewlineToken."""

    start: int
    end: int
    is_newline: bool = False


def sniff(head: bytes) -> bool:
    """Whether the root is a CAS."""
    return read_prolog(head).root == "CAS"


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The file's one document; its id is the file's name without its ending.

    Counted: annotation_left_out (mentions), further_text_left_out (of another view). MalformedError: XML that is no
    CAS, or a CAS without text or tokens.
    """
    root = xml_root(stream, name, repairs)
    kinds = [(element_kind(each), each) for each in root]
    texts = [text for kind, each in kinds if kind == "Sofa" and (text := each.get("sofaString"))]
    text = texts[0] if texts else ""
    places = characters_of(text)
    tokens = [
        Token(*span_of(each, places, name), kind == _NEWLINE)
        for kind, each in kinds
        if kind.endswith("Token")
    ]
    ends = [span_of(each, places, name)[1] for kind, each in kinds if kind == "Sentence"]
    report = tokenised(text, tokens, ends)
    if not report.strip():
        raise MalformedError("no text with tokens of cTAKES", f"{name}:1", _REMEDY)
    repairs.count("further_text_left_out", len(texts) - 1)
    repairs.count("annotation_left_out", sum(kind.endswith("Mention") for kind, _ in kinds))
    bare = PurePath(without_compression(name)).name
    ident = next((bare.removesuffix(suffix) for suffix in SUFFIXES if bare.endswith(suffix)), bare)
    yield Document(ident, sections(report), facts=dict(PROGRAM_INPUT))


def tokenised(text: str, tokens: Iterable[Token], sentence_ends: Sequence[int]) -> str:
    """The text's tokens with blanks between them, and a line for each sentence and behind each newline.

    Of newlines in a row every second is left out. A sentence that ends in ")" or ":" has no line end of its own, and a
    token or sentence that ends where the text ends is lost.
    """
    ends = frozenset(sentence_ends)
    pieces: list[str] = []
    last = ""  # the last sign that is no white space
    needs_blank = is_second = False
    for token in sorted(tokens):
        if token.end >= len(text):
            continue
        word = "\n" if token.is_newline else text[token.start : token.end]
        if not (token.is_newline and is_second):
            pieces.append(f" {word}" if needs_blank and not token.is_newline else word)
            needs_blank = not token.is_newline
            last = word.rstrip()[-1:] or last
        is_second = token.is_newline and not is_second
        if token.end in ends and last not in _CONTINUES:
            pieces.append("\n")
            needs_blank = False
    return "".join(pieces)


def element_kind(element: _Element) -> str:
    """The last part of an element's type: "org.apache…textsem.SignSymptomMention" is "SignSymptomMention"."""
    return str(element.tag).rpartition("}")[2].rpartition(".")[2]


def span_of(element: _Element, places: Callable[[int], int], name: str) -> tuple[int, int]:
    """The begin and end of an annotation in characters. MalformedError: they are no offsets."""
    begin, end = element.get("begin", ""), element.get("end", "")
    if not (begin.isascii() and begin.isdigit() and end.isascii() and end.isdigit()) or len(begin + end) > 36:
        what = f"offsets {begin[:20]!r} and {end[:20]!r}"
        raise MalformedError(what, f"{name}:{element.sourceline}", _REMEDY)
    return places(int(begin)), places(int(end))
