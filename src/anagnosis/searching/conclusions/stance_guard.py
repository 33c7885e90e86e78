"""The stances that a sentence contradicts, whatever a reader of stances says."""

from __future__ import annotations

import re

from anagnosis.language.negation import SAME, cues
from anagnosis.language.undecided import undecided
from anagnosis.searching.conclusions.comparison_arms import arms_change_places, is_other_arm
from anagnosis.searching.conclusions.stance_features import (
    ASKS,
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


def forbidden(question: str, sentence: str) -> frozenset[Stance]:
    """The stances that the sentence's negations and directions contradict, and both where it is about something else.

    - None where the sentence has no word of the question but words of direction, such as "cause" or "reduce".
    - None where it leaves the question open ("evidence is insufficient"), or where what the question asks about is only
      what the sentence compares with ("better than metformin").
    - None where a question for safety meets a sentence that says nothing about it.
    - No support where a denial or an absent effect reaches a word of the question ("did not reduce mortality").
    - No support where things are the same, unless the question asks for that or for safety; there, no opposition.
    - No support where the two arms of a comparison change places.
    - No opposition where a denial reaches a question for equality: "no advantage" can mean that things are equal.
    - No opposition where the sentence denies something, but nothing of the question, and does not go in the other
      direction either: "tea helps those who do not smoke".
    - No opposition where the sentence denies only things that the question does not name: "no obesity paradox".
    - No support where the sentence has only the opposite of the question's direction near the same words ("raises
      mortality" for "Does it lower mortality?").

    A cue reaches the question if its scope has one of the words that sentence and question share.
    """
    topic = topic_of(question)
    shared = topic & frozenset(words_of(sentence))
    if (
        not shared - direction_stems(question)
        or undecided(sentence)
        or (_FOR_SAFETY.search(question) and not _ON_SAFETY.search(sentence))
        or is_other_arm(question, sentence, topic)
    ):
        return _BOTH
    features = stance_features(question, sentence)
    said = cues(sentence)
    reaching = {cue.kind for cue in said if shared & stems_in(sentence, cue.scope_begin, cue.scope_end)}
    denied = bool(reaching - {SAME})
    confirmed_by_same = any(ASKS[name].search(question) for name in _CONFIRMED_BY_SAME)
    opposite = "near opposite direction" in features and "near same direction" not in features
    none: set[Stance] = set()
    if (
        denied
        or opposite
        or (SAME in reaching and not confirmed_by_same)
        or arms_change_places(question, sentence, topic)
    ):
        none.add(SUPPORTS)
    if (
        (SAME in reaching and confirmed_by_same and not denied)
        or (denied and asks_for_equality(question))
        or denies_another_thing(sentence, said, topic)
        or (any(cue.kind != SAME for cue in said) and not denied and not opposite)
    ):
        none.add(OPPOSES)
    return frozenset(none)
