"""Whether two printed names are one but for plurals, adjectives and spelling.

Names are compared by the stems of their words (names.key), and a stem joins more than inflections: ageing and aged,
organs and organizations, nurses and nursing. So the printed words must be alike too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from anagnosis.language.plain_letters import searchable
from anagnosis.searching.synonyms.spelling import american
from anagnosis.searching.words import printed_words

# Endings of two words that are one name: of a singular and its plural, and of a noun and its adjective.
_PLURALS = "/s /es y/ies ey/ies is/es us/i um/a a/ae on/a x/ces oot/eet /ren"
_ADJECTIVES = (
    "sion/sive es/ic ia/ic y/ic y/ical e/ic ic/ical /al e/al a/al us/al is/al /ic /ous us/ous /ary /ity al/e /ly is/ic "
    "ion/ional s/tic /ar"
)
# Pairs with one stem and such endings that are two concepts in MeSH 2024.
_APART = (
    "adhesion/adhesive aid/aids alcohol/alcoholic arsenic/arsenical criminal/criminality electron/electronic "
    "ethane/ethanal explosion/explosive glass/glasses magnet/magnetic methane/methanal miner/mineral "
    "polar/polarity sulfur/sulfuric "
    "epigenome/epigenomic genome/genomic metabolome/metabolomic metagenome/metagenomic proteome/proteomic "
    "transcriptome/transcriptomic"
)
_NO_PLURALS = frozenset(("aids", "glasses"))


def _pairs(listed: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("/")) for pair in listed.split())


_ENDINGS, _TWO_WORDS = _pairs(f"{_PLURALS} {_ADJECTIVES}"), _pairs(_APART)
_LETTERS = re.compile(r"[a-z]+")


def same_name(one: str, other: str) -> bool:
    """Whether two names with one key are one name, word by word."""
    words, others = _printed(one), _printed(other)
    if len(words) != len(others):  # IL6, IL-6; the key has compared them
        return True
    return all(_same_word(*pair) for pair in zip(words, others, strict=True))


def _printed(name: str) -> list[str]:
    plain = searchable(" ".join(name.split())).partition("\n")[0].lower()
    return printed_words(_LETTERS.sub(lambda match: american(match[0]), plain))


def _same_word(one: str, other: str) -> bool:
    """Whether two words are one, or one is the plural or the adjective of the other, or the plural of that."""
    return one == other or any(
        _differ_by_ending(first, second) for first in _singulars(one) for second in _singulars(other)
    )


def _singulars(word: str) -> Sequence[str]:
    return (word, word[:-1]) if word.endswith("s") and word not in _NO_PLURALS else (word,)


def _differ_by_ending(one: str, other: str) -> bool:
    if one == other:
        return True
    if frozenset((one, other)) in _TWO_WORDS:
        return False
    pairs = zip_longest(one, other)
    same = next(place for place, (first, second) in enumerate(pairs) if first != second)
    # An ending may begin before the first letter that differs: analys|is, analys|es.
    return any(
        frozenset((one[begin:], other[begin:])) in _ENDINGS for begin in range(max(0, same - 2), same + 1)
    )
