"""The contents list of a paper's page: its headings, each with the place of its first passage.

Headings are paths, "Methods › People": every part of a path becomes an entry below the one before it. Figures and
tables stand where they are, and the list goes on below the same headings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from anagnosis.documents.document import HEADING_PATH
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage

DEEPEST_SHOWN = 2
_FLOATING = ("figure", "table")


class Entry(NamedTuple):
    """A heading. level: from 0. passage: number of its first passage. place: of that among all. strength: of the
    sentence that fits best below it."""

    name: str
    level: int
    passage: int
    place: int
    strength: int


class Part(NamedTuple):
    """The abstract, or the rest."""

    name: str
    entries: list[Entry]


def passage_name(passage: Passage) -> str:
    """The last part of its heading, as printed; its section where it has none."""
    return path(passage)[-1]


def path(passage: Passage) -> list[str]:
    """Its headings, the outermost first; at least one."""
    parts = [part for part in passage.heading.split(HEADING_PATH) if part.strip()]
    return parts or [passage.section.capitalize()]


def contents(passages: Sequence[Passage], hits: Sequence[Hit]) -> list[Part]:
    """Abstract and full text, each with its headings. hits: passages with scored sentences, perhaps not of all."""
    strengths = {hit.passage.number: max((one.strength for one in hit.sentences), default=0) for hit in hits}
    made = list[Part]()
    for name, full_text in (("Abstract", False), ("Full text", True)):
        places = [
            (index, one)
            for index, one in enumerate(passages)
            if one.full_text is full_text and one.section != "title"
        ]
        if places:
            made.append(Part(name, _entries(places, strengths)))
    return made


def _entries(places: Sequence[tuple[int, Passage]], strengths: Mapping[int, int]) -> list[Entry]:
    entries, above, last = list[Entry](), list[str](), dict[tuple[str, ...], int]()
    for index, passage in places:
        strength = strengths.get(passage.number, 0)
        names = path(passage)
        if passage.section in _FLOATING:
            known, names = len(above), [*above, names[-1]]
        else:
            known = sum(
                1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(above, names, strict=False))
            )
            above = names
        if known == len(names):  # a heading goes on
            at = last[tuple(names)]
            entries[at] = entries[at]._replace(strength=max(strength, entries[at].strength))
        for level in range(known, len(names)):
            fits = strength if level == len(names) - 1 else 0
            last[tuple(names[: level + 1])] = len(entries)
            entries.append(Entry(names[level], min(level, DEEPEST_SHOWN), passage.number, index, fits))
    return entries
