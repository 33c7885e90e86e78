"""What an index shows of a paper: a function of the set of its records alone.

Of a paper of several records the fullest text is shown: a full text rather than an abstract, one of another format
rather than of printed pages, an abstract rather than a title, then the latest version, then the longest. Of the other
records are added, each with its source, passages whose text the shown ones lack, and facts. Names of several values and
states are joined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import NamedTuple

from msgspec.structs import replace

from anagnosis.documents.bibliography import JOINT, split_values
from anagnosis.documents.document import NOTES
from anagnosis.documents.formats import PRINTED
from anagnosis.documents.identifiers import NO_PMID
from anagnosis.documents.libraries import LIBRARIES
from anagnosis.documents.states import STATES, united
from anagnosis.searching.aliases import ON_PAGE
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.papers.partition import ID, PMID, TITLED, identifier
from anagnosis.searching.papers.records import KEPT_FACTS, Record, StoredPaper
from anagnosis.searching.passages import SHOWN_FACTS, passages
from anagnosis.searching.records.passage import Paper, Passage

JOINED = (*(one.fact for one in NAME_FILTERS if one.several), "keywords", "mesh")
JOINS_NONE = "joins:none"  # the key of papers that might be part of one of several others
_ABSTRACTS = (*LIBRARIES, "medline", "nbib")  # formats whose abstract is clean, and the paper's own
_WORD = re.compile(r"\w+")
_RUN = 5  # words
# A passage is new if the shown text lacks more than this share of its runs of words. Copies of one abstract differ in
# spelling, headings and citations, translations in everything.
_NEW = 0.5


class ShownPaper(NamedTuple):
    """A paper as it is found and shown. keys: all by which an engine finds it."""

    passages: list[Passage]
    paper: Paper
    keys: tuple[str, ...]


class _Read(NamedTuple):
    """A record with its passages."""

    record: Record
    passages: list[Passage]


def shown(stored: StoredPaper) -> ShownPaper:
    """What an index shows of a paper, whose records have text."""
    name, records = stored.name, stored.records
    first, facts, sources = records[0], records[0].facts, tuple[str, ...]()
    keys = first.keys.all
    if len(records) == 1:
        own = passages(first.document)
    else:
        ordered = _ordered(stored)
        facts = joined_facts(name, [one.record for one in ordered])
        own, sources = _joined_passages(ordered, facts), tuple(one.record.label for one in ordered)
        keys = keys.union(*(record.keys.all for record in records))
    if len(records) > 1 or name != first.id:
        own = [replace(passage, document=name, number=number) for number, passage in enumerate(own)]
    # With its identifier a paper is found by this; so only pages cost a key more, and one without the title.
    aliases = sorted(key for key in keys - {ID + name} if identifier(key) not in keys - {key})
    aliases += sorted({ON_PAGE + identifier(key) for key in aliases if key.startswith(TITLED)})
    if stored.shared:
        aliases.append(JOINS_NONE)
    about = Paper(
        tuple(split_values(facts.get("authors", ""))),
        tuple(split_values(facts.get("keywords", ""))),
        tuple(split_values(facts.get("mesh", ""))),
        tuple(aliases),
        facts.get("volume", ""),
        facts.get("issue", ""),
        facts.get("pages", ""),
        sources,
        stored.shared,
    )
    return ShownPaper(own, about, (ID + name, *aliases))


def _ordered(stored: StoredPaper) -> list[_Read]:
    """The records with their passages, the fullest first."""
    every = [_Read(record, passages(record.document)) for record in stored.records]
    return sorted(every, key=_fullness, reverse=True)


def _fullness(one: _Read) -> tuple[object, ...]:
    """The greatest is the fullest text."""
    record = one.record
    facts, letters = record.weight
    has_text = one.passages[0].section not in ("title", NOTES)  # notes stand behind the paper's text
    weight = letters, facts, record.digests[-1]
    is_printed = record.source in PRINTED  # what stands on pages is found by where it stands
    return record.full, not is_printed, has_text, record.version, *weight, record.id, record.source


def abstract_of(stored: StoredPaper) -> list[Passage]:
    """The passages of the record whose abstract stands for the paper: a library's or MEDLINE's, else the fullest's."""
    return max(_ordered(stored), key=_as_abstract).passages


def _as_abstract(one: _Read) -> tuple[object, ...]:
    has_one = any(not each.full_text and each.section != "title" for each in one.passages)
    return has_one, one.record.source.partition("/")[0] in _ABSTRACTS, *_fullness(one)[1:]


def joined_facts(name: str, ordered: Sequence[Record]) -> dict[str, str]:
    """The facts of the fullest record, and those that only others have. ordered: fullest first."""
    facts: dict[str, str] = {}
    for fact in KEPT_FACTS:
        values = [value for record in ordered if (value := record.facts.get(fact))]
        if fact in JOINED:
            each = {
                one.casefold(): one for value in reversed(values) for one in reversed(split_values(value))
            }
            facts[fact] = JOINT.join(reversed(each.values()))
        elif fact == "added":
            facts[fact] = max(values, default="")  # to the last of its libraries
        elif values:
            facts[fact] = united(values) if fact in STATES else values[0]
    pmid = next((record.keys.pmid for record in ordered if record.keys.pmid), "")
    facts.pop("id_of", None)
    if pmid and pmid != PMID + name:
        facts["pmid"] = pmid.removeprefix(PMID)
    if name.isdecimal() and pmid != PMID + name:
        facts |= NO_PMID
    return {fact: value for fact in KEPT_FACTS if (value := facts.get(fact))}


def _joined_passages(ordered: Sequence[_Read], facts: dict[str, str]) -> list[Passage]:
    """The passages of the fullest record and those that only others have."""
    titles = (one.passages[0].title for one in ordered)
    same = {
        "title": next(filter(None, titles), ""),
        "facts": {k: v for k, v in facts.items() if k in SHOWN_FACTS},
    }
    there = set[tuple[str, ...]]()
    joined: list[Passage] = []
    for number, record in enumerate(ordered):
        new = [
            one
            for one in record.passages
            if not number or one.section == NOTES or (one.section != "title" and _is_new(one.text, there))
        ]
        source = record.record.label if number else ""
        for passage in new:
            there.update(_runs(passage.text))
            joined.append(replace(passage, **same, source=source))
    return joined


def _is_new(text: str, there: Set[tuple[str, ...]]) -> bool:
    """Whether most of a text is not among these runs of words."""
    runs = _runs(text)
    return sum(run not in there for run in runs) > _NEW * len(runs)


def _runs(text: str) -> list[tuple[str, ...]]:
    """The runs of _RUN words of a text; of a shorter one all of its words."""
    words = _WORD.findall(text.casefold())
    if 0 < len(words) < _RUN:
        return [tuple(words)]
    return list(zip(*(words[begin:] for begin in range(_RUN)), strict=False))
