"""Words of direction."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.language.directions import DOWN, UP, Direction, directions, words
from anagnosis.language.negation import cues


def read(sentence: str) -> list[Direction]:
    return directions(words(sentence), cues(sentence))


def test_the_dimensions_have_two_ends_without_a_common_word() -> None:
    assert UP.keys() == DOWN.keys()
    for dimension, up in UP.items():
        assert not {word.rstrip("*") for word in up.split()} & {
            word.rstrip("*") for word in DOWN[dimension].split()
        }


@each_row(
    ("sentence", "expected"),
    [
        ("Tea lowers fever", [Direction(1, "amount", -1, False)]),
        ("Tea INCREASED sleep", [Direction(1, "amount", 1, False)]),
        ("Tea did not reduce fever", [Direction(3, "amount", -1, True)]),
        ("Tea is ineffective", [Direction(2, "quality", -1, False)]),
        ("Tea is effective but not safe", [Direction(2, "quality", 1, False), Direction(5, "safety", 1, True)]),
        ("Tea without milk", [Direction(1, "presence", -1, False)]),
        ("Tea and sleep", []),
    ],
)  # fmt: skip
def test_the_words_of_direction_of_a_sentence(sentence: str, expected: list[Direction]) -> None:
    assert read(sentence) == expected


def test_a_beginning_matches_longer_words_and_a_whole_word_does_not() -> None:
    assert [one.sign for one in read("reductions")] == [-1]
    assert not read("fewest safer")
