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
from collections.abc import Sequence

import msgspec
from msgspec.structs import astuple, replace

from anagnosis.documents.bibliography import JOINT, signatories
from anagnosis.documents.document import Document
from anagnosis.documents.identifiers import ON_FIRST_PAGE
from anagnosis.documents.libraries.entry import OF_LIBRARY
from anagnosis.errors import DamagedError
from anagnosis.io.decoding import decoding_faults
from anagnosis.language.plain_letters import searchable_parts
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.index.paper_partition import ID, NO_KEYS, PMID, TITLED, Keys
from anagnosis.searching.papers import ALIASES, alias, aliases_of
from anagnosis.searching.passages import LONGEST_TITLE, SHOWN_FACTS, is_read, of_abstract, passages
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Entity, Passage

PAPER_FACTS = ("authors", "keywords", "mesh", "volume", "issue", "pages")  # stored once a paper, as its Paper
KEPT_FACTS = (*SHOWN_FACTS, *PAPER_FACTS)
_KEPT_FACTS = frozenset(KEPT_FACTS)
_HASHES = 8  # most versions of a record that its mark remembers
_DIGITS = 16
_DOI, _IS_DOI = "doi:", re.compile(r"doi:10\.[0-9.]+/.")
_NO_LETTER = re.compile(r"[\W_]+")
_TITLE_BYTES = 6
# Facts that only the version of the last run has; it may have corrected them.
_OF_THE_LAST_RUN = (*ALIASES, *ON_FIRST_PAGE, *OF_LIBRARY)
_NAMED_BY_PMID = re.compile(r"pmid:[1-9][0-9]*")  # as papers are named whose ids other papers have too
_ENCODER = msgspec.msgpack.Encoder()
_WITHOUT_FACTS, _WITH_FACTS = 7, 8  # fields of a Record that a mark has
Slot = tuple[str, str, bool, bool]  # id, source, full text or not, with a version or not


