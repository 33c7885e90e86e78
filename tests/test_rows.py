"""A table of cases in one test: no row is left out, and each that fails is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rows import each_row


def test_every_row_is_tried_and_each_that_fails_is_named() -> None:
    tried: list[int] = []

    @each_row(("number", "word"), [(1, "a"), (2, "b"), pytest.param(3, "c", id="third"), (4, "d")])
    def test(number: int, word: str) -> None:
        tried.append(number)
        assert number % 2 == 0, f"{word} is odd"

    with pytest.raises(AssertionError) as told:
        test()
    assert tried == [1, 2, 3, 4]
    head, *lines = str(told.value).splitlines()
    assert head == "2 of 4 rows fail"
    rows = [line for line in lines if line.startswith("row ")]
    assert rows[0].startswith("row 0 [1, 'a']: AssertionError (line ")
    assert rows[0].endswith("a is odd")
    assert rows[1].startswith("row 2 [third]: AssertionError")
    assert len(rows) == 2


def test_a_row_that_is_skipped_keeps_no_other_from_being_tried() -> None:
    @each_row("number", [0, 1])
    def test(number: int) -> None:
        if number == 0:
            pytest.skip("no data")
        assert not number

    with pytest.raises(AssertionError, match=r"1 of 2 rows fail\nrow 1"):
        test()

    @each_row("number", [0, 1])
    def other(number: int) -> None:
        if number == 0:
            pytest.skip("no data")

    with pytest.raises(pytest.skip.Exception, match="no data"):
        other()


@each_row("number", [0, 1, 2])
def test_a_row_has_its_own_folder_patches_and_output(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").touch()
    assert "ROW_OF_A_TEST" not in os.environ
    monkeypatch.setenv("ROW_OF_A_TEST", str(number))
    print(number)
    if number != 1:  # what row 1 prints is left for row 2
        assert capfd.readouterr().out == f"{number}\n"
