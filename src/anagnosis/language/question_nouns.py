"""The noun phrase behind "which" or "what", and the words that stand in its place around a statement's gap.

which gene                             …                       XXXX
which gene mutations                   the gene mutations      XXXX
which mutations of the SCN5A gene      the mutations           XXXX of the SCN5A gene
which type of cancer                   the type of cancer      XXXX
what percentage of the population                              XXXX of the population
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from anagnosis.language import verbs
from anagnosis.language.clauses import (
    AUXILIARIES,
    DETERMINERS,
    MORE_VERBS,
    PREPOSITIONS,
    RELATIVES,
    is_adverb,
)
from anagnosis.language.inflection import is_participle
from anagnosis.language.question_phrase import is_plural
from anagnosis.language.rule_tags import tag
from anagnosis.language.tags import words

NOUNS = ("drop", "keep")
"""drop: the gap replaces a phrase of one word ("which gene"), as in BioASQ MOD; a longer phrase stays before its gap.
keep: every phrase stays ("the gene XXXX")."""

KINDS = frozenset(
    """
    type types kind kinds class classes group groups family families species sort sorts form forms subtype subtypes
    type(s)
    """.split()  # noqa: SIM905 a list is read as words
)
# The gap replaces these, and what they measure stays behind it.
_MEASURES = frozenset("percentage percent proportion fraction number amount extent degree".split())  # noqa: SIM905 a list is read as words
# These stand for no kind of thing: "the way XXXX" is no English.
_NEVER_KEPT = frozenset(("way", "ways", "extent", "one", "ones", "manner"))
_BEHIND_NOUN = RELATIVES | frozenset(("when",))
# An answer names these by what describes or counts them ("iron", "22"), so that the gap cannot replace them.
_DESCRIBED = frozenset(
    """
    allele alleles chromosome chromosomes deficiency deficiencies exon exons intoxication nerve nerves phase stage
    status strand vitamin vitamins
    """.split()  # noqa: SIM905 a list is read as words
)
# Plurals that `is_plural` cannot know from singulars.
_PLURALS = frozenset(("bacteria", "characteristics", "data", "species"))
_NUMBERS = frozenset(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))
# "which gene and which protein", "what part of what organ"
_INNER = re.compile(r" (and|of) (?:which|what) ", re.IGNORECASE)
# ", also known as X", ", thought to be X" at the end of a phrase
_LAST_PHRASE = re.compile(
    r"[^,]+, (?:also |thought |known |called |named |presenting |including )[^,]*", re.IGNORECASE
)
PRONOUNS = frozenset(("we", "you", "they"))
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))


class Gap(NamedTuple):
    """Words that stand before and behind the gap in the place of the question's noun phrase."""

    before: str = ""
    after: str = ""


class Split(NamedTuple):
    """noun: the phrase behind the question word. verb: the first verb behind it, "" for none. rest: what follows."""

    noun: str
    verb: str
    rest: str


def split(text: str) -> Split:
    """The text behind a question word, cut at its verb."""
    places = words(text)
    tokens = [text[begin:end] for begin, end in places]
    at = _verb(tokens)
    if at < 0:
        return Split(text, "", "")
    first = at
    while first > 1 and is_adverb(tokens[first - 1].lower()) and tokens[at].lower() not in AUXILIARIES:
        first -= 1  # "which company originally developed"
    begin, end = places[first][0], places[at][1]
    noun = text[:begin].rstrip()
    closed = noun.rstrip(" ,") + ("," if noun.endswith(",") and "," in noun[:-1] else "")
    return Split(closed, text[begin:end], text[end:].strip())


def gap(noun: str, *, nouns: str) -> Gap:
    """The words around the gap for a noun phrase. nouns: one of NOUNS."""
    noun = _INNER.sub(lambda found: f" {found[1]} " + ("the " if found[1].lower() == "of" else ""), noun)
    places = words(noun)
    lower = [noun[begin:end].lower() for begin, end in places]
    if not lower:
        return Gap()
    end = _of(lower)
    if lower[end - 1] in KINDS and end + 1 < len(lower) and lower[end] == "of":
        end += 1 + _of(lower[end + 1 :])  # "type of cancer"
    head, after = noun[: places[end - 1][1]], noun[places[end - 1][1] :].strip()
    if lower[end - 1] in _MEASURES and after:
        return Gap("", after)
    is_kind_alone = end == 1 and not after and lower[0] not in _DESCRIBED
    if lower[end - 1] in _NEVER_KEPT or (is_kind_alone and nouns == "drop"):
        return Gap("", after)
    article = "" if lower[0] in DETERMINERS else "the "
    return Gap(article + head, after)


