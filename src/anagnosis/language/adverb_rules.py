"""Rules for questions of how, how many, how much, where, when and why: the words before and behind the gap."""

from __future__ import annotations

import re

from anagnosis.language.clauses import AUXILIARIES, HAVE, PREPOSITIONS, Clause, begins_with_verb, clause
from anagnosis.language.gap_places import Made, object_place, with_object
from anagnosis.language.question_nouns import Gap, is_plural_phrase, split
from anagnosis.language.verb_forms import is_participle

_AUX = rf"(?:{'|'.join(sorted(AUXILIARIES))})"
# "XXXX large", but "as rare as XXXX".
_MEASURED = (
    "large",
    "big",
    "long",
    "small",
    "tall",
    "high",
    "low",
    "wide",
    "deep",
    "thick",
    "heavy",
    "old",
    "fast",
    "far",
)
_NOT_MEASURED = ("rare", "common", "frequent", "early", "late", "often")
_HOW_MANY = re.compile(r"(?P<before>(?:[\w]+ )?)how (?:many|much) (?P<rest>.+)", re.IGNORECASE)
_HOW_MUCH = re.compile(
    rf"(?P<prep>for )?how (?P<adj>{'|'.join((*_MEASURED, *_NOT_MEASURED))})"
    rf"(?P<more>(?:,? [^,]+,)| [\w ]{{1,40}}?)?,? (?P<aux>{_AUX}) (?P<rest>.+)",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    rf"(?P<ask>how|where|when|why)(?P<more>,? in [^,]{{1,40}}?,?)? (?P<aux>{_AUX}) (?P<rest>.+)",
    re.IGNORECASE,
)
_FROM_WHERE = re.compile(
    rf"(?P<prep>from|to|since|until) (?:where|when) (?P<aux>{_AUX}) (?P<rest>.+)", re.IGNORECASE
)
_SHOULD_BE = re.compile(r"(?P<be>(?:should|would|must) be) (?P<rest>.+)", re.IGNORECASE)

# Question word: the word before the gap.
_BEFORE_GAP = {"how": "by", "where": "in", "when": "in", "why": "because of"}
# Verbs whose place is a thing they reach: "binds to".
_TO = frozenset("binds bind bound attaches attach attached".split())  # noqa: SIM905 a list is read as words
# Behind these the answer to "how" is a name or a word, without "by".
_NAMED = frozenset("called named spelled abbreviated".split())  # noqa: SIM905 a list is read as words


def how_many(text: str, nouns: str) -> Made | None:
    match = _HOW_MANY.fullmatch(text)
    if not match:
        return None
    before, rest = match["before"], match["rest"]
    if should := _SHOULD_BE.fullmatch(rest):
        return f"{should['rest']} {should['be']} {before}", ""
    noun, verb, rest = split(rest)
    small = verb.lower()
    if not verb:
        return before, noun
    if rest.lower().startswith("there"):
        return f"there {small} {before}", f"{noun} {rest[5:]}"
    if small in AUXILIARIES and not begins_with_verb(verb, rest):
        return _counted(clause(verb, rest), before, noun)
    if small in HAVE and not any(is_participle(word.lower()) for word in rest.split()):
        subject_verb = "has" if small == "has" or not is_plural_phrase(rest) else small
        return f"{rest} {subject_verb} {before}", noun  # "how many genes has the virus"
    return before, f"{noun} {verb} {rest}"


def how_much(text: str, nouns: str) -> Made | None:
    match = _HOW_MUCH.fullmatch(text)
    if not match:
        return None
    made = clause(match["aux"], match["rest"])
    adjective, more = match["adj"].lower(), (match["more"] or "").strip(" ,")
    if match["prep"]:
        return f"{made.text} for", ""
    if adjective in _NOT_MEASURED:
        return f"{made.text} as {adjective} as", more
    return made.text, f"{adjective}{', ' + more if more else ''}"


def adverb(text: str, nouns: str) -> Made | None:
    """ "Where is renin made", "How is it transmitted": the clause in its order, then a preposition and the gap."""
    match = _ADVERB.fullmatch(text)
    if not match or match["rest"].split(" ", 1)[0].lower() == "there":
        return None
    ask, more = match["ask"].lower(), (match["more"] or "").strip(" ,")
    made = clause(match["aux"], match["rest"])
    if ask == "how" and not made.sure:
        return None
    tokens = made.predicate.lower().split()
    if ask == "how" and tokens and tokens[0] in _NAMED:
        return f"{made.subject} {made.verb} {tokens[0]}", made.predicate[len(tokens[0]) :]
    preposition = "to" if ask == "where" and tokens and tokens[0] in _TO else _BEFORE_GAP[ask]
    if tokens and tokens[-1] in PREPOSITIONS:
        preposition = ""
    return f"{made.text} {preposition}", more


def from_where(text: str, nouns: str) -> Made | None:
    match = _FROM_WHERE.fullmatch(text)
    return with_object(clause(match["aux"], match["rest"]), Gap(), match["prep"].lower()) if match else None


def _counted(made: Clause, before: str, noun: str) -> Made:
    if noun.lower() == "times":
        return f"{made.subject} {made.verb} {before}", f"{noun} {made.predicate}"
    object_at = object_place(made.predicate, transitive=True)
    return (
        f"{made.subject} {made.verb} {made.predicate[:object_at]} {before}",
        f"{noun} {made.predicate[object_at:]}",
    )
