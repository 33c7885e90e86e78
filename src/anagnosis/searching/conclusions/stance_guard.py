"""The stances that a sentence contradicts, whatever a reader of stances says."""

from __future__ import annotations

import re

from anagnosis.language.negation import SAME, cues
from anagnosis.language.undecided import undecided
from anagnosis.searching.conclusions.comparison_arms import arms_change_places, is_other_arm
from anagnosis.searching.conclusions.stance_features import (
    ASKS,
    LONGEST,
    asks_for_equality,
    denies_another_thing,
    direction_stems,
    stance_features,
    stems_in,
    topic_of,
)
from anagnosis.searching.records.conclusions import OPPOSES, SUPPORTS, Stance
from anagnosis.searching.words import words_of

# Questions whose answer is yes where things are the same or an effect is absent.
_CONFIRMED_BY_SAME = ("same", "safe", "negative")
_BOTH = frozenset((SUPPORTS, OPPOSES))
_FOR_SAFETY = re.compile(r"\b(?:safe|safety|safely|harmful|dangerous|hazardous|toxic)\b", re.IGNORECASE)
_ON_SAFETY = re.compile(
    r"\b(?:safe|unsafe|adverse|harm|toxic|risk|side[-\s]effect|complicat|tolera|danger|hazard|teratogen|malform|defect"
    r"|morbid|mortal|death|died|fatal|surviv|bleed|injur|damage|infect|event|reaction|contraindic|caution|warn|avoid"
    r"|allowed|discontinu|problem|concern)",
    re.IGNORECASE,
)
# What a sentence refutes or gives up.
_REFUTED = re.compile(
    r"\b(?:refut(?:e|es|ed|ing)|disprov(?:e|es|ed|en|ing)|debunk(?:s|ed)?|myths?|abandon(?:ed|ing)?)\b"
    r"|\breject(?:s|ed|ing)?\s(?:the|this|our)\s(?:hypothes|claim|notion|idea|assumption|theory|view|belief)"
    r"|\b(?:hypothesis|claim|notion|idea|assumption|theory|view|belief)\b[^;:.]{0,200}\s(?:is|was|be|been)\srejected\b"
    r"|\b(?:argu(?:e|es|ed|ing)|speaks?|spoke|evidence|recommend(?:s|ed)?|advis(?:e|es|ed))\s(?:strongly\s)?against\b"
    r"|\bfar\sfrom\s(?:\w+ing|effective|useful|beneficial|helpful|proven|certain)\b"
    r"|\b(?:is|are|was|were|only|had|has)\s(?:an?\s)?negligible\b(?!\s(?:risk|cost|side|adverse|harm|toxic|expens))",
    re.IGNORECASE,
)
# Things that are the same in two arms: "as common with tea as with milk".
_AS_MUCH = re.compile(
    r"(?<!half\s)(?<!twice\s)(?<!times\s)\bas\s(?:frequent|common|high|often|many|likely|prevalent|severe|low|numerous|rare)"
    r"(?:ly)?\s(?:[^\s;:.]+\s){0,6}?as\s(?:with|without|in|among|after|under|on|placebo|controls?|sham|those)\b",
    re.IGNORECASE,
)
# "Falls" as a noun, which is no direction.
_FALLS = re.compile(
    r"\b(?:prevent|reduc|decreas|increas|caus|of|more|fewer)\w*\s(?:\w+\s)?falls?\b", re.IGNORECASE
)
_FALL = re.compile(r"\bfalls?\b", re.IGNORECASE)
_CLAUSE_END = re.compile(
    r"[;:()\[\]]|[.?!]\s|\b(?:but|however|whereas|although|though|while|whilst|yet)\b", re.IGNORECASE
)
# Clauses about the question, whatever their other words.
_ON_RESULTS = re.compile(
    r"\b(?:evidence|data|results?|findings?|trials?|stud(?:y|ies)|reviews?|literature|conclusions?|conclude|effects?|benefits?"
    r"|efficacy|effectiveness|safety|role|place|value|usefulness|association|relationship|question|issue|this|it)\b",
    re.IGNORECASE,
)


