"""Tokens with tags of entities, a token a line (IOB, BIO, BIOES, CoNLL).

    ###MEDLINE:95369245          begins a document; so do "-DOCSTART- (95369245)" and "# newdoc id = 95369245"
    IL-2<TAB>B-DNA               the token in the first column, its tag in the last; tabs or blanks between them
    gene<TAB>I-DNA
    expression<TAB>O
                                 a blank line ends a sentence

The text is the tokens with one blank between them, a line a sentence, since the format has lost the author's blanks.
The first sentence of a document with an id is its title, as in corpora of abstracts. A mention has a type and no
identifier. Other lines that begin with # are comments.

Source: CoNLL 2003's shared task; the files of JNLPBA 2004.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import BinaryIO, NamedTuple

from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError, empty_file, until_malformed
from anagnosis.documents.io.xml_prolog import BOM
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import TruncatedError
from anagnosis.io.compression import without_compression

SUFFIXES = (".iob", ".iob2", ".bio", ".bioes", ".conll")
LONGEST_LINE = 1 << 16
MOST_TOKENS = 4 << 20  # of a document
_ID = re.compile(r"(?:###\s*(?:\w+:)?|-DOCSTART-[^(]*\(|#\s*(?:newdoc )?id\s*=\s*)([^\s()]+)\)?(?:\s.*)?")
_DOCSTART = "-DOCSTART-"
_TAG = re.compile(r"O|([BIESLU])-(\S+)")
_BEGINS, _ENDS = "BSU", "ESLU"
_SNIFFED = 5  # lines


class _Token(NamedTuple):
    word: str
    prefix: str
    type: str


def sniff(head: bytes) -> bool:
    """Whether the first lines of a file that starts with these decompressed bytes are tokens with tags."""
    whole, newline, _ = head.removeprefix(BOM).decode(errors="replace").rpartition("\n")
    lines = (line for line in (whole if newline else head.decode(errors="replace")).split("\n"))
    tokens = [line for line in lines if line.strip() and not _is_comment(line)][:_SNIFFED]
    return bool(tokens) and all(_token(line) is not None for line in tokens)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a document.

    repairs: gets begin_tag_missing (a mention that begins with I, as the first version of IOB allows),
    mention_without_identifier, and the refused documents by "name:line". TruncatedError: the last line is no token.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    stem = PurePath(without_compression(name)).name.partition(".")[0] or name
    document = _Document()
    number = done = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        where = f"{name}:{number}"
        if len(raw) > LONGEST_LINE or document.size > MOST_TOKENS:
            what = (
                "a line longer than 64 KiB" if len(raw) > LONGEST_LINE else "a document of 4 million tokens"
            )
            raise MalformedError(what, where, "write a token a line, and a line in front of each document")
        try:
            line = raw.removeprefix(BOM).decode().strip()
        except UnicodeDecodeError:
            document.refuse(where, "not UTF-8")
            continue
        if _is_comment(line):
            ident = _ID.fullmatch(line)
            if ident or line.startswith(_DOCSTART):
                yield from document.closed(repairs, f"{stem}:{done + 1}" if done else stem)
                done += document.size > 0
                document = _Document(ident[1] if ident else "")
        elif not line:
            document.end_sentence()
        elif token := _token(line):
            document.add(token)
        elif raw.endswith(b"\n"):
            document.refuse(where, "no token and tag (O, B-Type, I-Type)")
        else:
            raise TruncatedError("the file ends inside a line", where, FETCH_AGAIN)
    if not number:
        raise empty_file(name)
    if not done and not document.size and not document.fault:
        raise MalformedError("no token in it", name, "check the format, or name it with --format")
    yield from document.closed(repairs, f"{stem}:{done + 1}" if done else stem)


class _Document:
    """The document that is being read. size: its tokens. fault: (where, why) it is refused, or None."""

    def __init__(self, ident: str = "") -> None:
        self.fault: tuple[str, str] | None = None
        self.size = 0
        self._ident = ident
        self._sentences: list[list[_Token]] = [[]]

    def add(self, token: _Token) -> None:
        self._sentences[-1].append(token)
        self.size += 1

    def end_sentence(self) -> None:
        if self._sentences[-1]:
            self._sentences.append([])

    def refuse(self, where: str, why: str) -> None:
        self.fault = self.fault or (where, why)

    def closed(self, repairs: Repairs, default_id: str) -> Iterator[Document]:
        """The document, if it has tokens and no fault. default_id: for one without an id."""
        if self.fault:
            repairs.refuse(*self.fault)
            return
        sentences = [sentence for sentence in self._sentences if sentence]
        if not sentences:
            return
        lines, mentions, start = list[str](), list[Mention](), 0
        for sentence in sentences:
            line = " ".join(token.word for token in sentence)
            mentions += _mentions(sentence, line, start, repairs)
            lines.append(line)
            start += len(line) + 1
        repairs.count("mention_without_identifier", len(mentions))
        titled = [Section("title", lines.pop(0))] if self._ident else []
        rest = [Section("abstract" if self._ident else "body", "\n".join(lines))] if lines else []
        yield Document(self._ident or default_id, (*titled, *rest), tuple(mentions))


def _mentions(sentence: Sequence[_Token], line: str, start: int, repairs: Repairs) -> Iterator[Mention]:
    """The mentions of a sentence. start: of the line in the document's text."""
    at, begin, type, is_open = 0, 0, "", False
    end = 0
    for token in (*sentence, _Token("", "", "")):
        continues = is_open and token.prefix not in ("", *_BEGINS) and token.type == type
        if is_open and not continues:
            yield Mention(((start + begin, start + end),), line[begin:end], type, "")
            is_open = False
        if token.prefix and not continues:
            repairs.count("begin_tag_missing", token.prefix not in _BEGINS)
            begin, type, is_open = at, token.type, True
        end = at + len(token.word)
        if is_open and token.prefix in _ENDS and token.prefix:
            yield Mention(((start + begin, start + end),), line[begin:end], type, "")
            is_open = False
        at = end + 1


def _is_comment(line: str) -> bool:
    return line.startswith(_DOCSTART) or (line.startswith("#") and _token(line) is None)


def _token(line: str) -> _Token | None:
    """The token of a line; None if it is none."""
    columns = line.strip().split("\t") if "\t" in line else line.split()
    tag = _TAG.fullmatch(columns[-1].strip()) if len(columns) > 1 else None
    word = " ".join(columns[0].split()) if tag else ""
    return _Token(word, tag[1] or "", tag[2] or "") if tag and word else None
