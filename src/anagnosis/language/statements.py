"""A question as a statement with a gap, XXXX, for readers of cloze questions.

    Which gene is mutated in Naxos disease?     XXXX is mutated in Naxos disease.
    What is the target of gefitinib?            The target of gefitinib is XXXX.
    What is inhibited by rilotumumab?           XXXX is inhibited by rilotumumab.
    Which receptor does GDF15 bind?             GDF15 bind XXXX.
    Mutations in which gene cause deafness?     Mutations in XXXX cause deafness.
    In which organ is renin made?               Renin is made in XXXX.
    List symptoms of scurvy.                    Symptoms of scurvy are XXXX.
    How many genes has the virus?               XXXX genes has the virus.

Other questions get the gap at the end, as in the thesis (section 4.2.1: a gap at the beginning gave worse results).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from anagnosis.language import verbs
from anagnosis.language.rule_tags import tag
from anagnosis.language.tags import words

GAP = "XXXX"
NONE = "at the end"
_BE = r"(?:is|are|was|were)"
_DO = r"(?:does|do|did)"
_LEADING = re.compile(
    r"(?:(?:can|could|would|will) you )?(?:please )?(?:tell me |say |explain )?", re.IGNORECASE
)
_LIST = re.compile(
    r"(?:list|name|mention|enumerate|provide|give(?: me)?|specify) (?:(?:a list of|some|all|any|the names? of) )?"
    r"(?:(?:\d+|two|three|four|five|six) )?(?P<what>.+)",
    re.IGNORECASE,
)
_WHAT_IS_THE = re.compile(
    rf"(?:what|which|who) (?P<be>{_BE}) (?P<what>(?:the|an?|some|its|other)\b.+|[\w-]+ (?:of|for|in|that|which)\b.+)",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(rf"(?:what|which|who) (?P<be>{_BE}) (?P<rest>.+)", re.IGNORECASE)
_WHERE = re.compile(rf"(?P<ask>where|when) (?P<be>{_BE}) (?P<rest>.+)", re.IGNORECASE)
_HOW_MANY = re.compile(r"(?P<before>.*?)\bhow (?:many|much)\b(?P<after>.+)", re.IGNORECASE)
_WHO = re.compile(r"(?:what|who|which) (?P<verb>[a-z]+s|can [a-z]+|could [a-z]+) (?P<rest>.+)")
_PREPOSITIONS = r"in|for|with|from|to|on|at|by|of|against|through|during|under|into|within|via|after|about"
_FRONTED = re.compile(rf"(?P<prep>{_PREPOSITIONS}) (?:which|what|whom) (?P<rest>.+)", re.IGNORECASE)
_INSIDE = re.compile(r"\b(?P<ask>which|what) (?P<rest>.+)", re.IGNORECASE)
_WHICH_NOUN = re.compile(r"(?:which|what) (?P<rest>.+)", re.IGNORECASE)
_AUXILIARIES_WORDS = "is are was were has have had can could may might will would does do did"
_AUXILIARIES = frozenset(_AUXILIARIES_WORDS.split())
_PARTICIPLES_WORDS = "made bound built broken chosen driven held kept lost sent set spread written"
_PARTICIPLES = frozenset(_PARTICIPLES_WORDS.split())
_VERBS = frozenset(("VBZ", "VBP", "VBD", "MD"))


class Statement(NamedTuple):
    """A statement. text: with one GAP; gap: its offset, in characters. rule: the one that applied, NONE for none."""

    text: str
    gap: int
    rule: str


def statement(question: str) -> Statement:
    """The question as a statement with a gap for its answer."""
    text = _LEADING.sub("", " ".join(question.split()), 1).rstrip(" ?.!:")
    for rule, make in _RULES.items():
        made = make(text)
        if made is not None:
            before, after = made
            before = before[:1].upper() + before[1:]
            return Statement(f"{before}{GAP}{after}.", len(before), rule)
    text_alone = " ".join(question.split())
    return Statement(f"{text_alone} {GAP}", len(text_alone) + 1, NONE)


_Made = tuple[str, str] | None  # text before and after the gap


def _how_many(text: str) -> _Made:
    match = _HOW_MANY.fullmatch(text)
    return (match["before"], match["after"]) if match else None


def _listed(text: str) -> _Made:
    match = _LIST.fullmatch(text)
    return (f"{match['what']} are ", "") if match else None


def _what_is_the(text: str) -> _Made:
    match = _WHAT_IS_THE.fullmatch(text)
    return (f"{match['what']} {match['be'].lower()} ", "") if match else None


def _what_is(text: str) -> _Made:
    match = _WHAT_IS.fullmatch(text)
    if not match:
        return None
    be, rest = match["be"].lower(), match["rest"]
    if _has_subject(rest):
        return _inverted(be, rest, "")
    first = rest.partition(" ")[0]
    return ("", f" {be} {rest}") if tag([first]) == ["VBN"] and " " in rest else (f"{rest} {be} ", "")


def _where(text: str) -> _Made:
    match = _WHERE.fullmatch(text)
    if not match:
        return None
    return _inverted(match["be"], match["rest"], "in")


def _fronted(text: str) -> _Made:
    """ "In which organ is renin made": move the auxiliary behind its subject, put the gap at the end."""
    match = _FRONTED.fullmatch(text)
    verb, rest = _behind_noun(match)
    return (
        _inverted(verb, rest, match["prep"].lower())
        if match and rest and verb.lower() in _AUXILIARIES
        else None
    )


def _which_noun(text: str) -> _Made:
    verb, rest = _behind_noun(_WHICH_NOUN.fullmatch(text))
    if not rest:
        return None
    if verb.lower() in ("does", "do", "did"):
        return f"{rest} ", ""
    if verb.lower() in _AUXILIARIES and _has_subject(rest):
        return _inverted(verb, rest, "")
    return "", f" {verb} {rest}"


def _what_verb(text: str) -> _Made:
    match = _WHO.fullmatch(text[:1].lower() + text[1:])
    if not match or match["verb"] in ("is", "was", "does", "has"):
        return None
    return "", f" {match['verb']} {match['rest']}"


def _what_does(text: str) -> _Made:
    match = re.fullmatch(rf"(?:what|whom|who) {_DO} (?P<rest>.+)", text, re.IGNORECASE)
    return (f"{match['rest']} ", "") if match else None


def _inside(text: str) -> _Made:
    """ "Mutations in which gene cause deafness": the gap replaces the noun of the question."""
    for match in _INSIDE.finditer(text):
        if not match.start():
            continue
        split = _noun_and_rest(match["rest"])
        return text[: match.start()], f" {split}" if split else ""
    return None


_RULES = {
    "how many": _how_many,
    "list": _listed,
    "what is the": _what_is_the,
    "what is": _what_is,
    "where": _where,
    "in which": _fronted,
    "which noun": _which_noun,
    "what does": _what_does,
    "what causes": _what_verb,
    "inside": _inside,
}


def _behind_noun(match: re.Match[str] | None) -> tuple[str, str]:
    """(verb after the noun of the question, the rest); both "" without such a noun."""
    split = _noun_and_rest(match["rest"]) if match else None
    verb, _, rest = (split or "").partition(" ")
    return verb, rest


def _noun_and_rest(text: str) -> str | None:
    """The text after the noun of the question, from the first verb on; None without a verb."""
    places = words(text)
    tokens = [text[begin:end] for begin, end in places]
    tags = tag(tokens)
    for place in range(1, len(tokens)):
        small = tokens[place].lower()
        is_verb = small in _AUXILIARIES or tags[place] in _VERBS
        participle = tags[place] == "VBN" and tags[place - 1] in ("NN", "NNS")
        if is_verb or participle:
            return text[places[place][0] :]
    # "which gene cause deafness": without another verb, a word that may be noun or verb is the verb.
    for place in range(1, len(tokens) - 1):
        small = tokens[place].lower()
        if verbs.is_base(small) or verbs.is_third_person(small):
            return text[places[place][0] :]
    return None


def _has_subject(rest: str) -> bool:
    """Whether a subject and a participle follow the auxiliary: "is PGT121 used for", not "is mutated in"."""
    tokens = [rest[begin:end] for begin, end in words(rest)]
    tags = _tags(tokens)
    not_a_subject = ("VBN", "VBG", "RB", "IN", "TO", "DT", "JJ", "CD", "VB")
    if not tags or tags[0] in not_a_subject or tokens[0].endswith("ly"):
        return False
    return any(pos in ("VBN", "VB") for pos in tags[1:])


def _inverted(auxiliary: str, rest: str, preposition: str) -> tuple[str, str]:
    """Subject, auxiliary, the rest, then the gap: insert the auxiliary before the first participle, or at the end."""
    places = words(rest)
    tokens = [rest[begin:end] for begin, end in places]
    tags = _tags(tokens)
    behind = f"{preposition} " if preposition else ""
    if auxiliary.lower() in ("does", "do", "did"):
        return f"{rest} {behind}", ""
    for place in range(1, len(tokens)):
        if tags[place] in ("VBN", "VB", "VBG", "JJ") and tags[place - 1] in ("NN", "NNS", "CD", ")"):
            begin = places[place][0]
            return f"{rest[:begin]}{auxiliary.lower()} {rest[begin:]} {behind}", ""
    return f"{rest} {auxiliary.lower()} {behind}", ""


def _tags(tokens: Sequence[str]) -> list[str]:
    """The tags of the tokens, corrected for participles of irregular verbs."""
    return ["VBN" if word in _PARTICIPLES else pos for word, pos in zip(tokens, tag(tokens), strict=True)]
