"""The records of a paper: what each source says of it, what replaces what, and the paper as an engine stores it.

A record is one document of one source: its format and its id. Of two records with the same source and id the index
keeps

    of two with a version (MEDLINE's, PMC's) the later version, and of the same version the one read last;
    without versions, in one run the record with more facts and text; a later run replaces the stored record.

A full text does not replace an abstract, nor a record with a version one without: the paper has both (joined.py).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from anagnosis.documents.bibliography import JOINT, signatories
from anagnosis.documents.document import NOTES, Document
from anagnosis.documents.identifiers import NO_PMID, ON_FIRST_PAGE
from anagnosis.errors import DamagedError
from anagnosis.io.decoding import decoding_faults
from anagnosis.language.plain_letters import searchable_parts
from anagnosis.searching.aliases import ALIASES, alias, aliases_of
from anagnosis.searching.papers.partition import ID, PMID, TITLED, Keys
from anagnosis.searching.passages import LONGEST_TITLE, SHOWN_FACTS, is_read, of_abstract
from anagnosis.searching.queries.names import folded

AGAIN = "make the index again"  # what to do about a damaged one
PAPER_FACTS = ("authors", "keywords", "mesh", "volume", "issue", "pages")  # of a paper, not of each passage
KEPT_FACTS = (*SHOWN_FACTS, *PAPER_FACTS)
_KEPT_FACTS = frozenset(KEPT_FACTS)
_VERSIONS = 8  # most versions of a record that are known again
_DIGEST = 8  # bytes
_LONGEST_VERSION = 16  # digits
_DOI, _IS_DOI = "doi:", re.compile(r"doi:10\.[0-9.]+/.")
_NO_LETTER = re.compile(r"[\W_]+")
_TITLE_BYTES = 6
_NAMED_BY_PMID = re.compile(r"pmid:[1-9][0-9]*")  # as papers are named whose ids other papers have too
_IDENTIFYING = (*ALIASES, *NO_PMID, *ON_FIRST_PAGE)  # facts that a record's keys depend on
_REMEMBERED = 1 << 12  # records whose keys are known; a new one's are needed twice
_encode = msgspec.msgpack.Encoder().encode
Slot = tuple[str, str, bool, bool]  # id, source, full text or not, with a version or not


class Record(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A record of a paper, and what decides between two versions of it.

    source: the format that it was read from, "" for none. run: the indexing run that wrote it. version: 0 without one.
    full: whether there is more than an abstract. weight: numbers of facts and of characters. digests: of the
    versions that it stands for, last its own. document: as it was read, with the facts that an index keeps.
    """

    source: str
    run: int
    version: int
    full: bool
    weight: tuple[int, int]
    digests: tuple[bytes, ...]
    document: Document

    @property
    def id(self) -> str:
        return self.document.id

    @property
    def facts(self) -> dict[str, str]:
        return self.document.facts

    @property
    def title(self) -> str:
        return self.document.title[:LONGEST_TITLE]

    @property
    def label(self) -> str:
        """The record as users name it: "medline:31", or the id alone without a source."""
        return f"{self.source}:{self.id}" if self.source else self.id

    @property
    def slot(self) -> Slot:
        """Records with the same slot replace each other."""
        return self.id, self.source, self.full, bool(self.version)

    @property
    def keys(self) -> Keys:
        """What may show that other records are of the same paper."""
        return _keys(self.id, self.title, tuple(map(self.facts.get, _IDENTIFYING)))


