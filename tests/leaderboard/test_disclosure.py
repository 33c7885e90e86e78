"""What the figures of a hidden split may tell: two decimals, no small group, and none that subtraction gives away."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.leaderboard.boards import decisions, lines, made_board, submit

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, Interval
from anagnosis.leaderboard.board import Figure, Group
from anagnosis.leaderboard.disclosure import SMALLEST_GROUP, Disclosure, hidden_splits

VALUE = Estimate(0.123456, 70, 70, Interval(0.111111, 0.222222, 0.95, "Wilson"))
HIDDEN, OPEN = Disclosure(True), Disclosure(False)
TITLES = ["Cloze", "Decided"]


def groups(*sizes: int) -> list[Group]:
    return [Group(str(n), size, {"accuracy": Figure(0.5, 0.4, 0.6, size)}) for n, size in enumerate(sizes)]


def test_a_hidden_figure_has_two_decimals_of_its_percent() -> None:
    assert HIDDEN.figure(VALUE, "s") == Figure(0.1235, 0.1111, 0.2222, 70, "s")
    assert OPEN.figure(VALUE) == Figure(0.123456, 0.111111, 0.222222, 70)


def test_no_p_value_of_a_hidden_split_is_shown() -> None:
    assert (HIDDEN.p_value(0.01), OPEN.p_value(0.01)) == (None, 0.01)


def test_a_figure_on_few_questions_is_not_shown_of_a_hidden_split() -> None:
    assert HIDDEN.of_some(VALUE, 500) is None
    assert OPEN.of_some(VALUE, 500) == OPEN.figure(VALUE)
    assert HIDDEN.of_some(None, 500) is None


def test_a_figure_that_gives_a_small_rest_away_by_subtraction_is_not_shown() -> None:
    most = Estimate(0.5, 450, 450, VALUE.interval)
    assert HIDDEN.of_some(most, 500) is None
    assert HIDDEN.of_some(most, 550) == HIDDEN.figure(most)
    assert HIDDEN.of_some(most, 450) == HIDDEN.figure(most)


def test_small_groups_are_left_out_and_counted() -> None:
    found = HIDDEN.breakdown("type", groups(500, 60, 300, 50))
    assert found is not None
    assert ([group.n for group in found.groups], found.left_out) == ([500, 300], 110)


def test_one_small_group_takes_the_next_one_with_it_so_that_subtraction_does_not_give_it_away() -> None:
    found = HIDDEN.breakdown("type", groups(500, 7, 300, 120))
    assert found is not None
    assert ([group.n for group in found.groups], found.left_out) == ([500, 300], 127)


def test_nothing_is_shown_where_one_group_would_be_left() -> None:
    assert HIDDEN.breakdown("type", groups(500, 7, 120)) is None
    assert HIDDEN.breakdown("type", groups(40, 30)) is None


def test_everything_is_shown_of_an_open_split() -> None:
    found = OPEN.breakdown("type", groups(5, 1))
    assert found is not None
    assert ([group.n for group in found.groups], found.left_out) == ([5, 1], 0)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=8))
def test_what_is_left_out_is_never_small(sizes: list[int]) -> None:
    found = HIDDEN.breakdown("type", groups(*sizes))
    if found is not None:
        shown = sum(group.n for group in found.groups)
        assert found.left_out == sum(sizes) - shown
        assert found.left_out == 0 or found.left_out >= SMALLEST_GROUP
        assert all(group.n >= SMALLEST_GROUP for group in found.groups)


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
