"""Files in SQuAD's form: their paragraphs, and where a paragraph holds an answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.datasets.export.authors_files import AuthorsFiles
from anagnosis.datasets.export.layouts import LayoutFaults
from anagnosis.datasets.squad.articles import (
    NO_PLACE,
    OTHER_CASE,
    WRONG_OFFSET,
    Answer,
    Paragraph,
    place_of,
    read_paragraphs,
)

CONTEXT = "Blue fish, blue mice. Fish are old."


@each_row(
    ("text", "start", "place", "fault"),
    [
        ("fish", 5, 5, ""),
        ("Fish", 5, 5, OTHER_CASE),
        ("blue", 0, 0, OTHER_CASE),
        ("fish", 7, 5, WRONG_OFFSET),
        ("Fish", 9, 22, WRONG_OFFSET),  # its spelling stands farther away than "fish"
        ("FISH", 21, 22, WRONG_OFFSET),
        ("FISH", 12, 5, WRONG_OFFSET),
        ("blue", None, 11, WRONG_OFFSET),
        ("old.", 10**30, 31, WRONG_OFFSET),
        ("Blue", -(10**30), 0, WRONG_OFFSET),
        ("old.x", 31, None, NO_PLACE),
        ("mouse", 16, None, NO_PLACE),
    ],
)
def test_an_answer_is_found_at_its_offset_or_next_to_it(
    text: str, start: int | None, place: int | None, fault: str
) -> None:
    assert place_of(Answer(text, start), CONTEXT) == (place, fault)


def test_lower_case_of_another_length_moves_no_place() -> None:
    assert place_of(Answer("FISH", 1), "İİ fish") == (3, WRONG_OFFSET)
    assert place_of(Answer("İ FISH", 1), "İİ fish") == (1, OTHER_CASE)


@given(st.text("abAB.", max_size=30), st.text("abAB.", min_size=1, max_size=4), st.integers(-3, 33))
def test_the_nearest_place_is_the_one_that_a_search_of_all_gives(context: str, text: str, start: int) -> None:
    places = [at for at in range(len(context)) if context.startswith(text, at)]
    other = [at for at in range(len(context)) if context[at : at + len(text)].lower() == text.lower()]
    assume(start not in other)
    found, fault = place_of(Answer(text, start), context)
    nearest = min(places or other, key=lambda at: (abs(at - start), at), default=None)
    assert (found, fault) == (nearest, NO_PLACE if nearest is None else WRONG_OFFSET)


def read(path: Path, value: Any) -> tuple[list[Paragraph], LayoutFaults]:
    path.write_text(json.dumps(value), "utf-8")
    findings = LayoutFaults()
    return list(read_paragraphs(AuthorsFiles([(path.name, path)], (".json",)), findings)), findings


def test_paragraphs_come_with_their_article(tmp_path: Path) -> None:
    asked = {"id": 7, "question": "Why?", "answers": [{"text": "Old", "answer_start": 3, "other": 1}]}
    one = {"context": "Old fish", "qas": [asked], "document_id": 630}
    two = {"context": "New fish", "qas": [{"id": "x", "question": "Who?", "is_impossible": True}]}
    data = [{"paragraphs": [one]}, {"paragraphs": [two, one], "title": "Fish"}]
    found, findings = read(tmp_path / "a.json", {"version": "1", "data": data})
    assert [(each.article, each.number, each.title, each.document_id) for each in found] == [
        (0, 0, "", "630"),
        (1, 0, "Fish", None),
        (1, 1, "Fish", "630"),
    ]
    assert found[0].questions[0].answers == [Answer("Old", 3)]
    assert found[1].questions[0].is_impossible
    assert found[2].where == "a.json, article 1"
    assert not findings.refused


@each_row(
    ("article", "fault"),
    [
        (5, "not_an_article"),
        ({"title": "no paragraphs"}, "not_an_article"),
        ({"paragraphs": [[]]}, "not_a_paragraph"),
        ({"paragraphs": [{"context": 1, "qas": []}]}, "not_a_paragraph"),
        ({"paragraphs": [{"context": "Old", "qas": [3]}]}, "not_a_question"),
        ({"paragraphs": [{"context": "Old", "qas": [{"id": "1"}]}]}, "not_a_question"),
        ({"paragraphs": [{"context": "\ud800", "qas": []}]}, "half_a_character"),
        (
            {"paragraphs": [{"context": "Old", "qas": [{"id": "1", "question": "\udfff"}]}]},
            "half_a_character",
        ),
    ],
)
def test_what_has_another_shape_is_left_out_alone(tmp_path: Path, article: Any, fault: str) -> None:
    sound = {"paragraphs": [{"context": "Old", "qas": [{"id": "2", "question": "What?"}]}]}
    found, findings = read(tmp_path / "a.json", {"data": [article, sound]})
    assert [one.id for each in found for one in each.questions] == ["2"]
    assert findings.refused == {fault: 1}
    assert findings.places[0][0].startswith("a.json, article 0")
