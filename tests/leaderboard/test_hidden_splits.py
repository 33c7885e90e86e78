"""Which splits are hidden, by what a maintainer names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.leaderboard.boards import decisions, lines, made_board, submit

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.leaderboard.hidden_splits import hidden_splits

TITLES = ["Cloze", "Decided"]


def test_a_split_is_that_of_every_dataset_or_of_the_one_that_is_named(tmp_path: Path, built: Dataset) -> None:
    other = decisions(tmp_path)
    both = [built, other]
    assert hidden_splits(["test"], both, TITLES) == {(0, "test"), (1, "test")}
    assert hidden_splits(["dev"], both, TITLES) == {(0, "dev")}  # the other has none
    assert hidden_splits(["decisions/test"], both, TITLES) == {(1, "test")}
    assert hidden_splits([f"{built.folder}/test", f"{other.folder}/test"], both, TITLES) == {
        (0, "test"),
        (1, "test"),
    }
    assert hidden_splits([f"{tmp_path}/x/../decisions/test"], both, TITLES) == {(1, "test")}
    assert hidden_splits(["Decided/test"], both, TITLES) == {(1, "test")}
    assert hidden_splits([], both, TITLES) == frozenset()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("tset", "--hidden: unknown split 'tset'; did you mean test?"),
        ("decisions/dev", "--hidden decisions/dev: unknown split 'dev'; known: test, train"),
        (
            "decision/test",
            "--hidden decision/test: unknown dataset 'decision'; did you mean decisions?",
        ),
        ("", "--hidden: unknown split ''; known: dev, test, train"),
    ],
)
def test_what_there_is_not_is_one_line(tmp_path: Path, built: Dataset, name: str, fault: str) -> None:
    with pytest.raises(InputError) as raised:
        hidden_splits([name], [built, decisions(tmp_path)], TITLES)
    assert str(raised.value).startswith(fault)


def test_the_name_of_two_folders_needs_its_path(tmp_path: Path, built: Dataset) -> None:
    instances = [*store.instances(built, "test")][:30]
    again = writing.write(tmp_path / "more" / "built", {"test": instances}, {"dataset": "biomrc"})
    with pytest.raises(InputError, match="2 datasets lie in a folder of that name; give the path"):
        hidden_splits(["built/test"], [built, again], ["a", "b"])
    assert hidden_splits([f"{again.folder}/test"], [built, again], ["a", "b"]) == {(1, "test")}


def test_one_dataset_is_coarse_and_limited_and_the_other_is_not(tmp_path: Path, built: Dataset) -> None:
    other = decisions(tmp_path)
    for name in "ab":
        files = {"built.jsonl": lines(built, 0.5), "decisions.jsonl": lines(other, 0.5)}
        submit(tmp_path, name, files, view="")
    board = made_board(tmp_path, built, other, hidden=["decisions/test"], per_month=1)
    assert [(part.dataset, part.hidden, len(part.results)) for part in board.parts] == [
        ("BioMRC", False, 2),
        ("PubMedQA", True, 1),
    ]
    assert [(over.submission, over.dataset) for over in board.over_limit] == [("b", "PubMedQA")]
