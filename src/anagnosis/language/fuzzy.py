"""Similarity of two short texts from 0 to 100, by the functions of the package fuzzywuzzy 0.18.0 with Levenshtein.

    ratio              2 × the longest common subsequence / the sum of the lengths, in characters
    partial_ratio      the best ratio of the shorter text with a window of the longer one; the windows are those where
                       a block of the edit script of least edits begins
    token_sort_ratio   ratio of the words in alphabetic order
    token_set_ratio    the best ratio of: the shared words, these and the other words of either text
    QRatio             ratio of the processed texts
    WRatio             the best of ratio, 0.95 × token_sort and 0.95 × token_set; where a text is at least 1.5 times as
                       long as the other one, of ratio and of the partial functions, these times 0.9 (over 8 times: 0.6)

All but `ratio` and `partial_ratio` process both texts first: delete the characters U+0080 to U+00FF, replace what is no
letter, digit or underscore by a blank, lower-case, strip. Values are rounded to whole numbers, at each step as there.
RapidFuzz gives the ratio and the edit script. Its own functions of these names take other windows and give other
figures (design/bioasq.md), so the rest is ours. fuzzywuzzy itself is under the GPL.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from rapidfuzz.distance import Indel, Levenshtein

from anagnosis.errors import unknown_name

Similarity = Callable[[str, str], int]

_NO_WORD = re.compile(r"\W")
_LATIN_1 = dict.fromkeys(range(0x80, 0x100))
_REMEMBERED = 1 << 12
_TOKENS = 0.95  # WRatio's weight of functions of words
_WHOLE = 0.995  # a window of a higher ratio counts as 100


def ratio(a: str, b: str) -> int:
    """Of the texts as they are."""
    if a == b:
        return 100
    return round(100 * Indel.normalized_similarity(a, b)) if a and b else 0


def partial_ratio(a: str, b: str) -> int:
    """Of the shorter text with windows of its length in the longer one, as they are."""
    if a == b:
        return 100
    if not a or not b:
        return 0
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    best = 0.0
    # A window begins at each block that an edit script of least edits leaves as it is, the last of them empty and
    # behind both texts.
    blocks = Levenshtein.editops(short, long).as_matching_blocks()
    for start in {max(block.b - block.a, 0) for block in blocks}:
        best = max(best, Indel.normalized_similarity(short, long[start : start + len(short)]))
        if best > _WHOLE:
            return 100
    return round(100 * best)


def token_sort_ratio(a: str, b: str) -> int:
    """`ratio` of the processed words in alphabetic order."""
    return _token_sort(processed(a), processed(b), ratio)


def token_set_ratio(a: str, b: str) -> int:
    """The best `ratio` among the shared words, and these with the other words of either text."""
    return _token_set(processed(a), processed(b), ratio)


def q_ratio(a: str, b: str) -> int:
    """`ratio` of the processed texts; 0 where one of them is empty."""
    one, other = processed(a), processed(b)
    return ratio(one, other) if one and other else 0


def w_ratio(a: str, b: str) -> int:
    """The weighted best of the other functions."""
    return _weighted(processed(a), processed(b), 0)


SIMILARITIES: dict[str, Similarity] = {
    "WRatio": w_ratio,
    "QRatio": q_ratio,
    "ratio": ratio,
    "partial_ratio": partial_ratio,
    "token_sort_ratio": token_sort_ratio,
    "token_set_ratio": token_set_ratio,
}


def similarity_named(name: str) -> Similarity:
    """The function of that name. InputError: there is none."""
    if name not in SIMILARITIES:
        raise unknown_name("similarity function", name, tuple(SIMILARITIES), "similarity")
    return SIMILARITIES[name]


def at_least(a: str, b: str, level: int, function: str = "WRatio") -> bool:
    """Whether the similarity reaches a level, which is found sooner than the similarity itself."""
    if function == "WRatio":
        return _weighted(processed(a), processed(b), level) >= level
    return similarity_named(function)(a, b) >= level


@lru_cache(_REMEMBERED)
def processed(text: str) -> str:
    """The text as the functions of words read it."""
    return _NO_WORD.sub(" ", text.translate(_LATIN_1)).lower().strip()


def _weighted(a: str, b: str, level: int) -> int:
    """WRatio of processed texts. Where it is below the level, any number below the level."""
    if not a or not b:
        return 0
    short, long = sorted((len(a), len(b)))
    best = 0.0
    if round(200 * short / (short + long)) >= level:
        best = ratio(a, b)
    lengths = long / short
    scale = None if lengths < 1.5 else 0.6 if lengths > 8 else 0.9  # of windows, where there are any
    if scale is None:
        if best < max(level, 1) or not level:
            best = max(best, _TOKENS * _token_sort(a, b, ratio), _TOKENS * _token_set(a, b, ratio))
        return round(best)
    # 100 × scale is the most that a window can give; short of it, only a window of the shorter text itself gives 100.
    if round(100 * scale) >= level and (
        round(99 * scale) >= level or short > 200 or (a in b if len(a) <= len(b) else b in a)
    ):
        best = max(best, scale * partial_ratio(a, b))
    if round(100 * _TOKENS * scale) >= level:
        best = max(
            best,
            _TOKENS * scale * _token_sort(a, b, partial_ratio),
            _TOKENS * scale * _token_set(a, b, partial_ratio),
        )
    return round(best)


def _token_sort(a: str, b: str, compare: Similarity) -> int:
    return compare(" ".join(sorted(a.split())), " ".join(sorted(b.split())))


def _token_set(a: str, b: str, compare: Similarity) -> int:
    if not a or not b:
        return 0
    words, others = set(a.split()), set(b.split())
    shared = " ".join(sorted(words & others))
    one = f"{shared} {' '.join(sorted(words - others))}".strip()
    other = f"{shared} {' '.join(sorted(others - words))}".strip()
    return max(compare(shared, one), compare(shared, other), compare(one, other))
