"""Where the records of a MEDLINE or PubMed XML file begin and end, found in its bytes without parsing them.

A record is <PubmedArticle>, <MedlineCitation> where it stands by itself, a book, or a list of deleted PMIDs. Its end
tag does not count inside a comment, a CDATA section or a processing instruction.
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
# By the second character of what can hide tags: how it goes on, and how it is closed.
_CLOSINGS = {b"!": ((b"!--", b"-->"), (b"![CDATA[", b"]]>")), b"?": ((b"?", b"?>"),)}
# The records that have another kind inside them.
_INSIDE = {
    "PubmedArticle": b"MedlineCitation",
    "PubMedArticle": b"MedlineCitation",
    "PubmedBookArticle": b"BookDocument",
}
# What no document holds, most of a record: what is between two marks, or between the first and one of others before the
# second. The marks stay, but for the authors' own.
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
    """data[start:end] is a record; end is -1 where the data end inside it. tag: its element's name.

    hides: something that looks like a tag and is none is in it.
    """

    start: int
    end: int
    tag: str
    hides: bool = False


class Records:
    """The records of some bytes, asked for from front to back; what is wrong in them does not make it slow."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        # As last seen: where the next end tag of a name ends, and where something next hides tags; -1 for nowhere.
        self._ends: dict[bytes, int] = {}
        self._hiding: dict[bytes, int] = dict.fromkeys(_CLOSINGS, 0)
        self._first_hiding = 0

    def next(self, at: int) -> Span | None:
        """The first record that begins at `at` or behind it; `at` is inside no record."""
        while found := _BEGINNING.search(self.data, at):
            start, at = found.span()
            name = found[1]
            if name is None:
                continue
            if self.data.endswith(b"/>", start, at):
                return Span(start, at, name.decode())
            end = self._end_behind(at, name)
            hides = self._hides(at, end)
            if hides:
                closings = _end_tag(name).finditer(self.data, at)
                end = next((closing.end() for closing in closings if closing[1] is not None), -1)
            return Span(start, end, name.decode(), hides)
        return None

    def inner_beginning(self, record: Span) -> int:
        """Where a record begins inside another, which was not closed then; or -1."""
        end = record.end if record.end >= 0 else len(self.data)
        for found in _BEGINNING.finditer(self.data, record.start + 1, end):
            if found[1] not in (None, _INSIDE.get(record.tag)):
                return found.start()
        return -1

    def _end_behind(self, at: int, name: bytes) -> int:
        """Where the first end tag of this name behind `at` ends, hidden or not."""
        if 0 <= self._ends.get(name, 0) <= at:
            self._ends[name] = _end(self.data, at, name)
        return self._ends[name]

    def _hides(self, start: int, end: int) -> bool:
        if self._first_hiding < start:
            for mark, seen in self._hiding.items():
                if 0 <= seen < start:
                    self._hiding[mark] = _hiding(self.data, start, mark)
            self._first_hiding = min((at for at in self._hiding.values() if at >= 0), default=len(self.data))
        return self._first_hiding < end


def end_of_last(data: bytes) -> int:
    """Where the last whole record ends, 0 if there is none."""
    end = 0
    if all(_hiding(data, 0, mark) < 0 for mark in _CLOSINGS):
        # The last of the usual kind is found from behind; others may follow it.
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
    """The bytes of a <PubmedArticle> without what no document holds (authors, history, …), which is most of it.

    A record in another order than the DTD's may not parse then, and has to be parsed whole.
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
            at = found.start() if others and (found := others.search(data, start, stop)) else stop
    kept.append(data[at:limit])
    return b"".join(kept)


def strays(gap: bytes) -> Iterator[tuple[int, str]]:
    """(where, what) of all that stands between two records, or around them, and belongs into no file."""
    for found in _IN_GAP.finditer(gap):
        if found["text"]:
            yield found.start(), "text that belongs to no record"
        elif found["name"] and _NAME.fullmatch(found["name"]):
            yield found.start(), f"{found[0].decode(errors='replace')} ends what does not begin"


def may_hold_records(root: str) -> bool:
    """Whether an element of this name is a set of records, even of none, or a record."""
    return _SET.fullmatch(root) is not None or _is_record(root)


def breaks_off(data: bytes, root: str) -> bool:
    """Whether a file whose last block is `data` ends without closing its root."""
    end = end_of_last(data)
    if _OPEN_TAG.search(data, end):
        return True
    tags = [found[0] for found in _IN_GAP.finditer(data, end) if found["name"]]
    if Records(data).next(end) is not None:
        # A record is open; its own end tags close nothing but parts of it.
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


def _hiding(data: bytes, at: int, mark: bytes) -> int:
    """Where, behind `at`, what has this second character ("<!…", "<?…") holds a "<" of its own; -1 for nowhere.

    The second character is rare, and so found far faster than "<".
    """
    while (at := data.find(mark, at)) >= 0:
        if at and data[at - 1] == ord("<"):
            closings = (closing for opening, closing in _CLOSINGS[mark] if data.startswith(opening, at))
            stop = data.find(next(closings, b">"), at)
            if stop < 0 or data.find(b"<", at, stop) >= 0:
                return at
        at += 1
    return -1
