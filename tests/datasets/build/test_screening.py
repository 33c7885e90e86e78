"""What the first phase of a build gives of a block, and mentions of which none overlaps another."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.articles import abstract, article, drug, screened

from anagnosis.datasets.build.inputs import Piece
from anagnosis.datasets.build.screening import Screening, text_hash, without_overlaps
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Mention
from anagnosis.documents.repairs import Repairs


def test_entities_are_numbered_by_first_appearance_and_by_how_their_type_is_spelled() -> None:
    screening = Screening(ClozeColumns())
    found = [screening.number(key, kind, key) for key, kind in zip("abacba", "GGGGGg", strict=True)]
    assert found == [0, 1, 0, 2, 1, 3]


def test_a_block_gives_a_value_for_each_article_that_passed() -> None:
    found = screened(
        article(ident="1"),
        article(body=abstract([7]), ident="2"),
        article(f"{drug(2)} or {drug(4)} in a trial", abstract([4, 2, 2, 4, 1]), "3"),
    ).finished()
    assert (found.articles.read, found.repairs.refused, found.dropped) == (3, 0, {"too_few_mentions": 1})
    assert (found.ids, [*found.articles.instances]) == (["1", "3"], [1, 2])
    rows, entities = pickle.loads(found.rows)
    assert [key for key, _, _ in entities] == [f"chemical/MESH:D{number}" for number in (1, 2, 3, 4)]
    assert len(pa.ipc.open_stream(rows).read_all()) == 3


def test_what_was_refused_was_read_and_places_are_in_the_order_of_lines() -> None:
    screening = Screening(ClozeColumns())
    screening.begin(Piece(name="a"))
    screening.read("1", None)
    screening.repairs.refuse("a:10", "not UTF-8")
    screening.repairs.refuse("a:2", "no id")
    screening.repairs.note("a:3", "a line")
    screening.end()
    screening.begin(Piece(name="b"))
    screening.repairs.refuse("b:1", "no id")
    screening.end()
    found = screening.finished()
    assert found.articles.read == 4
    refused, noted = found.repairs.places()
    assert [place.where for place in refused] == ["a:2", "a:10", "b:1"]
    assert [place.where for place in noted] == ["a:3"]


def test_a_notice_of_deletion_is_noted_and_no_document() -> None:
    screening = Screening(ClozeColumns())
    screening.read("1", 2)
    screening.read("2", 0)
    found = screening.screened.articles
    assert (found.read, [*found.read_versions]) == (1, [2, 0])
    assert screening.repairs.counts == {"deleted_pmid": 1}


@given(st.text(), st.sampled_from(["", " ", "\n", "-"]))
def test_copies_of_a_text_that_differ_in_spacing_and_case_have_one_hash(text: str, between: str) -> None:
    lower = text.lower()
    assert text_hash(between.join(lower)) == text_hash(lower) == text_hash(text)


def mentions(*spans: tuple[int, int]) -> list[Mention]:
    return [Mention((span,), "", "", str(number)) for number, span in enumerate(spans)]


def kept(*spans: tuple[int, int]) -> list[str]:
    return [mention.identifier for mention in without_overlaps(mentions(*spans), Repairs())]


def test_the_longest_stays_then_the_leftmost_then_the_first_given() -> None:
    assert kept((0, 4), (2, 8)) == ["1"]
    assert kept((2, 6), (0, 4)) == ["1"]
    assert kept((0, 4), (0, 4)) == ["0"]
    assert kept((4, 8), (0, 4)) == ["1", "0"]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=12))
def test_what_is_left_out_overlaps_one_that_stays_and_is_no_shorter(places: list[tuple[int, int]]) -> None:
    given_mentions = mentions(*((start, start + length) for start, length in places))
    found = without_overlaps(given_mentions, Repairs())
    assert all(a.end <= b.start for a, b in pairwise(found))
    for mention in given_mentions:
        length = mention.end - mention.start
        assert mention in found or any(
            other.start < mention.end and mention.start < other.end and other.end - other.start >= length
            for other in found
        )
