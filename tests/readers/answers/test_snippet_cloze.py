"""Zero-shot cloze: from questions with snippets to ranked answers, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.datasets.kinds.table import QUESTION
from anagnosis.errors import InputError
from anagnosis.predictions import Answer
from anagnosis.readers.answers import snippet_cloze
from anagnosis.readers.answers.snippet_cloze import fit
from anagnosis.readers.predict import make_reader, predict

# Scores of candidates by what they are called; all others have 0.
SCORES = {
    "gefitinib": 6.0,
    "erlotinib": 8.0,
    "inhibits": 2.0,
    "egfr": 4.0,
    "mutant": 5.0,
    "of": 99.0,
}


class Scores:
    """Scores candidates by their names, and keeps what it reads."""

    def __init__(self) -> None:
        self.read: list[Viewed] = []

    def answers(self, questions: Sequence[Viewed], title: str) -> list[list[float]]:
        self.read += questions
        padding = [-9.0]
        return [[SCORES.get(name.lower(), 0.0) for name in each.candidates] + padding for each in questions]


@pytest.fixture
def scores(monkeypatch: pytest.MonkeyPatch) -> Scores:
    made = Scores()
    monkeypatch.setattr(snippet_cloze, "referenced", lambda path: lambda cloze: made)
    return made


def asked(*snippets: str, type: str = "factoid") -> QuestionInstance:
    made = tuple(Snippet("pubmed/1", "abstract", None, "abstract", None, text) for text in snippets)
    return QuestionInstance("q", type, "What inhibits EGFR?", snippets=made)


def answers(instance: QuestionInstance, **options: Any) -> list[tuple[str, float | None]]:
    (given,) = fit([instance], cloze="runs/max", **options).answers([instance])
    return [(answer.text, answer.score and round(answer.score, 6)) for answer in given]


def test_the_best_ngram_of_each_snippet_is_an_answer(scores: Scores) -> None:
    # The words' scores are 6, 2, -, 5, 4, - and 8: second pass 2/3, 0, -, 1/2, 1/3, - and 1.
    text = "Gefitinib inhibits the mutant EGFR of erlotinib."
    assert answers(asked(text)) == [("erlotinib", 1.0)]
    # Of 6, 2 and 4: 1, 0 and 1/2; the trigram has 3/2.
    assert answers(asked("Gefitinib inhibits EGFR.")) == [("Gefitinib inhibits EGFR", 1.5)]
    assert answers(asked("Gefitinib inhibits EGFR."), score="mean") == [("Gefitinib", 1.0)]


def test_an_answer_has_its_place(scores: Scores) -> None:
    instance = asked("", "In vitro, gefitinib inhibits EGFR.", type="list")
    (given,) = fit([], cloze="runs/max", score="mean").answers([instance])
    assert given == [Answer("gefitinib", 1.0, 1, 10, 19)]


def test_a_list_has_shorter_ngrams(scores: Scores) -> None:
    assert answers(asked("Gefitinib inhibits EGFR.", type="list")) == [("Gefitinib", 1.0)]
    ngram = "gefitinib erlotinib"
    assert answers(asked("Mutant gefitinib erlotinib.", type="list")) == [(ngram, round(4 / 3, 6))]


def test_similar_answers_are_grouped_unless_grouping_is_off(scores: Scores) -> None:
    instance = asked("Gefitinib inhibits cells.", "Gefitinib inhibits many cells.", "Erlotinib inhibits.")
    grouped = answers(instance, score="mean")
    assert grouped == [("Gefitinib", 1.0), ("Erlotinib", 1.0)]
    assert answers(instance, score="mean", group=False) == [("Gefitinib", 1.0), *grouped]


def test_copies_of_a_snippet_take_no_place_of_another_answer(scores: Scores) -> None:
    copies = ["Gefitinib inhibits cells.", "Gefitinib  inhibits cells.\n"] * 3
    given = answers(asked(*copies, "Erlotinib inhibits."), score="mean", group=False)
    assert given == [("Gefitinib", 1.0), ("Erlotinib", 1.0)]
    assert [each.id for each in scores.read] == ["q:0", "q:6"]


@pytest.mark.parametrize("type", ["yesno", "summary", ""])
def test_questions_of_other_types_have_no_answers_and_are_not_read(scores: Scores, type: str) -> None:
    assert answers(asked("Gefitinib inhibits EGFR.", type=type)) == []
    assert scores.read == []


def test_each_snippet_is_read_by_itself_with_the_question(scores: Scores) -> None:
    answers(asked("Gefitinib.", "Erlotinib."), gap="start")
    assert [each.passage for each in scores.read] == ["Gefitinib.", "Erlotinib."]
    assert {each.question for each in scores.read} == {"XXXX What inhibits EGFR?"}
    answers(asked("Gefitinib."))
    assert scores.read[-1].question == "What inhibits EGFR? XXXX"


def test_predictions_are_a_line_a_question_in_order(scores: Scores, tmp_path: Path) -> None:
    questions = [
        replace(asked("Gefitinib inhibits EGFR." if number % 3 else "", type=type), id=f"{number:024x}")
        for number, type in enumerate(["factoid", "list", "yesno"] * 50)
    ]
    dataset = writing.write(tmp_path / "built", {"test": questions}, {"dataset": "q", "kind": QUESTION})
    lines = list(
        predict(dataset, "snippet-cloze", split="test", seed=0, options={"cloze": "r", "score": "mean"})
    )
    assert [line.id for line in lines] == [question.id for question in questions]
    given = [Answer("Gefitinib", 1.0, 0, 0, 9)]
    for line, question in zip(lines, questions, strict=True):
        expected = given if question.type != "yesno" and question.snippets[0].text else None
        assert (line.answer, line.answers, line.dataset) == (
            None,
            expected,
            store.fingerprint(dataset, "test"),
        )
    some = list(predict(dataset, "snippet-cloze", split="test", seed=0, limit=70, options={"cloze": "r"}))
    assert [line.id for line in some] == [question.id for question in questions[:70]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "cloze"),
        ({"cloze": "r", "gap": "middle"}, "gap: 'middle' does not fit"),
        ({"cloze": "r", "gap": 3}, "gap: 3 does not fit"),
        ({"cloze": "r", "stop_words": "spacy"}, "unknown list of stop words 'spacy'"),
    ],
)
def test_a_wrong_option_is_refused(scores: Scores, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_reader("snippet-cloze", options, training=list)
