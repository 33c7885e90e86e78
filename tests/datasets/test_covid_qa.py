"""COVID-QA's articles in blocks of sentences: which hold the answer, mended offsets, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence_sets import CONTEXT, asked, covid, held_of, imported
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets import covid_qa
from anagnosis.datasets.covid_qa import block, span_of
from anagnosis.datasets.folder import store
from anagnosis.datasets.squad import Answer

SENTENCES = [
    "Salt in fish",
    "Authors: A, B",
    "Salt water stops fish.",
    "It does so at 3 %.",
    "Nobody knows why.",
    "Blue fish are old.",
    "Red fish are new.",
]


def test_the_sentences_that_the_answer_touches_are_held(tmp_path: Path) -> None:
    questions = [
        asked(1, "What stops fish?", "Salt water"),
        asked(2, "Where and why?", "at 3 %. Nobody knows"),
    ]
    dataset = imported(covid(tmp_path / "c.json", questions), tmp_path / "built", "covid-qa")
    assert held_of(dataset, "test") == {"1:7": "--+----", "2:7": "---++--"}
    first = next(store.instances(dataset, "test"))
    assert [sentence.text for sentence in first.sentences] == SENTENCES
    assert {sentence.title for sentence in first.sentences} == {"Salt in fish"}
    assert api.check(dataset).sound


def test_a_long_article_is_cut_into_even_blocks_that_no_question_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(covid_qa, "LONGEST", 3)
    questions = [
        asked(1, "What stops fish?", "Salt water"),
        asked(2, "Which are old?", "Blue fish"),
        asked(3, "What do we know?", "Nobody knows why.\n\nBlue fish are old"),
    ]
    dataset = imported(covid(tmp_path / "c.json", questions), tmp_path / "built", "covid-qa")
    assert held_of(dataset, "test") == {"1:7": "+-", "2:7": "-+-", "3:7": "++-"}
    assert dataset.recipe["longest"] == 3


@given(st.sets(st.integers(0, 99), min_size=1), st.integers(100, 130))
def test_blocks_hold_their_places_and_are_never_longer(places: set[int], sentences: int) -> None:
    found = block(places, sentences)
    assert places <= set(found)
    assert found == sorted(set(found))
    alone = [block({place}, sentences) for place in places]
    assert all(len(one) <= covid_qa.LONGEST for one in alone)
    assert set(found) == {place for one in alone for place in one}


@each_row("off", [-3, 1, 40, -400, 10**6])
def test_an_offset_that_misses_is_mended_to_the_nearest_place(tmp_path: Path, off: int) -> None:
    right = CONTEXT.index("Blue fish")
    source = covid(tmp_path / "c.json", [asked(1, "Which are old?", "Blue fish", right + off)])
    dataset = imported(source, tmp_path / "built", "covid-qa")
    assert held_of(dataset, "test") == {"1:7": "-----+-"}


def test_articles_without_ids_are_told_apart_by_their_places(tmp_path: Path) -> None:
    source = covid(tmp_path / "c.json", [asked(1, "What stops fish?", "Salt water")])
    found = json.loads(source.read_text())
    (article,) = found["data"]
    del article["paragraphs"][0]["document_id"]
    second = json.loads(json.dumps(article).replace('"id": 1', '"id": 2'))
    source.write_text(json.dumps({"data": [article, second]}))
    dataset = imported(source, tmp_path / "built", "covid-qa")
    assert held_of(dataset, "test") == {"1:0.0": "--+----", "2:1.0": "--+----"}
    first, other = store.instances(dataset, "test")
    assert (first.sentences[0].document, other.sentences[0].document) == ("0.0", "1.0")


def test_a_question_that_is_asked_twice_of_an_article_is_one(tmp_path: Path) -> None:
    twice = [asked(1, "What stops fish?", "Salt water"), asked(2, "what stops fish", "It does so")]
    dataset = imported(covid(tmp_path / "c.json", twice), tmp_path / "built", "covid-qa")
    assert held_of(dataset, "test") == {"1:7": "--++---"}
    assert dataset.receipt.instances.dropped == {"merged_question": 1}


@each_row(
    ("question", "fault"),
    [
        (asked(2, " ", "Salt water"), "no_answer"),
        ({"id": 2, "question": "Why?", "answers": []}, "no_answer"),
        ({"id": 2, "question": "Why?", "answers": [], "is_impossible": True}, "no_answer"),
        (asked(2, "Why?", "Green fish", 5), "no_answer"),
        (asked(1, "Again?", "Salt water"), "repeated_id"),
    ],
)
def test_a_question_without_a_place_is_left_out_and_named(
    tmp_path: Path, question: dict[str, Any], fault: str
) -> None:
    source = covid(tmp_path / "c.json", [asked(1, "What stops fish?", "Salt water"), question])
    dataset = imported(source, tmp_path / "built", "covid-qa")
    assert dataset.sizes == {"test": 1}
    assert dataset.receipt.instances.dropped == {fault: 1}
    assert dataset.receipt.refusals[0].where == "c.json, article 0"


def test_the_real_file(shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "retrieval" / "covid_qa_200423.json.gz"
    dataset = imported(source, tmp_path / "built", "covid-qa")
    assert dataset.sizes == {"test": 1358}
    assert dataset.receipt.instances.dropped == {"merged_question": 22}
    held = held_of(dataset, "test").values()
    assert all("+" in one and "-" in one for one in held)


SHORT = "Blue fish, blue mice. Fish are old."


@each_row(
    ("text", "start", "place"),
    [
        ("fish", 5, 5),
        ("Fish", 5, 5),
        ("fish", 7, 5),
        ("Fish", 9, 22),  # its spelling stands farther away than "fish"
        ("FISH", 21, 22),
        ("FISH", 12, 5),
        ("blue", None, 11),
        ("old.", 10**30, 31),
        ("Blue", -(10**30), 0),
        ("old.x", 31, None),
    ],
)
def test_an_answer_is_found_at_its_offset_or_next_to_it(
    text: str, start: int | None, place: int | None
) -> None:
    expected = (0, 0) if place is None else (place, place + len(text))
    assert span_of(Answer(text, start), SHORT) == expected


def test_blanks_and_lower_case_of_another_length_move_no_place() -> None:
    assert span_of(Answer(" fish,\n", 4), "Blue fish,\nfish") == (5, 10)
    assert span_of(Answer("FISH", 1), "İİ fish") == (3, 7)


@pytest.mark.timeout(120)
def test_a_repeated_letter_is_searched_in_time_that_grows_with_the_text() -> None:
    """Every place of the short text is a beginning of the long one, which stands nowhere or far away."""
    letters = "a" * 1_000_000
    assert span_of(Answer("A" * 500_000 + "b", 300_000), letters) == (0, 0)
    assert span_of(Answer("a" * 500_000 + "B", 0), f"{letters}b") == (500_000, 1_000_001)
