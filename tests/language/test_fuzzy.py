from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language.fuzzy import SIMILARITIES, at_least, similarity_named


@each_row(
    ("function", "a", "b", "expected"),
    [
        ("WRatio", "TP53", "tp53", 100),
        ("WRatio", "tp53", "tp63", 75),
        ("WRatio", "", "", 0),
        ("WRatio", "...", "a", 0),
        ("WRatio", "optical coherence tomography", "optical coherence tomography.", 100),
        ("WRatio", "foot", "medial side of the foot", 90),
        ("WRatio", "interleukin-6", "6 interleukin", 95),
        ("WRatio", "naïve", "nave", 100),
        ("WRatio", "naive T", "naive_T", 86),
        ("ratio", "abcd", "bcde", 75),
        ("ratio", "TP53", "tp53", 50),
        ("partial_ratio", "bcd", "abcde", 100),
        ("token_sort_ratio", "factor VIII", "viii Factor", 100),
        ("token_set_ratio", "il 6", "il 6 of mice", 100),
        ("QRatio", "TP-53", "tp 53", 100),
    ],
)
def test_similarities(function: str, a: str, b: str, expected: int) -> None:
    similarity = similarity_named(function)
    assert (similarity(a, b), similarity(b, a)) == (expected, expected)
    assert at_least(a, b, expected, function)
    assert not at_least(a, b, expected + 1, function)


def test_an_unknown_function_is_named_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"similarity function 'wratio'.*WRatio"):
        similarity_named("wratio")


@pytest.mark.shared
def test_no_pair_of_the_package_crosses_90(shared: Path) -> None:
    pairs = json.loads((shared / "vectors/bioasq/fuzzy.json").read_text())["pairs"]
    assert len(pairs) == 26
    for pair in pairs:
        for name, value in pair["fuzzywuzzy 0.18.0 + Levenshtein"].items():
            assert name in SIMILARITIES
            assert at_least(pair["a"], pair["b"], 90, name) == (value >= 90), (name, pair)
