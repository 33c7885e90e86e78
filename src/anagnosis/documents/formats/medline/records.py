"""The records of a MEDLINE or PubMed XML file, located in its bytes without parsing.

A record is <PubmedArticle>, a <MedlineCitation> outside one, a book, or a list of deleted PMIDs. Its end tag does not
count inside a comment, a CDATA section or a processing instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_NAMES = rb"Pub[Mm]edArticle|MedlineCitation|PubmedBookArticle|BookDocument|DeleteCitation|DeleteDocument"
_NAME = re.compile(_NAMES)
_HIDDEN = rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
_BEGINNING = re.compile(_HIDDEN + rb"|<(" + _NAMES + rb")(?:[\s/][^<>]*)?>", re.DOTALL)
_USUAL_END = b"</PubmedArticle>"
# Second character of markup that can hide tags → its openings and their closings.
_CLOSINGS = {b"!": ((b"!--", b"-->"), (b"![CDATA[", b"]]>")), b"?": ((b"?", b"?>"),)}
# Record → the kind of record that may lie inside it.
_INSIDE = {
    "PubmedArticle": b"MedlineCitation",
    "PubMedArticle": b"MedlineCitation",
    "PubmedBookArticle": b"BookDocument",
}
# Parts that we do not read, most of a record: (start tag, end tag, tags in between that end the part earlier). Start
# and end stay, except those of the authors.
_AUTHORS = b"<AuthorList"
_READ = re.compile(rb"<(?:CommentsCorrections|MeshHeadingList|Other(?:ID|Abstract)|PMID)")
_UNREAD = (
    (b"</PMID>", b"<Article ", _READ),
    (_AUTHORS, b"</AuthorList>", None),
    (b"</Article>", b"</MedlineCitation>", _READ),
    (b"<PubmedData>", b"<ArticleIdList>", re.compile(rb"<ReferenceList")),
    (b"</ArticleIdList>", b"</PubmedData>", None),
)
_NO_CONTENT = _HIDDEN + rb"|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>|\s+|\xef\xbb\xbf|<[^<>]*\Z"
_OPEN_TAG = re.compile(rb"<[^<>]*\Z")
_TAG = rb"</?(?P<name>[A-Za-z_][\w:.-]*)[^<>]*>"
_IN_GAP = re.compile(_NO_CONTENT + rb"|" + _TAG + rb"|(?P<text>[^<]+|<)", re.DOTALL)
_SET = re.compile(r"(?:PubmedArticle|MedlineCitation|PubmedBookArticle|BookDocument)Set", re.IGNORECASE)


class Span(NamedTuple):
    """A record data[start:end]; end is -1 if the data end inside it. tag: the element's name.

    hides: it contains text that looks like a tag, such as a comment.
    """

    start: int
    end: int
    tag: str
    hides: bool = False


class Records:
    """The records of some bytes, from front to back, in linear time even for faulty data."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        # Cached searches: where the next end tag of a name ends, and where the next hidden tags are; -1 for nowhere.
        self._ends: dict[bytes, int] = {}
        self._hiding: dict[bytes, int] = dict.fromkeys(_CLOSINGS, 0)
        self._first_hiding = 0

    def next(self, at: int) -> Span | None:
        """The first record that begins at or behind `at`, which lies in no record."""
        while match := _BEGINNING.search(self.data, at):
            start, at = match.span()
            name = match[1]
            if name is None:
                continue
            if self.data.endswith(b"/>", start, at):
                return Span(start, at, name.decode())
            # Where the first end tag of this name behind `at` ends, hidden or not.
            if 0 <= self._ends.get(name, 0) <= at:
                self._ends[name] = _end(self.data, at, name)
            end = self._ends[name]
            hides = self._hides(at, end)
            if hides:
                closings = _end_tag(name).finditer(self.data, at)
                end = next((closing.end() for closing in closings if closing[1] is not None), -1)
            return Span(start, end, name.decode(), hides)
        return None

    def inner_beginning(self, record: Span) -> int:
        """Where another record begins inside this one, which then is not closed; or -1."""
        end = record.end if record.end >= 0 else len(self.data)
        for match in _BEGINNING.finditer(self.data, record.start + 1, end):
            if match[1] not in (None, _INSIDE.get(record.tag)):
                return match.start()
        return -1

    def _hides(self, start: int, end: int) -> bool:
        if self._first_hiding < start:
            for second, seen in self._hiding.items():
                if 0 <= seen < start:
                    self._hiding[second] = _next_hidden(self.data, start, second)
            self._first_hiding = min((at for at in self._hiding.values() if at >= 0), default=len(self.data))
        return self._first_hiding < end