def forbidden(question: str, sentence: str) -> frozenset[Stance]:
    """The stances that the sentence's negations and directions contradict, and both where it is about something else.

    - None where the sentence has no word of the question but words of direction, such as "cause" or "reduce".
    - None where it leaves the question open ("evidence is insufficient") in a clause about it, or where what it asks
      about is only what the sentence compares with ("better than metformin").
    - None where a question for safety meets a sentence that says nothing about it.
    - No support where a denial or an absent effect reaches a word of the question ("did not reduce mortality").
    - No support where things are the same, unless the question asks for that or for safety; there, no opposition.
    - No support where it refutes or gives up ("evidence against", "a myth") in a clause with a word of the question.
    - No support where the two arms of a comparison change places.
    - No opposition where a denial reaches a question for equality: "no advantage" can mean that things are equal.
    - No opposition where the sentence denies something, but nothing of the question, and does not go in the other
      direction either: "tea helps those who do not smoke".
    - No opposition where the sentence denies only things that the question does not name: "no obesity paradox".
    - No support where the sentence has only the opposite of the question's direction near the same words ("raises
      mortality" for "Does it lower mortality?").

    A cue reaches the question if its scope has one of the words that sentence and question share.
    """
    question, sentence = question[:LONGEST], sentence[:LONGEST]
    if _FALLS.search(question):
        question, sentence = (_FALL.sub("tumbles", text) for text in (question, sentence))
    topic = topic_of(question)
    shared = topic & frozenset(words_of(sentence))
    if (
        not shared - direction_stems(question)
        or _leaves_open(sentence, shared)
        or (_FOR_SAFETY.search(question) and not _ON_SAFETY.search(sentence))
        or is_other_arm(question, sentence, topic)
    ):
        return _BOTH
    features = stance_features(question, sentence)
    said = cues(sentence)
    reaching = {cue.kind for cue in said if shared & stems_in(sentence, cue.scope_begin, cue.scope_end)}
    denied = bool(reaching - {SAME})
    same = SAME in reaching or _reaches(_AS_MUCH, sentence, shared)
    confirmed_by_same = any(ASKS[name].search(question) for name in _CONFIRMED_BY_SAME)
    opposite = "near opposite direction" in features and "near same direction" not in features
    none: set[Stance] = set()
    if (
        denied
        or opposite
        or (same and not confirmed_by_same)
        or (_reaches(_REFUTED, sentence, shared) and not confirmed_by_same)
        or arms_change_places(question, sentence, topic)
    ):
        none.add(SUPPORTS)
    if (
        (same and confirmed_by_same and not denied)
        or (denied and asks_for_equality(question))
        or denies_another_thing(sentence, said, topic)
        or (any(cue.kind != SAME for cue in said) and not denied and not opposite)
    ):
        none.add(OPPOSES)
    return frozenset(none)


def _leaves_open(sentence: str, shared: frozenset[str]) -> bool:
    """Whether a phrase leaves something open in a clause with a word of the question, or about evidence or effects."""
    return any(
        _ON_RESULTS.search(sentence, *_clause(sentence, begin))
        or shared & stems_in(sentence, *_clause(sentence, begin))
        for begin, _ in undecided(sentence)
    )


def _reaches(pattern: re.Pattern[str], sentence: str, shared: frozenset[str]) -> bool:
    """Whether a match stands in a clause with a word of the question."""
    return any(
        shared & stems_in(sentence, *_clause(sentence, match.start())) for match in pattern.finditer(sentence)
    )


def _clause(sentence: str, place: int) -> tuple[int, int]:
    """The characters [begin, end) of the clause around a place."""
    ends = [match.span() for match in _CLAUSE_END.finditer(sentence)]
    return (
        max((end for _, end in ends if end <= place), default=0),
        min((begin for begin, _ in ends if begin > place), default=len(sentence)),
    )
