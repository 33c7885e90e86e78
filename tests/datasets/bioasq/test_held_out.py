"""Held-out questions and those that ask the same elsewhere are kept from training."""

from __future__ import annotations

import pytest
from tests.golden_files import question
from tests.rows import each_row

from anagnosis.datasets.bioasq.held_out import (
    edition_of,
    is_batch,
    is_held_out,
    may_train,
    same_question,
    without_edition,
)
from anagnosis.datasets.bioasq.rows import instance_of
from anagnosis.datasets.kinds.question import QuestionInstance


def asked(number: int, body: str, file: str) -> QuestionInstance:
    return instance_of(question(number, body=body), file, number)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("What is an exosome?", "what is an  exosome", True),
        ("What is the β-cell?", "What is the B-cell?", False),
        ("Which ﬁbre?", "Which fibre?", True),
        ("What is IL-2?", "What is IL2?", False),
    ],
)
def test_questions_are_the_same_by_their_words(one: str, other: str, same: bool) -> None:
    assert (same_question(one) == same_question(other)) is same


@each_row(
    ("file", "batch", "is_it"),
    [
        ("9B5_golden.json", "9B5", True),
        ("9B5_golden.json.gz", "9B5", True),
        ("9B5_golden.json", "9B5_golden.json", True),
        ("9B5.json", "9B5", True),
        ("19B5_golden.json", "9B5", False),
        ("BioASQ-task7bPhaseB-testset1", "BioASQ-task7bPhaseB-testset1", True),
        ("BioASQ-task7bPhaseB-testset1", "7B1", True),
        ("BioASQ-task7bPhaseA-testset1.json.gz", "7B", True),
        ("BioASQ-task7bPhaseB-testset1", "7B2", False),
        ("BioASQ-task17bPhaseB-testset1", "7B1", False),
        ("BioASQ-testset5.json", "9B5", False),
    ],
)
def test_a_batch_is_known_by_its_files_name(file: str, batch: str, is_it: bool) -> None:
    assert is_batch(file, batch) is is_it


@each_row(
    ("file", "edition", "held_out"),
    [
        ("8B5_golden.json", 8, False),
        ("9B5_golden.json", 9, True),
        ("training7b.json", 7, False),
        ("training11b.json", 11, False),
        ("BioASQ-training9b.json", 9, False),
        ("BioASQ-task9bPhaseB-testset5.json", 9, True),
        ("BioASQ-task9bPhaseA-testset5", 9, True),
        ("BioASQ-task9bPhaseB-testset4.json", 9, False),
        ("Task10B1_golden.json", 10, True),
        ("2023_11B.json", 11, False),
        ("8B1_in_training11b.json", 11, False),
        ("golden.json", 0, False),
        ("2023.json", 0, False),
        ("", 0, False),
    ],
)
def test_an_edition_is_read_anywhere_in_a_name_and_without_one_a_file_trains_nothing(
    file: str, edition: int, held_out: bool
) -> None:
    assert edition_of(file) == edition
    assert is_held_out(file) == held_out
    assert may_train(file) == (edition in (7, 8))
    assert without_edition([asked(1, "What?", file), asked(2, "Why?", file)]) == (
        {} if edition else {file: 2}
    )
