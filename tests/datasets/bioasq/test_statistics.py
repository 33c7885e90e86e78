"""What the golden files hold, counted by hand."""

from __future__ import annotations

from anagnosis.datasets.bioasq.statistics import TypeCount, split_statistics
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet


def snippet(document: str, text: str, section: str = "abstract") -> Snippet:
    return Snippet(document, section, 0, section, len(text), text)


def test_questions_documents_snippets_and_answers_are_counted() -> None:
    twice = snippet("d1", "Tea helps.")
    given = [
        QuestionInstance("1", "yesno", "?", ("d1", "d2"), (twice,), (("yes",),), file="a"),
        QuestionInstance(
            "2", "yesno", "?", ("d1",), (twice, snippet("d2", "Tea helps.")), (("no",),), file="a"
        ),
        QuestionInstance("3", "yesno", "?", file="b"),
        QuestionInstance(
            "4", "factoid", "?", ("d3",), (snippet("d3", "Salt.", "sections.1"),) * 2, (("x",),)
        ),
    ]
    found = split_statistics(given)
    assert (found.questions, found.answered_yes) == (4, 1)
    assert found.types == {
        "yesno": TypeCount(3, 2),
        "factoid": TypeCount(1, 1),
        "list": TypeCount(0, 0),
        "summary": TypeCount(0, 0),
    }
    assert [(each.file, each.types) for each in found.files] == [
        ("a", {"yesno": 2, "factoid": 0}),
        ("b", {"yesno": 1, "factoid": 0}),
        ("", {"yesno": 0, "factoid": 1}),
    ]
    assert (found.documents, found.different_documents) == (4, 3)
    assert (found.snippets, found.different_snippets, found.snippets_mean) == (5, 3, 1.25)
    assert found.sections == {"abstract": 3, "sections": 2}


def test_the_median_of_an_even_number_is_the_lower_one() -> None:
    numbers = (0, 1, 3, 7)
    given = [QuestionInstance(str(n), "list", "?", (), (snippet("d", "x"),) * n) for n in numbers]
    assert split_statistics(given).snippets_median == 1
    assert split_statistics(given[1:]).snippets_median == 3
    assert split_statistics([]).snippets_median == 0
