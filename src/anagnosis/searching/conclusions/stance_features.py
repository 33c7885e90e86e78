"""Features of a yes/no question and a sentence that may answer it, for readers of stances (stance.py).

They describe the negation of the sentence and its scope over the question's words, the directions of both (language/
directions.py), what kind of thing the question asks for, and what the sentence says. All are 0 to 1.

A sentence denies nouns: "There was no evidence of an [obesity paradox]", "cells that lack [Swi1]". They follow a cue of
NOUN_CUES, which may name evidence first, and end before a preposition, a verb of ENDS or a sign. Of a phrase the last
word counts, its head: no paradox is another thing than no obesity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from anagnosis.language.directions import Direction, directions, words
from anagnosis.language.negation import ABSENT, DENIAL, FILLERS, SAME, Cue, cues
from anagnosis.language.undecided import undecided
from anagnosis.searching.analysis import ASKING
from anagnosis.searching.conclusions.comparison_arms import ENDS, is_other_arm
from anagnosis.searching.conclusions.subjects import without_subject
from anagnosis.searching.words import question_words, words_of

_NOUN_CUE = re.compile(r"(?:no|lack(?:s|ed|ing)?|absence|without|paucity|dearth)\b", re.IGNORECASE)
_EVIDENCE = re.compile(r"\s*(?:(?:evidence|indication|signs?|proof)\b)?\s*(?:(?:of|for)\b)?", re.IGNORECASE)
_ENDING = "of or between that if whether there upon toward towards occurred was were seen"
_ENDS = ENDS | frozenset(_ENDING.split())
_WORD = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*|[,;:().?!\[\]]")
_LONGEST = 6  # words
BEFORE, BEHIND = 4, 5  # words around a word of direction among which its object stands
MOST = 0.75  # of the question's words
LONGEST = 1500  # characters of a question or sentence that are read


def denied_nouns(sentence: str, cues: Iterable[Cue]) -> list[str] | None:
    """The last word of each noun phrase that is denied; None if the sentence also denies a verb or a difference.

    cues: of the sentence.
    """
    nouns: list[str] = []
    for cue in cues:
        if cue.kind == SAME or not _NOUN_CUE.match(sentence, cue.begin, cue.end):
            return None
        evidence = _EVIDENCE.match(sentence, cue.end)
        last = list(_phrase(sentence, evidence.end() if evidence else cue.end))[-1:]
        if not last:
            return None
        nouns += last
    return nouns


def _phrase(sentence: str, begin: int) -> Iterator[str]:
    """The words of a noun phrase."""
    for count, match in enumerate(_WORD.finditer(sentence, begin)):
        word = match[0].lower()
        if count == _LONGEST or not word[0].isalnum() or word in _ENDS:
            return
        if word not in FILLERS:
            yield match[0]


def _beginnings(lines: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(lines.split())})", re.IGNORECASE)


# What the question asks for, by the beginnings of its words. NEGATIVE: the question asks for an absence.
ASKS = {
    "same": _beginnings(
        r"same\b similar equal equivalen comparable alternative substitut replac interchangeab enough suffic adequa"
        r" reliab accura valid"
    ),
    "safe": _beginnings("safe feasib acceptab possib toler practic"),
    "difference": _beginnings("differ influenc affect chang impact alter vary effect"),
    "need": _beginnings(
        "necess need should justif indicat requir warrant mandator must recommend worth routine"
    ),
    "better": _beginnings(
        "better superior more improv increas benefi enhanc advantag add higher greater help"
    ),
    "link": _beginnings(
        "associat relat correlat predict risk link marker factor role caus due relationship depend reflect determin"
        " prognos"
    ),
    "worse": _beginnings(
        "worse reduc decreas lower less prevent compromis impair harm fewer inferior problem limit"
    ),
    "negative": _beginnings("not\\b no\\b without fail lack absen avoid omit withh un\\w+"),
}
# What the sentence says, outside and inside the scope of a negation.
SAYS = {
    "positive": _beginnings(
        "effective efficac significant successful excellent good useful valuable reliable accurate safe feasible benefi"
        " improv advantag superior better support confirm demonstrat recommend"
    ),
    "link": _beginnings(
        r"associated correlat predict risk\sfactor related relationship link independent important role cause"
    ),
    "weak": _beginnings(
        r"worse poor low\b limited inferior inaccura only\b controvers contraindic avoid questionab overestimat"
        r" underestimat small\b modest minimal trivial weak minor uncommon rare"
    ),
    "contrast": _beginnings(r"however but\b although though despite whereas nevertheless while\b"),
    "hedge": _beginnings(r"may\b might could seem appear suggest potential possib perhaps probabl likely"),
    "further": _beginnings(r"further more\sstudies future warrant larger remain unclear unknown"),
    "part": _beginnings(r"only\b especially particular selected subgroup some\b except"),
    "need": _beginnings(r"should must need require necess mandator recommend indicated justified"),
    "can": _beginnings(r"can\b able allow enabl provid possible"),
}


class _Read(NamedTuple):
    """A text. words: in lower case with their places; stems: of each word; cues and directions."""

    text: str
    words: Sequence[tuple[str, int]]
    stems: Sequence[frozenset[str]]
    cues: Sequence[Cue]
    directions: Sequence[Direction]


def _read(text: str) -> _Read:
    text = text[:LONGEST]
    every, found = words(text), cues(text)
    return _Read(
        text, every, [frozenset(words_of(word)) for word, _ in every], found, directions(every, found)
    )


def topic_of(question: str) -> frozenset[str]:
    """The stems of a question's words, without those that make it a question."""
    return frozenset(question_words(question)) - frozenset(words_of(ASKING))


