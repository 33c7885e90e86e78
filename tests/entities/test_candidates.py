"""Which parts of a sentence could be a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.entities.candidates import LONGEST_JOINED, spans
from tests.rows import each_row

FOUND = (
    ("The FGFR3 G380R mutation causes short stature.", ("G380R", "FGFR3", "FGFR3 G380R mutation", "short stature")),
    ("Patients with Alzheimer's disease sleep less.", ("Alzheimer's disease", "Patients")),
    ("Carcinoma of the lung was rarer in 12.5% of women.", ("Carcinoma of the lung", "12.5%")),
    ("The CD33-directed antibody was given.", ("CD33", "CD33-directed antibody")),
    ("Prevalence was 1 in 2,500.", ("1 in 2,500",)),
    ("Inhibition of EGFR/HER2 signalling", ("EGFR", "HER2")),
    ("The aryl hydrocarbon receptor interacting protein binds", ("aryl hydrocarbon receptor interacting protein",)),
    ("Inheritance is autosomal dominant.", ("autosomal dominant",)),
)  # fmt: skip


@each_row(("sentence", "names"), FOUND)
def test_names_are_among_the_candidates(sentence: str, names: tuple[str, ...]) -> None:
    assert set(names) <= {sentence[span.begin : span.end] for span in spans(sentence)}


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("The gene was associated with it.", {"gene"}),
        ("However, these were used.", set[str]()),
        ("", set[str]()),
        ("It is not.", set[str]()),
    ],
)
def test_what_names_nothing_is_none(sentence: str, names: set[str]) -> None:
    assert {sentence[span.begin : span.end] for span in spans(sentence)} == names


def test_a_whole_phrase_is_told_from_its_parts() -> None:
    sentence = "The growth hormone receptor binds."
    whole = {sentence[span.begin : span.end]: span.whole for span in spans(sentence)}
    assert whole["growth hormone receptor"]
    assert not whole["growth hormone"]


@given(st.text(max_size=200))
def test_every_span_lies_in_its_text_and_comes_once(text: str) -> None:
    found = spans(text)
    places = [(span.begin, span.end) for span in found]
    assert len(places) == len(set(places))
    assert places == sorted(places)
    for begin, end in places:
        assert 0 <= begin < end <= len(text)
        assert len(text[begin:end].split()) <= 2 * LONGEST_JOINED
