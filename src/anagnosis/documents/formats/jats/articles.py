"""The articles of a JATS stream, each reduced to the bytes of its front matter and, on request, of its text.

The text is body, back matter and floats. A chapter of a book (BITS) is an article whose front matter begins with the
book's. A part of a book that holds chapters ends where the first of them begins. Articles inside articles are dropped.
Tags inside a comment, a CDATA section or a processing instruction do not count. Without a request for the text, faults
behind the front matter have no effect, since the document needs nothing from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from anagnosis.documents.io.blocks import partial_read
from anagnosis.documents.io.malformed import FETCH_AGAIN
from anagnosis.errors import InputError, TruncatedError

SETS = ("articles", "pmc-articleset", "article-set", "OAI-PMH", "book-part-wrapper", "book")
BLOCK = 1 << 18
LONGEST_FRONT = 16 << 20
LONGEST_TEXT = 64 << 20
_LONGEST_TAG = 1 << 16

# Elements behind the front matter.
_INSIDE = (b"sub-article", b"response")
_BEHIND = (b"body", b"back", b"floats-group", b"floats-wrap", *_INSIDE)
# Elements that efetch and PMC's OAI service give instead of an article.
_INSTEAD = (b"Reply", b"error")
_OF_BOOK = b"book-meta"
# Element of a book → that of an article.
_OF_CHAPTER = {b"book-part": b"article", b"book-part-meta": b"front"}
_NAMES = (b"article", b"front", _OF_BOOK, *_OF_CHAPTER, *_BEHIND, *_INSTEAD, *map(str.encode, SETS))
_TOKEN = re.compile(rb"<(?:(!--|!\[CDATA\[|\?)|(/?)(" + b"|".join(_NAMES) + rb")(?=[\s/>]))")
_LONGEST_TOKEN = 2 + max(map(len, _NAMES))
_CLOSINGS = {b"!--": b"-->", b"![CDATA[": b"]]>", b"?": b"?>"}
_REST_OF_TAG = re.compile(rb"[^<>]*>")
_NAMESPACE = re.compile(rb"""\sxmlns\s*=\s*(?:"[^"]*"|'[^']*')""")


class Article(NamedTuple):
    """front: the article up to the end of its front matter, with an end tag. line: of its first byte, from 1.

    fault: what is wrong with it, or "". text: the article without its front matter and the articles inside it; b""
    without a request for it or if the article is incomplete. text_line: of the first element behind the front matter.
    """

    front: bytes
    line: int
    fault: str
    text: bytes = b""
    text_line: int = 0


