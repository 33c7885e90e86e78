from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.datasets.kinds.samples import sample

from anagnosis.datasets.kinds.cloze import KIND, as_snippet_question
from anagnosis.datasets.kinds.cloze_instance import Candidate
from anagnosis.datasets.kinds.question import SNIPPETS, SnippetQuestion
from anagnosis.datasets.kinds.table import CLOZE, demand_view, view_of
from anagnosis.errors import InputError

INSTANCE = replace(
    sample(CLOZE).instance,
    passage="IL-2 (interleukin-2) stops colitis. Il-2 is cheap.",
    candidates=(
        Candidate("g", "Gene", 7, ("interleukin 2", "IL-2")),
        Candidate("d", "Disease", 8, ("colitis",)),
    ),
)


def test_a_cloze_question_is_a_factoid_question_whose_synonyms_are_the_names_of_its_answer() -> None:
    assert as_snippet_question(INSTANCE, "original", "global") == SnippetQuestion(
        INSTANCE.id,
        "factoid",
        INSTANCE.question,
        (INSTANCE.passage,),
        (("IL-2", "interleukin-2", "Il-2", "interleukin 2"),),
    )


def test_a_withheld_answer_stays_withheld() -> None:
    shown = as_snippet_question(replace(INSTANCE, answer=None), "original", "global")
    assert (shown.exact, shown.target) == (None, -1)
    assert replace(as_snippet_question(INSTANCE, "original", "global"), exact=None) == shown


def test_texts_that_hold_pseudo_identifiers_are_refused() -> None:
    with pytest.raises(InputError, match="the snippets view needs the original text"):
        as_snippet_question(INSTANCE, "replaced", "global")


def test_the_kind_shows_itself_so_to_readers_of_exact_answers_and_lists_no_such_view() -> None:
    assert view_of(KIND, SNIPPETS) is as_snippet_question
    assert SNIPPETS not in KIND.views
    demand_view(KIND, SNIPPETS, "here")
    assert view_of(KIND, SNIPPETS)(sample(CLOZE).instance, "original", "global").target == 0
    with pytest.raises(InputError, match="holds cloze questions"):
        demand_view(KIND, "sentences", "here")
