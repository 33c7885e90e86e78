"""Words that are broken at the end of a line: whether they have a hyphen there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from anagnosis.documents.formats.pdf.characters import UNSPACED
from anagnosis.documents.formats.pdf.page_lines import Line

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

    def __init__(self, lines: Sequence[Line]) -> None:
        self.words = Counter(word.lower() for line in lines for word in _WORD.findall(line.text))

    def between(self, before: str, behind: str) -> str:
        """What stands between two lines, neither broken: a blank, unless a script or this paper writes none there."""
        own_hyphen = before[-1] in "-–/" and before[-2:-1].isalnum()
        if behind[0] in ".,;:)]" or own_hyphen or UNSPACED.match(before[-1]) or UNSPACED.match(behind):
            return ""
        if before[-1].isascii() or behind[0].isascii():
            return " "
        # Korean breaks lines also inside words.
        first, second = re.search("[가-힣]+$", before[-_LONGEST_WORD:]), re.match("[가-힣]+", behind)
        return "" if first and second and self.words[first[0] + second[0]] else " "

    def joined(self, before: str, behind: str) -> str:
        """The two texts as one. before: ends in the first part of a word, without its hyphen."""
        first, second = re.search(r"[^\W_]*$", before[-_LONGEST_WORD:]), re.match(r"[^\W_]*", behind)
        head, tail = first[0] if first else "", second[0] if second else ""
        whole_tail = _WORD.match(behind)
        with_hyphen = (
            self.words[f"{head}-{whole_tail[0] if whole_tail else tail}".lower()]
            + self.words[f"{head}-{tail}".lower()]
        )
        without = self.words[f"{head}{tail}".lower()]
        keeps = with_hyphen > without if without != with_hyphen else _by_rule(head, tail)
        return f"{before}{'-' * keeps}{behind}"


def _by_rule(head: str, tail: str) -> bool:
    """Whether a word that the paper has nowhere else keeps its hyphen: names, numbers, prefixes and endings do."""
    is_name = not head.isalpha() or head[-1].isupper() or not tail.islower() or len(head) < 2
    return is_name or head.lower() in _PREFIXES or (tail in _ENDINGS and head.lower() not in _NO_WORDS)
