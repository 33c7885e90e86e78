"""BioASQ's questions in Parquet: what is written comes back, and documents are known by the end of their address."""

from __future__ import annotations

import pytest

from anagnosis.datasets.kinds import question
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet, distinct, document_id


@pytest.mark.parametrize(
    "address",
    ["http://www.ncbi.nlm.nih.gov/pubmed/18094723", "https://pubmed.ncbi.nlm.nih.gov/18094723/", "18094723"],
)
def test_a_document_is_known_by_the_end_of_its_address(address: str) -> None:
    assert document_id(address) == "18094723"
    assert Snippet(address, "abstract", 0, "abstract", 1, "a").pmid == "18094723"


SNIPPETS = (
    Snippet("http://x/1", "abstract", 0, "abstract", 4, "BRCA1 and p53"),
    Snippet("", "", None, "", None, " "),
)


@pytest.mark.parametrize(
    ("instance", "trains"),
    [
        (QuestionInstance("1", "factoid", "Which?", snippets=SNIPPETS, exact=(("a",),)), True),
        (QuestionInstance("1", "list", "Which?", snippets=SNIPPETS, exact=(("a",), ("b", "c"))), True),
        (QuestionInstance("1", "yesno", "Is it?", snippets=SNIPPETS, exact=(("yes",),)), False),
        (QuestionInstance("1", "", "Which?", snippets=SNIPPETS, exact=(("a",),)), False),
        (QuestionInstance("1", "factoid", "Which?", snippets=SNIPPETS), False),
        (QuestionInstance("1", "list", "Which?", snippets=SNIPPETS, exact=()), False),
        (QuestionInstance("1", "list", "Which?", exact=(("a",),)), False),
        (
            QuestionInstance("1", "list", "Which?", snippets=SNIPPETS[1:], exact=(("a",),)),
            False,
        ),
    ],
)
def test_the_view_of_snippets_says_whether_a_question_trains_a_reader(
    instance: QuestionInstance, trains: bool
) -> None:
    seen = question.KIND.views[question.SNIPPETS](instance, "", "")
    assert seen.snippets == tuple(each.text for each in instance.snippets), "an index names a snippet"
    assert (seen.id, seen.type, seen.question, seen.exact) == (
        "1",
        instance.type,
        instance.question,
        instance.exact,
    )
    assert (seen.trains(), seen.target) == (trains, 0 if trains else -1)


def test_of_snippets_with_the_same_words_the_first_is_read_and_empty_ones_never() -> None:
    assert distinct(["", "in tea", " \n", "In tea", "in  tea\n", "salt", "in tea"]) == [
        (1, "in tea"),
        (3, "In tea"),
        (5, "salt"),
    ]
    assert distinct([]) == []
