"""Suggestions for what a user types: "did you mean" for typos, and completions of a beginning.

A word is taken for a typo if the index lacks it and has a word of one or two other letters in at least LEAST passages.
Names with digits are never typos, nor are words with a synonym in the index. A short word with another letter in the
place of one is mostly another word of everyday English ("lung" beside "long"). Most rare words that have such a
neighbour are spelled right ("router" beside "route"), so a word that the index has is none.
"""

from __future__ import annotations

import re

from anagnosis.documents.bibliography import printed_name
from anagnosis.searching.analysis import stop_word_places, stop_words_alone
from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.terms import beginning_with, near_words
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.records.hits import Completions
from anagnosis.searching.words import words_of

LEAST = 5
_SHORTEST = 4  # letters of a typo
_LONG_ENOUGH = 8  # letters of a typo that may have another letter in the place of one
_MOST_WORDS = 12  # of a question, that we compare
_NEAR = 5
_LONGEST = 100  # characters of a beginning
_BEGINNING = 2  # letters from which authors are completed: a million papers have too many with one
_WORD = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"[^\W_]+\Z")


def did_you_mean(engine: Engine, asked: AskedQuery) -> str:
    """The question with its typos replaced; "" if none is near a common word."""
    known = {word for each in asked.topic.equivalents for word in each.words}
    words = {typed: words_of(typed) for typed in _words(asked.topic.text)}
    unknown = {typed: of[0] for typed, of in words.items() if len(of) == 1 and of[0] not in known}
    rarity = engine.rarity([*unknown.values()])
    absent = [typed for typed, word in unknown.items() if not rarity.papers_with(word)]
    replaced = {typed: better for typed in absent if (better := _better(engine, typed))}
    if not replaced:
        return ""
    return _WORD.sub(lambda match: _spelled_as(replaced.get(match[0].lower(), ""), match[0]), asked.text)


def complete(engine: Engine, beginning: str, limit: int) -> Completions:
    """What begins as a user types: words, by the last word; authors and journals, by all of it."""
    typed = " ".join(beginning[:_LONGEST].split())
    last = _LAST_WORD.search(beginning)
    return Completions(
        words=beginning_with(engine, tree.TITLE, last[0], limit) if last else [],
        authors=_authors(engine, typed, limit),
        journals=beginning_with(engine, tree.JOURNAL, typed, limit),
    )


def _authors(engine: Engine, typed: str, limit: int) -> list[str]:
    """Authors that begin so, with the family name first: "Smith", "Smith, J", "Smith J"."""
    if len(typed) < _BEGINNING:
        return []
    family, _, given = typed.partition(" ")
    with_comma = f"{family}, {given}" if given and "," not in typed else ""
    authors = beginning_with(engine, tree.AUTHOR, typed, limit)
    return [*map(printed_name, authors or beginning_with(engine, tree.AUTHOR, with_comma, limit))]


def _words(topic: str) -> list[str]:
    """The words of a topic that may be typos, in small letters, each once."""
    stop_words = set(stop_word_places(topic))
    words = [match[0] for place, match in enumerate(_WORD.finditer(topic)) if place not in stop_words]
    may_be = (
        word.lower() for word in words if len(word) >= _SHORTEST and word.isalpha() and not word.isupper()
    )
    return list(dict.fromkeys(may_be))[:_MOST_WORDS]


def _better(engine: Engine, typed: str) -> str:
    """The commonest word that this one may be a typo of; "" for none, or where that is another word."""
    common = (text for text, papers in near_words(engine, typed, _NEAR) if papers >= LEAST)
    best = next((one for one in common if not stop_words_alone(one)), "")
    return "" if _is_other_word(typed, best.lower()) else best


def _is_other_word(typed: str, near: str) -> bool:
    """Whether two short words of one length differ by more than the order of their letters: lung, long."""
    return len(typed) == len(near) < _LONG_ENOUGH and sorted(typed) != sorted(near)


def _spelled_as(better: str, typed: str) -> str:
    """A word with the typed one's capital; the typed one itself if there is no better one."""
    if not better:
        return typed
    return better.capitalize() if typed.istitle() else better
