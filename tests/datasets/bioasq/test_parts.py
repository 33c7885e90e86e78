"""Editions and batches of each split: how they are named, who is left out, and what is refused in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.golden_files import golden, ident, question

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.bioasq.parts import batches, is_batch, same_question
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance

if TYPE_CHECKING:
    from pathlib import Path


def ids(dataset: store.Dataset) -> dict[str, list[int]]:
    return {
        split: [int(one.id, 16) for one in store.instances(dataset, split, of=QuestionInstance)]
        for split in dataset.sizes
    }


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("9B5", ["9B5"]),
        ("9b5, 10b", ["9B5", "10B"]),
        ("3B 3B", ["3B"]),
        ("mine.json", ["mine.json"]),
        ("1Bdry-runPhaseB", ["1Bdry-runPhaseB"]),
        (" , ", []),
    ],
)
def test_names_are_batches_editions_or_files(text: str, names: list[str]) -> None:
    assert batches(text) == names


def test_parts_are_imported_and_what_no_part_names_is_left_out(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"2B1": [1], "3B1": [2], "7B1": [3], "8B1": [4, 5], "9B5": [6]})
    dataset = api.import_dataset(
        source,
        tmp_path / "built",
        layout="bioasq",
        parts={"train": "2B,3B", "dev": "7B", "test": "8B"},
    )
    assert ids(dataset) == {"train": [1, 2], "dev": [3], "test": [4, 5]}
    assert dataset.receipt.instances.dropped == {"in_no_part": 1}
    assert dataset.recipe["parts"] == {"train": ["2B", "3B"], "dev": ["7B"], "test": ["8B"]}


def test_twins_of_dev_and_test_leave_the_splits_before_them_and_each_is_named(tmp_path: Path) -> None:
    words = "Which gene makes mice blue?"
    twins = [question(number, body=words) for number in range(10, 15)]
    source = golden(
        tmp_path / "in",
        {
            "2B1": [*twins, question(20, body="Why?"), question(21, body="A fish?")],
            "7B1": [question(30, body=words.upper()), question(31, body="a fish")],
            "8B1": [question(40, body=words), question(41, body="Is it so?"), question(42, body=words)],
        },
    )
    dataset = api.import_dataset(
        source, tmp_path / "built", layout="bioasq", parts={"train": "2B", "dev": "7B", "test": "8B"}
    )
    assert ids(dataset) == {"train": [20], "dev": [31], "test": [40, 41, 42]}
    assert dataset.receipt.instances.dropped == {"twin_of_held_out": 7}
    named = {one.why for one in dataset.receipt.refusals if one.why.startswith("twin_of_held_out")}
    of_test = [*range(10, 15), 30]
    assert named == {
        f"twin_of_held_out: {ident(number)} asks what {ident(40)} asks" for number in of_test
    } | {f"twin_of_held_out: {ident(21)} asks what {ident(31)} asks"}


def test_a_question_of_no_part_has_no_twins(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"2B1": [1], "7B1": [question(2, body=question(1)["body"])]})
    dataset = api.import_dataset(source, tmp_path / "built", layout="bioasq", parts={"train": "2B"})
    assert (ids(dataset), dataset.receipt.instances.dropped) == ({"train": [1]}, {"in_no_part": 1})


def test_of_one_id_the_question_of_the_stricter_split_stays(tmp_path: Path) -> None:
    short = question(1, snippets=[])
    source = golden(tmp_path / "in", {"2B1": [1, 2, 3], "7B1": [short, 4], "8B1": [question(4, snippets=[])]})
    given = {"train": "2B", "dev": "7B", "test": "8B"}
    dataset = api.import_dataset(source, tmp_path / "built", layout="bioasq", parts=given)
    assert ids(dataset) == {"train": [2, 3], "dev": [1], "test": [4]}
    assert dataset.receipt.instances.dropped == {"repeated_id": 2}


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (["--part", "train=2B,4B"], "--part: no file of 4B; there are 2B1_golden.json"),
        (["--part", "test=9B5"], "--part: no file of 9B5; there are"),
        (
            ["--part", "train=2B,3B", "--part", "test=3B"],
            "3B1_golden.json is of train and of test; name each",
        ),
        (["--part", "train="], "--part: the part train names no batch; such as train=8B"),
        (["--part", "practice=2B"], "--part: unknown split 'practice'"),
        (["--part", "dev=7B", "--part", "test=8B"], "no question is left for dev; name other batches"),
        (["--part", "dev=3B", "--split", "dev"], "--split, --part: two ways to choose splits; give one"),
    ],
)
def test_parts_that_cannot_be_are_one_line(
    tmp_path: Path, given: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = golden(
        tmp_path / "in", {"2B1": [1], "3B1": [2], "7B1": [3], "8B1": [question(4, body=question(3)["body"])]}
    )
    command = ["import", str(source), "--layout", "bioasq", "--out", str(tmp_path / "built"), *given]
    assert run(command) == 2
    told = capsys.readouterr().err
    assert line in told
    assert told.count("\n") == 1
    assert not (tmp_path / "built").exists()


def test_the_command_joins_what_is_said_of_a_split_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = golden(tmp_path / "in", {"2B1": [1], "3B1": [2], "8B1": [3]})
    command = ["import", str(source), "--layout", "bioasq", "--out", str(tmp_path / "built")]
    assert run([*command, "--part", "train=2B", "--part", "train=3B", "--part", "test=8B"]) == 0
    assert "instances kept 3\nsizes: train 2, test 1" in capsys.readouterr().out
    assert run([*command, "--part", "train"]) == 2
    assert "'train' has no =, as in train=2B" in capsys.readouterr().err


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


@pytest.mark.parametrize(
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