class Articles:
    """Iterator over the articles of a stream; raises TruncatedError if it ends inside an article or the set.

    head: bytes already read from the stream. root: the name of its first element. on_instead: called with (line, why)
    for an element that a set has instead of an article. full_text: keep the text behind the front matter too.
    """

    def __init__(
        self,
        stream: BinaryIO,
        head: bytes,
        name: str,
        root: str,
        on_instead: Callable[[int, str], None],
        *,
        full_text: bool = False,
    ) -> None:
        self._read = partial_read(stream)
        self._name = name
        self._root = root
        self._on_instead = on_instead
        self._data = head
        self._at = 0
        self._line = 1  # of the byte at _at
        # State of the open article: its first line, 0 for none; its front matter, and whether more of it may come.
        self._begins = 0
        self._front = bytearray()
        self._keeps = False
        self._has_inner = False
        self._fault = ""
        self._book = bytearray()
        self._keeps_book = False
        self._full_text = full_text
        self._text = bytearray()
        self._text_line = 0
        self._keeps_text = False

    def __iter__(self) -> Iterator[Article]:
        closed = self._root not in SETS
        try:
            for given, is_end, tag in self._tags():
                name = _OF_CHAPTER.get(given, given)
                closed = closed or (name == self._root.encode() and (is_end or tag.endswith(b"/>")))
                if name == b"article":
                    if self._begins:
                        is_part = given in _OF_CHAPTER
                        yield self._close("" if is_end or is_part else "it is not closed", is_complete=is_end)
                    if not is_end:
                        self._begin()
                        if tag.endswith(b"/>"):
                            yield self._close("")
                elif self._begins:
                    self._update(name, tag, is_end=is_end)
                elif name == _OF_BOOK:
                    self._book = self._book + tag if is_end and self._keeps_book else bytearray()
                    self._keeps_book = not is_end
                elif name in _INSTEAD and not is_end:
                    self._on_instead(self._line, f"{tag.decode(errors='replace')} instead of an article")
        except InputError:
            # The stream breaks off behind the front matter, which is complete.
            if self._begins and not self._keeps:
                yield self._close("")
            raise
        if self._begins:
            if self._keeps:
                raise self._breaks_off("inside the front matter of an article")
            yield self._close("")
            raise self._breaks_off("without </article>")
        if not closed:
            raise self._breaks_off(f"without </{self._root}>")

    def _begin(self) -> None:
        self._begins, self._keeps = self._line, True
        if self._keeps_book:  # it is not closed
            self._book, self._keeps_book = bytearray(), False
        self._has_inner, self._fault = False, ""
        self._text, self._text_line, self._keeps_text = bytearray(), 0, False

    def _update(self, name: bytes, tag: bytes, *, is_end: bool) -> None:
        """Update the state of the open article from a tag."""
        if name == b"front" and self._keeps and (is_end or tag.endswith(b"/>")):
            self._front += tag
            self._keeps = False
        elif name in _BEHIND and not is_end:
            self._keeps = False
            # Articles inside come after everything else.
            self._has_inner = self._has_inner or name in _INSIDE
            self._keeps_text = self._full_text and not self._has_inner and not self._fault
            self._text_line = self._text_line or self._line

    def _close(self, fault: str, *, is_complete: bool = False) -> Article:
        """Close the open article and return it."""
        front, text = bytes(self._front), b""
        if front and not front.endswith(b"/>"):
            # Parsers of articles search for elements by names without namespace.
            tag, close, rest = front.partition(b">")
            tag = _NAMESPACE.sub(b"", tag) + close
            if tag.startswith(b"<book-part"):
                tag = b"<article" + tag.removeprefix(b"<book-part")
                rest = b" ".join(self._book.splitlines()) + rest
            front = tag + rest + b"</article>"
            if self._text and is_complete:
                text = b"%b%b</article>" % (b" ".join(tag.splitlines()), self._text)
        article = Article(front, self._begins, self._fault or fault, text, self._text_line)
        self._begins, self._keeps, self._front = 0, False, bytearray()
        self._text, self._keeps_text = bytearray(), False
        return article

    def _tags(self) -> Iterator[tuple[bytes, bool, bytes]]:
        """(name, whether it is an end tag, the tag) of every tag of _NAMES; the next request moves behind it."""
        while True:
            match = _TOKEN.search(self._data, self._at)
            if match is None:
                self._go(max(self._at, len(self._data) - _LONGEST_TOKEN))
                if not self._more():
                    self._go(len(self._data))
                    return
            elif match[1]:
                self._go(match.end())
                self._go_behind(_CLOSINGS[match[1]])
            else:
                self._go(match.start())
                name, is_end = match[3], bool(match[2])
                tag = self._tag()
                yield name, is_end, tag
                self._go(self._at + len(tag))

    def _tag(self) -> bytes:
        """The tag that begins here, up to its end or the next "<"."""
        while True:
            rest = _REST_OF_TAG.match(self._data, self._at + 1)
            if rest is not None:
                return self._data[self._at : rest.end()]
            end = self._data.find(b"<", self._at + 1)
            if end < 0 and len(self._data) - self._at < _LONGEST_TAG and self._more():
                continue
            return self._data[self._at : end if end >= 0 else len(self._data)]

    def _go_behind(self, closing: bytes) -> None:
        while (start := self._data.find(closing, self._at)) < 0:
            self._go(max(self._at, len(self._data) - len(closing) + 1))
            if not self._more():
                self._go(len(self._data))
                return
        self._go(start + len(closing))

    def _go(self, at: int) -> None:
        """Move to `at`; keep the bytes before it that belong to the open article."""
        self._line += self._data.count(b"\n", self._at, at)
        if self._keeps:
            self._front += self._data[self._at : at]
            if len(self._front) > LONGEST_FRONT:
                self._keeps, self._front = False, bytearray()
                self._fault = f"its front matter is longer than {LONGEST_FRONT >> 20} MiB"
        elif self._keeps_book:
            self._book += self._data[self._at : at]
            self._keeps_book = len(self._book) <= LONGEST_FRONT
        elif self._keeps_text:
            self._text += self._data[self._at : at]
            if len(self._text) > LONGEST_TEXT:
                self._keeps_text, self._text = False, bytearray()
                self._fault = f"its text is longer than {LONGEST_TEXT >> 20} MiB"
        self._at = at

    def _more(self) -> bool:
        data = self._read(BLOCK)
        self._data = self._data[self._at :] + data
        self._at = 0
        return bool(data)

    def _breaks_off(self, where: str) -> TruncatedError:
        return TruncatedError(f"the file ends {where}", f"{self._name}:{self._line}", FETCH_AGAIN)