class StoredPaper(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A paper as an engine stores it: its id in the index, and its records in the order of their slots.

    shared: the keys for which it joins none of several other papers.
    """

    name: str
    records: tuple[Record, ...]
    shared: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Of this object: what is made of a paper is remembered, and to compare texts would take longer."""
        return id(self)

    def encoded(self) -> bytes:
        """The paper as an engine stores it."""
        return _encode(self)

    @property
    def digest(self) -> int:
        """64 bits that are others after every change of a record."""
        every = _encode([self.name, *(record.digests[-1] for record in self.records)])
        return int.from_bytes(hashlib.blake2b(every, digest_size=_DIGEST).digest(), "little")


_decode = msgspec.msgpack.Decoder(StoredPaper).decode


def decoded(stored: bytes, where: Path | str = "") -> StoredPaper:
    """A paper that an engine has stored. where: it is. DamagedError: anything else."""
    with decoding_faults(where, AGAIN, "a paper of the index is damaged", error=DamagedError):
        return _decode(stored)


def record_of(document: Document, source: str, run: int) -> Record:
    """The record of a document."""
    sections = document.sections
    encoded = _encode([sections, sorted(document.facts.items())])
    version = document.facts.get("version", "")
    full, letters = False, 0
    for section in sections:
        letters += len(section.text)
        full = full or (section.label != NOTES and not of_abstract(section.label) and is_read(section))
    facts = {name: value for name, value in document.facts.items() if value and name in _KEPT_FACTS}
    if signing := signatories(document.facts):
        facts["authors"] = JOINT.join(signing)  # a Paper has groups among its authors
    shown = tuple([one for one in sections if one.label == "title" or is_read(one)])
    return Record(
        source,
        run,
        int(version) if version.isdecimal() and len(version) < _LONGEST_VERSION else 0,
        full,
        (len(document.facts), letters),
        (hashlib.blake2b(encoded, digest_size=_DIGEST).digest(),),
        replace(document, sections=shown, mentions=(), relations=(), facts=facts),
    )


def has_text(document: Document) -> bool:
    """Whether a document has a title or a section that is read."""
    return bool(document.title.strip()) or any(one.text.strip() for one in document.sections if is_read(one))


@lru_cache(_REMEMBERED)
def _keys(ident: str, title: str, identifiers: tuple[str | None, ...]) -> Keys:
    """The keys of a record. identifiers: its facts of _IDENTIFYING."""
    facts = {name: value for name, value in zip(_IDENTIFYING, identifiers, strict=True) if value}
    named = [ID + ident]
    for key in aliases_of(ident, facts):
        # "n/a" is no DOI, and "007" no PMID.
        is_valid = not key.startswith(_DOI) or _IS_DOI.match(key)
        if is_valid and (key != PMID + ident.lstrip("0") or ident[:1] != "0" or "pmid" in facts):
            named.append(key)
    if _NAMED_BY_PMID.fullmatch(ident):
        named.append(ident)
    on_page = [alias(kind, facts.get(fact, "")) for fact, kind in ON_FIRST_PAGE.items()]
    plain = title if title.isascii() else "".join(searchable_parts(title)[:1])
    if letters := _NO_LETTER.sub("", folded(plain)):
        digest = hashlib.blake2b(letters.encode(), digest_size=_TITLE_BYTES).hexdigest()
        both = (key for key in (*named, *on_page) if key.startswith((PMID, _DOI)))
        named += [f"{TITLED}{digest}:{key}" for key in both]
    return Keys(ident, next((key for key in named if key.startswith(PMID)), ""), frozenset(named))


def kept(there: Record, new: Record) -> tuple[str, Record]:
    """(outcome for the new version of a record, record to keep); the record is `there` itself if nothing changes."""
    if new.digests[-1] in there.digests:
        return "unchanged", there
    if there.version > new.version:
        return "older_version", there
    if there.run != new.run:
        return "replaced", new
    if not there.version and (there.weight, there.digests[-1]) >= (new.weight, new.digests[-1]):
        return "repeated", _standing_for(there, new.digests)
    return "replaced", _standing_for(new, there.digests)


def _standing_for(record: Record, others: Sequence[bytes]) -> Record:
    """A record that is known again by its other versions of one run too."""
    own = record.digests[-1]
    every = dict.fromkeys(one for one in (*others, *record.digests) if one != own)
    return replace(record, digests=(*[*every][1 - _VERSIONS :], own))
