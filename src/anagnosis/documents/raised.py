"""Raised text, by one rule for all formats: marks of references are left out; exponents and fractions keep their form.

    IL-2<sup><xref>1</xref></sup>, cells<sup>1,2</sup>    IL-2, cells      counted as reference_number
    10<sup>5</sup>, Ca<sup>2+</sup>, <sup>18</sup>F       10⁵, Ca²⁺, ¹⁸F
    2<sup>ab</sup>, x<sup>a+b</sup>                       2^ab, x^(a+b)    Unicode has no such characters
    CD4<sup>+</sup>, 12<sup>th</sup>, H<sub>2</sub>O      CD4+, 12th, H2O

A number is a mark if the file calls it one, outside brackets, or if it is raised behind a word, a name (IL-2) or a
closing sign and is no power (χ², mm³, log¹⁰) and no number of an atom or amino acid (I¹³¹, Ser⁴⁷³).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

RAISED, BASE, LOWERED, CITED, CITED_END = "\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4"
"""Signs around raised text, behind lowered text, and around a mark that is called one; no text has these characters."""
LEFT_OUT = "\x00"  # where a mark stood
SUPERSCRIPTS = str.maketrans("0123456789+-−–=()inmo", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁱⁿᵐº")
AROUND = {"sup": (RAISED, BASE), "sub": ("", LOWERED), "xref": (CITED, CITED_END)}
_ELEMENTS = (*AROUND, "{*}msup", "{*}msubsup", "{*}mfrac", "{*}msqrt")
_OF_REFERENCES = ("bibr", "ref")  # types of xref
_AS_THEY_STAND = ("st", "nd", "rd", "th", "er", "TM")
_CLOSING = frozenset('.,;:)]”’%"')
_EXPONENT = re.compile(r"(?=.*[\dinmo])(?:[inm]?[\d+−–=()-])*[inmo]?")
_ONE_TERM = re.compile(r"[+−–-]?(?:[^\s+−–×·=/-]|(?<=\d)·)*")
_SEVERAL = r"[\s,;–−-]"
_NUMBERS = re.compile(rf"[(\[]?\s*[1-9]\d{{0,2}}[a-z]?(?:{_SEVERAL}+[1-9]\d{{0,2}}[a-z]?)*\s*[)\]]?")
_NAME = re.compile(r"[^\W\d_]{2}(?:-\d{1,2}|(?!10$)\d{1,2})$")
_POWER_OF = re.compile(r"(?:\)|(?<![^\W\d_])[^\W\d_]{1,2}(?<!°C))$")
_NUMBER_OF = re.compile(
    r"(?:\]|/\w+|(?<![^\W\d_])(?:[^\W\d_](?<!°C)|[Cc]hi|[Ll]og|days?|deg|eta|inch|kPa|met(?:er|re)s?|min|mol|phi|pixels?|rad|rho|sec|tau|Ala|Arg|Asn|Asp"
    r"|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val))$"
)
_NO_MARK_BEHIND = re.compile(
    rf"(?:^|[^\w\s.,;:)\]”’%\"{LOWERED}]|[(\[][^)\]]*{_SEVERAL}|\b(?:refs?|references?|see|in|by|of|and|or|to)\.?)\s*$",
    re.IGNORECASE,
)
_NO_BASE = re.compile(r"(?:^|[\s(\[\x03-\x06])$")
_BLANK_INSIDE = re.compile(rf"(?<=\S)(\s+){BASE}")
_PIECE = re.compile(rf"({CITED}\s*)?{RAISED}([^{RAISED}{BASE}]*){BASE}(?=[\x01\x02]*(.?))")
_CITATION = re.compile(f"{CITED}([^{CITED}{CITED_END}]*){CITED_END}")
_GROUP = re.compile(f"{_CITATION.pattern}(?:{_SEVERAL}*{_CITATION.pattern})*")
_BARE = rf"{LEFT_OUT}(?:{_SEVERAL}*{LEFT_OUT})*"
_MARKS = rf"(?:[(\[]\s*{_BARE}\s*[)\]]|{_BARE})"
_PLACE = re.compile(rf"(?:(?<=\S)\s+)?{_MARKS}\s*(?=[.,;:)\]])|{_MARKS}")
_SIGN = re.compile(f"[{RAISED}-{CITED_END}]")
_EMPHASIS = str.maketrans(dict.fromkeys("\x01\x02"))
_CONTEXT = 60


def mark_raised(element: _Element) -> None:
    """Put signs for `resolved` around raised text inside an element, and spell MathML's powers and fractions."""
    for each in reversed(list(element.iterdescendants(*_ELEMENTS))):
        name = str(each.tag).rpartition("}")[2]
        if name == "xref" and each.get("ref-type") not in _OF_REFERENCES:
            continue
        if name in AROUND:
            before, behind = AROUND[name]
            each.text, each.tail = f"{before}{each.text or ''}", f"{behind}{each.tail or ''}"
            each.tag = f"{{done}}{name}"
        else:
            parts = ["".join(words.strip() for words in part.itertext()) for part in each]
            power = "".join(parts[-1:])
            if name == "mfrac":
                last = each.getprevious()
                is_mixed = last is not None and (last.text or "")[-1:].isdigit()
                line = " " * is_mixed + "/".join(map(_term, parts))
            else:
                line = (
                    f"√{_term(''.join(parts))}"
                    if name == "msqrt"
                    else "".join(parts[:-1]) + spelled("x", power)
                )
            each[:], each.text, each.tag = [], line, "mrow"