def end_of_last(data: bytes) -> int:
    """Where the last whole record ends, 0 if there is none."""
    end = 0
    if all(_next_hidden(data, 0, second) < 0 for second in _CLOSINGS):
        # A search from the end gives the last usual record; others may follow it.
        end = data.rfind(_USUAL_END) + len(_USUAL_END)
        end = 0 if end < len(_USUAL_END) else end
    at, records = end, Records(data)
    while (record := records.next(at)) is not None:
        is_doubtful = record.end < 0 or record.tag != "PubmedArticle"
        inner = records.inner_beginning(record) if is_doubtful else -1
        if inner >= 0:
            at = inner
        elif record.end >= 0:
            at = end = record.end
        else:
            break
    return end


def without_unread(data: bytes, record: Span) -> bytes:
    """The bytes of a <PubmedArticle> without the parts that we do not read (authors, history, …), which are most of it.

    If a record departs from the DTD's order, the result may not parse; then parse the entire record.
    """
    if record.hides:
        return data[record.start : record.end]
    kept: list[bytes] = []
    at = record.start
    limit = record.end
    for begin, end, others in _UNREAD:
        start = data.find(begin, at, limit)
        stop = data.find(end, start, limit) if start >= 0 else -1
        if stop < 0:
            continue
        if begin is _AUTHORS:
            kept.append(data[at:start])
            at = stop + len(end)
        else:
            start += len(begin)
            kept.append(data[at:start])
            at = match.start() if others and (match := others.search(data, start, stop)) else stop
    kept.append(data[at:limit])
    return b"".join(kept)


def strays(gap: bytes) -> Iterator[tuple[int, str]]:
    """(offset, fault) of text and end tags outside records, which belong in no file."""
    for match in _IN_GAP.finditer(gap):
        if match["text"]:
            yield match.start(), "text that belongs to no record"
        elif match["name"] and _NAME.fullmatch(match["name"]):
            yield match.start(), f"{match[0].decode(errors='replace')} ends what does not begin"


def may_hold_records(root: str) -> bool:
    """Whether an element of this name is a set of records, perhaps empty, or a record."""
    return _SET.fullmatch(root) is not None or _is_record(root)


def breaks_off(data: bytes, root: str) -> bool:
    """Whether a file whose last block is `data` ends without closing its root."""
    end = end_of_last(data)
    if _OPEN_TAG.search(data, end):
        return True
    tags = [match[0] for match in _IN_GAP.finditer(data, end) if match["name"]]
    if Records(data).next(end) is not None:
        # A record is open; the end tags behind its start close only its parts.
        last = tags[-1].strip(b"</ \t\r\n>").decode(errors="replace") if tags else ""
        return last != root and _SET.fullmatch(last) is None
    return not tags[-1].startswith(b"</") and not tags[-1].endswith(b"/>") if tags else not _is_record(root)


def _is_record(name: str) -> bool:
    return _NAME.fullmatch(name.encode()) is not None


def _end(data: bytes, at: int, name: bytes) -> int:
    """Where the first end tag of this name behind `at` ends; -1 for none."""
    close = b"</" + name
    while (at := data.find(close, at)) >= 0:
        stop = data.find(b">", at)
        if stop < 0:
            return -1
        if not data[at + len(close) : stop].strip():
            return stop + 1
        at = stop
    return -1


@cache
def _end_tag(name: bytes) -> re.Pattern[bytes]:
    return re.compile(_HIDDEN + rb"|(</" + name + rb"\s*>)", re.DOTALL)


def _next_hidden(data: bytes, at: int, second: bytes) -> int:
    """Where markup with this second character ("<!…", "<?…") contains a "<", from `at` on; -1 for nowhere.

    Searching for the rare second character is far faster than for "<".
    """
    while (at := data.find(second, at)) >= 0:
        if at and data[at - 1] == ord("<"):
            closings = (closing for opening, closing in _CLOSINGS[second] if data.startswith(opening, at))
            stop = data.find(next(closings, b">"), at)
            if stop < 0 or data.find(b"<", at, stop) >= 0:
                return at
        at += 1
    return -1
