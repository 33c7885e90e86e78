"""A table of cases in one test: no row is left out, and each that fails is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rows import each_row

pytest_plugins = ["pytester"]


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


def test_an_error_and_a_refusal_that_does_not_come_are_failures_too() -> None:
    @each_row("number", [0, 1, 2], ids=["zero", "one", "two"])
    def test(number: int) -> None:
        if number:
            with pytest.raises(ZeroDivisionError):
                _ = 1 / (number - 1)
        else:
            _ = 1 / number

    with pytest.raises(
        AssertionError, match=r"2 of 3 rows fail\nrow 0 \[zero\]: ZeroDivisionError.*\n.*row 2"
    ):
        test()


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


def test_two_tables_try_each_pair() -> None:
    tried: list[tuple[int, str]] = []

    @each_row("number", [1, 2])
    @each_row("letter", "ab")
    def test(number: int, letter: str) -> None:
        tried.append((number, letter))
        assert (number, letter) != (2, "b")

    with pytest.raises(
        AssertionError, match=r"row 1 \[2\]: AssertionError.*1 of 2 rows fail\n.*row 1 \['b'\]"
    ):
        test()
    assert tried == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]


def test_of_many_failures_the_last_rows_are_only_named() -> None:
    @each_row("number", range(30))
    def test(number: int) -> None:
        raise ValueError("x" * 1000)

    with pytest.raises(AssertionError) as told:
        test()
    assert len(str(told.value)) < 25_000
    assert all(f"row {number} [{number}]" in str(told.value) for number in range(30))


def test_a_table_without_rows_or_with_a_marked_or_short_row_is_refused() -> None:
    for rows in ([], [pytest.param(1, 2, marks=pytest.mark.slow)], [(1,)]):
        with pytest.raises(AssertionError):
            each_row("number, other", rows)
    with pytest.raises(AssertionError, match="as many ids as rows"):
        each_row("number", [1, 2], ids=["one"])


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


class TestInAClass:
    @each_row("number", [1, 2])
    def test_a_method_is_one_test_too(self, number: int) -> None:
        assert isinstance(self, TestInAClass)
        assert number


def test_it_is_one_item_with_fixtures_marks_and_what_is_drawn(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        from hypothesis import given, strategies as st
        from tests.rows import each_row

        @pytest.fixture
        def five():
            return 5

        @pytest.mark.parametrize("letter", "xy")
        @each_row("number", [1, 2])
        def test_of_fixtures(number, letter, five):
            assert number < five

        @each_row("number", [1, 2])
        @given(drawn=st.integers(0, 9))
        def test_of_what_is_drawn(number, drawn):
            assert number + drawn < 11
        """
    )
    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*1 of 2 rows fail*", "*row 1 [[]2]: AssertionError*"])
