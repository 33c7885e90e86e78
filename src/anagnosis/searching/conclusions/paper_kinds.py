"""The kind of a paper: by its publication types, else by its title, else by how its abstract describes itself.

Where the types name only a review, a title that names a kind of REVIEWS is more exact.

The kinds, in the order of precedence, and their signs are in paper_kinds.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from anagnosis.io.decoding import table_beside
from anagnosis.searching.records.hits import PaperKind
from anagnosis.searching.records.passage import Passage

_READ = 3000  # characters of each passage that are searched
# Sections in which a paper describes itself.
_DESCRIBING = frozenset(("abstract", "methods", "objective", "background"))


class _Kind(msgspec.Struct, frozen=True):
    """types: publication types. named: words of a title that name the kind. described: words of an abstract."""

    name: str
    types: tuple[str, ...]
    named: str
    described: str = ""


KINDS = table_beside(__name__, dict[str, tuple[_Kind, ...]])["kinds"]
REVIEWS = ("meta-analysis", "systematic review")
NAMES = tuple(kind.name for kind in KINDS)
_BY_TYPE = {each: kind.name for kind in reversed(KINDS) for each in kind.types}
_NAMED = [(kind.name, re.compile(kind.named, re.IGNORECASE)) for kind in KINDS if kind.named]
_DESCRIBED = [(kind.name, re.compile(kind.described, re.IGNORECASE)) for kind in KINDS if kind.described]


def paper_kind(passages: Sequence[Passage]) -> PaperKind:
    """The kind of a paper, from its passages, of which there is one or more."""
    known = {_BY_TYPE[each.lower()] for each in passages[0].types if each.lower() in _BY_TYPE}
    title = next((name for name, pattern in _NAMED if pattern.search(passages[0].title)), "")
    if known and not (known == {"review"} and title in REVIEWS):
        return PaperKind(min(known, key=NAMES.index), "publication type")
    if title:
        return PaperKind(title, "title")
    texts = [passage.text[:_READ] for passage in passages if passage.section in _DESCRIBING]
    for name, pattern in _DESCRIBED:
        if any(pattern.search(text) for text in texts):
            return PaperKind(name, "abstract")
    return PaperKind("")
