"""Which of several records of one paper an index keeps, and what it keeps of the others.

The mark of a document tells which records it was made of, so that the same input again changes nothing. Of two records

    a full text is kept before an abstract;
    of two with a version (MEDLINE's, PMC's) the later version, and of the same version the one read last;
    one with a version before one without;
    without versions, in one run the one that tells more, whichever comes first; a later run replaces what is there.

Whatever text is kept, what the others tell beside it stays: that it was retracted, its date, journal, types and links;
and the mentions of one of them, where its text is the same: in one run those of more, in a later run those read last.
"""

from __future__ import annotations

import hashlib

import msgspec

from anagnosis.decoding import decoding_faults
from anagnosis.documents.document import Document
from anagnosis.errors import DamagedError
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.passages import TOLD, is_read
from anagnosis.searching.records.passage import Entity, Passage

_HASHES = 8  # records of one paper that are remembered
_DIGITS = 16
_ENCODER = msgspec.msgpack.Encoder()


class Mark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """run: in which it was written. version: 0 where none is told. full: whether there is more than an abstract.

    weight: facts and letters. records: hashes of those that it was made of, the one whose text it has last.
    """

    run: int
    version: int
    full: bool
    weight: tuple[int, int]
    records: tuple[str, ...]

    def encoded(self) -> str:
        """As an engine keeps it."""
        return msgspec.json.encode(self).decode()


def decoded(mark: str) -> Mark:
    """What `encoded` gave. Refused (DamagedError): anything else."""
    with decoding_faults("", AGAIN, "the mark of a document is damaged", error=DamagedError):
        return msgspec.json.decode(mark, type=Mark)


def mark_of(document: Document, run: int) -> Mark:
    """The mark of a record."""
    facts, sections = document.facts, document.sections
    said = [sections, sorted(facts.items())]
    told = _ENCODER.encode([*said, document.mentions] if document.mentions else said)
    version = facts.get("version", "")
    full, letters = False, 0
    for section in sections:
        letters += len(section.text)
        full = full or (not _of_abstract(section.label) and is_read(section))
    return Mark(
        run,
        int(version) if version.isdecimal() and len(version) < _DIGITS else 0,
        full,
        (len(facts), letters),
        (hashlib.sha256(told).hexdigest()[:_DIGITS],),
    )


class Paper(msgspec.Struct, frozen=True, gc=False):
    """The passages of a document as an index keeps it, and its mark."""

    passages: list[Passage]
    mark: Mark


def combined(there: Paper, new: Paper) -> tuple[str, Paper]:
    """(what became of the new record, the document to keep); that is `there` itself where nothing changes."""
    same_run = there.mark.run == new.mark.run
    if why := _why_kept(there.mark, new.mark):
        passages = _with_others(there.passages, new.passages, "" if same_run else "others")
        if passages is there.passages and not same_run:
            return why, there
        return why, Paper(passages, _joined(there.mark, new.mark))
    passages = _with_others(new.passages, there.passages, "" if same_run else "passages")
    return "replaced", Paper(passages, _joined(new.mark, there.mark) if same_run else new.mark)


def _why_kept(there: Mark, new: Mark) -> str:
    """Why the text that is there stays; "" where the other takes its place."""
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
    """The mark of a document whose text is the first one's, with what the second tells beside it."""
    others = [record for record in (*other.records, *kept.records) if record != kept.records[-1]]
    records = (*dict.fromkeys(others), kept.records[-1])[-_HASHES:]
    return Mark(max(kept.run, other.run), kept.version, kept.full, kept.weight, records)


def _with_others(passages: list[Passage], others: list[Passage], read_last: str = "") -> list[Passage]:
    """The passages with what another record tells and theirs does not; themselves where that is nothing.

    read_last: "passages" or "others" in a later run than the other, "" in the same.
    """
    told, other = passages[0].facts, others[0].facts
    facts = {name: found for name in TOLD if (found := told.get(name) or other.get(name))}
    if facts != told:
        passages = [msgspec.structs.replace(passage, facts=facts) for passage in passages]
    if not any(one.entities or one.title_entities for one in others):
        return passages
    marked = [_marked_by(passage, others) for passage in passages]
    own, new = _weight(passages), _weight(marked)
    better = new[0] > 0 if read_last == "others" else not own[0] if read_last == "passages" else new > own
    return marked if better and new != own else passages


def _marked_by(passage: Passage, others: list[Passage]) -> Passage:
    """The passage with the mentions of another record that lie in the same text, and with none else."""
    titled = others[0].title_entities if others[0].title == passage.title else ()
    found = set(titled if passage.section == "title" else ())
    for other in others:
        if other.entities and (shift := _shift(passage.text, other.text)) is not None:
            moved = (
                Entity(one.begin + shift, one.end + shift, one.type, one.identifier) for one in other.entities
            )
            found |= {one for one in moved if one.begin >= 0 and one.end <= len(passage.text)}
    return msgspec.structs.replace(passage, entities=tuple(sorted(found)), title_entities=titled)


def _shift(text: str, other: str) -> int | None:
    """What an offset in the other text grows by in this one; None where neither holds the other, once."""
    short, long = sorted((text, other), key=len)
    at = long.find(short)
    if at < 0 or long.find(short, at + 1) >= 0:
        return None
    return at if short is other else -at


def _weight(passages: list[Passage]) -> tuple[int, list[tuple[Entity, ...]]]:
    """How many mentions they have, and which."""
    which = [one for passage in passages for one in (passage.entities, passage.title_entities)]
    return sum(map(len, which)), which


def _of_abstract(label: str) -> bool:
    return label == "title" or label.startswith("abstract") or label == "other abstract"
