"""How many of a team's entries count on a hidden split: its first ones of each calendar month, by their own dates.

Spellings of a team's name that differ only in case, width or style of letters, accents, blanks, signs, characters that
nothing shows, or letters of Cyrillic and Greek that look like Latin ones are one team: the limit must not depend on how
a name is written.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from anagnosis.leaderboard.entries import Entry
from anagnosis.leaderboard.golds import SplitKey
from anagnosis.leaderboard.system_file import is_invisible

# Letters that look like Latin ones as capitals or as small letters, after Unicode's list of confusable characters
# (UTS #39, confusables.txt). A letter whose two cases look like different Latin ones stands with its capital's.
# Not formatted: a letter a line would be a page.
_CYRILLIC = {
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "н": "h", "і": "i", "ї": "i", "ј": "j",
    "к": "k", "ӏ": "l", "м": "m", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "ѵ": "v", "ԝ": "w",
    "х": "x", "у": "y", "ү": "y",
}  # fmt: skip
_GREEK = {
    "α": "a", "β": "b", "ε": "e", "η": "h", "ι": "i", "κ": "k", "μ": "m", "ν": "n", "ο": "o", "ρ": "p",
    "τ": "t", "υ": "y", "χ": "x", "ζ": "z",
}  # fmt: skip
_LATIN = {"ı": "i", "ɡ": "g", "ɑ": "a", "ʏ": "y", "ɩ": "i"}
_LOOKALIKES = str.maketrans({**_CYRILLIC, **_GREEK, **_LATIN})
_ACCENTS = range(0x0300, 0x0370)  # other marks are part of letters, as in Japanese


def within_limit(
    entries: Sequence[Entry], hidden: frozenset[SplitKey], per_month: int
) -> tuple[list[Entry], list[tuple[Entry, SplitKey]]]:
    """(entries without the splits on which they are over the limit, what that leaves out), the first dates first.

    Entries of one day count by name.
    """
    entered: Counter[tuple[object, ...]] = Counter()
    over: list[tuple[Entry, SplitKey]] = []
    for each in sorted(entries, key=lambda one: (one.about.date, one.name)):
        team, date = team_key(each.about.team), each.about.date
        for place in each.places:
            month = (team, place, date.year, date.month)
            entered[month] += 1
            if place in hidden and entered[month] > per_month:
                over.append((each, place))
    return [_without(each, over) for each in entries], over


def team_key(team: str) -> str:
    """One key for all spellings of a team's name; only for comparison, never for a page."""
    folded = unicodedata.normalize("NFKC", team).casefold()
    plain = "".join(map(_without_accents, unicodedata.normalize("NFC", folded))).translate(_LOOKALIKES)
    return "".join(char for char in plain if char.isalnum() and not is_invisible(char)) or folded


def _without(each: Entry, over: Sequence[tuple[Entry, SplitKey]]) -> Entry:
    left = {place for entry, place in over if entry is each}
    if not left:
        return each
    return replace(
        each,
        systems={place: own for place, own in each.systems.items() if place not in left},
        people={place: own for place, own in each.people.items() if place not in left},
    )


def _without_accents(char: str) -> str:
    letter, *marks = unicodedata.normalize("NFD", char)
    return letter if all(ord(mark) in _ACCENTS for mark in marks) else char
