"""What the golden files hold, counted by hand."""

from __future__ import annotations

from anagnosis.datasets.bioasq.statistics import statistics
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
    found = statistics(given)
    assert (found.questions, found.yes) == (4, 1)
    assert found.types == {("a", "yesno"): 2, ("b", "yesno"): 1, ("", "factoid"): 1}
    assert (found.of_type("yesno"), found.of_type("list")) == (3, 0)
    assert found.answered == {"yesno": 2, "factoid": 1}
    assert (found.documents, found.distinct) == (4, {"d1", "d2", "d3"})
    assert found.snippets == {0: 1, 1: 1, 2: 2}
    assert (found.all_snippets, len(found.unlike)) == (5, 3)
    assert found.sections == {"abstract": 3, "sections": 2}


def test_the_median_of_an_even_number_is_the_lower_one() -> None:
    numbers = (0, 1, 3, 7)
    given = [QuestionInstance(str(n), "list", "?", (), (snippet("d", "x"),) * n) for n in numbers]
    assert statistics(given).median_snippets == 1
    assert statistics(given[1:]).median_snippets == 3
    assert statistics([]).median_snippets == 0
