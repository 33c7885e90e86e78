"""Marks letter by letter in passages and in the sides of queries, with the letters that the program loses."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anagnosis.datasets.clicr.boundaries import without_function_word, without_parenthesis
from anagnosis.datasets.clicr.letters import bounded, passage_letters, side_letters
from anagnosis.datasets.clicr.marks import InconsistentMarksError, without_marks, words_and_entities

SPANS = st.dictionaries(st.integers(0, 12), st.integers(0, 14), max_size=4)


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


@given(st.text("ab \n", max_size=14), SPANS)
def test_letters_are_marked_as_one_by_one(text: str, spans: dict[int, int]) -> None:
    starts, ends = set(spans), set(spans.values())
    written, is_open = "", False
    for at, letter in enumerate(text):
        if at in starts or at in ends:
            begins = at in starts
            if begins == is_open:
                continue
            written += "BEG__" if begins else "__END"
            is_open = begins
        written += letter
    assert passage_letters(text, starts, ends) == written


@given(st.lists(st.tuples(st.sampled_from(("ab", "c d", ".")), st.booleans())))
def test_entities_that_lie_apart_come_off_again(words: list[tuple[str, bool]]) -> None:
    text, spans = "", list[tuple[int, int]]()
    for word, is_entity in words:
        if is_entity:
            spans.append((len(text), len(text) + len(word)))
        text += f"{word} "
    marked = passage_letters(text, {start for start, _ in spans}, {end for _, end in spans})
    assert without_marks(marked) == (text, spans)


def test_boundaries_move_in_every_line() -> None:
    text = "No BEG__the rash__END\nBEG__a head  CT ( HCT )__END BEG__(__END BEG__the ( CT )__END"
    assert bounded(text) == (
        "No the BEG__rash__END\na BEG__head CT__END ( HCT ) BEG____END ( the BEG____END ( CT )"
    )


PIECES = ("BEG__", "__END", "rash", "the", " ", " ( ", " )", "\n", "a_b")


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
@example("BEG__a b__END c__END")
@example("BEG__the BEG__a__END b__END")
def test_boundaries_move_one_rule_after_the_other(text: str) -> None:
    one_by_one: str | None = text
    try:
        for rule in (without_function_word, without_parenthesis):
            lines = [[rule(item) for item in line] for line in words_and_entities(one_by_one or "")]
            one_by_one = "\n".join(" ".join(line) for line in lines)
    except InconsistentMarksError:
        one_by_one = None
    try:
        assert bounded(text) == one_by_one
    except InconsistentMarksError:
        assert one_by_one is None
