"""The records of a paper: what each source says of it, and what replaces what.

A record is one document of one source: its format and its id. Of two records with the same source and id the index
keeps

    of two with a version (MEDLINE's, PMC's) the later version, and of the same version the one read last;
    without versions, in one run the record with more facts, text and mentions; a later run replaces the stored record.

It takes over the facts that only the other has (a retraction, a date, links), and the other's mentions of the same
text. A full text does not replace an abstract, nor a record with a version one without: the paper has both
(paper_display.py).
"""

from __future__ import annotations

import hashlib
import re

import msgspec
from msgspec.structs import replace

from anagnosis.documents.bibliography import JOINT, signatories
from anagnosis.documents.document import Document
from anagnosis.searching.index.paper_partition import ID, PMID, Keys
from anagnosis.searching.papers import ALIASES, aliases_of
from anagnosis.searching.passages import SHOWN_FACTS, is_read, of_abstract, passages
from anagnosis.searching.records.passage import Entity, Passage

PAPER_FACTS = ("authors", "keywords", "mesh", "volume", "issue", "pages")  # stored once a paper, as its Paper
KEPT_FACTS = (*SHOWN_FACTS, *PAPER_FACTS)
_HASHES = 8  # most versions of a record that its mark remembers
_DIGITS = 16
_DOI, _IS_DOI = "doi:", re.compile(r"doi:10\.[0-9.]+/.")
_NAMED_BY_PMID = re.compile(r"pmid:[1-9][0-9]*")  # as papers are named whose ids other papers have too
_ENCODER = msgspec.msgpack.Encoder()
Slot = tuple[str, str, bool, bool]  # id, source, full text or not, with a version or not


