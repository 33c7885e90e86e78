"""Queries, boundaries, exact repeats."""

from __future__ import annotations

import pytest
from tests.articles import questions as queries
from tests.datasets.clicr.reports import CASE, CT, FEVER, POINTS, TITLE, case_report, screened

from anagnosis.datasets.clicr import queries as rules
from anagnosis.datasets.clicr.report import Entity, Line
from anagnosis.datasets.kinds.cloze_instance import outside
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs


def test_every_entity_of_the_learning_points_is_hidden_once_and_the_line_is_the_query() -> None:
    found = queries(screened(case_report()))
    assert [(q.id, q.question, q.answers) for q in found] == [
        ("1.1", "Order a XXXX for fever .", ("CT scan",)),
        ("1.2", "Order a CT scan for XXXX .", ("fever",)),
        ("1.3", "XXXX help .", ("Antibiotics",)),
    ]
    assert {q.passage for q in found} == {
        "Fever after surgery\nCase report\nA man had fever .\nA CT scan was normal , and fever ended ."
    }


def test_mentions_and_candidates_are_the_distinct_surfaces_of_the_passage() -> None:
    document = case_report(
        ("title", "", ["[[Fever|problem|C1]] again"]), ("body", "", [f"The {FEVER} and {CT}."]), POINTS
    )
    first = queries(screened(document))[0]
    assert [(c.key, c.type, c.names) for c in first.candidates] == [
        ("fever", "problem", ("Fever", "fever")),
        ("ct scan", "test", ("CT scan",)),
    ]
    spans = [(m.spans[0], m.candidate) for m in first.mentions]
    assert [(first.passage[a:b], c) for (a, b), c in spans] == [("Fever", 0), ("fever", 0), ("CT scan", 1)]


def test_entities_of_a_query_are_candidates_or_numbers_outside_the_passage() -> None:
    point = "[[Sepsis|problem|C9]] needs a [[CT scan|test|C0040405]] or [[rest|treatment|C8]]."
    found = queries(screened(case_report(TITLE, CASE, ("body", "Learning points", [point]))))
    middle = found[1]
    assert middle.question == "Sepsis needs a XXXX or rest ."
    places = [(middle.question[m.spans[0][0] : m.spans[0][1]], m.candidate) for m in middle.question_mentions]
    assert [name for name, _ in places] == ["Sepsis", "rest"]
    assert all(candidate < 0 for _, candidate in places)
    assert {outside(candidate) for _, candidate in places}.isdisjoint(c.number for c in middle.candidates)


@pytest.mark.parametrize(
    ("marked", "kept"),
    [
        ("the left hand", "left hand"),
        ("an", "an"),
        ("the\u00a0rash", "rash"),
        ("chest radiograph ( CXR )", "chest radiograph"),
        ("the ( CT )", "( CT )"),
    ],
)
def test_function_words_and_parentheses_move_out_of_entities(marked: str, kept: str) -> None:
    point = f"So [[{marked}|problem|C1]] it is."
    found = queries(screened(case_report(TITLE, CASE, ("body", "Learning points", [point]))))
    assert [q.answers for q in found] == [(kept,)]
    words = found[0].question.replace("XXXX", kept)
    assert "".join(words.split()) == "".join(point.replace(f"[[{marked}|problem|C1]]", marked).split())


@pytest.mark.parametrize(
    ("point", "is_repeat"),
    [
        ("A man had [[fever|problem|]].", True),  # the left side is longer
        ("[[Fever|problem|]] was normal, and fever ended.", True),  # the right side
        ("A woman had [[fever|problem|]].", False),
        ("a man had [[fever|problem|]].", False),  # case counts
        ("after surgery [[fever|problem|]]", False),  # of the title only
        ("[[Fever|problem|]]", True),  # nothing but the placeholder
    ],
)
def test_a_query_whose_longer_side_stands_in_the_passage_is_an_exact_repeat(
    point: str, is_repeat: bool
) -> None:
    document = case_report(TITLE, CASE, ("body", "Learning points", [point]))
    found = screened(document)
    assert found.instances_dropped == ({"exact_repeat": 1} if is_repeat else {})
    assert len(queries(screened(document, remove_exact_repeats=False))) == 1


def test_of_equally_long_sides_the_left_one_counts() -> None:
    left = case_report(
        TITLE, ("body", "", ["aa bb [[c|problem|]]."]), ("body", "Key points", ["aa bb [[x|problem|]] zz yy"])
    )
    right = case_report(
        TITLE, ("body", "", ["zz yy [[c|problem|]]."]), ("body", "Key points", ["aa bb [[x|problem|]] zz yy"])
    )
    assert screened(left).instances_dropped == {"exact_repeat": 1}
    assert screened(right).instances_dropped == {}


