"""Words of direction in a sentence: what goes up or down, gets better or worse, is needed or not.

Each word of UP and DOWN has a dimension and a sign; a word ending in * matches all words that begin with it. A word
in the scope of a negation (negation.py) is negated: "did not reduce" goes neither down nor up. One pass over the words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from anagnosis.language.negation import SAME, Cue

# Dimension → words of its two ends.
UP = {
    "amount": """increas* rais* elevat* higher greater more longer larger rise rises rising rose upregulat* up-regulat*
    gain* accelerat* augment* overexpress* faster enlarg* enrich* activat* promot* stimulat* induc* enhanc* facilitat*
    trigger* driv* amplif* strengthen* extend* prolong* caus* aggravat* exacerbat* boost* stronger
    doubled doubling doubles tripled tripling triples quadrupled hyper*""",
    "quality": """better improv* superior benefi* effective effectively efficac* effectiveness favourabl* favorabl* good
    advantag* success* useful* helpful valuab* excellent reliab* accura* adequate* satisfactory""",
    "need": "essential necessary required requir* need* indispensable mandatory crucial critical",
    "sensitivity": "sensitiv* susceptib* vulnerab*",
    "presence": "with presence present positive",
    "safety": "safe safely safety tolerated tolerable",
    "equality": "same similar similarly comparable equal* equivalen* identical noninferior",
}
DOWN = {
    "amount": """decreas* reduc* lower lowers lowered lowering less fewer shorter smaller declin* diminish*
    downregulat* down-regulat* drop* fall falls fell attenuat* minimi* slower slow slows slowed deplet* lessen*
    inhibit* suppress* block* prevent* abolish* abrogat* antagoni* silenc* imped* hinder* delay* protect* disrupt*
    shorten* weaken* limit limits alleviat* ameliorat* reliev* cut cuts weaker eliminat* halved halving halves hypo*""",
    "quality": """worse worsen* inferior harm* ineffective ineffectiv* poor poorer poorly unfavourabl* unfavorabl*
    detriment* advers* deleterious deteriorat* useless disappoint* inaccura* unreliab* inadequate* insufficient*
    unsatisfactory impair* disadvantag* inefficien*""",
    "need": "dispensable unnecessary redundant nonessential non-essential unneeded omitted",
    "sensitivity": "resistan* resistant insensitiv* refractor*",
    "presence": "without absence absent negative lack* devoid",
    "safety": "unsafe danger* toxic* hazard* dangerous",
    "equality": "differ* distinct unlike unequal dissimilar",
}
_WORD = re.compile(r"\w+(?:['’\-‐‑]\w+)*")
_SHORTEST = 3  # letters of a beginning


class Direction(NamedTuple):
    """A word of direction. place: of the word among the sentence's words, from 0. sign: 1 up, -1 down."""

    place: int
    dimension: str
    sign: int
    negated: bool


# Word, or beginning with its asterisk → dimension and sign.
_KNOWN = {
    word: (dimension, sign)
    for sign, side in ((1, UP), (-1, DOWN))
    for dimension, listed in side.items()
    for word in listed.split()
}
_LONGEST = max(map(len, _KNOWN))


def words(sentence: str) -> list[tuple[str, int]]:
    """The words of a sentence in lower case, each with where it begins."""
    return [(match[0].lower(), match.start()) for match in _WORD.finditer(sentence)]


def directions(sentence_words: Sequence[tuple[str, int]], cues: Sequence[Cue]) -> list[Direction]:
    """The words of direction among `words`. cues: of the sentence."""
    negated = _negated(cues)
    every: list[Direction] = []
    for place, (word, begin) in enumerate(sentence_words):
        if (known := _of(word)) is not None:
            every.append(Direction(place, *known, begin in negated))
    return every


def _negated(cues: Sequence[Cue]) -> frozenset[int]:
    """The characters in the scope of a negation, without those of cues themselves."""
    scopes, reached = list[range](), 0
    for cue in sorted((cue for cue in cues if cue.kind != SAME), key=lambda cue: cue.scope_begin):
        scopes.append(range(max(reached, cue.scope_begin), cue.scope_end))
        reached = max(reached, cue.scope_end)
    inside = {at for scope in scopes for at in scope}
    return frozenset(inside.difference(*(range(cue.begin, cue.end) for cue in cues)))


def _of(word: str) -> tuple[str, int] | None:
    if word in _KNOWN:
        return _KNOWN[word]
    lengths = range(min(len(word), _LONGEST), _SHORTEST - 1, -1)
    return next((_KNOWN[begin] for n in lengths if (begin := f"{word[:n]}*") in _KNOWN), None)
