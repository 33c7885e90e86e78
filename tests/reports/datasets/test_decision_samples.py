"""Samples of decisions as blocks of a report."""

from __future__ import annotations

import pytest
from tests.reports.stored import check_stored

from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.reports.datasets.kinds.decision import CUT, LONGEST_SAMPLE, cut, sample_blocks


@pytest.mark.parametrize("length", [0, LONGEST_SAMPLE, LONGEST_SAMPLE + 1, 5_000])
def test_a_long_section_ends_in_a_mark(length: int) -> None:
    text = ("word " * length)[:length].rstrip()
    shown = cut(text)
    assert len(shown) <= LONGEST_SAMPLE + len(CUT)
    assert shown.endswith(CUT) == (len(text) > LONGEST_SAMPLE)
    assert text.startswith(shown.removesuffix(CUT))


def test_a_word_longer_than_a_section_is_cut_too() -> None:
    assert len(cut("x" * 5_000)) == LONGEST_SAMPLE + len(CUT)


def test_samples_are_listed_with_the_statement_that_a_question_was_made_of() -> None:
    context = (ContextSection("", "It was 5 < 6."), ContextSection("RESULTS", "None | at all."))
    odd = DecisionInstance("<b>9</b>", "Is <script>x</script> safe?", context, None, None, subset="U")
    made = DecisionInstance("1", "Does tea help?", (), None, "no", subset="A", title="Tea does not help")
    check_stored("samples", sample_blocks({"U": [odd], "A": [made]}))


def test_no_samples_are_no_section() -> None:
    assert list(sample_blocks({})) == []
