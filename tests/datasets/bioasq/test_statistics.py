"""What the golden files hold, counted by hand."""

from __future__ import annotations

from anagnosis.datasets.bioasq.statistics import counted
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet


def snippet(document: str, text: str, section: str = "abstract") -> Snippet:
    return Snippet(document, section, 0, section, len(text), text)


def test_questions_documents_snippets_and_answers_are_counted() -> None:
    twice = snippet("d1", "Tea helps.")
    given = [
        QuestionInstance("1", "yesno", "?", ("d1", "d2"), (twice,), (("yes",),), file="a"),
        QuestionInstance("2", "yesno", "?", ("d1",), (twice, snippet("d2", "Tea.")), (("no",),), file="a"),
        QuestionInstance("3", "yesno", "?", file="b"),
        QuestionInstance("4", "factoid", "?", ("d3",), (snippet("d3", "Salt."),) * 2, (("x",),)),
    ]
    counts, files = counted(given)
    assert files == {"a": 2, "b": 1, "": 1}
    assert counts == {
        "questions": 4,
        "yesno": 3,
        "yesno with an exact answer": 2,
        "yesno answered yes": 1,
        "factoid": 1,
        "factoid with an exact answer": 1,
        "snippets": 5,
        "documents that differ": 3,
    }
    assert counted([]) == ({}, {})
