"""The tokens by which the names of a vocabulary and the words of a text are compared.

Each rule is a function from a token in lower case to the form that is compared; "" drops the token. A name and a text
go through the same rules, so "beta blockers" is "Beta-Blocker", and "Parkinson's disease" is "Parkinson disease".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from anagnosis.language.inflection import singular
from anagnosis.language.plain_letters import GREEK

# A possessive, a run of letters or of digits, a line end (which ends a section), or any other sign.
_TOKEN = re.compile(r"['’]s\b|[^\W\d_]+|\d+|\n|[^\w\s]|_")
_LONGEST_CACHE = 1 << 20

TokenRule = Callable[[str], str]


def hyphens(token: str) -> str:
    """Hyphens and dashes count as blanks: "beta-blocker" is "beta blocker"."""
    return "" if token in "-‐‑‒–—−" else token


def possessives(token: str) -> str:
    """A possessive 's does not count: "Parkinson's disease" is "Parkinson disease"."""
    return "" if token in ("'s", "’s") else token


def greek_letters(token: str) -> str:
    """A Greek letter is its name: "α" is "alpha"."""
    return GREEK.get("μ" if token == "µ" else token, token)  # the sign of micro is no letter


def plurals(token: str) -> str:
    """A plural is its singular: "tumours" is "tumour", "deficiencies" "deficiency", "neuroses" "neurosis"."""
    return singular(token)


TOKEN_RULES: dict[str, TokenRule] = {
    rule.__name__: rule for rule in (hyphens, possessives, greek_letters, plurals)
}


class Tokens(NamedTuple):
    """The tokens of a text that count: compared forms, and where each starts and ends, in characters."""

    keys: list[str]
    starts: list[int]
    ends: list[int]


class Tokenizer:
    """Cuts texts into tokens by some of `TOKEN_RULES`; remembers the form of each word that it has met."""

    def __init__(self, rules: Sequence[TokenRule]) -> None:
        self._rules = tuple(rules)
        self._forms: dict[str, str] = {}

    def __call__(self, text: str) -> Tokens:
        keys: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        forms = self._forms
        if len(forms) > _LONGEST_CACHE:
            forms.clear()
        for match in _TOKEN.finditer(text):
            word = match[0]
            key = forms.get(word)
            if key is None:
                key = word.lower()
                for rule in self._rules:
                    key = rule(key)
                forms[word] = key
            if key:
                keys.append(key)
                start, end = match.span()
                starts.append(start)
                ends.append(end)
        return Tokens(keys, starts, ends)
