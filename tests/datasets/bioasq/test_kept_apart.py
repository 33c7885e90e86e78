"""Held-out questions and those that ask the same elsewhere are kept from training."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.golden_files import ident, question
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.bioasq.kept_apart import (
    edition_of,
    is_batch,
    is_held_out,
    may_train,
    questions_kept_apart,
    same_question,
    without_edition,
)
from anagnosis.datasets.bioasq.rows import instance_of
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.errors import InputError


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


def test_twins_are_found_in_other_files_only() -> None:
    found = questions_kept_apart(
        [
            asked(1, "What is an exosome?", "6B5_golden.json"),
            asked(2, "What is blue?", "7B1_golden.json"),
            asked(3, "What is an exosome ?", "10B1_golden.json"),
            asked(4, "what is an exosome?", "10B1_golden.json"),
            asked(5, "What is salt?", "9B5_golden.json"),
        ]
    )
    assert found.held_out == (ident(3), ident(4), ident(5))
    assert found.twins == {ident(1): ident(3)}
    assert found.ids == {ident(1), ident(3), ident(4), ident(5)}


def test_a_batch_without_questions_is_refused() -> None:
    with pytest.raises(InputError, match="no question of 10B1"):
        questions_kept_apart([asked(1, "What?", "9B5_golden.json")])


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


def test_the_held_out_questions_of_the_real_files_have_three_twins(shared: Path, tmp_path: Path) -> None:
    archives = sorted((shared / "data/bioasq").glob("golden-*.tar.gz"))
    dataset = api.import_dataset(archives, tmp_path / "built", layout="bioasq")
    found = questions_kept_apart(store.instances(dataset, "train"))
    assert len(found.held_out) == 190
    assert found.twins == {
        "5ac0a36f19833b0d7b000002": "621ecf1a3a8413c653000061",
        "5c7039207c78d69471000065": "601c317a1cb411341a000014",
        "5e4b540b6d0a27794100001c": "602828b11cb411341a0000fc",
    }


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
