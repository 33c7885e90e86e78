"""COVID-QA's articles in blocks of sentences: which hold the answer, mended offsets, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.evidence_sets import CONTEXT, asked, covid, held_of, imported
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.covid_qa import block, place_of
from anagnosis.datasets.folder import store
from anagnosis.datasets.squad import Answer
from anagnosis.errors import InputError

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


def test_a_long_article_is_cut_into_even_blocks_that_no_question_moves(tmp_path: Path) -> None:
    questions = [
        asked(1, "What stops fish?", "Salt water"),
        asked(2, "Which are old?", "Blue fish"),
        asked(3, "What do we know?", "Nobody knows why.\n\nBlue fish are old"),
    ]
    dataset = imported(covid(tmp_path / "c.json", questions), tmp_path / "built", "covid-qa", setting="3")
    assert held_of(dataset, "test") == {"1:7": "+-", "2:7": "-+-", "3:7": "++-"}
    assert dataset.recipe["longest"] == 3


@given(st.sets(st.integers(0, 99), min_size=1), st.integers(1, 50), st.integers(100, 130))
def test_blocks_hold_their_places_and_are_never_longer(
    places: set[int], longest: int, sentences: int
) -> None:
    found = block(places, sentences, longest)
    assert places <= set(found)
    assert found == sorted(set(found))
    alone = [block({place}, sentences, longest) for place in places]
    assert all(len(one) <= longest for one in alone)
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


def test_blanks_around_an_answer_hold_nothing(tmp_path: Path) -> None:
    text = "Nobody knows why.\n\n"
    dataset = imported(covid(tmp_path / "c.json", [asked(1, "Why?", text)]), tmp_path / "built", "covid-qa")
    assert held_of(dataset, "test") == {"1:7": "----+--"}


def test_a_question_that_is_asked_twice_of_an_article_is_one(tmp_path: Path) -> None:
    twice = [asked(1, "What stops fish?", "Salt water"), asked(2, "what stops fish", "It does so")]
    dataset = imported(covid(tmp_path / "c.json", twice), tmp_path / "built", "covid-qa")
    assert held_of(dataset, "test") == {"1:7": "--++---"}
    assert dataset.receipt.instances.dropped == {"merged_question": 1}


@each_row(
    ("question", "fault"),
    [
        (asked(2, " ", "Salt water"), "empty_question"),
        ({"id": 2, "question": "Why?", "answers": []}, "no_answer"),
        ({"id": 2, "question": "Why?", "answers": [], "is_impossible": True}, "no_answer"),
        (asked(2, "Why?", "Green fish", 5), "answer_not_in_article"),
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


@pytest.mark.parametrize("together", [False, True], ids=["an article each", "paragraphs of one article"])
def test_articles_are_shared_out_whole(tmp_path: Path, together: bool) -> None:
    one = json.loads(covid(tmp_path / "c.json", [asked(1, "What?", "Salt water")]).read_text())["data"][0]
    articles: list[Any] = []
    for number in range(30):
        paragraph = one["paragraphs"][0]
        asking = [
            {**paragraph["qas"][0], "id": 100 * number + place, "question": f"{place}?"} for place in range(3)
        ]
        articles.append({"paragraphs": [{**paragraph, "document_id": number, "qas": asking}]})
    if together:
        articles = [
            {"paragraphs": [paragraph for article in articles for paragraph in article["paragraphs"]]}
        ]
    articles.append(5)
    (tmp_path / "many.json").write_text(json.dumps({"data": articles}))
    dataset = imported(tmp_path / "many.json", tmp_path / "built", "covid-qa", split="train", dev_share=0.3)
    of = {split: {ident.partition(":")[2] for ident in held_of(dataset, split)} for split in dataset.sizes}
    assert dataset.sizes["train"] + dataset.sizes["dev"] == 90
    assert dataset.receipt.instances.dropped == {"not_an_article": 1}
    assert not of["train"] & of["dev"]
    assert 0 < len(of["dev"]) < len(of["train"])
    with pytest.raises(InputError, match="add --split train"):
        imported(tmp_path / "many.json", tmp_path / "other", "covid-qa", dev_share=0.3)


@pytest.mark.parametrize("setting", ["0", "many", "-3", "9999999"])
def test_a_block_has_at_least_one_sentence(tmp_path: Path, setting: str) -> None:
    with pytest.raises(InputError, match="no number of sentences"):
        imported(covid(tmp_path / "c.json", []), tmp_path / "built", "covid-qa", setting=setting)


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
        ("blue", 0, 0),
        ("fish", 7, 5),
        ("Fish", 9, 22),  # its spelling stands farther away than "fish"
        ("FISH", 21, 22),
        ("FISH", 12, 5),
        ("blue", None, 11),
        ("old.", 10**30, 31),
        ("Blue", -(10**30), 0),
        ("old.x", 31, None),
        ("mouse", 16, None),
    ],
)
def test_an_answer_is_found_at_its_offset_or_next_to_it(
    text: str, start: int | None, place: int | None
) -> None:
    assert place_of(Answer(text, start), SHORT) == place


def test_lower_case_of_another_length_moves_no_place() -> None:
    assert place_of(Answer("FISH", 1), "İİ fish") == 3
    assert place_of(Answer("İ FISH", 1), "İİ fish") == 1


@given(st.text("abAB.", max_size=30), st.text("abAB.", min_size=1, max_size=4), st.integers(-3, 33))
def test_the_nearest_place_is_the_one_that_a_search_of_all_gives(context: str, text: str, start: int) -> None:
    places = [at for at in range(len(context)) if context.startswith(text, at)]
    other = [at for at in range(len(context)) if context[at : at + len(text)].lower() == text.lower()]
    assume(start not in other)
    nearest = min(places or other, key=lambda at: (abs(at - start), at), default=None)
    assert place_of(Answer(text, start), context) == nearest
