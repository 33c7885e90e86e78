"""The mark of a paper: the records that it is made of, as an engine stores them with its first passage.

A paper of one record needs no second copy: its passages and facts are the record. Of several records the mark has the
facts and passages of each, so that one can be removed. A passage that is shown is named by its number.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from anagnosis.documents.bibliography import JOINT
from anagnosis.errors import DamagedError
from anagnosis.io.decoding import decoding_faults
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.index.paper_display import ShownPaper
from anagnosis.searching.index.paper_records import PAPER_FACTS, Record, RecordMark, keys_of
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Entity, Passage

_DAMAGED = "the mark of a document is damaged"


class _Piece(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A passage of a record: the shown passage of the same text with the record's entities, or the passage itself.

    passage: without document, title and facts; None where shown is the number of one.
    """

    shown: int
    entities: tuple[Entity, ...] = ()
    passage: Passage | None = None


class _Content(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a mark has of one of several records. pieces: its passages."""

    facts: dict[str, str]
    title: str
    title_entities: tuple[Entity, ...]
    pieces: tuple[_Piece, ...]


class Mark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The mark of a paper. shared: keys for which it joins no other paper. contents: of several records, else empty."""

    records: tuple[RecordMark, ...]
    shared: tuple[str, ...] = ()
    contents: tuple[_Content, ...] = ()


class IndexedPaper(msgspec.Struct, frozen=True, gc=False):
    """A paper of an index: its id there, its records, and the keys for which it joins no other paper."""

    name: str
    records: tuple[Record, ...]
    shared: tuple[str, ...] = ()


def encoded(paper: IndexedPaper, shown: ShownPaper) -> str:
    """The mark of a paper. shown: what the engine stores of it."""
    contents = [_content(record, shown) for record in paper.records] if len(paper.records) > 1 else []
    mark = Mark(tuple(record.mark for record in paper.records), paper.shared, tuple(contents))
    return msgspec.json.encode(mark).decode()


def decoded(mark: str) -> Mark:
    """The inverse of `encoded`. DamagedError: any other text."""
    with decoding_faults("", AGAIN, _DAMAGED, error=DamagedError):
        return msgspec.json.decode(mark, type=Mark)


def restored(name: str, mark: Mark, passages: Sequence[Passage], about: Paper) -> IndexedPaper:
    """A stored paper with its records. DamagedError: the mark does not fit the passages."""
    if len(mark.records) == 1:
        (one,) = mark.records
        facts = {**passages[0].facts, **_facts_of(about)}
        record = Record(one, facts, _named(one.id, passages), keys_of(one.id, facts))
        return IndexedPaper(name, (record,), mark.shared)
    if len(mark.records) != len(mark.contents):
        raise DamagedError(_DAMAGED, "", AGAIN)
    records = [
        _record(one, content, passages) for one, content in zip(mark.records, mark.contents, strict=True)
    ]
    return IndexedPaper(name, tuple(records), mark.shared)


def _content(record: Record, shown: ShownPaper) -> _Content:
    first = record.passages[0]
    numbers = {_text(one): one.number for one in reversed(shown.passages)}
    pieces = [
        _Piece(number, one.entities)
        if (number := numbers.get(_text(one), -1)) >= 0
        else _Piece(-1, (), replace(one, document="", title="", facts={}, title_entities=()))
        for one in record.passages
    ]
    return _Content(record.facts, first.title, first.title_entities, tuple(pieces))


def _text(passage: Passage) -> tuple[str, str, str, bool]:
    return passage.section, passage.heading, passage.text, passage.full_text


def _record(mark: RecordMark, content: _Content, shown: Sequence[Passage]) -> Record:
    facts = content.facts
    same = {
        "document": mark.id,
        "title": content.title,
        "title_entities": content.title_entities,
        "facts": {name: value for name, value in facts.items() if name not in PAPER_FACTS},
        "source": "",
    }
    passages: list[Passage] = []
    for number, piece in enumerate(content.pieces):
        if piece.passage is not None:
            passage = piece.passage
        elif 0 <= piece.shown < len(shown):
            passage = replace(shown[piece.shown], entities=piece.entities)
        else:
            raise DamagedError(_DAMAGED, "", AGAIN)
        passages.append(replace(passage, **same, number=number))
    if not passages:
        raise DamagedError(_DAMAGED, "", AGAIN)
    return Record(mark, facts, passages, keys_of(mark.id, facts))


def _named(ident: str, passages: Sequence[Passage]) -> list[Passage]:
    return [one if one.document == ident else replace(one, document=ident) for one in passages]


def _facts_of(about: Paper) -> dict[str, str]:
    """The facts of a document that its Paper has."""
    values = {name: getattr(about, name) for name in PAPER_FACTS}
    return {
        name: value if isinstance(value, str) else JOINT.join(value)
        for name, value in values.items()
        if value
    }