def closed(phrase: str) -> str:
    """A phrase before its verb, with the comma that closes what describes it at its end."""
    return f"{phrase}," if _LAST_PHRASE.fullmatch(phrase) else phrase


def described(noun: str) -> str:
    """The phrase with its article, behind the gap: ", a type of enzyme" for "type of enzyme"."""
    lower = [noun[begin:end].lower() for begin, end in words(noun)]
    if is_plural(lower[_of(lower) - 1]):
        return noun
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def is_plural_list(noun: str) -> bool:
    """Whether what shall be listed is a plural: a noun before its first preposition is, or "that are" follows."""
    lower = [noun[begin:end].lower() for begin, end in words(noun)]
    end = next((at for at in range(1, len(lower)) if lower[at] in PREPOSITIONS | RELATIVES), len(lower))
    agrees = any(pair in (("that", "are"), ("that", "were")) for pair in pairwise(lower))
    counts = next((word for word in lower if word not in DETERMINERS), "") in _NUMBERS  # "two medication"
    return agrees or counts or any(is_plural(word) or word in _PLURALS for word in lower[:end])


def _of(lower: Sequence[str]) -> int:
    """The place behind the first nouns of a phrase."""
    depth = 0  # of brackets
    for place, word in enumerate(lower):
        depth += word in ("(", "[")
        if place and not depth and word != ")" and _opens_modifier(lower, place):
            return place
        depth = max(0, depth - (word in (")", "]")))
    return len(lower)


def _opens_modifier(lower: Sequence[str], place: int) -> bool:
    """Whether a word opens what describes the nouns before it."""
    word = lower[place]
    if word in PREPOSITIONS or word in _BEHIND_NOUN or word == ",":
        return True
    if is_participle(word):
        return place + 1 == len(lower) or lower[place + 1] in PREPOSITIONS
    return word.endswith("ing") and place + 1 < len(lower) and lower[place + 1] in PREPOSITIONS | DETERMINERS


def _verb(tokens: Sequence[str]) -> int:
    """The place of the verb behind the question's noun phrase; -1 for none."""
    tags = tag(tokens)
    lower = [token.lower() for token in tokens]
    skip = False
    for place in range(1, len(tokens)):
        if lower[place] in RELATIVES and lower[place - 1] not in ("and", "or"):
            skip = True
        elif lower[place] in PRONOUNS:  # "in which organelles we can detect"
            return place
        elif lower[place] in AUXILIARIES or tags[place] in _FINITE:
            if not skip:
                return place
            skip = False
        elif skip and _plainly_verb(lower, place):
            skip = False
    if not {"that", "which", "who"}.isdisjoint(lower):
        return -1
    inside = range(1, len(tokens) - 1)
    return next((place for test in _UNTAGGED_VERBS for place in inside if test(lower, place)), -1)


def _plainly_verb(lower: Sequence[str], place: int) -> bool:
    return lower[place] in verbs.PLAIN | MORE_VERBS


def _past_verb(lower: Sequence[str], place: int) -> bool:
    """ "which company developed the drug": a participle before an object."""
    word = lower[place]
    if word in ("led", "resulted", "came", "occurred"):
        return True
    return is_participle(word) and lower[place + 1] not in PREPOSITIONS


def _behind_plural(lower: Sequence[str], place: int) -> bool:
    """ "which genes endow growth": an unknown word behind a plural noun."""
    word = lower[place]
    return (
        word.isalpha()
        and is_plural(lower[place - 1])
        and not is_plural(word)
        and word not in PREPOSITIONS | DETERMINERS | {"and", "or"}
    )


# Tests of a word for being the verb where the tagger sees none, the safest first.
_UNTAGGED_VERBS: tuple[Callable[[Sequence[str], int], bool], ...] = (
    _plainly_verb,
    _past_verb,
    lambda lower, place: verbs.is_base(lower[place]) or verbs.is_third_person(lower[place]),
    lambda lower, place: is_plural(lower[place]),
    _behind_plural,
)
