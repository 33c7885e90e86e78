"""Marks letter by letter in passages and in the sides of queries, with the letters that the program loses."""

import pytest

from anagnosis.datasets.clicr.letters import bounded, passage_letters, side_letters


@pytest.mark.parametrize(
    ("spans", "marked"),
    [
        ([(0, 2)], "BEG__ab__END cd ef"),
        ([(0, 2), (3, 5)], "BEG__ab__END BEG__cd__END ef"),
        ([(0, 8)], "BEG__ab cd ef"),
        ([(0, 8), (3, 5)], "BEG__ab d__END ef"),
        ([(0, 5), (3, 8)], "BEG__ab d__END ef"),
        ([(0, 3), (3, 5)], "BEG__ab d__END ef"),
        ([(-4, 2), (6, 9)], "abcd BEG__ef"),
    ],
)
def test_letters_of_nested_and_touching_entities_are_lost(spans: list[tuple[int, int]], marked: str) -> None:
    starts, ends = ({span[side] for span in spans} for side in (0, 1))
    assert passage_letters("ab cd ef", starts, ends) == marked


@pytest.mark.parametrize(
    ("spans", "marked"),
    [
        ([(10, 12)], "BEG__ab__END cd ef"),
        ([(4, 10), (13, 15)], "ab BEG__cd__END ef"),
        ([(10, 18), (13, 15)], "BEG__ab BEG__cd__END ef"),
        ([(4, 12)], "ab__END cd ef"),
        ([(10, 13), (13, 15)], "BEG__ab BEG__cd__END ef"),
        ([(10, 99)], "BEG__ab cd ef"),
    ],
)
def test_the_side_of_a_query_loses_no_letter(spans: list[tuple[int, int]], marked: str) -> None:
    starts, ends = ({span[side] for span in spans} for side in (0, 1))
    assert side_letters("ab cd ef", 10, starts, ends) == marked


def test_boundaries_move_in_every_line() -> None:
    text = "No BEG__the rash__END\nBEG__a head  CT ( HCT )__END BEG__(__END BEG__the ( CT )__END"
    assert bounded(text) == (
        "No the BEG__rash__END\na BEG__head CT__END ( HCT ) BEG____END ( the BEG____END ( CT )"
    )
