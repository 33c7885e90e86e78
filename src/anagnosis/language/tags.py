"""The words of a text and their Penn part-of-speech tags, by closed lists, suffixes and the neighbours of a verb.

The purpose is to find a title's first verb in the present tense; other tags are rough. The rules, in this order:
punctuation and numbers; closed lists (articles, prepositions, conjunctions, pronouns, modals,
auxiliaries); after `to` or a modal a base form; a known verb (verbs.py) where a verb can stand; suffixes; otherwise a
noun, in the plural if it ends so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anagnosis.language import verbs

_CLOSED = {
    "DT": "a an the this that these those each every either neither both all some any no another such",
    "IN": """about above across after against along among amongst around as at before behind below beneath beside
        besides between beyond by concerning considering despite down during except following for from in inside into
        like near of off on onto out outside over past per regarding since than through throughout toward towards
        under underneath until unlike up upon versus via vs with within without
        although because if once though unless whereas whether while""",
    "CC": "and or but nor plus",
    "PRP": "i we you he she it they us them him",
    "PRP$": "my our your his her its their one's",
    "WDT": "which",
    "WP": "who whom what",
    "WP$": "whose",
    "WRB": "when where why how",
    "TO": "to",
    "EX": "there",
    "RB": "not never n't also only even still always often rarely already alone together more less most least again",
    "JJ": """common critical crucial due essential free high ill important independent key left low lower major minor
        new non novel old poor potential rare related right safe similar small specific upper young effective useful
        long short early late severe mild acute chronic live worse better best different same other many few several
        first second third next last male female human""",
    "NNS": "people men women children mice patients data media bacteria criteria phenomena feet teeth lice geese",
    "MD": " ".join(sorted(verbs.MODALS)),
    "VBZ": "is has does",
    "VBP": "are have do",
    "VBD": "was were had did",
    "VB": "be",
    "VBN": "been shown known given seen found taken born led",
}
_TAG_OF = {word: tag for tag, words in _CLOSED.items() for word in words.split()}

_NUMBER = re.compile(r"[+-]?\d[\d.,]*")
_SUFFIXES = (
    (re.compile(r".+[^aeiou]ly"), "RB"),
    (re.compile(r".{2,}ing"), "VBG"),
    (re.compile(r".{2,}ed"), "VBN"),
    (re.compile(r".{3,}(?:ous|ical|able|ible|ful|ish|less|ive|ary|ory|ular|inal|onal|eal|ic|al)"), "JJ"),
    (re.compile(r".+-(?:like|based|dependent|specific|related|free|rich|deficient|positive|negative)"), "JJ"),
    # Singular nouns that end in s.
    (re.compile(r".+(?:ss|us|is|itis|osis|asis|ics|betes|series|species|rabies|scabies|herpes|biceps)"), "NN"),
    (re.compile(r".{2,}s"), "NNS"),
)  # fmt: skip

_CHUNK = re.compile(r"\S+")
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_QUOTES = frozenset("\"“”«»‘'’`")
_PUNCTUATION = frozenset(",;:.?!…%")
_CLITIC = re.compile(r"['’]s\Z|n['’]t\Z")

_DO = verbs.DO | {"did"}
_PLURAL = frozenset(("NNS", "NNPS"))
_ENDS_A_PHRASE = frozenset(("IN", "TO", "WDT", "WP", "VBN", "VBG", "(", ",", "RB"))
_NOT_BEFORE_A_VERB = frozenset(("DT", "IN", "CC", "PRP$", "WP$", "MD", "TO", "POS", ":", "("))
_MAY_FOLLOW_A_VERB = frozenset(("DT", "PRP$", "JJ", "NN", "NNS", "VBG", "VBN", "RB", "CD"))


def words(text: str) -> list[tuple[int, int]]:
    """Spans of the words as in the Penn treebanks: characters, end exclusive.

    Punctuation and brackets at a word's ends are separate words, as is a possessive 's; inside a word they stay
    (`IL-2`, `HMG-I(Y)`, `and/or`).
    """
    return [span for chunk in _CHUNK.finditer(text) for span in _cut(text, chunk.start(), chunk.end())]


def tag(words: Sequence[str]) -> list[str]:
    """The Penn tag of each word."""
    lower = [word.lower() for word in words]
    rough = [_alone(word) for word in lower]
    tags: list[str] = []
    for _ in lower:
        tags.append(_in_place(lower, rough, tags))
    return tags


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    before: list[tuple[int, int]] = []
    after: list[tuple[int, int]] = []
    while start < end - 1 and _opens(text, start, end):
        before.append((start, start + 1))
        start += 1
    while start < end - 1 and _closes(text, start, end):
        after.append((end - 1, end))
        end -= 1
    if (owner := _CLITIC.search(text, start, end)) and owner.start() > start:
        after.append((owner.start(), end))
        end = owner.start()
    return [*before, (start, end), *reversed(after)]


def _opens(text: str, start: int, end: int) -> bool:
    """Whether the word's first character is a separate word: in "(see", not in "(E)-hexenal"."""
    closing = _OPENING.get(text[start])
    if closing is None:
        return text[start] in _QUOTES
    at = text.find(closing, start, end)
    return at < 0 or not text[at + 1 : end].strip(",;:.?!%)]}'’\"”")


