"""One candidate and one answer, as spelled in the authors' files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.biomrc.layout import (
    identifier_of,
    read_candidate,
    read_hidden,
    write_answer,
    write_candidate,
)
from anagnosis.datasets.kinds.cloze_instance import Candidate
from anagnosis.word_vectors.namespaces import candidate_key

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["Huntington's Disease", 'a "b"', "x') :: ['y", " :: ", "(a, 'b')", "\\", "\x00", "'", '"', "a', 'b"]
)
NUMBER = st.integers(0, 2**31 - 1)


def candidate(number: int, identifier: str = "", kind: str = "", *names: str) -> Candidate:
    return Candidate(candidate_key(kind, identifier), kind, number, names)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "@entity1 :: ('9606', 'Species') :: ['patients', 'patient']",
            candidate(1, "9606", "Species", "patients", "patient"),
        ),
        (
            "@entity65 :: ('D1', 'Disease') :: [\"Huntington's Disease\", 'HD']",
            candidate(65, "D1", "Disease", "Huntington's Disease", "HD"),
        ),
        (
            "@entity0 :: ('p|SUB|T|461|N', 'SNP') :: ['a :: b']",
            candidate(0, "p|SUB|T|461|N", "SNP", "a :: b"),
        ),
        ("@entity2 :: ('', '') :: []", candidate(2)),
    ],
)
def test_a_candidate_of_setting_a_has_number_identifier_type_and_names(text: str, found: Candidate) -> None:
    assert read_candidate(text, "A") == found
    assert write_candidate(found, identifier_of(found)) == text
    with pytest.raises(ValueError, match="is no candidate of setting B"):
        read_candidate(text, "B")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@entity",
        "@entity01",
        "@entity2147483648",
        "@entity1 ",
        "@entity1 :: ('9606', 'Species')",
        "@entity1 :: ('9606', 'Species', 'x') :: ['a']",
        "@entity1 :: ('9606', 7) :: ['a']",
        "@entity1 :: ('9606', 'Species') :: [7]",
        "@entity1 :: ('9606', 'Species') :: ['a'",
        "@entity1 :: ('9606', 'Species') :: ['\\ud800']",
        "@entity1 :: (9606,Species) :: ['a']",
        "x@entity1",
    ],
)
def test_what_is_spelled_otherwise_is_no_candidate(text: str) -> None:
    for setting in "AB":
        with pytest.raises(ValueError, match="is no candidate"):
            read_candidate(text, setting)


def test_the_answer_has_no_quotes_around_its_pair_and_one_surface() -> None:
    one = candidate(4020, "3440", "Gene", "IFN")
    text = "@entity4020 :: (3440,Gene) :: ['interferon-alpha 2b']\n"
    assert write_answer(one, "3440", "interferon-alpha 2b") == text
    assert read_hidden(text, one) == "interferon-alpha 2b"
    for other in ("@entity4020 :: (3440,Gene) :: ['a', 'b']", "@entity4020 :: (3441,Gene) :: ['a']"):
        with pytest.raises(ValueError, match="is not its candidate with one surface"):
            read_hidden(other, one)


@given(NUMBER, TEXT, TEXT, st.lists(TEXT, max_size=4), TEXT)
def test_every_candidate_and_answer_that_can_be_written_is_read_again(
    number: int, identifier: str, kind: str, names: list[str], hidden: str
) -> None:
    one = candidate(number, identifier, kind, *names)
    assert read_candidate(write_candidate(one, identifier), "A") == one
    assert read_hidden(write_answer(one, identifier, hidden), one) == hidden
