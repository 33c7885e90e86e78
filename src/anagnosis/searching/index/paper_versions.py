"""Several records of one paper: which text an index keeps, and what it takes over from the other records.

The mark of a document lists the records that it is made of, so that indexing the same input again changes nothing. Of
two records the index keeps

    a full text rather than an abstract;
    of two with a version (MEDLINE's, PMC's) the later version, and of the same version the one read last;
    one with a version rather than one without;
    without versions, in one run the record with more facts and text; a later run replaces the stored record.

The index also keeps the facts that only the other records have: a retraction, date, journal, types and links. Of
records with the same text it keeps the mentions of one: in one run the larger number, in a later run those read last.
"""

from __future__ import annotations

import hashlib

import msgspec

from anagnosis.decoding import decoding_faults
from anagnosis.documents.document import Document
from anagnosis.errors import DamagedError
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.passages import SHOWN_FACTS, is_read, of_abstract
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Entity, Passage

_HASHES = 8  # most records of one paper in its mark
_DIGITS = 16
_ENCODER = msgspec.msgpack.Encoder()


class Mark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The mark of a document: what decides between records of one paper.

    run: the indexing run that wrote it. version: 0 without one. full: whether there is more than an abstract. weight:
    numbers of facts and of characters. records: hashes of the records that it is made of, last the one of its text.
    """

    run: int
    version: int
    full: bool
    weight: tuple[int, int]
    records: tuple[str, ...]

    def encoded(self) -> str:
        """The mark as an engine stores it."""
        return msgspec.json.encode(self).decode()


def decoded(mark: str) -> Mark:
    """The inverse of `encoded`. DamagedError: any other text."""
    with decoding_faults("", AGAIN, "the mark of a document is damaged", error=DamagedError):
        return msgspec.json.decode(mark, type=Mark)


def mark_of(document: Document, run: int) -> Mark:
    """The mark of a document that is made of one record."""
    facts, sections = document.facts, document.sections
    contents = [sections, sorted(facts.items())]
    encoded = _ENCODER.encode([*contents, document.mentions] if document.mentions else contents)
    version = facts.get("version", "")
    full, letters = False, 0
    for section in sections:
        letters += len(section.text)
        full = full or (not of_abstract(section.label) and is_read(section))
    return Mark(
        run,
        int(version) if version.isdecimal() and len(version) < _DIGITS else 0,
        full,
        (len(facts), letters),
        (hashlib.sha256(encoded).hexdigest()[:_DIGITS],),
    )


class IndexedPaper(msgspec.Struct, frozen=True, gc=False):
    """A document in an index: its passages, its mark and its Paper."""

    passages: list[Passage]
    mark: Mark
    about: Paper = NO_FACTS


def combined(there: IndexedPaper, new: IndexedPaper) -> tuple[str, IndexedPaper]:
    """(outcome for the new record, document to keep); the document is `there` itself if nothing changes."""
    same_run = there.mark.run == new.mark.run
    if why := _why_kept(there.mark, new.mark):
        passages = _with_others(there.passages, new.passages, "" if same_run else "others")
        if passages is there.passages and not same_run:
            return why, there
        return why, IndexedPaper(passages, _joined(there.mark, new.mark), _filled(there.about, new.about))
    passages = _with_others(new.passages, there.passages, "" if same_run else "passages")
    mark = _joined(new.mark, there.mark) if same_run else new.mark
    return "replaced", IndexedPaper(passages, mark, _filled(new.about, there.about))


def _why_kept(there: Mark, new: Mark) -> str:
    """Why the stored text stays, as the name of a count; "" if the new one replaces it."""
    if there.full != new.full:
        return "fuller_text_kept" if there.full else ""
    if there.version and new.version:
        return "older_version" if there.version > new.version else ""
    if there.version:
        return "versioned_kept"
    if (
        not new.version
        and there.run == new.run
        and (there.weight, there.records) >= (new.weight, new.records)
    ):
        return "repeated"
    return ""


def _joined(kept: Mark, other: Mark) -> Mark:
    """The mark of a document with the text of the first record and facts of the second."""
    others = [record for record in (*other.records, *kept.records) if record != kept.records[-1]]
    records = (*dict.fromkeys(others), kept.records[-1])[-_HASHES:]
    return Mark(max(kept.run, other.run), kept.version, kept.full, kept.weight, records)


def _filled(kept: Paper, other: Paper) -> Paper:
    """A paper with what only the other record says of it."""
    return Paper(*(getattr(kept, name) or getattr(other, name) for name in Paper.__struct_fields__))


def _with_others(passages: list[Passage], others: list[Passage], read_last: str = "") -> list[Passage]:
    """The passages with facts and mentions that only another record has; the same object if there are none.

    read_last: which record comes from the later run, "passages" or "others"; "" for the same run.
    """
    kept, other = passages[0].facts, others[0].facts
    facts = {name: value for name in SHOWN_FACTS if (value := kept.get(name) or other.get(name))}
    if facts != kept:
        passages = [msgspec.structs.replace(passage, facts=facts) for passage in passages]
    if not any(one.entities or one.title_entities for one in others):
        return passages
    marked = [_marked_by(passage, others) for passage in passages]
    weight, new_weight = _weight(passages), _weight(marked)
    better = (
        new_weight[0] > 0
        if read_last == "others"
        else not weight[0]
        if read_last == "passages"
        else new_weight > weight
    )
    return marked if better and new_weight != weight else passages


def _marked_by(passage: Passage, others: list[Passage]) -> Passage:
    """The passage with another record's mentions in the same text in place of its own."""
    titled = others[0].title_entities if others[0].title == passage.title else ()
    mentions = set(titled if passage.section == "title" else ())
    for other in others:
        if other.entities and (shift := _shift(passage.text, other.text)) is not None:
            moved = (
                Entity(one.begin + shift, one.end + shift, one.type, one.identifier) for one in other.entities
            )
            mentions |= {one for one in moved if one.begin >= 0 and one.end <= len(passage.text)}
    return msgspec.structs.replace(passage, entities=tuple(sorted(mentions)), title_entities=titled)


def _shift(text: str, other: str) -> int | None:
    """The difference of offsets in this text and the other; None unless one text contains the other exactly once."""
    short, long = sorted((text, other), key=len)
    at = long.find(short)
    if at < 0 or long.find(short, at + 1) >= 0:
        return None
    return at if short is other else -at


def _weight(passages: list[Passage]) -> tuple[int, list[tuple[Entity, ...]]]:
    """The number of mentions, and the mentions."""
    which = [one for passage in passages for one in (passage.entities, passage.title_entities)]
    return sum(map(len, which)), which
