"""Marked text: setting marks apart, the three readers, tokens and names, and the way to plain text and back."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anagnosis.datasets.clicr import marks
from anagnosis.datasets.kinds.cloze_instance import entity_token

PIECES = ("BEG__", "__END", "rash", "a_b", " ", "  ", "\n", "\t", ",", "-", "(", "\xa0", "é")
MARKED = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("non-BEG__toxic rash__END now", "non- BEG__toxic rash__END now"),
        ("a BEG__rash__END-like rash", "a  BEG__rash__END -like rash"),
        ("BEG__rash__END, then", "BEG__rash__END , then"),
        ("[BEG__rash__END]", "[ BEG__rash__END ]"),
        ("BEG__rash__END/BEG__itch__END", "BEG__rash__END/BEG__itch__END"),
        ("rash__ENDs BEG__x", "rash__END s BEG__x"),
        ("no mark , at all", "no mark , at all"),
    ],
)
def test_a_mark_is_set_apart_from_what_is_glued_to_it(text: str, apart: str) -> None:
    assert marks.set_marks_apart(text) == apart


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("No BEG__skin  rash__END .", [["No", "BEG__skin rash__END", "."]]),
        ("x BEG__a b\nc d__END", [["x"], ["c", "BEG__a b d__END"]]),
        ("BEG__a BEG__b__END c__END", [["BEG__b__END", "BEG__a c__END"]]),
        ("BEG__a b BEG__c d__END", [["BEG__c d__END"]]),
        ("BEG__a b__END c__END", [["BEG__a b__END", "BEG__a b__END c__END"]]),
        ("lost BEG__at the end", [["lost"]]),
        ("", [[]]),
    ],
)
def test_a_line_is_read_into_words_and_whole_entities(text: str, lines: list[list[str]]) -> None:
    assert marks.words_and_entities(text) == lines


@pytest.mark.parametrize("text", ["itch__END", "BEG__a__END b__END"])
def test_an_entity_that_ends_without_having_begun_stops_the_program(text: str) -> None:
    with pytest.raises(marks.InconsistentMarksError):
        marks.words_and_entities(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("No BEG__skin  rash__END\n now", "No @entityskin_rash now"),
        ("BEG__HLA_B__END of BEG__HLA_B 27__END", "@entityHLA of @entityHLA_B_27"),
        ("ended__END here", "ended here"),
        ("BEG__a BEG__b__END c__END", "@entityb @entityb_c"),
        ("BEG__a b BEG__c d__END e", "@entityc_d e"),
        ("BEG__a and lost", ""),
    ],
)
def test_readers_see_an_entity_as_one_token(text: str, tokens: str) -> None:
    assert marks.entity_tokens(text) == tokens


def test_a_token_has_the_words_of_its_name() -> None:
    assert entity_token(" skin  rash") == "@entityskin_rash"
    assert marks.entity_name("@entityskin_rash") == "skin rash"


@pytest.mark.parametrize(
    ("text", "consistent"),
    [
        ("a BEG__skin rash__END and BEG__itch__END", True),
        ("BEG__over two\nlines__END", True),
        ("BEG__a BEG__b__END c", True),
        ("(BEG__itch__END", False),
        ("BEG__a BEG__b c__END", False),
        ("itch__END", False),
        ("a-BEG__b c__END", False),
        ("BEG__a b__END-c", False),
        ("BEG__ itch__END", False),
        ("BEG__itch __END", False),
        ("BEG____END", True),
        ("BEG__a BEG__b__END BEG__c d__END", True),
    ],
)
def test_marks_are_consistent_at_the_ends_of_words(text: str, consistent: bool) -> None:
    assert marks.is_consistent(text) is consistent


@pytest.mark.parametrize(
    ("text", "plain", "names"),
    [
        ("No BEG__skin rash__END , BEG__itch__END .", "No skin rash , itch .", ["skin rash", "itch"]),
        ("BEG____END x BEG__a_b__END", "BEG____END x a_b", ["a_b"]),
        ("BEG__a BEG__b c__END", "BEG__a b c", ["b c"]),
        ("BEG__a\nb__END", "BEG__a\nb__END", []),
        ("BEG__ a__END (BEG__b__END)", "BEG__ a__END (BEG__b__END)", []),
        ("BEG__a __END", "BEG__a __END", []),
        ("BEG__a__ENDBEG__b__END", "BEG__a__ENDBEG__b__END", []),
    ],
)
def test_marks_come_off_whole_entities_alone(text: str, plain: str, names: list[str]) -> None:
    without, spans = marks.without_marks(text)
    assert (without, [without[start:end] for start, end in spans]) == (plain, names)


@given(MARKED)
@example("BEG__BEG__a__END__END")
def test_marks_that_come_off_go_back_on(text: str) -> None:
    plain, spans = marks.without_marks(text)
    for start, end in reversed(spans):
        plain = f"{plain[:start]}BEG__{plain[start:end]}__END{plain[end:]}"
    assert plain == text