class RecordMark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What decides between two versions of a record.

    source: the format that it was read from. run: the indexing run that wrote it. version: 0 without one. full: whether
    there is more than an abstract. weight: numbers of facts, of characters and of mentions. hashes: of the versions
    that it is made of, last the one of its text.
    """

    id: str
    source: str
    run: int
    version: int
    full: bool
    weight: tuple[int, int, int]
    hashes: tuple[str, ...]

    @property
    def label(self) -> str:
        """The record as users name it: "medline:31", or the id alone without a source."""
        return f"{self.source}:{self.id}" if self.source else self.id

    @property
    def slot(self) -> Slot:
        """Records with the same slot replace each other."""
        return self.id, self.source, self.full, bool(self.version)


class Record(msgspec.Struct, frozen=True, gc=False):
    """A record of a paper. facts: those that an index keeps. passages: of this record alone."""

    mark: RecordMark
    facts: dict[str, str]
    passages: list[Passage]
    keys: Keys


def record_of(document: Document, source: str, run: int) -> Record:
    """The record of a document. passages: empty where it has neither title nor text."""
    sections, mentions = document.sections, document.mentions
    contents = [sections, sorted(document.facts.items())]
    encoded = _ENCODER.encode([*contents, mentions] if mentions else contents)
    version = document.facts.get("version", "")
    full, letters = False, 0
    for section in sections:
        letters += len(section.text)
        full = full or (not of_abstract(section.label) and is_read(section))
    mark = RecordMark(
        document.id,
        source,
        run,
        int(version) if version.isdecimal() and len(version) < _DIGITS else 0,
        full,
        (len(document.facts), letters, len(mentions)),
        (hashlib.sha256(encoded).hexdigest()[:_DIGITS],),
    )
    signed = JOINT.join(signatories(document.facts))  # a Paper has groups among its authors
    given = {**document.facts, "authors": signed}
    facts = {name: value for name in KEPT_FACTS if (value := given.get(name))}
    return Record(mark, facts, passages(document), keys_of(document.id, facts))


def keys_of(ident: str, facts: dict[str, str]) -> Keys:
    """The keys of a record with this id and these facts."""
    named = [ID + ident]
    for key in aliases_of(ident, facts):
        # "n/a" is no DOI, and "007" no PMID.
        is_valid = not key.startswith(_DOI) or _IS_DOI.match(key)
        if is_valid and (key != PMID + ident.lstrip("0") or ident[:1] != "0" or "pmid" in facts):
            named.append(key)
    if _NAMED_BY_PMID.fullmatch(ident):
        named.append(ident)
    return Keys(ident, next((key for key in named if key.startswith(PMID)), ""), frozenset(named))


def updated(there: Record, new: Record) -> tuple[str, Record]:
    """(outcome for the new version of a record, record to keep); the record is `there` itself if nothing changes."""
    if new.mark.hashes[0] in there.mark.hashes:
        return "unchanged", there
    same_run = there.mark.run == new.mark.run
    if why := _why_kept(there.mark, new.mark):
        return why, _with_others(there, new, "" if same_run else "others")
    kept = _with_others(new, there, "" if same_run else "record")
    return "replaced", kept if same_run else replace(kept, mark=new.mark)


def _why_kept(there: RecordMark, new: RecordMark) -> str:
    """Why the stored version stays, as the name of a count; "" if the new one replaces it."""
    if there.version:
        return "older_version" if there.version > new.version else ""
    if there.run == new.run and (there.weight, there.hashes) >= (new.weight, new.hashes):
        return "repeated"
    return ""


def _with_others(kept: Record, other: Record, read_last: str = "") -> Record:
    """A record with the facts and mentions that only its other version has.

    read_last: which version comes from the later run, "record" or "others"; "" for the same run. Identifiers of an
    earlier run are not taken over: they may have been corrected.
    """
    dropped = ALIASES if read_last == "record" else ()
    facts = {
        name: value
        for name in KEPT_FACTS
        if (value := kept.facts.get(name) or ("" if name in dropped else other.facts.get(name, "")))
    }
    others = [one for one in (*other.mark.hashes, *kept.mark.hashes) if one != kept.mark.hashes[-1]]
    hashes = (*dict.fromkeys(others), kept.mark.hashes[-1])[-_HASHES:]
    mark = replace(kept.mark, run=max(kept.mark.run, other.mark.run), hashes=hashes)
    own = kept.passages
    if facts != kept.facts:
        shown = {name: value for name, value in facts.items() if name in SHOWN_FACTS}
        own = [replace(passage, facts=shown) for passage in own]
    return Record(mark, facts, _with_mentions(own, other.passages, read_last), keys_of(kept.mark.id, facts))


def _with_mentions(own: list[Passage], others: list[Passage], read_last: str) -> list[Passage]:
    """The passages with the mentions of one version: in one run the larger number, in a later run those read last."""
    if not any(one.entities or one.title_entities for one in others):
        return own
    marked = [_marked_by(passage, others) for passage in own]
    weight, new_weight = _weight(own), _weight(marked)
    better = (
        new_weight[0] > 0
        if read_last == "others"
        else not weight[0]
        if read_last == "record"
        else new_weight > weight
    )
    return marked if better and new_weight != weight else own


def _marked_by(passage: Passage, others: list[Passage]) -> Passage:
    """The passage with another record's mentions in the same text in place of its own."""
    titled = others[0].title_entities if others[0].title == passage.title else ()
    mentions = set(titled if passage.section == "title" else ())
    return replace(
        passage,
        entities=tuple(sorted(mentions.union(*(moved_mentions(passage.text, other) for other in others)))),
        title_entities=titled,
    )


def moved_mentions(text: str, other: Passage) -> list[Entity]:
    """Another passage's mentions, at their places in this text; [] unless one text contains the other exactly once."""
    if not other.entities:
        return []
    short, long = sorted((text, other.text), key=len)
    at = long.find(short)
    if at < 0 or long.find(short, at + 1) >= 0:
        return []
    shift = at if short is other.text else -at
    moved = (Entity(one.begin + shift, one.end + shift, one.type, one.identifier) for one in other.entities)
    return [one for one in moved if one.begin >= 0 and one.end <= len(text)]


def _weight(own: list[Passage]) -> tuple[int, list[tuple[Entity, ...]]]:
    """The number of mentions, and the mentions."""
    which = [one for passage in own for one in (passage.entities, passage.title_entities)]
    return sum(map(len, which)), which