def _closes(text: str, start: int, end: int) -> bool:
    last = text[end - 1]
    opening = _CLOSING.get(last)
    if opening is None:
        return last in _PUNCTUATION or last in _QUOTES
    return text.count(last, start, end) > text.count(opening, start, end)


def _alone(word: str) -> str:
    """The tag of a word in lower case without its context."""
    if not word[:1].isalnum() and len(word) == 1:
        return {"(": "(", "[": "(", ")": ")", "]": ")", ",": ",", ".": ".", "?": "."}.get(word, ":")
    if word in ("'s", "’s"):
        return "POS"
    if known := _TAG_OF.get(word):
        return known
    if _NUMBER.fullmatch(word):
        return "CD"
    return next((tag for pattern, tag in _SUFFIXES if pattern.fullmatch(word)), "NN")


def _in_place(lower: Sequence[str], rough: Sequence[str], tags: Sequence[str]) -> str:
    """The tag of the next word. lower: all words in lower case; rough: `_alone` of each; tags: of earlier words."""
    at = len(tags)
    word, alone, following = lower[at], rough[at], lower[at + 1 : at + 2]
    if word in verbs.AUXILIARIES or word in _TAG_OF:
        return alone
    before = next((past for past in reversed(range(at)) if tags[past] != "RB"), -1)
    last = tags[before] if before >= 0 else ""
    if last in ("TO", "MD") or (before >= 0 and lower[before] in _DO):
        return "VB" if verbs.is_base(word) else alone
    if last in ("CC", ",") and not {"VBZ", "VBP"}.isdisjoint(tags):
        return _joined(word, alone, tags)
    if not tags or last in _NOT_BEFORE_A_VERB or not _may_follow(word, following, rough[at + 1 : at + 2]):
        return alone
    if verbs.is_third_person(word) and (last != "JJ" or not verbs.is_also_noun(verbs.base_form(word))):
        return "VBZ"
    if last == "JJ" or not verbs.is_base(word):
        return alone
    # A base form may also be a noun, so the subject must be a plural.
    is_plural = last in _PLURAL if verbs.is_also_noun(word) else _begins_with_plural(tags)
    return "VBP" if is_plural else alone


def _joined(word: str, alone: str, tags: Sequence[str]) -> str:
    """The tag after "and" or a comma behind a verb."""
    first = next(tag for tag in tags if tag in ("VBZ", "VBP"))
    fits = verbs.is_third_person(word) if first == "VBZ" else verbs.is_base(word)
    base = verbs.base_form(word) if first == "VBZ" else word
    return first if fits and not verbs.is_mostly_noun(base) else alone


def _may_follow(word: str, following: Sequence[str], rough: Sequence[str]) -> bool:
    """Whether the next word can follow a verb; behind a verb that is also a noun, an object or a preposition."""
    base = word if verbs.is_base(word) else verbs.base_form(word)
    if not following:
        return base in verbs.INTRANSITIVE
    if not verbs.is_also_noun(base) or following[0] in verbs.PREPOSITIONS.get(base, ()):
        return True
    return rough[0] in _MAY_FOLLOW_A_VERB and not (
        rough[0] in ("NN", "NNS") and verbs.is_possible(following[0])
    )


def _begins_with_plural(tags: Sequence[str]) -> bool:
    """Whether the first noun phrase is a plural: its last noun is, or it joins two by "and"."""
    end = next((at for at, tag in enumerate(tags) if at and tag in _ENDS_A_PHRASE), len(tags))
    return tags[end - 1] in _PLURAL or ("CC" in tags[:end] and end == len(tags))
