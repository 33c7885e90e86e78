"""English verbs in the present tense, as research statements use them: lists and forms.

The lists (verbs.toml) are ours, written for the titles of biomedical papers. We recognise other verbs by their ending
(`-ize`, `-ise`, `-ify`) or by a prefix before a listed verb ("downregulates", "co-activates").
"""

from __future__ import annotations

import re

from anagnosis.io.decoding import table_beside

BE = frozenset(("is", "are"))
HAVE = frozenset(("has", "have"))
DO = frozenset(("does", "do"))
AUXILIARIES = BE | HAVE | DO
MODALS = frozenset("can cannot could may might must shall should will would".split())  # noqa: SIM905 a list is read as words

_TABLE = table_beside(__name__, dict[str, str])
PLAIN, ALSO_NOUNS, MOSTLY_VERBS, INTRANSITIVE = (
    frozenset(_TABLE[name].split()) for name in ("plain", "also_nouns", "mostly_verbs", "intransitive")
)
PREPOSITIONS = {verb: tuple(words) for verb, *words in map(str.split, _TABLE["prepositions"].splitlines())}

_PREFIXED = re.compile(
    r"(?:auto|co|counter|cross|de|dis|down|dys|hyper|hypo|inter|mis|out|over|pre|re|self|trans|under|up)-?(?=[a-z]{4})"
)
_NOT_PREFIXED = frozenset("disease income intermediate outcome overuse reuse underuse".split())  # noqa: SIM905 a list is read as words
_DERIVED = re.compile(r"[a-z]{3,}(?:ize|ise|ify)")
# "exercise", "size", "rise" and the like have these endings but are no such verbs.
_NOT_DERIVED = re.compile(
    r"(?:exerc|prem|prom|prec|conc|enterpr|surpr|expert|otherw|l?ikew|cru|franch|merchand|par|ad|d)ise"
)

_IRREGULAR = {"be": "is", "have": "has"}
_IRREGULAR_BASES = {"is": "be", "are": "be", "has": "have"}
_ENDS_IN_IE = frozenset("belie die lie outlie overlie tie underlie untie vie".split())  # noqa: SIM905 a list is read as words
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh|[^aeiou]o)\Z")


def third_person(base: str) -> str:
    """The third person singular of a verb in lower case."""
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if _SIBILANT.search(base):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def base_form(word: str) -> str:
    """The base of a verb in the present tense, in the case of `word`: "Increases" gives "Increase"."""
    lower = word.lower()
    base = _IRREGULAR_BASES.get(lower) or _THIRD.get(lower) or _unprefixed(lower) or _stripped(lower)
    if word.isupper() and len(word) > 1:
        return base.upper()
    return base.capitalize() if word[:1].isupper() else base


def is_third_person(word: str) -> bool:
    """Whether a word in lower case can be a verb after a singular subject."""
    if word in _THIRD:
        return True
    return word.endswith("s") and is_base(base_form(word))


def is_base(word: str) -> bool:
    """Whether a word in lower case can be a verb after a plural subject."""
    if word in KNOWN:
        return True
    prefix = None if word in _NOT_PREFIXED else _PREFIXED.match(word)
    if prefix and word[prefix.end() :] in PLAIN:
        return True
    return _DERIVED.fullmatch(word) is not None and _NOT_DERIVED.fullmatch(word) is None


def is_possible(word: str) -> bool:
    """Whether a word in lower case can be a verb in the present tense at all."""
    return word in AUXILIARIES or is_base(word) or is_third_person(word)


def is_also_noun(base: str) -> bool:
    """Whether the base, or its third person read as a plural, is a noun too."""
    return base in ALSO_NOUNS


def is_mostly_noun(base: str) -> bool:
    """Whether the word is more often the noun, also before another noun."""
    return base in ALSO_NOUNS and base not in MOSTLY_VERBS


def _unprefixed(lower: str) -> str:
    prefix = _PREFIXED.match(lower)
    base = _THIRD.get(lower[prefix.end() :]) if prefix else None
    return prefix.group() + base if prefix and base else ""


def _stripped(lower: str) -> str:
    """The base form of a third person that is in no list."""
    if lower.endswith("ies") and len(lower) > 4:
        return lower[:-1] if lower[:-1] in _ENDS_IN_IE else lower[:-3] + "y"
    if lower.endswith("es") and _SIBILANT.search(lower[:-2]) and not lower.endswith(("ses", "zes")):
        return lower[:-2]
    if lower.endswith(("sses", "zzes")):
        return lower[:-2]
    return lower.removesuffix("s")


KNOWN = (PLAIN | ALSO_NOUNS) - AUXILIARIES | frozenset(("have", "do"))
_THIRD = {third_person(base): base for base in sorted(KNOWN)}
