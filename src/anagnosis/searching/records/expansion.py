"""Records of names that mean the same: what a search added to a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec


class ExpandedWords(msgspec.Struct, frozen=True):
    """Words of a question, as typed, and the names that the search counts as the same."""

    words: str
    added: Sequence[str]


class ExpansionOptions(msgspec.Struct, frozen=True):
    """What a search adds to questions. synonyms: whether it adds anything. without: names and words to leave alone."""

    synonyms: bool = True
    without: tuple[str, ...] = ()


EXPANDED = ExpansionOptions()


class Equivalent(NamedTuple):
    """Words of a question, and names that count as all of them where their words stand side by side.

    All are words of the index.
    """

    words: frozenset[str]
    names: tuple[tuple[str, ...], ...]


class Topic(NamedTuple):
    """What sentences are compared with.

    text: "" where a query has only names, dates and beginnings of words. equivalents: names that count as its words.
    """

    text: str
    equivalents: tuple[Equivalent, ...] = ()
