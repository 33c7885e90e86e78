"""What the first phase of a build keeps of a shard."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.articles import abstract, article, drug, questions, screened

from anagnosis.datasets.build import screening as screenings
from anagnosis.datasets.build.screening import Screening, id_hash, text_hash
from anagnosis.datasets.kinds import cloze_rows
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns


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
    screening.repairs.note("a:2", "a line")
    found = screening.finished()
    assert (found.read, found.refused) == (4, 1)
    assert found.refusals == [("a:2", "a line"), ("a:10", "not UTF-8")]


def test_a_screening_is_kept_on_disk_small_tables_and_instances_apart(tmp_path: Path) -> None:
    screening, again = screened(article()), screened(article())
    assert not screenings.is_saved(tmp_path, "ab")
    screenings.save(screening, tmp_path, "ab")
    assert screenings.is_saved(tmp_path, "ab")
    assert list(cloze_rows.instances(screenings.load_instances(tmp_path, "ab"))) == questions(again)
    assert screenings.load(tmp_path, "ab") == again.finished()


@given(st.text(), st.sampled_from(["", " ", "\n", "-"]))
def test_copies_of_a_text_that_differ_in_spacing_and_case_have_one_hash(text: str, between: str) -> None:
    lower = text.lower()
    assert text_hash(between.join(lower)) == text_hash(lower) == text_hash(text)


def test_other_texts_and_ids_have_other_hashes() -> None:
    texts = [f"{a}{b}" for a in "abcdefgh" for b in range(1000)]
    assert len(set(map(text_hash, texts))) == len(texts)
    assert len(set(map(id_hash, texts))) == len(texts)
    assert id_hash("A") != id_hash("a")
    assert all(0 <= id_hash(text) < 1 << 64 for text in texts)
