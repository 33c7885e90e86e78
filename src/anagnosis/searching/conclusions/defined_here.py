"""Abbreviations that a paper defines in another sense: DEX for dexmedetomidine, where one asks about dexamethasone."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.abbreviations import defined_in
from anagnosis.searching.words import words_of


def meant_here(equivalents: Sequence[Equivalent], passages: Sequence[Passage]) -> list[Equivalent]:
    """The names that mean words of the question, without those that the paper defines as something else."""
    if not equivalents:
        return []
    defined = [(tuple(words_of(short)), frozenset(words_of(long))) for short, long in defined_in(passages)]

    def means_else(name: tuple[str, ...], words: frozenset[str]) -> bool:
        longs = [long for short, long in defined if short == name]
        return bool(longs) and not any(words <= long for long in longs)

    kept = [
        Equivalent(one.words, tuple(name for name in one.names if not means_else(name, one.words)))
        for one in equivalents
    ]
    return [one for one in kept if one.names]
