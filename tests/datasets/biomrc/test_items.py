"""One candidate and one answer, as spelled in the authors' files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.datasets.biomrc.layout import Item, read_hidden, read_item, write_answer, write_item

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["Huntington's Disease", 'a "b"', "x') :: ['y", " :: ", "(a, 'b')", "\\", "\x00", "'", '"', "a', 'b"]
)
NUMBER = st.integers(0, 2**31 - 1)


@pytest.mark.parametrize(
    ("text", "item"),
    [
        (
            "@entity1 :: ('9606', 'Species') :: ['patients', 'patient']",
            Item(1, "9606", "Species", ("patients", "patient")),
        ),
        (
            "@entity65 :: ('D1', 'Disease') :: [\"Huntington's Disease\", 'HD']",
            Item(65, "D1", "Disease", ("Huntington's Disease", "HD")),
        ),
        ("@entity0 :: ('p|SUB|T|461|N', 'SNP') :: ['a :: b']", Item(0, "p|SUB|T|461|N", "SNP", ("a :: b",))),
        ("@entity2 :: ('', '') :: []", Item(2)),
    ],
)
def test_a_candidate_of_setting_a_has_number_identifier_type_and_names(text: str, item: Item) -> None:
    assert read_item(text, "A") == item
    assert write_item(item) == text


@each_row(
    "text",
    [
        "",
        "@entity",
        "@entity01",
        "@entity4294967296",
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
    assert read_item(text, "A") is None
    assert read_item(text, "B") is None


def test_a_candidate_of_setting_b_is_its_pseudo_identifier_and_nothing_else() -> None:
    assert read_item("@entity12", "B") == Item(12)
    assert read_item("@entity12 :: ('9606', 'Species') :: ['a']", "B") is None
    assert read_item("@entity12", "A") is None


def test_what_another_repr_wrote_is_read() -> None:
    assert read_item('@entity1 :: ("9606", \'Species\') :: ["a"]', "A") == Item(1, "9606", "Species", ("a",))


def test_the_answer_has_no_quotes_around_its_pair_and_one_surface() -> None:
    item = Item(4020, "3440", "Gene", ("IFN",))
    text = "@entity4020 :: (3440,Gene) :: ['interferon-alpha 2b']\n"
    assert write_answer(item, "interferon-alpha 2b") == text
    assert read_hidden(text, item, "A") == "interferon-alpha 2b"
    assert read_hidden("@entity4020 :: (3440,Gene) :: ['a', 'b']", item, "A") is None
    assert read_hidden("@entity4020 :: (3441,Gene) :: ['a']", item, "A") is None
    assert (read_hidden("@entity4020", item, "B"), read_hidden("@entity4020\n", item, "B")) == ("", None)


@given(NUMBER, TEXT, TEXT, st.lists(TEXT, max_size=4))
def test_every_candidate_that_can_be_written_is_read_again(
    number: int, identifier: str, kind: str, names: list[str]
) -> None:
    item = Item(number, identifier, kind, tuple(names))
    assert read_item(write_item(item), "A") == item


@given(NUMBER, TEXT, TEXT, TEXT)
def test_every_answer_that_can_be_written_is_read_again(
    number: int, identifier: str, kind: str, hidden: str
) -> None:
    item = Item(number, identifier, kind)
    assert read_hidden(write_answer(item, hidden), item, "A") == hidden
