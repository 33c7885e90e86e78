"""Raised text, by one rule for all formats: marks of references are left out; powers and fractions keep their form.

    IL-2<sup><xref>1</xref></sup>, cells<sup>1,2</sup>    IL-2, cells
    10<sup>5</sup>, Ca<sup>2+</sup>, <sup>18</sup>F       10⁵, Ca²⁺, ¹⁸F
    2<sup>ab</sup>, x<sup>a+b</sup>                       2^ab, x^(a+b)    Unicode has no such characters
    CD4<sup>+</sup>, 12<sup>th</sup>, H<sub>2</sub>O      CD4+, 12th, H2O

A number is a mark if the file calls it one, outside brackets, or if it is raised behind a word, a name (IL-2) or a
closing sign and is no power (χ², mm³, log¹⁰) and no number of an atom or amino acid (I¹³¹, Ser⁴⁷³).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

# Signs around raised text, behind lowered text, around what a file calls a mark, and in place of a mark.
RAISED, BASE, LOWERED, CITED, CITED_END, LEFT_OUT = "\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4\x00"
AROUND = {"sup": (RAISED, BASE), "sub": ("", LOWERED), CITED: (CITED, CITED_END)}
SUPERSCRIPTS = str.maketrans("0123456789+-−–=()inmo", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁱⁿᵐº")
_AS_THEY_STAND = ("st", "nd", "rd", "th", "er", "TM")
_CLOSING = frozenset('.,;:)]”’%"')
_EXPONENT = re.compile(r"(?=.*[\dinmo])(?:[inm]?[\d+−–=()-])*[inmo]?")
_ONE_TERM = re.compile(r"[+−–-]?(?:[^\s+−–×·=/-]|(?<=\d)·)*")
_SEVERAL = r"[\s,;–−-]"
_NUMBERS = re.compile(rf"[(\[]?\s*[1-9]\d{{0,2}}[a-z]?(?:{_SEVERAL}+[1-9]\d{{0,2}}[a-z]?)*\s*[)\]]?")
_NAME = re.compile(r"[^\W\d_]{2}(?:-\d{1,2}|(?!10$)\d{1,2})$")
_POWER_OF = re.compile(r"(?:\)|(?<![^\W\d_])[^\W\d_]{1,2}(?<!°C))$")
_NUMBER_OF = re.compile(
    r"(?:\]|/\w+|(?<![^\W\d_])(?:[^\W\d_](?<!°C)|[Cc]hi|[Ll]og|days?|deg|eta|inch|kPa|met(?:er|re)s?|min|mol|phi|rad|rho|sec"
    r"|tau|A(?:la|rg|sn|sp)|Cys|Gl[nuy]|His|Ile|L(?:eu|ys)|Met|P(?:he|ro)|Ser|T(?:hr|rp|yr)|Val))$"
)
_NO_MARK_BEHIND = re.compile(
    rf"(?:^|[^\w\s.,;:)\]”’%\"{LOWERED}]|[(\[][^)\]]*{_SEVERAL}|\b(?i:refs?|references?|see|in|by|of|and|or|to)\.?)\s*$"
)
_NO_BASE_IN = re.compile(r"(?:^|[\s(\[\x03-\x06])$")
_PIECE = re.compile(rf"({CITED}\s*{RAISED}|{RAISED})([^{RAISED}{BASE}]*){BASE}(?=[\x01\x02]*(.?))")
_CITATION = re.compile(f"{CITED}[^{CITED}{CITED_END}]*{CITED_END}")
_GROUP = re.compile(rf"{CITED}(\s*\d[^{CITED}{CITED_END}]*){CITED_END}(?:{_SEVERAL}*{_CITATION.pattern})*")
_MARKS = rf"{LEFT_OUT}(?:{_SEVERAL}*{LEFT_OUT})*"
# What stands between and around marks, and a blank before a closing sign, go with them.
PLACES = re.compile(rf"(?:[(\[]\s*{_MARKS}\s*[)\]]|{_MARKS})(?:\s*(?=[.,;:)\]]))?")
_SIGN = re.compile(f"[{RAISED}-{CITED_END}]")


def mark_raised(element: _Element) -> None:
    """Put signs for `resolved` around what is raised and lowered in an element; write MathML's fractions in a line."""
    names = ("sup", "sub", "{*}msup", "{*}msubsup", "{*}mfrac", "{*}msqrt")
    for each in reversed(list(element.iterdescendants(*names))):
        name = str(each.tag).rpartition("}")[2]
        if name in AROUND:
            before, behind = AROUND[name]
            each.text, each.tail = f"{before}{each.text or ''}", f"{behind}{each.tail or ''}"
            continue
        parts = ["".join(words.strip() for words in part.itertext()) for part in each]
        line = f"√{_term(''.join(parts))}"
        if name == "mfrac":
            whole = str(getattr(each.getprevious(), "text", ""))  # of 1 3/4
            line = " " * whole.isdecimal() + "/".join(map(_term, parts))
        elif name != "msqrt":
            line = "".join(parts[:-1]) + _spelled("x", "".join(parts[-1:]))
        each[:], each.text, each.tag = [], line, "mrow"