class Record(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A record of a paper, and what decides between two versions of it.

    source: the format that it was read from. run: the indexing run that wrote it. version: 0 without one. full: whether
    there is more than an abstract. weight: numbers of facts, of characters and of mentions. hashes: of the versions
    that it is made of, last the one of its text. facts: those that an index keeps. passages: of this record alone.
    """

    id: str
    source: str
    run: int
    version: int
    full: bool
    weight: tuple[int, int, int]
    hashes: tuple[str, ...]
    facts: dict[str, str] = {}
    passages: list[Passage] = []
    keys: Keys = NO_KEYS

    @property
    def label(self) -> str:
        """The record as users name it: "medline:31", or the id alone without a source."""
        return f"{self.source}:{self.id}" if self.source else self.id

    @property
    def slot(self) -> Slot:
        """Records with the same slot replace each other."""
        return self.id, self.source, self.full, bool(self.version)


_MARK = msgspec.json.Decoder(list[tuple[Record, list[int | Passage]]])


def record_of(document: Document, outline: Record) -> Record:
    """The record of a document with this outline. passages: empty where it has neither title nor text."""
    return replace(outline, passages=passages(document))


def outline_of(document: Document, source: str, run: int) -> Record:
    """The record of a document without its passages, by which an unchanged one is known."""
    sections, mentions = document.sections, document.mentions
    contents = [sections, sorted(document.facts.items())]
    encoded = _ENCODER.encode([*contents, mentions] if mentions else contents)
    version = document.facts.get("version", "")
    full, letters = False, 0
    for section in sections:
        letters += len(section.text)
        full = full or (not of_abstract(section.label) and is_read(section))
    facts = {name: value for name, value in document.facts.items() if value and name in _KEPT_FACTS}
    if "corporate_authors" in document.facts:
        facts["authors"] = JOINT.join(signatories(document.facts))  # a Paper has groups among its authors
    return Record(
        document.id,
        source,
        run,
        int(version) if version.isdecimal() and len(version) < _DIGITS else 0,
        full,
        (len(document.facts), letters, len(mentions)),
        (hashlib.sha256(encoded).hexdigest()[:_DIGITS],),
        facts,
        keys=keys_of(document.id, facts, document.title[:LONGEST_TITLE]),
    )


def keys_of(ident: str, facts: dict[str, str], title: str) -> Keys:
    """The keys of a record with this id, these facts and this title."""
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


def updated(there: Record, new: Record) -> tuple[str, Record]:
    """(outcome for the new version of a record, record to keep); the record is `there` itself if nothing changes."""
    if new.hashes[0] in there.hashes:
        return "unchanged", there
    same_run = there.run == new.run
    if why := _why_kept(there, new):
        return why, _with_others(there, new, "" if same_run else "others")
    kept = _with_others(new, there, "" if same_run else "record")
    return "replaced", kept if same_run else replace(kept, run=new.run, hashes=new.hashes)


def _why_kept(there: Record, new: Record) -> str:
    """Why the stored version stays, as the name of a count; "" if the new one replaces it."""
    if there.version:
        return "older_version" if there.version > new.version else ""
    if there.run == new.run and (there.weight, there.hashes) >= (new.weight, new.hashes):
        return "repeated"
    return ""


def _with_others(kept: Record, other: Record, read_last: str = "") -> Record:
    """A record with the facts and mentions that only its other version has.

    read_last: which version comes from the later run, "record" or "others"; "" for the same run. Some facts
    of an earlier run are not taken over (_OF_THE_LAST_RUN).
    """
    dropped = _OF_THE_LAST_RUN if read_last == "record" else ()
    facts = {
        name: value
        for name in KEPT_FACTS
        if (value := kept.facts.get(name) or ("" if name in dropped else other.facts.get(name, "")))
    }
    others = [one for one in (*other.hashes, *kept.hashes) if one != kept.hashes[-1]]
    shown = {name: value for name, value in facts.items() if name in SHOWN_FACTS}
    return replace(
        kept,
        run=max(kept.run, other.run),
        hashes=(*dict.fromkeys(others), kept.hashes[-1])[-_HASHES:],
        facts=facts,
        passages=_with_mentions(
            [replace(passage, facts=shown) for passage in kept.passages], other.passages, read_last
        ),
        keys=keys_of(kept.id, facts, kept.passages[0].title),
    )


def mark_of(records: Sequence[Record], shown: Sequence[Passage]) -> str:
    """The mark of a paper: its records, as an engine stores them with its first passage.

    A paper of one record needs no second copy: its passages and facts are the record. Of several records the mark has
    the facts and passages of each, so that a record can be removed. A passage that is shown is named by its number.
    """
    several = len(records) > 1
    numbers = {_contents(one): one.number for one in reversed(shown)} if several else {}
    mark = [
        (
            astuple(record)[: _WITH_FACTS if several else _WITHOUT_FACTS],
            [numbers.get(_contents(one), _alone(one)) for one in record.passages] if several else (),
        )
        for record in records
    ]
    return msgspec.json.encode(mark).decode()


def decoded(mark: str, shown: int | None = None) -> list[tuple[Record, list[int | Passage]]]:
    """(record, its passages or the numbers of those shown) of a mark.

    shown: how many passages the paper has, None where only its records count.
    DamagedError: any other text, or a number of no passage.
    """
    with decoding_faults("", AGAIN, "the mark of a document is damaged", error=DamagedError):
        records = _MARK.decode(mark)
    if shown is None:
        return records
    for _, pieces in records:
        numbers = [piece for piece in pieces if isinstance(piece, int)]
        if bool(pieces) != (len(records) > 1) or any(not 0 <= number < shown for number in numbers):
            raise DamagedError("the mark of a document names passages that are not there", "", AGAIN)
    return records


def restored(mark: str, shown: Sequence[Passage], about: Paper) -> tuple[Record, ...]:
    """The records of a stored paper. DamagedError: the mark does not fit the passages."""
    return tuple(_restored(record, pieces, shown, about) for record, pieces in decoded(mark, len(shown)))


def _restored(record: Record, pieces: list[int | Passage], shown: Sequence[Passage], about: Paper) -> Record:
    facts = record.facts if pieces else {**_facts_of(about), **shown[0].facts}
    of_passages = {name: value for name, value in facts.items() if name in SHOWN_FACTS}
    own = [
        replace(
            shown[piece] if isinstance(piece, int) else piece,
            document=record.id,
            number=number,
            facts=of_passages,
            source="",
        )
        for number, piece in enumerate(pieces or range(len(shown)))
    ]
    return replace(record, facts=facts, passages=own, keys=keys_of(record.id, facts, own[0].title))


def _alone(passage: Passage) -> Passage:
    """A passage without what its record has."""
    return replace(passage, document="", number=0, facts={}, source="")


def _contents(passage: Passage) -> tuple[object, ...]:
    """What a passage of a record shares with the shown passage that stands for it."""
    where = passage.section, passage.heading, passage.full_text
    return *where, passage.title, passage.text, passage.entities, passage.title_entities, passage.page_map


def _facts_of(about: Paper) -> dict[str, str]:
    """The facts of a document that its Paper has."""
    values = {name: getattr(about, name) for name in PAPER_FACTS}
    return {
        name: value if isinstance(value, str) else JOINT.join(value)
        for name, value in values.items()
        if value
    }


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
