"""The documents of a paper in a cluster, as lines of a bulk, and what is read back of them.

    the paper, "being written"    its passages, deletions of stale ones    later: the paper as it is

Ids are a digest of the document's, which may be long, and the number of the passage. Every line has the version that
its writer gave it, so that a late line of an earlier writer changes nothing (writing.py).
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

import msgspec

from anagnosis.errors import DamagedError
from anagnosis.searching.engines import AGAIN, PassageKey
from anagnosis.searching.engines.opensearch.schema import PAPER, PASSAGE
from anagnosis.searching.engines.paper_terms import PRINTED, definition_terms, names_of
from anagnosis.searching.filters import date_number
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import joined_parts, printed_words

T = TypeVar("T")
_encode = msgspec.json.Encoder().encode
_YEAR = 10_000  # of filters.date_number


class StoredPassage(msgspec.Struct):
    """What a passage's document gives back."""

    passage: Passage


class StoredPaper(msgspec.Struct):
    """What a paper's document gives back, as far as it is asked for. names: as printed, by field."""

    paper: Paper = NO_FACTS
    names: dict[str, list[str]] = {}


class PaperEntry(NamedTuple):
    """The sources of a paper's documents. passages: by number. final: of the paper; None of a removed one."""

    document: str
    passages: tuple[bytes, ...]
    final: bytes | None


@lru_cache(maxsize=1 << 12)
def digest(document: str) -> str:
    """The id of a document's paper in a cluster."""
    return blake2b(document.encode(), digest_size=16).hexdigest()


def passage_id(place: PassageKey) -> str:
    """The id of a passage in a cluster."""
    return f"{digest(place[0])}#{place[1]}"


def entry(passages: Sequence[Passage], mark: str, paper: Paper) -> PaperEntry:
    """The lines of a document with at least one passage."""
    first = passages[0]
    names: dict[str, list[str]] = {}
    for field, name in names_of(passages, paper):
        names.setdefault(field, []).append(name)
    date = date_number(first.date)
    dates = {"date": date, "added": date_number(first.facts.get("added", ""))}
    shared: dict[str, Any] = {
        "document": first.document,
        **names,
        **{k: day for k, day in dates.items() if day},
    }
    lines = tuple([_encode(_of_passage(one, shared, paper)) for one in passages])
    final = {
        **shared,
        "join": PAPER,
        "written": True,
        "passages": len(passages),
        "mark": base64.b64encode(mark.encode()).decode(),
        "alias": paper.aliases,
        "printed": list(dict.fromkeys(printed_words(first.title))),
        "abbreviation": definition_terms(passages),
        "paper": paper,
        "names": {field: list(printed(first, paper)) for field, printed in PRINTED.items()},
        **({"year": date // _YEAR} if date else {}),
    }
    return PaperEntry(first.document, lines, _encode(final))


def _of_passage(passage: Passage, shared: dict[str, Any], paper: Paper) -> dict[str, Any]:
    title = _joined(passage.title)
    return {
        **shared,
        "join": {"name": PASSAGE, "parent": digest(passage.document)},
        "number": passage.number,
        "content": [*title, *_joined(passage.heading), *joined_parts(passage.text)],
        "title": title,
        "section": passage.section,
        "full_text": passage.full_text,
        "passage": passage,
        **({"alias": paper.aliases} if passage.number == 0 else {}),
    }


_joined = lru_cache(maxsize=1 << 10)(joined_parts)  # of titles and headings, which several passages have


def being_written(document: str, passages: int) -> bytes:
    """A paper while it is written. passages: the larger of their numbers before and after."""
    return _encode({"document": document, "join": PAPER, "written": False, "passages": passages})


def write_line(ident: str, document: str, version: int, source: bytes) -> bytes:
    """Two lines of a bulk, which write a document."""
    return b'{"index":' + _target(ident, document, version) + b"}\n" + source + b"\n"


def delete_line(ident: str, document: str, version: int) -> bytes:
    """The line of a bulk that deletes a document."""
    return b'{"delete":' + _target(ident, document, version) + b"}\n"


def _target(ident: str, document: str, version: int) -> bytes:
    where = {"_id": ident, "routing": digest(document), "version": version, "version_type": "external_gte"}
    return _encode(where)


def read_mark(value: str, where: str) -> str:
    """The mark in a doc value, which has no padding. DamagedError: it is none."""
    try:
        return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).decode()
    except ValueError as fault:
        raise DamagedError("a mark is not as it was stored", where, AGAIN) from fault


def read_source(source: msgspec.Raw, of: type[T], where: str) -> T:
    """What a document gives back. DamagedError: another program wrote it."""
    try:
        return msgspec.json.decode(source, type=of)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise DamagedError("a document of the index is not ours", where, AGAIN) from fault
