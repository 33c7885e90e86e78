"""A text in plain letters, with both spellings of each letters-and-digits name.

We spell out Greek letters, give all spellings of a letters-and-digits name the same words (IL-2 and IL2, TNFα, TNF-α
and TNFalpha, with any hyphen), and remove accents and typographic variants. The search analyses passages and questions
by it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_GREEK_LETTERS = "αβγδεζηθικλμνξοπρστυφχψως"
_NAMES = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon
phi chi psi omega sigma"""
GREEK = dict(zip(_GREEK_LETTERS, _NAMES.split(), strict=True))
_SPELLED = {**GREEK, **{letter.upper(): word for letter, word in GREEK.items()}}
# Greek letters that are set apart where letters stand right beside them: TNFalpha, NF-kappaB. No word ends so.
_GLUED = "alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega"
_GLUED_NAMES = _GLUED.split("|")
_IN_ONE_WORD = re.compile(rf"(?<=[A-Za-z0-9])({_GLUED})(?![ac-z]|b\w)")
_BEFORE_CAPITAL = re.compile(rf"(?<![A-Za-z0-9])({_GLUED})(?=[A-Z]|b\b)")
# Greek letters that people also write as Latin ones in these names: NFkB, TNFa, TGF-b1, IL1B, PGC-1a.
_AS_LATIN = {"a": "alpha", "b": "beta", "d": "delta", "g": "gamma", "k": "kappa "}
_WITH_LATIN = re.compile(
    r"(?<![^\W_])(?:NF[ -]?k(?=-?B(?![a-z]))|(?:IFN|PPAR|TGF|TNF|(?:HIF|IL|PGC)-?1)-?[abdg](?![a-z]))",
    re.IGNORECASE,
)
_PARTS_OF_THESE = ("nfk", "nf-k", "nf k", "ifn", "ppar", "tgf", "tnf", "hif", "il1", "il-1", "pgc")
_HYPHENS = frozenset("\u2010\u2011\u2012\u2013\u2212")
_SOFT_HYPHEN = "\u00ad"
_TO_SPELL = re.compile(f"[{''.join((*_SPELLED, *sorted(_HYPHENS)))}]")
# Stands for each letter that is not ASCII, to find such letters fast.
_SIGNS = re.compile(rb"\?\?*")  # not \?+: the engine then searches for the first letter, which is fast
_RUNS = 1 << 14  # size of the cache
# Maps bytes to four classes, among which the search for a letter before a number skips most of a text quickly.
_KINDS = re.sub(rb"[^a0-]", b" ", re.sub(rb"[A-Za-z]", b"a", re.sub(rb"[0-9]", b"0", bytes(range(256)))))
_IN_NAMES = re.compile(b"0(?:(?<=a0)|(?<=a-0))")
_NUMBER = re.compile(r"[0-9]+[A-Za-z]{0,3}(?![^\W_])")
_NAME_BEFORE = re.compile(r"(?<![^\W_])([A-Za-z]+)(-?)\Z")
_LONGEST_NAME = 20


def searchable(text: str) -> str:
    """The text in plain letters, followed by the other spelling of each letters-and-digits name."""
    return "\n".join(searchable_parts(text))


def searchable_parts(text: str) -> list[str]:
    """The text in plain letters, and the other spellings of its letters-and-digits names; without empty ones."""
    letters = text.encode("ascii", "replace")
    if not text.isascii():
        text = _plain(text, letters)
        letters = text.encode("ascii", "replace")
    if any(map(text.__contains__, _GLUED_NAMES)):
        text = _BEFORE_CAPITAL.sub(r"\1 ", _IN_ONE_WORD.sub(r" \1", text))
        letters = text.encode("ascii", "replace")
    if any(map(text.lower().__contains__, _PARTS_OF_THESE)):
        text = _WITH_LATIN.sub(lambda name: f"{name[0][:-1]} {_AS_LATIN[name[0][-1].lower()]}", text)
        letters = text.encode("ascii", "replace")
    others: list[str] = []
    for match in _IN_NAMES.finditer(letters.translate(_KINDS)):
        begin = match.start()
        number = _NUMBER.match(text, begin)
        name = number and _NAME_BEFORE.search(text, max(0, begin - _LONGEST_NAME), begin)
        if number and name:
            others.append(name[1] + number[0] if name[2] else name[1])
    return [text, " ".join(others)] if others else [text] if text else []


def _plain(text: str, letters: bytes) -> str:
    """The text with each run of non-ASCII letters replaced by plain ones.

    letters: the text with a sign for each non-ASCII letter.
    """
    parts: list[str] = []
    at = 0
    for match in _SIGNS.finditer(letters):
        begin, end = match.span()
        run = text[begin:end]
        if run.isascii():
            continue
        plain = _plain_run(run, text[begin - 1 : begin].isalnum(), text[end : end + 1].isalpha())
        if plain is None:
            return _spelled_out(text)
        parts += text[at:begin], plain
        at = end
    return "".join([*parts, text[at:]])


@lru_cache(maxsize=_RUNS)
def _plain_run(run: str, after_letter: bool, before_letter: bool) -> str | None:
    """A run in plain letters; None if its first letter may combine with the one before it, as a combining accent does.

    after_letter: whether a Latin letter or a number stands before it. before_letter: whether a letter follows.
    """
    if unicodedata.combining(unicodedata.normalize("NFKD", run[0])[0]):
        return None
    before, after = "a" * after_letter, "a" * before_letter
    return _spelled_out(f"{before}{run}{after}").removeprefix(before).removesuffix(after)


def _spelled_out(text: str) -> str:
    return _TO_SPELL.sub(_spelled, unicodedata.normalize("NFKC", text).replace(_SOFT_HYPHEN, ""))


def _spelled(match: re.Match[str]) -> str:
    """A plain hyphen, or the Greek letter's name: a separate word beside Latin letters, but in a unit (μg)."""
    if match[0] in _HYPHENS:
        return "-"
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    name = _SPELLED[match[0]]
    name = f"{name} " if after.isascii() and after.isalpha() and name in _GLUED_NAMES else name
    return f" {name}" if before.isascii() and before.isalnum() else name
