"""Marked text to plain text; test_layout.py has the way back."""

import pytest

from anagnosis.datasets.clicr.layout import without_marks


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
