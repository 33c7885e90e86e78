"""Held-out questions and those that ask the same elsewhere are kept from training."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.datasets.bioasq.held_out import is_batch, same_question


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
