from __future__ import annotations

from tests.rows import each_row

from anagnosis.evaluation.phase_b.scores import equal, same_name, similar


@each_row(
    ("entry", "answer", "expected"),
    [
        (["TP53"], "tp53", True),
        (["x", "TP53"], "tp53", True),
        (["tp53"], "TP53", True),
        (["TP53"], "tp53 ", False),
        (["é"], "e\u0301", False),
        ([], "", False),
    ],
)
def test_equal(entry: list[str], answer: str, expected: bool) -> None:
    assert equal(entry)(answer) == expected


@each_row(
    ("function", "entry", "answer", "expected"),
    [
        ("WRatio", ["optical coherence tomography"], "Optical coherence tomography.", True),
        ("WRatio", ["x y z", "optical coherence tomography"], "Optical coherence tomography.", True),
        ("WRatio", ["BRCA1"], "brca1", True),
        ("ratio", ["abcdefghij"], "abcdefghi1", True),
        ("ratio", ["abcdefghi"], "abcdefgh1", False),
        ("ratio", ["UNCOUPLING PROTEIN 1"], "uncoupling protein 2", True),
        ("WRatio", ["foot"], "medial side of the foot", True),
        ("WRatio", ["BRCA1"], "BRCA2", False),
        ("ratio", ["uncoupling protein 1"], "Uncoupling Protein 1 ", True),
        ("ratio", ["foot"], "medial side of the foot", False),
        ("token_set_ratio", ["heart failure"], "failure of the heart", True),
        ("WRatio", ["heart failure"], "failure of the heart", False),
        ("WRatio", ["+"], "+", False),
        ("ratio", ["+"], "+", True),
    ],
)
def test_similar(function: str, entry: list[str], answer: str, expected: bool) -> None:
    assert similar(entry, function)(answer) == expected


@each_row(
    ("entry", "answer", "expected"),
    [
        (["TNF-α"], "TNF alpha", True),
        (["BRCA1", "TNF-α"], "TNF alpha", True),
        (["the kinases"], "Kinase", True),
        (["haemophilia"], "hemophilia", True),
        (["IL-2"], "IL-12", False),
        (["+"], "-", False),
        (["+"], "+", True),
        (["+", "a"], "b", False),
    ],
)
def test_same_name(entry: list[str], answer: str, expected: bool) -> None:
    assert same_name(entry)(answer) == expected
