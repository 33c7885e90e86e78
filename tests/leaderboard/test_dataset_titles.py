"""What a board calls its datasets."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.leaderboard.boards import TODAY, decisions, lines, submit
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.leaderboard.golds import dataset_titles, title_and_folder


def copied(built: Dataset, folder: Path, dataset: str = "biomrc") -> Dataset:
    instances = [*store.instances(built, "test")][:30]
    return writing.write(folder, {"test": instances}, {"dataset": dataset})


def test_a_dataset_has_the_title_of_what_it_is_and_the_folder_where_two_are_the_same(
    tmp_path: Path, built: Dataset
) -> None:
    labelled = decisions(tmp_path)
    again, lite = copied(built, tmp_path / "more" / "built"), copied(built, tmp_path / "lite")
    nobodys = copied(built, tmp_path / "built", "nobody-knows-it")
    assert dataset_titles([built, labelled, nobodys]) == ["BioMRC", "PubMedQA", "nobody-knows-it"]
    assert dataset_titles([built, labelled, lite]) == ["BioMRC (built)", "PubMedQA", "BioMRC (lite)"]
    first, second = dataset_titles([built, again])
    assert first != second
    assert first.endswith("/built)")
    assert dataset_titles([built, lite], ["", "LITE"]) == ["BioMRC", "LITE"]


def test_a_title_twice_is_refused(tmp_path: Path, built: Dataset) -> None:
    lite = copied(built, tmp_path / "lite")
    assert dataset_titles([built, lite], ["BioMRC", ""]) == ["BioMRC", "BioMRC (lite)"]
    with pytest.raises(InputError, match="--gold: two datasets have the title 'A'; give each its own"):
        dataset_titles([built, lite], ["A", "A"])


def test_a_title_stands_before_the_folder_and_a_path_that_exists_is_that_path(tmp_path: Path) -> None:
    (tmp_path / "a=b").mkdir()
    for given in (f"{tmp_path}/a=b", f"{tmp_path}/x=y", tmp_path / "c=d", "plain"):
        assert title_and_folder(given) == ("", given)
    assert title_and_folder(f"Our test={tmp_path}/a=b") == ("Our test", f"{tmp_path}/a=b")


@each_row("title", ["", " ", "a\x1b[0m", "\u202ea", "x" * 81])
def test_a_title_that_is_no_visible_line_is_refused(title: str) -> None:
    with pytest.raises(
        InputError, match="a title is one visible line of 1 to 80 characters; write TITLE=FOLDER"
    ):
        title_and_folder(f"{title}=built")


def test_the_maintainers_title_is_the_boards(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    board = api.build_leaderboard(tmp_path / "submissions", [f"Our test={built.folder}"], today=TODAY)
    assert [part.dataset for part in board.parts] == ["Our test"]
