"""Answers, their order, and the candidate that is the answer."""

from __future__ import annotations

import pytest

from anagnosis.datasets.clicr.questions import Answer, Marked, Query, answer_index, answers, key

QUERY = Query(1, Marked("XXXX", (), (), ()), "Fever", "C1", "problem")
NAMES = [Answer(name, "UMLS") for name in ("pyrexia", "fever", "Fever", "febris")]


def test_the_hidden_text_comes_first_then_the_other_names_sorted() -> None:
    found = answers(QUERY, lambda identifier: NAMES)
    assert [each.name for each in found] == ["Fever", "febris", "fever", "pyrexia"]
    assert [each.origin for each in found] == ["dataset", "UMLS", "UMLS", "UMLS"]


def test_a_hidden_text_without_an_identifier_has_no_other_names() -> None:
    unlinked = Query(1, QUERY.question, "Fever", "", "problem")
    assert answers(unlinked, lambda identifier: NAMES) == [Answer("Fever", "dataset")]


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
    assert answer_index(texts, {"fever": 0, "pyrexia": 1, "a rash": 2}) == index


def test_a_key_is_lower_case_with_single_blanks() -> None:
    assert key("Acute  Renal\tfailure ") == "acute renal failure"
