"""Does a sentence deny what it says of a name, or find nothing? Then it cannot be shown as the name's evidence.

    "Aspirin did not reduce mortality"        denies it of aspirin: the name is in the scope of the cue
    "Without diabetes, patients took aspirin"  not of aspirin
    "Bleeding after aspirin is common"         blames it, for "Which drugs prevent bleeding?"
    "We aimed to compare aspirin …"           finds nothing: an aim, a question, a registration, a promise, a citation

A paper that denies or doubts (language/undecided.py) it in another sentence about the question is no evidence either:
see naming.py.
"""

from __future__ import annotations

import re
from functools import lru_cache

from anagnosis.language.directions import directions, words
from anagnosis.language.negation import cues
from anagnosis.language.question_phrase import is_plural
from anagnosis.language.sentence_kinds import AIM, CITATION, NO_FINDINGS, sentence_kind
from anagnosis.language.verbs import is_third_person
from anagnosis.searching.words import words_of

_NOTHING_FOUND = NO_FINDINGS | {AIM, CITATION}
_AGAINST = re.compile(
    r"\b(?:reduc|prevent|decreas|reliev|alleviat|protect|ameliorat|attenuat"
    r"|(?:treat(?:s|ed|ing)?|lower(?:s|ed|ing)|cur(?:e|es|ed)|against)\b)",
    re.IGNORECASE,
)
_FOR_A_CAUSE = re.compile(r"(?<!-)\b(?:caus|induc|risk)", re.IGNORECASE)
_LOWER = re.compile(r"\b(?:(?:to|can|may|might|could|will)|([^\W\d_]+))\slower\b", re.IGNORECASE)
_CAUSED_BY = (
    r"(?:after|following|induced by|caused by|due to|secondary to|attributable to)\s(?:the use of\s)?"
)
_CAUSING = r"[-\s](?:induced|related|associated)\b"
BETWEEN = 4  # words between what falls and what it follows: "fell by 30 % after"
FALLING = (("amount", -1), ("quality", 1))  # dimensions and signs of directions that are wanted


def denied(sentence: str, *spellings: str) -> bool:
    """Whether every mention of a name in a sentence is in the scope of a cue of negation or of an absent effect.

    spellings: of the name, in any case; symbols, which have no small letter, in theirs alone.
    """
    mentions = [at.start() for one in set(spellings) for at in _mention(one).finditer(sentence)]
    if not mentions:
        return False
    scopes = [(cue.scope_begin, cue.scope_end) for cue in cues(sentence)]
    return all(any(first <= at < last for first, last in scopes) for at in mentions)


def blamed(question: str, sentence: str, name: str) -> bool:
    """Whether a sentence names as a cause what the question wants against it: "after NAME", "NAME-induced".

    False where something falls or improves with the name: "decreased after NAME", "NAME-induced reduction".
    """
    if _FOR_A_CAUSE.search(question) or not (_AGAINST.search(question) or _lowers(question)):
        return False
    text = re.escape(name)
    blames = re.compile(
        rf"\b(?P<behind>{_CAUSED_BY}){text}(?!\w)|(?<!\w){text}(?P<before>{_CAUSING})", re.IGNORECASE
    )
    stems = frozenset(words_of(question))
    return any(not _wanted(stems, sentence, at) for at in blames.finditer(sentence))


@lru_cache(1 << 12)
def _mention(name: str) -> re.Pattern[str]:
    # Bounds, so that "EGF" is not mentioned by "EGFR".
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", 0 if name == name.upper() else re.IGNORECASE)


def _lowers(question: str) -> bool:
    """Whether "lower" is a verb: behind a plural or an auxiliary. "Lower back pain" has no such verb."""
    return any(
        not at[1] or (is_plural(at[1].lower()) and not is_third_person(at[1].lower()))
        for at in _LOWER.finditer(question)
    )


def _wanted(stems: frozenset[str], sentence: str, blame: re.Match[str]) -> bool:
    """Whether a direction that is wanted stands beside a blame, with none of the question's words between.

    stems: of the question. "Bleeding decreased after NAME" is wanted, "tea reduced bleeding after NAME" is not.
    """
    every = words(sentence)
    behind = [place for place, (_, begin) in enumerate(every) if begin >= blame.end()]
    before = [place for place, (_, begin) in enumerate(every) if begin < blame.start()]
    falling = {
        one.place
        for one in directions(every, cues(sentence))
        if (one.dimension, one.sign) in FALLING and not one.negated
    }
    of_question = {place for place, (word, _) in enumerate(every) if not stems.isdisjoint(words_of(word))}
    if blame["behind"] and not before:
        # "After NAME, bleeding decreased", not "After NAME, tea reduced bleeding".
        return any(
            of_question.isdisjoint(range(place + 1, place + BETWEEN))
            for place in falling.intersection(behind)
        )
    for place in before[: -BETWEEN - 2 : -1] if blame["behind"] else behind[: BETWEEN + 1]:
        if place in falling:
            return True
        if place in of_question:
            return False
    return False


def finds_nothing(sentence: str) -> bool:
    """Whether a sentence is of a kind that finds nothing."""
    return sentence_kind(sentence) in _NOTHING_FOUND
