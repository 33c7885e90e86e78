"""The page of questions: what it holds, that nothing of a text is obeyed, that it needs nothing but itself."""

from __future__ import annotations

import base64
import hashlib
import re

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.labelling.people import Person
from anagnosis.labelling.question_page import render
from anagnosis.labelling.saved_lines import questions_of
from anagnosis.labelling.study import Choice, Entity, Field, Piece, Question, Study
from anagnosis.showing import masked
from tests.labelling.studies import ANN, ASKED, FIELDS, TEXT, Read, study
from tests.rows import each_row


def page(made: Study, person: Person = ANN, seed: int = 0) -> Read:
    return Read(render(made, person, seed))


def inputs(read: Read, kind: str) -> list[dict[str, str | None]]:
    return [attributes for tag, attributes in read.tags if tag == "input" and attributes["type"] == kind]


def test_the_page_shows_the_question_and_keeps_what_is_saved() -> None:
    read = page(study(ASKED))
    text = read.words()
    assert "He had fever." in text
    assert "Give ____ for Fever" in text
    assert "@entity0 :: [fever | Fever]" in text
    assert "Answer: aspirin" in text
    assert "ann" in text
    assert "experts" not in text  # who knows which group it is may answer otherwise
    form = read.form()
    assert {name: form[name] for name in ("file", "idle", "constants", "ids", "answers", "order")} == {
        "file": "answers-ann.jsonl",
        "idle": 60,
        "constants": {"dataset": "3f0c", "annotator": "ann", "group": "experts"},
        "ids": ["r.1"],
        "answers": [["fever", "MESH:D1"]],
        "order": ["id", "answer", "dataset", "annotator", "group", "knowledge", "seconds", "place"],
    }
    links = [attributes["href"] for tag, attributes in read.tags if tag == "a" and "data-e" in attributes]
    assert links == ["#q0e0", "#q0e0", "#q0e1"]  # the question, and then the passage
    assert {each["id"] for tag, each in read.tags if tag == "label" and "id" in each} == {"q0e0", "q0e1"}


def test_a_person_marks_one_of_four_or_only_that_there_is_no_answer() -> None:
    asked = page(study(ASKED))
    assert [each.get("value") for each in inputs(asked, "radio")][2:] == ["none", "prior", "both", "context"]
    assert asked.form()["fields"][1]["empties"] == {"none": "answer"}
    clueless = page(study(ASKED, fields=(TEXT,)))
    assert [("data-none" in each, "data-e" in each) for each in inputs(clueless, "radio")] == [
        (False, True),
        (False, True),
        (True, False),
    ]
    assert [each["maxlength"] for each in inputs(clueless, "text")] == ["500"]
    assert clueless.form()["order"] == ["id", "answer", "dataset", "annotator", "group", "seconds", "place"]


def test_the_page_needs_nothing_but_itself() -> None:
    made = render(study(ASKED), ANN, 0)
    read = Read(made)
    assert not re.search(rb"https?:|url\(|@import|XMLHttpRequest|fetch\(|innerHTML|eval\(", made)
    assert not [tag for tag, _ in read.tags if tag in ("img", "link", "iframe", "object", "base")]
    assert not [
        name for _, attributes in read.tags for name in attributes if name in ("src", "style", "action")
    ]
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]


def test_its_policy_names_its_own_script_and_style_alone() -> None:
    read = page(study(ASKED))
    policy = next(str(each["content"]) for tag, each in read.tags if tag == "meta" and "http-equiv" in each)
    hashes = {
        part: base64.b64encode(hashlib.sha256(read.text(part).encode()).digest()).decode()
        for part in ("script", "style")
    }
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{hashes['style']}'",
        f"script-src 'sha256-{hashes['script']}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert [tag for tag, _ in read.tags].count("script") == 1


def test_the_questions_stand_in_the_order_in_which_saved_lines_are_checked() -> None:
    made = study(*(Question(f"r.{n}", (), ()) for n in range(30)))
    orders = {
        (person, seed): page(made, Person(person), seed).form()["ids"]
        for person in ("ann", "bea")
        for seed in (0, 1)
    }
    assert len({tuple(ids) for ids in orders.values()}) == 4
    for (person, seed), ids in orders.items():
        assert ids == [*questions_of(made, Person(person), seed).places]


HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '" onfocus=alert(1) autofocus x="',
    "</p></section><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }} {% raw %} ${7 * 7}",
    "\u202eReversed\u202c \u05e9\u05dc\u05d5\u05dd",
    "&lt;b&gt; &amp; ]]> -->",
    "\x00\x1b[31m\u2028",
    "javascript:alert(1)",
]


@each_row("text", HOSTILE)
def test_hostile_text_is_shown_and_not_obeyed(text: str) -> None:
    _is_shown_as_it_is(text)


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("<>\"'&{}%`$\\/="), min_size=1, max_size=30))
def test_any_text_is_shown_as_it_is(text: str) -> None:
    _is_shown_as_it_is(text)


def _is_shown_as_it_is(text: str) -> None:
    """The tags are those of a harmless text, every text is read back, and what is saved is the same to the letter."""

    def made(text: str) -> Read:
        entity = Entity("@entity0", (text,), text)
        pieces = (Piece(text), Piece(text, 0))
        asked = Question(text, (pieces,), (*pieces, Piece("X", gap=True)), (entity,), ((text, text),))
        fields = (*FIELDS, Field("skills", text, (Choice("x", text, text),), several=True))
        return page(study(asked, fields=fields, title=text, instructions=(text,), guide=((text, text),)))

    read, harmless = made(text), made("harmless")
    assert [(tag, [*each]) for tag, each in read.tags] == [(tag, [*each]) for tag, each in harmless.tags]
    assert [read.text(part) for part in ("script", "style")] == [
        harmless.text(part) for part in ("script", "style")
    ]
    # Newlines of the masked text as HTML reads them.
    shown = masked(text).replace("\r\n", "\n").replace("\r", "\n")
    assert read.text() == harmless.text().replace("harmless", shown)
    assert (read.form()["ids"], read.form()["answers"]) == ([text], [[text]])
