"""The words of an index: "al" of "et al" is none, which leaves its stem to ALS."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api
from anagnosis.language.plain_letters import searchable
from anagnosis.searching import words as words_module
from anagnosis.searching.words import analyzer, printed_words, question_words, shorter_stems, words_of


@each_row(
    ("text", "words"),
    [
        ("Smith et al. 2005", ["smith", "et", "2005"]),
        ("al", []),
        ("ALS", ["al"]),
        ("als", ["al"]),
        ("AL amyloidosis", ["al", "amyloidosi"]),
        ("alum and Al", ["alum", "and", "al"]),
    ],
)
def test_only_al_in_small_letters_is_no_word(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.text("aZ9 -_.\x1f\x7f") | st.text(), st.text(" ab", max_size=200))
def test_words_that_are_remembered_are_those_of_the_analyzer(text: str, plain: str) -> None:
    together = f"{plain}{text}{plain}"
    assert words_of(together) == words_of(together) == analyzer().analyze(searchable(together))


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_module, "_MOST_STEMS", 4)
    remembered = words_module.STEMS
    remembered.clear()
    assert words_of("one two three four five " + "é" * 5000) == ["one", "two", "three", "four", "five"]
    assert [*remembered] == ["five"]


def test_questions_lose_it_and_printed_words_keep_it() -> None:
    assert question_words("et al") == ["et"]
    assert printed_words("et al") == ["et", "al"]


def test_a_request_for_the_other_form_of_a_name_has_no_words() -> None:
    assert question_words("What does CHF stand for in children?") == ["what", "chf", "children"]


def test_searches_and_phrases_across_it(tmp_path: Path) -> None:
    lines = [
        {"id": "1", "title": "Tumours", "text": "We follow Smith et al. 2005 in this."},
        {"id": "2", "title": "Riluzole", "text": "Riluzole slows the decline of patients with ALS."},
    ]
    (tmp_path / "papers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    api.index([tmp_path / "papers.jsonl"], tmp_path / "index")
    found = {
        query: [one.passage.document for one in api.search(tmp_path / "index", query).found]
        for query in ("ALS", "et al", '"al"', '"Smith et al 2005"', '"Smith et al 2005"[ti]', "tumours -al")
    }
    assert [*found.values()] == [["2"], ["1"], [], ["1"], [], ["1"]]


@each_row(
    ("letters", "stems"),
    [("hypertensi", ["hypertens"]), ("dy", []), ("dyin", []), ("happines", ["happi", "happin"])],
)
def test_shorter_stems_differ_by_their_last_letter_at_most(letters: str, stems: list[str]) -> None:
    assert shorter_stems(letters) == stems