def resolved(text: str, count: Callable[[str], None]) -> str:
    """The text as it reads without the signs of `mark_raised`. Counted: reference_number."""

    def left_out() -> str:
        count("reference_number")
        return LEFT_OUT

    def piece(match: re.Match[str]) -> str:
        before, words = _before(match), _CITATION.sub("", "" if match[1] else match[2])
        is_cited = match[1] or words != match[2]
        words = words.strip(",;–-()[] \n") if is_cited else words.strip()
        is_all = _is_mark(before, words, "" if is_cited else match[3])
        return ("" if is_all else spelled(before, words)) + (left_out() if is_all or is_cited else "")

    def group(match: re.Match[str]) -> str:
        is_mark = match[1].strip()[:1].isdigit() and _NUMBERS.fullmatch(match[1])
        return left_out() if is_mark and not _NO_MARK_BEHIND.search(_before(match)) else match[0]

    if RAISED in text or CITED in text:
        text = _BLANK_INSIDE.sub(rf"{BASE}\1", text).replace(BASE + RAISED, "")
        text = _GROUP.sub(group, _PIECE.sub(piece, text))
        return without_places(_SIGN.sub("", text))
    return text.replace(LOWERED, "")


def without_places(text: str) -> str:
    """The text without LEFT_OUT, what stands between or around these signs, and a blank before a closing sign."""
    return _PLACE.sub("", text)


def is_power(before: str, number: str) -> bool:
    """Whether a raised 2 or 3 belongs to what stands before: a unit, a symbol (I², cm³) or a bracket."""
    return number in ("2", "3") and _POWER_OF.search(before) is not None


def _is_mark(before: str, words: str, behind: str) -> bool:
    if not _NUMBERS.fullmatch(words) or (behind and (behind.isalnum() or behind in "_+−-")):
        return False
    is_one = words.isalnum()
    before = before if is_one and behind not in _CLOSING else before.rstrip()
    last = before[-1:]
    if last.isdigit():
        return _NAME.search(before) is not None or ("," in words and not before.endswith("10"))
    is_behind = last.isalpha() or last in _CLOSING
    return is_behind and not is_power(before, words) and not (is_one and _NUMBER_OF.search(before))


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - _CONTEXT) : match.start()].translate(_EMPHASIS)


def _term(words: str) -> str:
    return words if _ONE_TERM.fullmatch(words) else f"({words})"


def spelled(before: str, words: str) -> str:
    """Raised words that are no mark, in a line."""
    together = "".join(words.split())
    if _EXPONENT.fullmatch(together):
        return together.translate(SUPERSCRIPTS)
    if words in "()[],;":
        return ""
    stays = words in _AS_THEY_STAND or not any(map(str.isalnum, words)) or _NO_BASE.search(before)
    return words if stays else f"^{_term(words)}"
