"""The words of a text as an index knows them, the same for passages and for questions.

Greek letters are spelled out, a gene's name is one word however it is written (IL-2, IL2), accents go, words
of no meaning are left out, the rest is stemmed. What each of these is worth: design/search.md.
"""

from __future__ import annotations

import re

_GREEK_LETTERS = "αβγδεζηθικλμνξοπρστυφχψω"
_NAMES = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon
phi chi psi omega"""
_GREEK = dict(zip(_GREEK_LETTERS, _NAMES.split(), strict=True))
_SPELLED = {
    **_GREEK,
    **{letter.upper(): word for letter, word in _GREEK.items()},
    "µ": "mu",
    "ς": "sigma",
    "ϕ": "phi",
    "ﬁ": "fi",
    "ﬂ": "fl",
}
_TO_SPELL = re.compile(f"[{''.join(_SPELLED)}]")
# Sought from the number backwards, since most words have none.
_NUMBER = re.compile(r"[0-9]+[A-Za-z]?(?![^\W_])")
_NAME_BEFORE = re.compile(r"(?<![^\W_])([A-Za-z]+)(-?)\Z")
_LONGEST_NAME = 20
_SOFT_HYPHEN = "\u00ad"
LONGEST_WORD = 60  # bytes; what is longer is no word of a language
_STOP_WORDS = """a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with"""
STOP_WORDS = tuple(_STOP_WORDS.split())


def searchable(text: str) -> str:
    """The text with Greek spelled out, and with the other spelling of each letters-and-number name at its end."""
    if not text.isascii():
        text = text.replace(_SOFT_HYPHEN, "")
        text = _TO_SPELL.sub(lambda found: _SPELLED[found[0]], text)
    others: list[str] = []
    for found in _NUMBER.finditer(text):
        begin = found.start()
        last = text[begin - 1] if begin else ""
        if last == "-" or last.isalpha():
            name = _NAME_BEFORE.search(text, max(0, begin - _LONGEST_NAME), begin)
            if name:
                others.append(name[1] + found[0] if name[2] else name[1])
    return f"{text}\n{' '.join(others)}" if others else text
