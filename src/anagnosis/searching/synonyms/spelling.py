"""British and American spellings of a word, in both directions, by a table of word parts.

A word's American form replaces every British part. Two words are spellings of each other if their American forms are
equal. To list the spellings of a word, we turn American parts back. This also makes words that nobody writes
("haelp"); they do no harm, since a search drops words that its index does not have. The table is spellings.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

_SHORTEST, _LONGEST = 4, 60  # letters of a word that has spellings
_MOST_FORMS = 16  # of a word whose parts we turn back in all combinations
_WORDS = 1 << 12  # size of the cache
_BEFORE_ENDING = 3  # letters before -ise, so that "wise" and "prise" stay


class _Rule(NamedTuple):
    """A British part, the American one, and how many letters stand before it: at least, at most."""

    british: str
    american: str
    least: int
    most: int
    at_end: bool


def _table() -> Iterator[_Rule]:
    texts = tomllib.loads(files("anagnosis.searching.synonyms").joinpath("spellings.toml").read_text("utf-8"))
    for part, least, most, at_end in (
        ("whole", 0, 0, True),
        ("at_start", 0, 0, False),
        ("anywhere", 0, _LONGEST, False),
        ("at_end", _BEFORE_ENDING, _LONGEST, True),
    ):
        for row in texts[part].strip().splitlines():
            british, american, *endings = row.split()
            whole = at_end and len(british) > _BEFORE_ENDING
            for ending in endings or ("-",):
                end = "" if ending == "-" else ending
                yield _Rule(british + end, american + end, 0 if whole else least, most, at_end)


_RULES = tuple(_table())


@lru_cache(maxsize=_WORDS)
def american(word: str) -> str:
    """The American form of a word in lower case; the word itself where no rule applies."""
    if not _has_spellings(word):
        return word
    for rule in _RULES:
        if rule.british in word:
            for place in reversed(list(_places(word, rule.british, rule))):
                word = word[:place] + rule.american + word[place + len(rule.british) :]
    return word


@lru_cache(maxsize=_WORDS)
def spellings(word: str) -> tuple[str, ...]:
    """The other spellings of a word in lower case, sorted; some of them may be written by nobody."""
    if not _has_spellings(word):
        return ()
    form = american(word)
    parts = [
        (place, rule.american, rule.british)
        for rule in _RULES
        if rule.american in form
        for place in _places(form, rule.american, rule)
    ]
    turned = {form}
    for place, part, british in sorted(parts, reverse=True):
        if len(turned) < _MOST_FORMS:
            turned |= {one[:place] + british + one[place + len(part) :] for one in turned}
    return tuple(sorted(one for one in turned - {word} if american(one) == form))


def _has_spellings(word: str) -> bool:
    return _SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha() and word.islower()


def _places(word: str, part: str, rule: _Rule) -> Iterator[int]:
    """Where a part of this rule stands in a word."""
    if rule.at_end:
        place = len(word) - len(part)
        if rule.least <= place <= rule.most and word.endswith(part):
            yield place
        return
    place = word.find(part)
    while 0 <= place <= rule.most:
        yield place
        place = word.find(part, place + len(part))
