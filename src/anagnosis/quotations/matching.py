"""A quotation in a text: word for word, or nearly.

Two texts are compared by their words, in order, and by signs that change what a number says (%, <, ±, a minus). Spaces,
quotation marks, dashes between words, hyphens at line ends, ligatures, the case of letters and the other punctuation
are ignored, and named where they differ. Numbers are compared as printed, but for separators of thousands and a zero
before the point.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import msgspec
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

DIFFERING = 5
"""A quotation is nearly there if at most one word in so many differs."""
_HYPHENS = "-\u2010\u2011\u2012\u2013\u00ad"
_LETTER = r"(?:[^\W_]|[⁺⁻](?=[⁰¹²³⁴-⁹]))"
_JOINT = rf"(?<=\d)[.,·](?=\d)|(?<=\d)\^[-\u2212]?(?=\d)|(?:(?<=[^\W\d_])|(?=.\n?[^\W\d_]))[{_HYPHENS}]\n?"
_TOKEN = re.compile(
    rf"(?:(?<!\w)\.(?=\d))?{_LETTER}+(?:(?:{_JOINT}){_LETTER}+)*"
    r"|\+/[-\u2212]|<=|>=|[%‰<>=≤≥±+×/°~∼≈]|(?:(?<=[\s(\[<>=,;≤≥])|^)[-\u2212\u2013](?=\.?\d)"
)
_SAME = {
    "+/-": "±",
    "+/\u2212": "±",
    "<=": "≤",
    ">=": "≥",
    "∼": "~",
    "-": "\u2212",
    "\u2013": "\u2212",
    "×": "x",
}
_WITHOUT_HYPHENS = dict.fromkeys(map(ord, f"{_HYPHENS}\n"))
_RAISED = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DOTS = r"(?:…|\.\s?\.\s?\.\s?\.?)"
_ELLIPSIS = re.compile(rf"\[\s*{_DOTS}\s*\]|\(\s*{_DOTS}\s*\)|{_DOTS}")
_OWN_LETTER = re.compile(r"\[(\w)\](?=\w)")
# "was in effective use" is not "was ineffective use".
_NEGATING = frozenset({"a", "ab", "an", "dis", "im", "in", "no", "non", "not", "un"})
# What `word_for_word` ignores → the signs that may differ.
_IGNORED = {
    "spaces": rf"(?<![{_HYPHENS}])\s+|[ \t]+",
    "hyphens at line ends": rf"[{_HYPHENS}]\n",
    "dashes": "[\u2010-\u2015\u2212-]",
    "quotation marks": "[“”„«»‹›「」‘’‚\"'`´]",
    "punctuation": r"[,.](?!\d)|[;:!?()\[\]{}*_]",
    "ligatures": "[\ufb00-\ufb06]",
    "case": "[A-Z]",
    "numbers and signs in another form": r"[\d.,·]*\d|[+/<>=≤≥±×~∼]+|[⁰¹²³⁴-⁹⁺⁻^]+",
}
_REMEMBERED = 200  # texts, of which a paper's may take some megabytes
_AROUND = 3  # words beyond the best letters, in which the best words are looked for


class Words(NamedTuple):
    """The words of a text as they are compared.

    spans: characters [begin, end) of each in the text. joined: all, without blanks. ends: of each in `joined`.
    """

    forms: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    joined: str
    ends: tuple[int, ...]


class Difference(msgspec.Struct, frozen=True):
    """Words of a quotation, and the text that the paper has in their place."""

    quoted: str
    text: str


class Match(NamedTuple):
    """Where a text has a part of a quotation: characters [begin, end). differing: the number of differing words."""

    begin: int
    end: int
    differing: int = 0


def parts(quotation: str) -> list[str]:
    """A quotation in the parts between its ellipses; "[T]he" is "The"."""
    plain = _OWN_LETTER.sub(r"\1", quotation)
    return [part.strip() for part in _ELLIPSIS.split(plain) if words(part).forms]


@lru_cache(_REMEMBERED)
def words(text: str) -> Words:
    """The words of a text. Two that would say something else as one, such as two numbers, are kept apart."""
    forms = tuple(map(_form, _TOKEN.findall(text)))
    joined = [
        f"|{form}" if last in _NEGATING or (form[0].isdigit() and last[-1].isdigit()) else form
        for last, form in zip((" ", *forms), forms, strict=False)
    ]
    spans = tuple(map(re.Match.span, _TOKEN.finditer(text)))
    return Words(forms, spans, "".join(joined), tuple(accumulate(map(len, joined))))


@lru_cache(1 << 16)
def _form(token: str) -> str:
    """A word or sign as it is compared."""
    if token in _SAME:
        return _SAME[token]
    if not token.isascii():
        token = unicodedata.normalize("NFKC", _RAISED.sub(r"^\g<0>", token)).replace("·", ".")
    token = token.replace("^-", "^\u2212").translate(_WITHOUT_HYPHENS).casefold()
    if _THOUSANDS.fullmatch(token):
        token = token.replace(",", "")
    return token[1:] if token.startswith("0.") else token


def word_for_word(part: str, text: str, begin: int = 0) -> Match | None:
    """A place from character `begin` on where a text has a part of a quotation; None without one."""
    exact = text.find(part, begin)  # saves most texts from being cut into words
    end = exact + len(part)
    if exact >= 0 and not text[exact - 1 : exact].strip() and not text[end : end + 1].strip():
        return Match(exact, end)
    quoted, there = words(part).joined, words(text)
    first = bisect_left(there.spans, (begin, begin))
    at = there.ends[first - 1] if first else 0
    while (at := there.joined.find(quoted, at)) >= 0:
        first, last = bisect_right(there.ends, at), bisect_left(there.ends, at + len(quoted))
        if there.ends[first] - len(there.forms[first]) == at and there.ends[last] == at + len(quoted):
            return Match(there.spans[first][0], there.spans[last][1])
        at += 1
    return None


def nearly(part: str, text: str, most: int) -> Match | None:
    """Where a text has most words of a part of a quotation; None where more than `most` words differ."""
    quoted, there = words(part), words(text)
    if not there.forms or len({*quoted.forms}.difference(there.forms)) > most:
        return None
    found = fuzz.partial_ratio_alignment(quoted.joined, there.joined)
    if found is None:
        return None
    near = bisect_right(there.ends, found.dest_start), bisect_left(there.ends, found.dest_end) + 1
    firsts, lasts = (
        range(max(edge - _AROUND, 0), min(edge + _AROUND, len(there.forms)) + 1) for edge in near
    )
    windows = [(first, last) for first in firsts for last in lasts if first < last]
    differing, _, first, last = min(
        (Levenshtein.distance(quoted.forms, there.forms[first:last]), first - last, first, last)
        for first, last in windows
    )
    if differing > most:
        return None
    return Match(there.spans[first][0], there.spans[last - 1][1], differing)


def differences(part: str, text: str) -> list[Difference]:
    """The words in which a part of a quotation and the text in its place differ."""
    quoted, there = words(part), words(text)

    def between(whole: str, spans: Sequence[tuple[int, int]]) -> str:
        return whole[spans[0][0] : spans[-1][1]] if spans else ""

    return [
        Difference(
            between(part, quoted.spans[code.src_start : code.src_end]),
            between(text, there.spans[code.dest_start : code.dest_end]),
        )
        for code in Levenshtein.opcodes(quoted.forms, there.forms)
        if code.tag != "equal"
    ]


def ignored(part: str, text: str) -> list[str]:
    """What was ignored to find a part of a quotation word for word in this text."""
    names = [name for name, signs in _IGNORED.items() if re.findall(signs, part) != re.findall(signs, text)]
    return names or ["letters in another form"] * (part != text)
