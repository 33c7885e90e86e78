"""Answers and their order."""

from __future__ import annotations

from anagnosis.datasets.clicr.questions import Answer, Marked, Query, answers

QUERY = Query(1, Marked("XXXX", (), (), ()), "Fever", "C1", "problem")
NAMES = [Answer(name, "UMLS") for name in ("Fever", "febris", "fever", "pyrexia")]


def test_the_hidden_text_comes_first_then_the_other_names() -> None:
    found = answers(QUERY, lambda identifier: NAMES)
    assert [each.name for each in found] == ["Fever", "febris", "fever", "pyrexia"]
    assert [each.origin for each in found] == ["dataset", "UMLS", "UMLS", "UMLS"]


def test_a_hidden_text_without_an_identifier_has_no_other_names() -> None:
    unlinked = Query(1, QUERY.question, "Fever", "", "problem")
    assert answers(unlinked, lambda identifier: NAMES) == [Answer("Fever", "dataset")]
