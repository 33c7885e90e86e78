"""One query from offsets, as the published program makes it."""

from __future__ import annotations

import pytest

from anagnosis.datasets.clicr.as_published import (
    bounded,
    passage_letters,
    query,
    side_letters,
    without_citations,
)
from anagnosis.datasets.clicr.marks import InconsistentMarksError

TEXT = "Zinc\nLearning points\n"


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


def hidden(line: str, *names: str) -> tuple[str, str]:
    """The query that hides the first of these entities of a report's last line."""
    text = TEXT + line
    spans = [(text.index(name, len(TEXT)), name) for name in names]
    starts, ends = {start for start, _ in spans}, {start + len(name) for start, name in spans}
    start, name = spans[0]
    return query(text, (start, start + len(name)), starts, ends)


@pytest.mark.parametrize(
    ("line", "names", "answer", "text"),
    [
        ("His rash and an itch .\n", ["His rash"], "rash", "His @placeholder and an itch ."),
        ("A rash and an itch .\n", ["an itch", "rash"], "itch", "A BEG__rash__END and an @placeholder ."),
        ("rash , rash\n", ["rash"], "rash", "@placeholder , rash"),
        ("Use zinc ( low dose ) now\n", ["zinc ( low dose )"], "zinc", "Use @placeholder ( low dose ) now"),
        ("( HCT ) helps\n", ["( HCT )"], "", "@placeholder ( HCT ) helps"),
        ("A CT-guided view\n", ["CT"], "CT", "A @placeholder -guided view"),
        ("Give 0 .5 mg zinc\n", ["zinc"], "zinc", "Give 0 .\nmg @placeholder"),
        ("It was a rash .", ["rash"], "rash", "It was a @placeholder"),
        ("Avoid  zinc now\n", [" zinc"], " zinc", "Avoid @placeholder now"),
    ],
)
def test_the_line_around_the_hidden_entity_is_the_query(
    line: str, names: list[str], answer: str, text: str
) -> None:
    assert hidden(line, *names) == (answer, text)


def test_marks_come_one_letter_early_behind_an_entity_that_punctuation_touches() -> None:
    assert hidden("rash, then itch now\n", "rash", "itch")[1] == "@placeholder , then BEG__ itc__END h now"


def test_a_one_word_entity_right_before_the_hidden_one_becomes_the_answer() -> None:
    assert hidden("A rash itch now\n", "itch", "rash") == ("rash", "A @placeholder now")
    assert hidden("A bad rash itch\n", "itch", "bad rash") == (
        "itch",
        "A BEG__bad rash__END @placeholder",
    )


def test_without_a_line_before_it_the_left_side_is_empty() -> None:
    assert query("A rash came\n", (2, 6), {2}, {6}) == ("rash", "@placeholder came")


def test_the_program_stops_at_an_inner_and_at_a_touching_entity() -> None:
    with pytest.raises(InconsistentMarksError):
        hidden("bad rash now\n", "bad", "bad rash")
    with pytest.raises(InconsistentMarksError):
        hidden("rashitch now\n", "itch", "rash")


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("It was rare .4 , 9 We treated", "It was rare .\nWe treated"),
        ("4 , 9 We treated\n2 , 3 , 5 He", "We treated\nHe"),
        ("4 , 9 we treated , 4 , 9 We", "4 , 9 we treated , 4 , 9 We"),
        ("4 We treated", "4 We treated"),
        ("zinc 0 .4 mg", "zinc 0 .\nmg"),
        ("zinc 0.4 mg", "zinc 0.4 mg"),
        ("It ended .4", "It ended .4"),
    ],
)
def test_numbers_after_a_full_stop_and_before_a_sentence_go(text: str, without: str) -> None:
    assert without_citations(text) == without