def direction_stems(question: str) -> frozenset[str]:
    """The stems of a question's words of direction."""
    every = words(question)
    return frozenset(stem for one in directions(every, ()) for stem in words_of(every[one.place][0]))


def asks_for_equality(question: str) -> bool:
    """Whether the question asks if things are the same: it has a word of that direction."""
    return any(
        one.dimension == "equality" and one.sign > 0 for one in directions(words(question), cues(question))
    )


def denies_another_thing(sentence: str, found: Sequence[Cue], topic: frozenset[str]) -> bool:
    """Whether all that a sentence denies are things that the question does not name. found: the sentence's cues."""
    nouns = denied_nouns(sentence, found)
    return bool(nouns) and not any(
        stems & topic or stems & without_subject() or directions(words(noun), ())
        for noun in nouns
        if (stems := frozenset(words_of(noun)))
    )


def stems_in(sentence: str, begin: int, end: int) -> frozenset[str]:
    """The stems of the words of characters [begin, end)."""
    return frozenset(words_of(sentence[begin:end]))


def stance_features(question: str, sentence: str) -> dict[str, float]:
    """The values of the features that are not 0."""
    asked, said = _read(question), _read(sentence)
    topic = topic_of(question)
    shared = topic & frozenset().union(*said.stems)
    values = {"shared": len(shared) / max(1, len(topic)), "length": min(len(said.words), 60) / 60}
    scopes = {kind: _covered(said, kind, shared) for kind in (DENIAL, ABSENT, SAME)}
    for kind, share in scopes.items():
        values[kind] = float(share is not None)
        values[f"{kind} of the question"] = share or 0.0
    denied = float(scopes[DENIAL] is not None or scopes[ABSENT] is not None)
    same = values[SAME]
    values["denied"] = denied
    opposite, agreeing = _signs(asked, said, topic)
    plain = 1.0 - max(denied, same, opposite)
    values["shared, plain"] = plain * values["shared"]
    values["most shared, plain"] = plain * (values["shared"] >= MOST)
    values["most shared, denied"] = denied * (values["shared"] >= MOST)
    values["most shared, opposite"] = (
        opposite * (values["shared"] >= MOST / 1.5) * (1 - denied) * (1 - agreeing)
    )
    values["denies another thing"] = float(denies_another_thing(said.text, said.cues, topic))
    values["leaves open"] = float(bool(undecided(said.text)))
    values["is the other arm"] = float(is_other_arm(asked.text, said.text, topic))
    values["denied twice"] = float(sum(cue.kind != SAME for cue in said.cues) > 1)
    for name, pattern in ASKS.items():
        if pattern.search(question):
            values |= {f"asks {name}": 1.0, f"asks {name}, denied": denied, f"asks {name}, same": same}
    for name, pattern in SAYS.items():
        for match in pattern.finditer(said.text):
            values["not " * _denied(said, match.start()) + name] = 1.0
    values |= _directions(asked, said, topic, denied)
    return {name: value for name, value in values.items() if value}


def _covered(said: _Read, kind: str, shared: frozenset[str]) -> float | None:
    """The largest share of the shared words in the scope of a cue of this kind; None without a cue."""
    shares = [
        len(shared & _stems(said, cue.scope_begin, cue.scope_end)) / len(shared) if shared else 1.0
        for cue in said.cues
        if cue.kind == kind
    ]
    return max(shares, default=None)


def _stems(said: _Read, begin: int, end: int) -> frozenset[str]:
    """The stems of the words that begin at characters [begin, end)."""
    return frozenset[str]().union(
        *(stems for (_, at), stems in zip(said.words, said.stems, strict=True) if begin <= at < end)
    )


def _denied(said: _Read, at: int) -> bool:
    return any(cue.kind != SAME and cue.scope_begin <= at < cue.scope_end for cue in said.cues)


def _directions(
    asked: _Read, said: _Read, topic: frozenset[str], denied: float
) -> Iterable[tuple[str, float]]:
    """Whether the directions of question and sentence agree, near the same words of the question and anywhere."""
    values: dict[str, float] = {}
    for one in asked.directions:
        object_ = _around(asked, one) & topic
        for other in said.directions:
            if other.dimension != one.dimension:
                continue
            near = "near " * bool(object_ & _around(said, other))
            name = f"{near}{_agreement(one, other)}"
            values[name] = 1.0
            values[f"{name}, {one.dimension}"] = 1.0
    return values.items()


def _signs(asked: _Read, said: _Read, topic: frozenset[str]) -> tuple[float, float]:
    """(1.0 if some direction near the same words is opposite, 1.0 if some is the same), both without negation."""
    pairs = [
        (one.sign, other.sign)
        for one in asked.directions
        for other in said.directions
        if one.dimension == other.dimension
        and not one.negated
        and not other.negated
        and _around(asked, one) & topic & _around(said, other)
    ]
    return float(any(a != b for a, b in pairs)), float(any(a == b for a, b in pairs))


def _agreement(one: Direction, other: Direction) -> str:
    same = "same" if one.sign == other.sign else "opposite"
    return f"{same} direction{', asked negated' * one.negated}{', denied' * other.negated}"


def _around(read: _Read, one: Direction) -> frozenset[str]:
    """The stems around a word of direction, without those of words of direction."""
    places = {each.place for each in read.directions}
    near = range(max(0, one.place - BEFORE), min(len(read.words), one.place + BEHIND + 1))
    return frozenset[str]().union(*(read.stems[place] for place in near if place not in places))
