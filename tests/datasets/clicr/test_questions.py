"""Answers and their order."""

from __future__ import annotations

import pytest

from anagnosis.datasets.clicr.questions import (
    entity_key,
    is_exact_repeat,
    longer_side,
    right_candidate,
)


@pytest.mark.parametrize(
    ("texts", "index"),
    [
        (["Fever", "pyrexia"], 0),  # the hidden text, in any case, before any name
        (["ague", "Pyrexia", "febris"], 1),
        (["ague", "pyrexia", "febris", "fever"], 0),  # the last name that is a candidate
        (["ague", "febris"], None),
        (["a  Rash"], 2),
    ],
)
def test_the_answer_is_the_hidden_text_or_the_last_name_that_is_a_candidate(
    texts: list[str], index: int | None
) -> None:
    assert right_candidate(texts, {"fever": 0, "pyrexia": 1, "a rash": 2}) == index


def test_a_key_is_lower_case_with_single_blanks() -> None:
    assert entity_key("Acute  Renal\tfailure ") == "acute renal failure"


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
