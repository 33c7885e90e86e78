"""The noun phrase that a question asks for: "Which *monoclonal antibodies* lower LDL?".

    "Which antibody lowers LDL?"          antibody, singular: "lowers" is tagged as a verb
    "Which types of cancer …"             cancer, plural as the types: behind "types of" comes the noun
    "What is the best treatment for …"    treatment, singular, with "for" behind it

Rules over the tags of tags.py; no model. The number is the noun's: BioASQ's experts ask "In which proteins is …".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from anagnosis.language import verbs
from anagnosis.language.tags import tag, words

ARTICLES = frozenset(("a", "an", "the"))
# "type of": the noun of the question is the one behind it.
_KINDS = frozenset(
    """
    type types kind kinds sort sorts class classes group groups form forms family families category
    """.split()  # noqa: SIM905 a list is read as words
)
_IN_PHRASE = frozenset(("NN", "NNS", "JJ", "VBG", "CD", "POS"))
_NOUNS = frozenset(("NN", "NNS"))
_OBJECTS = frozenset(("DT", "JJ", "NN", "NNS", "CD", "PRP", "PRP$", "RB"))
# Plurals without s, and words in s whose number their form does not show.
_IRREGULAR_WORDS = """people men women children mice patients criteria phenomena feet teeth fungi loci nuclei genera
    algae sera ova mitochondria stimuli foci taxa phyla spectra helices matrices vertebrae"""
_IRREGULAR_PLURALS = frozenset(_IRREGULAR_WORDS.split())
_EITHER = frozenset(("species", "series", "bacteria", "means", "data", "media"))
_SINGULAR = re.compile(
    r".*(?:ss|us|is|[^lnr]as|ics|betes|scabies|rabies|herpes|biceps|series|species|pancreas)|gas|lens|pus"
)
# Words in "-ics" that are plurals: "antibiotics".
_PLURAL = re.compile(
    r".*(?:biotics|leptics|lytics|retics|psychotics|mimetics|emetics|therapeutics|rnas|dnas)"
)
# Behind a verb: "breaks down insulin", not "breaks of the skin".
_PARTICLES = frozenset(("down", "up", "out", "off"))
_PLURAL_VERBS = frozenset(("are", "were", "have", "cause", "lead", "belong", "live", "produce"))
_OPTIONAL_PLURAL = re.compile(r"(.+)\((?:s|es|ies)\)?")


class Phrase(NamedTuple):
    """What stands behind a question word or an article.

    head: the noun in lower case, "" without one. plural: whether it is a plural. before: the words before it, in lower
    case. after: the words behind it, in lower case.
    """

    head: str
    plural: bool
    before: tuple[str, ...]
    after: tuple[str, ...]
    sorted: bool = False


def phrase(text: str) -> Phrase:
    """The first noun phrase of a text that begins with one: of a question, without its question word."""
    tokens = [text[begin:end].lower() for begin, end in words(text)]
    tags = tag(tokens)
    begin, sorts = 0, ""
    end, head = _end(tokens, tags, begin)
    if head >= 0 and _single(tokens[head]) in _KINDS and tokens[end : end + 1] == ["of"]:
        begin, sorts = end + 1, _single(tokens[head])
        end, head = _end(tokens, tags, begin)
    if head < 0:
        return Phrase("", False, (), tuple(tokens))
    noun, after = _single(tokens[head]), tuple(tokens[end:])
    # "which gene and which chromosome"
    plural = is_plural(sorts or noun, after) or after[:2] in (("and", "which"), ("and", "what"))
    return Phrase(noun, plural, tuple(tokens[begin:head]), after, bool(sorts))


def is_plural(noun: str, after: Sequence[str] = ()) -> bool:
    """Whether a noun in lower case is a plural. after: the words behind it."""
    if noun in _EITHER:
        return bool(after) and after[0] in _PLURAL_VERBS
    if noun in _IRREGULAR_PLURALS or _PLURAL.fullmatch(noun):
        return True
    return len(noun) > 2 and noun.endswith("s") and not _SINGULAR.fullmatch(noun)


def _end(tokens: Sequence[str], tags: Sequence[str], begin: int) -> tuple[int, int]:
    """The token behind the phrase that begins at a token, and its head; -1 without one."""
    head = -1
    for place in range(begin, len(tokens)):
        if (
            head >= 0
            and is_plural(_single(tokens[head]))
            and (tags[place] == "JJ" or verbs.is_base(tokens[place]))
        ):
            return place, head  # "antibodies lower", "genes code"
        if head >= 0 and (_is_verb(tokens, tags, place) or _has_particle(tokens, place)):
            return place, head
        if tags[place] in _IN_PHRASE and not (head >= 0 and tags[place] == "CD"):
            head = place if tags[place] in _NOUNS or head < 0 or tags[head] not in _NOUNS else head
        elif head >= 0 or not _opens(tokens[place], tags[place]):
            return place, head
    return len(tokens), head


def _is_verb(tokens: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Whether a word behind a singular is its verb: "virus causes AIDS", not "CDK targets control"."""
    following = tokens[place + 1 : place + 2]
    return (
        verbs.is_third_person(tokens[place])
        and bool(following)
        and tags[place + 1] in _OBJECTS
        and not verbs.is_base(following[0])
    )


def _has_particle(tokens: Sequence[str], place: int) -> bool:
    """Whether a word is a verb by its particle: "enzyme breaks down insulin", "enzymes break down insulin"."""
    return is_plural(tokens[place]) != is_plural(_single(tokens[place - 1])) and bool(
        _PARTICLES.intersection(tokens[place + 1 : place + 2])
    )


def _opens(token: str, pos: str) -> bool:
    """Whether a word can stand before the nouns of a phrase."""
    return token in ARTICLES or pos in ("DT", "RB", "VBN", "PRP$", "(", ":") or token in ("of", "following")


def _single(token: str) -> str:
    """A noun; of "gene(s)" the plural."""
    match = _OPTIONAL_PLURAL.fullmatch(token)
    return match[1] + "s" if match else token
