"""Characters as papers print them, made those that people write: ligatures, blanks, hyphens, accents, Greek letters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

HYPHEN = "\ufffe"  # PDFium's, of a word that is broken at the end of a line
UNKNOWN = "\ufffd"  # a sign without a meaning in Unicode
# Scripts that write words without blanks between them: Thai to Khmer, Chinese and Japanese.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uff9f"
UNSPACED = re.compile(f"[{_UNSPACED}]")
CASELESS = rf"[{_UNSPACED}\uac00-\ud7a3]"  # and Korean, which has blanks
CASELESS_WORD = f"{CASELESS}{{2}}"
_FORMS = {
    chr(code): unicodedata.normalize("NFKC", chr(code))
    for code in (*range(0xFB00, 0xFB07), *range(0x2F00, 0x2FD6))
}
LIGATURES = {letters: one for one, letters in _FORMS.items() if len(letters) > 1}
_ALIKE = str.maketrans(
    {
        **dict.fromkeys(
            "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t",
            " ",
        ),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
        **dict.fromkeys("\u2010\u2011", "-"),
        "\u00b5": "\u03bc",
        "\u2126": "\u03a9",
        "\u2206": "\u0394",
        **_FORMS,  # ligatures, and radicals that stand for Chinese characters
    }
)
# Accents that are printed behind their letters → the combining ones.
_ACCENTS = dict(
    zip("\u00b4\u0060\u02c6\u02dc\u00a8\u02da\u00b8\u02c7\u02d8\u02dd",
        "\u0301\u0300\u0302\u0303\u0308\u030a\u0327\u030c\u0306\u030b", strict=True)
)  # fmt: skip
# Some of them are quotation marks or signs of their own where no letter follows.
_BESIDE = re.compile(rf"([A-Za-z]) ?([\u02da\u0300-\u036f])|([A-Za-z])([{''.join(_ACCENTS)}])(?=[a-z])")
_DEGREE = re.compile("[\u25e6\u02da\u00ba](?= ?[CF]\\b)")  # a ring
_BLANKS = re.compile(" {2,}")


def words_in(text: str) -> int:
    """The number of words; two characters of a script without blanks count as one."""
    return len(text.split()) + (0 if text.isascii() else len(UNSPACED.findall(text)) // 2)


def letters(text: str) -> list[tuple[str, int]]:
    """(letter or digit without its accent, its place) of a text: what stays the same however it is printed."""
    found: list[tuple[str, int]] = []
    for at, character in enumerate(text):
        if character.isascii():
            if character.isalnum():
                found.append((character, at))
        else:
            parts = unicodedata.normalize("NFKD", character.translate(_ALIKE))
            found += [(part, at) for part in parts if part.isalnum()]
    return found


def cleaned(text: str, counts: Counter[str]) -> str:
    """A line's text. counts: unknown_sign, accent."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    counts["unknown_sign"] += text.count(UNKNOWN)
    text = _DEGREE.sub("\u00b0", text.translate(_ALIKE))
    if not text.isascii():
        text = _BESIDE.sub(lambda match: _with_accent(match, counts), text)
        text = unicodedata.normalize("NFC", text)
    return _BLANKS.sub(" ", text)


def _with_accent(match: re.Match[str], counts: Counter[str]) -> str:
    """The letter with its accent, if Unicode has both as one."""
    letter, accent = match[1] or match[3], match[2] or match[4]
    one = unicodedata.normalize("NFC", letter + _ACCENTS.get(accent, accent))
    if len(one) != 1:
        return match[0]
    counts["accent"] += 1
    return one