def resolved(text: str) -> str:
    """The text as it reads without signs."""
    if RAISED in text or CITED in text:
        text = _GROUP.sub(_of_group, _PIECE.sub(_of_piece, text.replace(BASE + RAISED, "")))
        text = _SIGN.sub("", text)
        for blank in " \n":
            text = text.replace(blank + LEFT_OUT, LEFT_OUT + blank)
        text = PLACES.sub("", text) if LEFT_OUT in text else text
    return text.replace(LOWERED, "")


def is_power(before: str, number: str) -> bool:
    """Whether a raised 2 or 3 belongs to what stands before: a unit, a symbol (I², cm³) or a bracket."""
    return number in ("2", "3") and _POWER_OF.search(before) is not None


def _of_piece(match: re.Match[str]) -> str:
    begin, inside, behind = match.groups()
    before, words = _before(match), _CITATION.sub("", inside) if begin == RAISED else ""
    is_cited = words != inside
    words = words.strip(",;–-()[] \n") if is_cited else words.strip()
    is_all = _is_mark(before, words, "" if is_cited or inside[-1:].isspace() else behind)
    mark = LEFT_OUT * (is_all or is_cited) + " " * inside[-1:].isspace()
    return mark if is_all else _spelled(before, words) + mark


def _of_group(match: re.Match[str]) -> str:
    is_mark = _NUMBERS.fullmatch(match[1]) and not _NO_MARK_BEHIND.search(_before(match))
    return LEFT_OUT if is_mark else match[0]


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - 60) : match.start()].replace("\x01", "").replace("\x02", "")


def _is_mark(before: str, words: str, behind: str) -> bool:
    if not _NUMBERS.fullmatch(words) or (behind and (behind.isalnum() or behind in "_+−-")):
        return False
    is_one = words.isalnum()
    before = before if is_one and behind not in _CLOSING else before.rstrip()
    last = before[-1:]
    if last.isdigit():
        return _NAME.search(before) is not None or ("," in words and not before.endswith("10"))
    is_number_of = is_power(before, words) or (is_one and _NUMBER_OF.search(before))
    return (last.isalpha() or last in _CLOSING) and not is_number_of


def _spelled(before: str, words: str) -> str:
    together = "".join(words.split())
    if _EXPONENT.fullmatch(together):
        return together.translate(SUPERSCRIPTS)
    if words in "()[],;":
        return ""
    stays = words in _AS_THEY_STAND or not any(map(str.isalnum, words)) or _NO_BASE_IN.search(before)
    return words if stays else f"^{_term(words)}"


def _term(words: str) -> str:
    return words if _ONE_TERM.fullmatch(words) else f"({words})"
