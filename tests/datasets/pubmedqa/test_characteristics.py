"""Shares of a user's labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.label_file import read
from anagnosis.datasets.pubmedqa.characteristics import PUBLISHED, QUESTION_TYPE, Characteristics, in_short

QUESTIONS = {
    "1": "Does tea reduce fever?",
    "2": "Is tea safe?",
    "3": "Does salt change sleep?",
    "4": "Is tea old?",
}


def told(folder: Path, text: str) -> Characteristics:
    path = folder / "labels.csv"
    path.write_text(text)
    found = Characteristics(in_short(read(path, QUESTIONS)))
    for ident, question in QUESTIONS.items():
        found.add(DecisionInstance(ident, question, (), None, None))
    return found


def test_shares_are_of_those_that_have_the_label_those_of_the_paper_first(tmp_path: Path) -> None:
    found = told(tmp_path, "id,numbers,reasoning\n1,,group\n2,interpreted,odd\n3,interpreted,subgroup\n")
    assert found.columns == ("numbers", "reasoning")
    assert found.instances == 3
    assert found.shares("reasoning") == [("inter-group", 0), ("subgroup", 1), ("group", 1), ("odd", 1)]
    assert found.shares("numbers") == [("interpreted", 2), ("numbers only", 0), ("texts only", 0)]


def test_a_question_with_several_labels_counts_for_each_of_them(tmp_path: Path) -> None:
    found = told(tmp_path, "id,numbers,reasoning\n1,texts only,group|subgroup\n2,,group\n3,interpreted,\n")
    reasoning = next(column for column in found.statistics().columns if column.name == "reasoning")
    assert [(each.label, each.instances, each.share) for each in reasoning.labels] == [
        ("inter-group", 0, 0),
        ("subgroup", 1, 1 / 2),
        ("group", 2, 1),
    ]


@pytest.mark.parametrize("label", ["relation", "none of these"])
def test_types_that_a_person_told_stand_in_place_of_the_rules(tmp_path: Path, label: str) -> None:
    found = told(tmp_path, f"id,Question type,numbers\n1,{label},texts only\n")
    assert found.columns == (QUESTION_TYPE, "numbers")
    assert found.found == {((label,), ("texts only",)): 1}


# As Table 3 prints them, in its order.
PRINTED = {
    "Reasoning Type": [
        "Inter-group comparison",
        "Interpreting subgroup statistics",
        "Interpreting (single) group statistics",
    ],
    "Text Interpretations of Numbers": [
        "Existing interpretations of numbers",
        "No interpretations (numbers only)",
        "No numbers (texts only)",
    ],
    "Question type": [
        "Does a factor influence the output?",
        "Is a therapy good/necessary ?",
        "Is a statement true?",
        "Is a factor related to the output?",
    ],
}
SHORT = {
    "Reasoning Type": "reasoning",
    "Text Interpretations of Numbers": "numbers",
    "Question type": QUESTION_TYPE,
}


@pytest.mark.parametrize("column", PRINTED)
def test_the_paper_s_own_words_are_the_short_names(column: str, tmp_path: Path) -> None:
    text = "".join(f"{ident},{label}\n" for ident, label in zip(QUESTIONS, PRINTED[column], strict=False))
    found = told(tmp_path, f"id,{column}\n{text}")
    assert found.columns[-1] == SHORT[column]
    assert found.shares(SHORT[column]) == [(label, 1) for label in PUBLISHED[SHORT[column]]]


def test_labels_of_a_column_that_the_paper_lacks_come_by_their_number(tmp_path: Path) -> None:
    found = told(tmp_path, "id,design\n1,cohort\n2,trial\n3,trial\n")
    assert found.shares("design") == [("trial", 2), ("cohort", 1)]


def test_a_label_without_a_type_counts_for_no_type(tmp_path: Path) -> None:
    found = told(tmp_path, "id,Question type,design\n1,relation,trial\n2,,trial\n")
    assert found.instances == 2
    assert found.shares("design") == [("trial", 2)]
    assert {label: count for label, count in found.shares(QUESTION_TYPE) if count} == {"relation": 1}
