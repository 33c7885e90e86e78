"""Rules for questions of how, how many, how much, where, when and why: the words before and behind the gap."""

from __future__ import annotations

import re

from anagnosis.language.clauses import AUXILIARIES, HAVE, PREPOSITIONS, Clause, begins_with_verb, clause
from anagnosis.language.gap_places import Made, object_place, with_object
from anagnosis.language.question_nouns import Gap, split
from anagnosis.language.verb_forms import is_participle

_AUX = rf"(?:{'|'.join(sorted(AUXILIARIES))})"
# "XXXX large", but "as rare as XXXX".
_MEASURED = tuple("large big long small tall high low wide deep thick heavy old fast far".split())  # noqa: SIM905 a list is read as words
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
    if rest.lower().startswith("there"):
        return f"there {small} {before}", f"{noun} {rest[5:]}"
    if not begins_with_verb(verb, rest):
        return _counted(clause(verb, rest), before, noun)
    if small in HAVE and not any(is_participle(word.lower()) for word in rest.split()):
        return f"{rest} {small} {before}", noun  # "how many genes has the virus"
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
    if not match:
        return None
    ask, more = match["ask"].lower(), (match["more"] or "").strip(" ,")
    made = clause(match["aux"], match["rest"])
    if ask == "how" and not made.sure:
        return None
    predicate = made.predicate.lower()
    first, last = predicate.partition(" ")[0], predicate.rpartition(" ")[2]
    if first in _NAMED:
        return f"{made.subject} {made.verb} {first}", made.predicate[len(first) :]
    preposition = "to" if first in _TO else _BEFORE_GAP[ask]
    if last in PREPOSITIONS:
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
