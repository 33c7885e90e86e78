"""Marked text to plain text and back."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anagnosis.datasets.clicr.layout import without_marks

PIECES = ("BEG__", "__END", "rash", "a_b", " ", "  ", "\n", "\t", ",", "-", "(", "\xa0", "é")
MARKED = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


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
    without, spans = without_marks(text)
    assert (without, [without[start:end] for start, end in spans]) == (plain, names)


@given(MARKED)
@example("BEG__BEG__a__END__END")
def test_marks_that_come_off_go_back_on(text: str) -> None:
    plain, spans = without_marks(text)
    for start, end in reversed(spans):
        plain = f"{plain[:start]}BEG__{plain[start:end]}__END{plain[end:]}"
    assert plain == text
