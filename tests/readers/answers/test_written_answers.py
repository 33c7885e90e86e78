from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.encoders.text_models import Writing
from anagnosis.readers.answers.text_to_text import parts, pieces_of


class Letters:
    """A tokenizer whose pieces are letters; 0 is a special piece without a text."""

    def decode(self, pieces: list[int], **options: Any) -> str:
        return "".join(map(chr, filter(None, pieces)))


LETTERS = Writing(Letters(), start=0, end=0, padding=0, limit=None)


def found(text: str, delimiter: str = ";") -> list[tuple[str, str]]:
    """Each answer, and the text of its pieces."""
    pieces = [*map(ord, text)]
    answers = parts(LETTERS.text(pieces), delimiter)
    where = pieces_of(answers, pieces, LETTERS)
    return [(one, "".join(map(chr, pieces[each]))) for (one, _), each in zip(answers, where, strict=True)]


@pytest.mark.parametrize(
    ("text", "delimiter", "answers"),
    [
        (" BRCA1", ";", ["BRCA1"]),
        ("BRCA1; TP53 ;il-2", ";", ["BRCA1", "TP53", "il-2"]),
        ("BRCA1; TP53", " ", ["BRCA1; TP53"]),
        ("BRCA1 and TP53", " and ", ["BRCA1", "TP53"]),
        ("a;A ; b", ";", ["a", "b"]),
        ("; ;a.", ";", ["a"]),
        ("", ";", []),
        (" . ", ";", []),
    ],
)
def test_a_text_holds_answers_between_delimiters(text: str, delimiter: str, answers: list[str]) -> None:
    assert [one for one, _ in found(text, delimiter)] == answers


def test_the_pieces_of_an_answer_are_those_of_its_letters() -> None:
    assert found("  BRCA1 ; TP53.") == [("BRCA1", "BRCA1"), ("TP53", "TP53")]
    pieces = [0, *map(ord, "ab"), 0, ord(";"), ord("c"), 0]
    assert parts(LETTERS.text(pieces), ";") == [("ab", 0), ("c", 3)]
    assert pieces_of([("ab", 0), ("c", 3)], pieces, LETTERS) == [slice(1, 3), slice(5, 6)]


@given(st.text(st.sampled_from("ab;. \n\0"), max_size=12), st.sampled_from([";", "; ", " "]))
def test_any_text_gives_different_answers_that_stand_in_it_with_their_pieces(
    text: str, delimiter: str
) -> None:
    answers = found(text, delimiter)
    assert len({one for one, _ in answers}) == len(answers)
    for one, pieces in answers:
        assert one == one.strip()
        assert one in text.replace("\0", "")
        assert one == pieces.replace("\0", "")
