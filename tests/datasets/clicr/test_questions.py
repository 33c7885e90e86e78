"""Answers and their order."""

from __future__ import annotations

import pytest

from anagnosis.datasets.clicr.questions import entity_key, right_candidate


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
