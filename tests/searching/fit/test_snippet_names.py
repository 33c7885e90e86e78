"""The names of `ask` in the snippets of questions, as exact answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.measured import NAME_WEIGHTS

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.errors import InputError
from anagnosis.readers import find
from anagnosis.readers.answers.ranking import ask_names
from anagnosis.readers.predict import kind_read
from anagnosis.searching.entities.ranking import store_name_weights
from anagnosis.searching.fit.snippet_names import opened

SNIPPETS = {
    "1": ("Gefitinib inhibits EGFR in lung cancer.", "The inhibitor gefitinib blocks EGFR."),
    "2": ("Scurvy is caused by a lack of vitamin C.",),
}


def asked(body: str, *pmids: str, type: str = "factoid") -> QuestionInstance:
    snippets = tuple(
        Snippet(f"http://x/pubmed/{pmid}", "abstract", None, "abstract", None, text)
        for pmid in pmids
        for text in SNIPPETS[pmid]
    )
    return QuestionInstance("q", type, body, snippets=snippets)


@pytest.fixture
def readers(tmp_path: Path) -> str:
    store_name_weights(tmp_path / "readers/names", NAME_WEIGHTS)
    return str(tmp_path / "readers")


QUESTIONS = [asked("Which drug inhibits EGFR?", "1"), asked("What causes scurvy?", "2")]


def test_the_names_are_those_of_the_questions_own_snippets(readers: str) -> None:
    names = opened(readers, QUESTIONS)
    first, second = (names(question) for question in QUESTIONS)
    assert first[0].text.lower() == "gefitinib"
    assert {answer.text.lower() for answer in second} & {"vitamin c", "lack of vitamin c"}
    assert not {answer.text for answer in first} & {answer.text for answer in second}
    assert [answer.score for answer in first] == sorted(
        (answer.score or 0.0 for answer in first), reverse=True
    )
    assert "EGFR" not in {answer.text for answer in first}  # the question names it


def test_a_paper_of_another_question_gives_no_name(readers: str) -> None:
    names = opened(readers, QUESTIONS)
    (scurvy,) = [answer for answer in names(QUESTIONS[1]) if answer.text.lower() == "vitamin c"]
    assert scurvy.text not in {answer.text for answer in names(asked("What causes scurvy?", "1"))}


@pytest.mark.parametrize("type", ["yesno", "summary", ""])
def test_other_types_and_questions_without_snippets_have_none(readers: str, type: str) -> None:
    names = opened(readers, QUESTIONS)
    assert names(asked("Which drug inhibits EGFR?", "1", type=type)) == []
    assert names(asked("Which drug inhibits EGFR?", type="list")) == []


def test_an_answer_has_its_first_place_as_a_whole_word(readers: str) -> None:
    question = asked("Which drug inhibits EGFR?", "2", "1")
    inside = replace(question.snippets[0], text="AntiGefitinibs exist.")
    question = replace(question, snippets=(inside, *question.snippets))
    (gefitinib,) = [each for each in opened(readers, QUESTIONS)(question) if each.text.lower() == "gefitinib"]
    assert (gefitinib.snippet, gefitinib.begin, gefitinib.end) == (2, 0, 9)


def test_the_folder_of_the_reader_itself_will_do(readers: str) -> None:
    question = QUESTIONS[0]
    assert opened(f"{readers}/names", QUESTIONS)(question) == opened(readers, QUESTIONS)(question)


def test_a_folder_without_the_reader_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"names\.json"):
        opened(str(tmp_path), QUESTIONS)


def test_the_reader_gives_the_best_five_of_some_questions(readers: str) -> None:
    assert find("ask-names") is ask_names
    assert kind_read("ask-names") == "question"
    reader = ask_names(QUESTIONS, readers=readers)
    both = [*reader.predict(QUESTIONS)]
    assert both == [*reader.predict(QUESTIONS[:1]), *reader.predict(QUESTIONS[1:])]
    assert both[0].answers == opened(readers, QUESTIONS)(QUESTIONS[0])[:5]
