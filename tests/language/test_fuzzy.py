from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language.fuzzy import (
    SIMILARITIES,
    at_least,
    partial_ratio,
    ratio,
    similarity_named,
    token_set_ratio,
    token_sort_ratio,
    w_ratio,
)

NAMES = st.text(st.sampled_from("abAB1 -é"), max_size=12)
WORDS = st.lists(st.sampled_from(["il", "6", "tumor", "necrosis", "factor", "α"]), max_size=12).map(" ".join)
TEXTS = NAMES | WORDS


def common_subsequence(a: str, b: str) -> int:
    """By the plain table."""
    row = [0] * (len(b) + 1)
    for one in a:
        above = row
        row = [0]
        for place, other in enumerate(b):
            row.append(above[place] + 1 if one == other else max(row[-1], above[place + 1]))
    return row[-1]


def plain_ratio(a: str, b: str) -> float:
    total = len(a) + len(b)
    return 1 - (total - 2 * common_subsequence(a, b)) / total


def plain_partial_ratio(a: str, b: str) -> int:
    """Windows from the plain table of edits, read back from its end: deletions, then insertions, then pairs."""
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    if short == long:
        return 100
    if not short:
        return 0
    table = [[row + column for column in range(len(short) + 1)] for row in range(len(long) + 1)]
    for row in range(1, len(long) + 1):
        for column in range(1, len(short) + 1):
            pair = table[row - 1][column - 1] + (long[row - 1] != short[column - 1])
            table[row][column] = min(pair, table[row - 1][column] + 1, table[row][column - 1] + 1)
    column, row = len(short), len(long)
    starts = {len(long) - len(short)}
    while row and column:
        if short[column - 1] == long[row - 1] and _in_shared_end(short, long, column, row):
            column, row = column - 1, row - 1
        elif table[row][column] == table[row][column - 1] + 1:
            column -= 1
        elif table[row][column] == table[row - 1][column] + 1:
            row -= 1
        else:
            column, row = column - 1, row - 1
            if short[column] == long[row]:
                starts.add(row - column)
    if short[0] == long[0]:
        starts.add(0)
    best = max(plain_ratio(short, long[max(s, 0) : max(s, 0) + len(short)]) for s in starts)
    return 100 if best > 0.995 else round(100 * best)


def _in_shared_end(short: str, long: str, column: int, row: int) -> bool:
    return short[column - 1 :] == long[row - 1 :]


@each_row(
    ("a", "b", "expected"),
    [
        ("TP53", "tp53", 100),
        ("tp53", "tp63", 75),
        ("", "", 0),
        ("", "a", 0),
        ("...", "a", 0),
        ("optical coherence tomography", "optical coherence tomography.", 100),
        ("foot", "medial side of the foot", 90),
        ("interleukin-6", "6 interleukin", 95),
        ("il", "interleukin", 45),
        ("a", "a b c d e f g h i j", 60),
        ("naïve", "nave", 100),
        ("naive T", "naive_T", 86),
    ],
)
def test_w_ratio(a: str, b: str, expected: int) -> None:
    assert w_ratio(a, b) == expected
    assert w_ratio(b, a) == expected


@each_row(
    ("function", "a", "b", "expected"),
    [
        (ratio, "abcd", "bcde", 75),
        (ratio, "TP53", "tp53", 50),
        (ratio, "", "", 100),
        (partial_ratio, "bcd", "abcde", 100),
        (partial_ratio, "heart failure", "failure of the heart", 38),
        (partial_ratio, "", "a", 0),
        (token_sort_ratio, "factor VIII", "viii Factor", 100),
        (token_set_ratio, "il 6", "il 6 of mice", 100),
        (token_set_ratio, "il 6", "il 7", 75),
    ],
)
def test_the_other_functions(function: object, a: str, b: str, expected: int) -> None:
    assert function in SIMILARITIES.values()
    assert function(a, b) == expected  # pyright: ignore[reportCallIssue]


@given(TEXTS, TEXTS)
def test_partial_ratio_is_that_of_the_plain_table(a: str, b: str) -> None:
    assert partial_ratio(a, b) == plain_partial_ratio(a, b)


@given(TEXTS, TEXTS, st.integers(0, 101), st.sampled_from([*SIMILARITIES]))
def test_a_level_is_reached_where_the_similarity_says_so(a: str, b: str, level: int, name: str) -> None:
    similarity = SIMILARITIES[name](a, b)
    assert 0 <= similarity <= 100
    assert at_least(a, b, level, name) == (similarity >= level)


def test_a_long_text_with_one_other_letter_counts_as_a_whole_window() -> None:
    short = "ab" * 150
    assert partial_ratio(f"{short[:-1]}x", f"q {short} q") == 100
    assert at_least(f"{short[:-1]}x", f"q {short}{short} q", 90) == (
        w_ratio(f"{short[:-1]}x", f"q {short}{short} q") >= 90
    )


def test_an_unknown_function_is_named_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"similarity function 'wratio'.*WRatio"):
        similarity_named("wratio")


@pytest.mark.shared
def test_the_pairs_of_the_package(shared: Path) -> None:
    pairs = json.loads((shared / "vectors/bioasq/fuzzy.json").read_text())["pairs"]
    assert len(pairs) == 26
    for pair in pairs:
        expected = pair["fuzzywuzzy 0.18.0 + Levenshtein"]
        assert {name: SIMILARITIES[name](pair["a"], pair["b"]) for name in expected} == expected, pair
