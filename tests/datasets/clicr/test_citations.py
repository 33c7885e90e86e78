"""Numbers of references, and the numbers of the text that go with them."""

import pytest

from anagnosis.datasets.clicr.citations import without_citations


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