def test_numbers_of_dropped_queries_stay_free() -> None:
    points = ("body", "Learning points", [f"A man had {FEVER}.", f"Treat {FEVER}."])
    assert [q.id for q in queries(screened(case_report(TITLE, CASE, points)))] == ["1.2"]


@pytest.mark.parametrize("word", ["XXXX", "@placeholder", "BEG__", "x__END"])
def test_a_query_with_a_reserved_word_in_it_or_in_its_passage_is_dropped_and_counted(word: str) -> None:
    points = ("body", "Learning points", [f"Treat {FEVER} {word}.", f"Treat {FEVER}."])
    found = screened(case_report(TITLE, CASE, points), tokens="blanks")
    assert found.instances_dropped == {"reserved_word_in_text": 1}
    assert len(queries(found)) == 1
    in_passage = case_report(TITLE, ("body", "", [f"{word} {FEVER}"]), POINTS)
    assert screened(in_passage, tokens="blanks").instances_dropped == {"reserved_word_in_text": 3}


def dropped(*documents: Document, **settings: object) -> dict[str, int]:
    return dict(screened(*documents, **settings).dropped)


def test_reports_that_give_no_query_are_dropped_by_the_first_rule_that_applies() -> None:
    assert dropped(case_report(TITLE, CASE)) == {"no_query_section": 1}
    assert dropped(case_report(TITLE, POINTS)) == {"no_passage": 1}
    assert dropped(case_report(TITLE, CASE, ("body", "Key points", ["Rest."]))) == {
        "no_entity_in_query_section": 1
    }
    repeated = ("body", "Key points", [f"A man had {FEVER}."])
    assert dropped(case_report(TITLE, CASE, repeated)) == {"no_query_left": 1}


def test_a_passage_needs_as_many_distinct_entities_as_the_recipe_says() -> None:
    document = case_report(TITLE, ("body", "", [f"A man had {FEVER}, {FEVER}."]), POINTS)
    assert len(queries(screened(document))) == 3
    assert screened(document, minimum_candidates=2).instances_dropped == {"too_few_candidates": 3}
    bare = case_report(TITLE, ("body", "", ["A man."]), POINTS)
    assert screened(bare).instances_dropped == {"too_few_candidates": 3}
    assert [q.answer for q in queries(screened(bare, minimum_candidates=0))] == [None] * 3


@pytest.mark.parametrize("word", [*sorted(rules.FUNCTION_WORDS), "my", "no", "your", "both"])
def test_fifteen_function_words_move_out_and_no_others(word: str) -> None:
    line = Line(f"{word.upper()} rash", (Entity(0, len(word) + 5, "problem", ""),))
    moving = {"a", "an", "the", "her", "his", "their", "this", "that", "these"}
    moving |= {"those", "its", "our", "any", "every", "some"}
    (entity,) = rules.with_boundaries(line, Repairs()).entities
    assert line.text[entity.start : entity.end] == ("rash" if word in moving else line.text)


@pytest.mark.parametrize(
    ("entity", "before"),
    [
        ("head CT ( HCT )", 2),
        ("zinc ( low dose", 1),
        ("zinc ( low ) cream", 5),
        ("zinc ( low ) ( new )", 7),
        ("zinc ( low ) )", 5),
        ("zinc low )", 3),
        ("( HCT )", 0),
        ("head CT (HCT)", 3),
        ("zinc ) or (", 4),
    ],
)
def test_a_parenthesis_at_the_end_moves_out(entity: str, before: int) -> None:
    assert rules.parenthesis_at_end(entity.split()) == before


@pytest.mark.parametrize(
    ("texts", "index"),
    [
        (["Fever", "pyrexia"], 0),  # the hidden text, in any case, before any name
        (["ague", "Pyrexia", "febris"], 1),
        (["ague", "pyrexia", "febris", "fever"], 0),  # the last name that is a candidate
        (["ague", "febris"], None),
        (["a  Rash"], 2),
    ],
)
def test_the_answer_is_the_hidden_text_or_the_last_name_that_is_a_candidate(
    texts: list[str], index: int | None
) -> None:
    assert rules.right_candidate(texts, {"fever": 0, "pyrexia": 1, "a rash": 2}) == index


def test_a_key_is_lower_case_with_single_blanks() -> None:
    assert rules.entity_key("Acute  Renal\tfailure ") == "acute renal failure"
