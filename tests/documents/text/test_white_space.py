"""White space of running text, case by case."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.documents.text.white_space import tidied


@each_row(
    ("text", "expected"),
    [
        ("one two", "one two"),
        ("one  two", "one two"),
        ("one\ttwo", "one two"),
        ("one\rtwo", "one two"),
        ("one\n two \t three", "one two three"),
        (" one ", "one"),
        ("\n", ""),
        ("one\u2009 two\u00a0", "one\u2009 two\u00a0"),
    ],
)
def test_a_run_of_blanks_tabs_and_line_ends_is_one_blank(text: str, expected: str) -> None:
    assert tidied(text) == expected
