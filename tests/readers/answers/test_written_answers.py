from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.encoders.text_models import Writing
from anagnosis.predictions import Answer
from anagnosis.readers.answers.written_answers import answer, parts


class Letters:
    """A tokenizer whose pieces are letters; 0 is a special piece without a text."""

    def decode(self, pieces: list[int], **options: Any) -> str:
        return "".join(map(chr, filter(None, pieces)))


LETTERS = Writing("letters", Letters(), causal=True, start=None, end=0, padding=0, limit=None)


def found(text: str, delimiter: str = ";") -> list[tuple[str, str]]:
    """Each answer, and the text of its pieces."""
    pieces = [*map(ord, text)]
    return [
        (one, "".join(map(chr, pieces[begin:end]))) for one, begin, end in parts(pieces, LETTERS, delimiter)
    ]


@pytest.mark.parametrize(
    ("text", "delimiter", "answers"),
    [
        (" BRCA1", ";", ["BRCA1"]),
        ("BRCA1; TP53 ;il-2", ";", ["BRCA1", "TP53", "il-2"]),
        ("BRCA1; TP53", " ", ["BRCA1; TP53"]),
        ("BRCA1 and TP53", " and ", ["BRCA1", "TP53"]),
        ("a;A ; b", ";", ["a", "b"]),
        ("; ;a.", ";", ["a"]),
        ("\n\n a; b\nquestion: c", ";", ["a", "b"]),
        ("", ";", []),
        (" . ", ";", []),
    ],
)
def test_a_text_holds_answers_between_delimiters_in_its_first_line(
    text: str, delimiter: str, answers: list[str]
) -> None:
    assert [one for one, _ in found(text, delimiter)] == answers


def test_the_pieces_of_an_answer_are_those_of_its_letters() -> None:
    assert found("  BRCA1 ; TP53.") == [("BRCA1", "BRCA1"), ("TP53", "TP53")]
    assert parts([0, *map(ord, "ab"), 0, ord(";"), ord("c"), 0], LETTERS, ";") == [("ab", 1, 3), ("c", 5, 6)]


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


def test_an_answer_names_the_snippet_and_where_it_occurs() -> None:
    snippets = ["none", "the BRCA1 gene", "brca1"]
    assert answer("brca1", 0.5, 1, snippets) == Answer("brca1", 0.5, 1, 4, 9)
    assert answer("tp53", 0.5, 1, snippets) == Answer("tp53", 0.5, 1)
    # After all snippets together, the first that has it.
    assert answer("brca1", None, -1, snippets) == Answer("brca1", None, 1, 4, 9)
    assert answer("tp53", None, -1, snippets) == Answer("tp53")
