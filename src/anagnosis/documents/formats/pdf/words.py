"""Characters, words and headings as papers print them.

Characters are made those that people write: ligatures, blanks, hyphens, accents, Greek letters. A word that is broken
at the end of a line has a hyphen there or not. A heading is known by its words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

HYPHEN = "\ufffe"  # PDFium's, of a word that is broken at the end of a line
UNKNOWN = "\ufffd"  # a sign without a meaning in Unicode
# Scripts that write words without blanks between them: Thai to Khmer, Chinese and Japanese.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uff9f]"
)
_LIGATURES = map(chr, range(0xFB00, 0xFB07))
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
        **{one: unicodedata.normalize("NFKC", one) for one in _LIGATURES},
    }
)
_DEGREE = re.compile("[\u25e6\u02da\u00ba](?= ?[CF]\\b)")  # a ring
_BLANKS = re.compile(" {2,}")


def words_in(text: str) -> int:
    """The number of words; two characters of a script without blanks count as one."""
    return len(text.split()) + (0 if text.isascii() else len(_UNSPACED.findall(text)) // 2)


def cleaned(text: str, counts: Counter[str]) -> str:
    """A line's text. counts: unknown_sign."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    counts["unknown_sign"] += text.count(UNKNOWN)
    text = _DEGREE.sub("\u00b0", text.translate(_ALIKE))
    text = text if text.isascii() else unicodedata.normalize("NFC", text)
    return _BLANKS.sub(" ", text)


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LONGEST_WORD = 80  # letters
_PREFIXES = frozenset((
    "anti", "co", "cross", "double", "half", "high", "long", "low", "multi", "non", "placebo", "post", "pre", "self",
    "short", "single", "three", "triple", "two", "well", "wild",
))  # fmt: skip
_ENDINGS = frozenset((
    "activated", "associated", "based", "blind", "blinded", "control", "controlled", "dependent", "derived", "directed",
    "dimensional", "enhanced", "free", "induced", "label", "like", "mediated", "negative", "old", "positive", "related",
    "resistant", "rich", "specific", "term", "treated", "up",
))  # fmt: skip
_NO_WORDS = frozenset(("co", "in", "inter", "over", "re", "trans", "un", "under"))  # before an ending


class Hyphens:
    """Whether a word that is broken at a line's end has a hyphen: as the paper writes it elsewhere, else by rule."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.words = Counter(word.lower() for line in lines for word in _WORD.findall(line))

    def between(self, before: str, behind: str) -> str:
        """What stands between two lines, neither broken: a blank, unless a sign or a script has none there."""
        own_hyphen = before[-1] in "-–/" and before[-2:-1].isalnum()
        unspaced = _UNSPACED.match(before[-1]) or _UNSPACED.match(behind)
        return "" if behind[0] in ".,;:)]" or own_hyphen or unspaced else " "

    def joined(self, before: str, behind: str) -> str:
        """The two texts as one. before: ends in the first part of a word, without its hyphen."""
        first, second = re.search(r"[^\W_]*$", before[-_LONGEST_WORD:]), re.match(r"[^\W_]*", behind)
        head, tail = first[0] if first else "", second[0] if second else ""
        with_hyphen, without = self.words[f"{head}-{tail}".lower()], self.words[f"{head}{tail}".lower()]
        keeps = with_hyphen > without if without != with_hyphen else _by_rule(head, tail)
        return f"{before}{'-' * keeps}{behind}"


def _by_rule(head: str, tail: str) -> bool:
    """Whether a word that the paper has nowhere else keeps its hyphen: names, numbers, prefixes and endings do."""
    is_name = not head.isalpha() or head[-1].isupper() or not tail.islower() or len(head) < 2
    return is_name or head.lower() in _PREFIXES or (tail in _ENDINGS and head.lower() not in _NO_WORDS)


ABSTRACT, REFERENCES = "abstract", "ref"  # labels of sections
_LONGEST = 250  # characters
_BACK = re.compile(
    r"acknowledg(?:e)?ments?|funding"
    r"|author contributions?|authors[’'] contributions?|competing interests?|conflicts? of interest|declarations?"
    r"|publisher[’']s note|additional information|supplementary (?:information|materials?)|abbreviations"
    r"|data availability(?: statement)?|availability of data and materials?|ethics approval and consent to participate"
    r"|consent for publication|authors[’'] information|reporting summary|code availability",
    re.IGNORECASE,
)
_MAIN = re.compile(
    r"introduction|background|(?:materials? and )?methods?(?: and materials?)?|results?(?: and discussion)?"
    r"|discussion|conclusions?|abstract",
    re.IGNORECASE,
)
_OF_REFERENCES = re.compile(
    r"(?:literature|references?|works) cited|references?(?: and notes| list)?|bibliography|reference list",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?:\d+|[IVX]+)\.?[\s|]+|^\[|[\]:.]+$")
_SPACED = re.compile(r"(?:\w ){3,}\w")  # "R E F E R E N C E S"
NO_HEADING = re.compile(
    r"(?:key ?words?|correspondence|received|accepted|published|citation|academic editor|copyright|check for updates"
    r"|open access|e-?mail|©|https?:|doi\b"
    # The kind of a paper, which stands in large letters.
    r"|(?:(?:original|research|review|case|brief|short) )?(?:articles?|investigation|papers?|reports?|reviews?)$)",
    re.IGNORECASE,
)


def is_usual(heading: str) -> bool:
    """Whether many papers have this heading."""
    return is_main(heading) or _BACK.fullmatch(_bare(heading)) is not None


def is_main(heading: str) -> bool:
    """Whether it is one of the first level in most papers."""
    return any(usual.fullmatch(_bare(heading)) for usual in (_MAIN, _OF_REFERENCES))


def reads_as_heading(text: str) -> bool:
    """Whether these words can be a heading that is not usual."""
    begins = text[:1].isalnum() and not text[0].islower() and len(text) <= _LONGEST
    ends = text.endswith((".", ",", ";")) or "et al." in text
    return begins and not ends and re.search(r"[^\W\d_]{3}", text) is not None and not NO_HEADING.match(text)


def label_under(heading: str) -> str:
    """The label of the section below a heading."""
    bare = _bare(heading)
    if _OF_REFERENCES.fullmatch(bare):
        return REFERENCES
    if _BACK.fullmatch(bare):
        return "back"
    return ABSTRACT if bare.lower() == ABSTRACT else "body"


def _bare(heading: str) -> str:
    """A heading without its number, and without blanks between its letters."""
    text = _NUMBERED.sub("", heading.strip())
    return text.replace(" ", "") if _SPACED.fullmatch(text) else text
