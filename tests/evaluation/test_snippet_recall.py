"""Gold snippets are found by document and overlap, or by text where nobody knows the offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden_files import question, snippet
from tests.rows import each_row

from anagnosis.datasets.bioasq.rows import instance_of
from anagnosis.evaluation.snippet_recall import Span, gold_spans, snippet_ranks, snippet_recall

GOLD = Span("http://www.ncbi.nlm.nih.gov/pubmed/7", "Salt water stops it.", "abstract", 10, 30)


@each_row(
    ("passage", "found"),
    [
        (Span("7", section="abstract", begin=0, end=11), True),
        (Span("7", section="abstract", begin=0, end=10), False),
        (Span("7", section="abstract", begin=29, end=90), True),
        (Span("7", section="abstract", begin=30, end=90), False),
        (Span("8", section="abstract", begin=0, end=90), False),
        (Span("https://pubmed.ncbi.nlm.nih.gov/7/", section="abstract", begin=0, end=90), True),
        (Span("7", "x", section="title", begin=0, end=90), False),
        (Span("7", "We say: salt  WATER\nstops it. More."), True),
        (Span("7", "stops it"), True),
        (Span("7", "stops them"), False),
        (Span("7", ""), False),
        (Span("8", "Salt water stops it."), False),
    ],
)
def test_a_passage_holds_a_snippet_or_does_not(passage: Span, found: bool) -> None:
    assert snippet_ranks([GOLD], [passage]) == [1 if found else None]


def test_ranks_begin_at_one_and_repeats_count_once() -> None:
    other = Span("9", "Never found.")
    passages = [Span("1", "Salt water"), Span("7", "stops it"), Span("7", "stops it")]
    assert snippet_ranks([GOLD, other, GOLD], passages) == [2, None]
    assert snippet_recall([GOLD, other, GOLD], passages) == 0.5
    assert snippet_recall([GOLD, other], passages, first=1) == 0
    assert snippet_recall([GOLD, other], passages, first=2, capped=True) == 0.5
    assert snippet_recall([], passages) is None


def test_no_more_than_the_passages_are_asked_for_when_capped() -> None:
    gold = [Span("7", text) for text in ("aa", "bb", "cc")]
    passages = [Span("7", "aa"), Span("7", "bb cc")]
    assert snippet_recall(gold, passages, first=1, capped=True) == 1
    assert snippet_recall(gold, passages, first=1) == pytest.approx(1 / 3)
    assert snippet_recall(gold, passages, first=2, capped=True) == 1


def test_whole_snippets_only_are_found_in_a_pool_of_snippets() -> None:
    passages = [Span("7", "stops it"), Span("7", "salt water stops it.")]
    assert snippet_ranks([GOLD], passages, whole=True) == [2]


def test_a_questions_snippets_keep_their_offsets_where_these_fit_the_text() -> None:
    odd = snippet("Blue.", offsetInEndSection=99)
    instance = instance_of(question(snippets=[snippet("Salt."), odd, snippet("Salt.")]), "", 0)
    assert gold_spans(instance) == [
        Span("101", "Salt.", "abstract", 10, 15),
        Span("101", "Blue.", "abstract", None, None),
    ]
    assert all(span.begin is None for span in gold_spans(instance, offsets=False))


PLACES = st.tuples(st.integers(0, 12), st.integers(1, 6)).map(lambda place: (place[0], sum(place)))


@given(st.lists(PLACES, max_size=5), st.lists(PLACES, max_size=6))
def test_spans_overlap_where_they_share_a_character(
    gold: list[tuple[int, int]], passages: list[tuple[int, int]]
) -> None:
    spans = [Span("7", "", "abstract", *place) for place in gold]
    found = snippet_ranks(spans, [Span("7", "", "abstract", *place) for place in passages])
    expected = [
        next((n for n, other in enumerate(passages, 1) if set(range(*place)) & set(range(*other))), None)
        for place in dict.fromkeys(gold)
    ]
    assert found == expected
