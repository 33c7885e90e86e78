"""What the first phase of a build keeps of a shard, and mentions of which none overlaps another."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.articles import abstract, article, drug, questions, screened

from anagnosis.datasets.build import screening as screenings
from anagnosis.datasets.build.screening import Screening, text_hash, without_overlaps
from anagnosis.datasets.kinds import cloze_columns
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Mention
from anagnosis.documents.repairs import Repairs


def test_entities_are_numbered_by_first_appearance_in_the_shard() -> None:
    screening = Screening(ClozeColumns())
    assert [screening.number(key, "Gene", key) for key in "abacb"] == [0, 1, 0, 2, 1]
    assert screening.results.entities == [("a", "Gene", "a"), ("b", "Gene", "b"), ("c", "Gene", "c")]


def test_a_shard_keeps_a_row_for_each_article_that_passed() -> None:
    found = screened(
        article(ident="1"),
        article(body=abstract([7]), ident="2"),
        article(f"{drug(2)} or {drug(4)} in a trial", abstract([4, 2, 2, 4, 1]), "3"),
    ).finished()
    assert (found.read, found.refused, found.dropped) == (3, 0, {"too_few_mentions": 1})
    assert (found.ids, found.instances, found.article_sizes) == (["1", "3"], [1, 2], [3, 3])
    assert found.article_entities == [0, 1, 2, 3, 1, 0]


def test_what_was_refused_was_read() -> None:
    screening = Screening(ClozeColumns())
    screening.results.read = 3
    screening.repairs.refuse("a:10", "not UTF-8")
    screening.repairs.refuse("a:2", "no id")
    screening.repairs.note("a:3", "a line")
    found = screening.finished()
    assert (found.read, found.refused) == (5, 2)
    assert (found.refusals, found.notes) == ([("a:2", "no id"), ("a:10", "not UTF-8")], [("a:3", "a line")])


def test_a_screening_is_kept_on_disk_small_tables_and_instances_apart(tmp_path: Path) -> None:
    screening, again = screened(article()), screened(article())
    screenings.save(screening, tmp_path, 7)
    assert list(cloze_columns.instances(screenings.load_instances(tmp_path, 7))) == questions(again)
    assert screenings.load(tmp_path, 7) == again.finished()


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


def test_each_one_that_is_left_out_is_counted() -> None:
    repairs = Repairs()
    without_overlaps(mentions((0, 9), (1, 2), (3, 4)), repairs)
    assert repairs.counts == {"mention_overlapping": 2}


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
