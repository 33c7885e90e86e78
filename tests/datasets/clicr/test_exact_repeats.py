"""Queries that repeat their passage."""

import pytest

from anagnosis.datasets.clicr.exact_repeats import is_exact_repeat, longer_side

CONTEXT = "The BEG__rash__END went away after BEG__zinc__END .\nZinc cream is safe ."


@pytest.mark.parametrize(
    ("query", "repeats"),
    [
        ("@placeholder went away after BEG__zinc__END .", True),
        ("@placeholder went away after zinc .", False),
        ("the BEG__rash__END went away after @placeholder again .", False),
        ("The BEG__rash__END went away after @placeholder again .", True),
        ("@placeholder", True),
        ("Zinc cream is safe . @placeholder", True),
        ("@placeholder  The BEG__rash__END went", True),
        ("one line\nZinc cream @placeholder safe .", False),
        ("one line @placeholder\nZinc cream", False),
    ],
)
def test_the_longer_side_in_its_line_is_looked_for(query: str, repeats: bool) -> None:
    assert is_exact_repeat(query, CONTEXT) is repeats


def test_of_two_sides_of_one_length_the_left_one_counts() -> None:
    assert longer_side("ab", "cd") == "ab"
    assert longer_side("ab", "cde") == "cde"
