"""Candidate spans for names in a sentence: noun phrases, numbers and their parts.

A phrase is a sequence of nouns with the adjectives, participles and numbers before them, by the rules' tags. Candidates
are phrases; their parts of at most LONGEST words that could be names, since "the FGFR3 G380R mutation" contains
"G380R"; two phrases joined by "of"; numbers with their percent sign; and the words at a slash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from anagnosis.language.tags import tag, words

LONGEST = 6  # words
LONGEST_JOINED = 8  # of two phrases around "of"
_NOUNS = frozenset(("NN", "NNS", "CD"))
_BEFORE = frozenset(("JJ", "VBN", "VBG"))
_NO_NAME_WORDS = """a an the this that these those its their our his her such other another same several many most more
both all each every some any few various certain respectively however therefore thus also well here e.g. i.e. et al
vs been being including called named used using based recently moreover furthermore similarly conversely
additionally finally overall"""
_NO_NAME = frozenset(_NO_NAME_WORDS.split())
_NUMBER = re.compile(
    r"(?<![\w.-])[~<>≥≤±]?\d[\d.,]*(?:\s?(?:[-–:/]|to|in|per|of)\s?\d[\d.,]*)?(?:\s?(?:%|percent\b|per cent\b))?"
)
# Words at a slash, and before "-directed".
_PIECE = re.compile(r"[^\s/]{2,}(?=/)|(?<=/)[^\s/]{2,}|[A-Z][^\s/]+(?=-[a-z]{4})")


class CandidateSpan(NamedTuple):
    """Characters [begin, end) of a sentence. whole: whether it is a complete phrase, not a part of one."""

    begin: int
    end: int
    whole: bool


class _Word(NamedTuple):
    begin: int
    end: int
    text: str
    tag: str


def spans(sentence: str) -> list[CandidateSpan]:
    """The candidates of a sentence, sorted by begin, without duplicates."""
    by_place: dict[tuple[int, int], bool] = {}

    def add(begin: int, end: int, whole: bool) -> None:
        by_place[begin, end] = whole or by_place.get((begin, end), False)

    places = words(sentence)
    texts = [sentence[begin:end] for begin, end in places]
    tagged = [_Word(*place, text, pos) for place, text, pos in zip(places, texts, tag(texts), strict=True)]
    chunks = list(_chunks(tagged))
    for first, behind in chunks:
        phrase = tagged[first:behind]
        for begin in range(len(phrase)):
            if phrase[begin].tag == "POS":
                continue
            for end in range(begin + 1, min(len(phrase), begin + LONGEST) + 1):
                last = phrase[end - 1]
                # An adjective can end a name ("autosomal dominant"), and a gerund can be one ("splicing"), but words
                # that are all participles ("associated") are none.
                can_end = last.tag != "POS" and any(sign.isalnum() for sign in last.text)
                is_verb = all(word.tag == "VBN" and "-" not in word.text for word in phrase[begin:end])
                if can_end and not is_verb:
                    add(phrase[begin].begin, last.end, end - begin == len(phrase))
        for word in phrase:
            for piece in _PIECE.finditer(sentence, word.begin, word.end):
                add(*piece.span(), whole=False)
    for (first, end), (begin, behind) in pairwise(chunks):
        between = [word.text for word in tagged[end:begin]]
        if between in (["of"], ["of", "the"]) and behind - first <= LONGEST_JOINED:
            add(tagged[first].begin, tagged[behind - 1].end, whole=True)
    for number in _NUMBER.finditer(sentence):
        text = number[0].rstrip(".,")
        add(number.start(), number.start() + len(text), whole=True)
    return [CandidateSpan(*place, whole) for place, whole in sorted(by_place.items())]


def _chunks(tagged: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    """[first, last) of every phrase."""
    first: int | None = None
    named = False  # whether a noun of the phrase has been seen
    for place, word in enumerate(tagged):
        inside = _belongs(word) and not (named and word.tag == "VBN" and "-" not in word.text)
        if inside:
            first = place if first is None else first
            named = named or word.tag in _NOUNS
            continue
        if first is not None:
            yield first, place
        first, named = (place, False) if _belongs(word) else (None, False)
    if first is not None:
        yield first, len(tagged)


def _belongs(word: _Word) -> bool:
    tag = word.tag
    return tag == "POS" or ((tag in _NOUNS or tag in _BEFORE) and word.text.lower() not in _NO_NAME)
