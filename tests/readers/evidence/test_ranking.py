"""Ten documents by their score and ten snippets by both scores; the overlap of words by their weight, by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers.viewed import retrieved

from anagnosis.cli import run
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.kinds.question import RelevantItems, Snippet
from anagnosis.readers.evidence.overlap import fit
from anagnosis.readers.evidence.ranking import RankedSentence, ranking, search_order

SENTENCES = [
    RankedSentence(0, 0.5),
    RankedSentence(0, 0.6),
    RankedSentence(1, 0.7),
    RankedSentence(2, 0.9),
    RankedSentence(2, 0.9),
]
SCORES = [2.0, 1.0, 0.0]


def test_sentences_are_weighed_by_the_softmax_of_documents() -> None:
    # The shares of e², e and 1 weigh 0.5, 0.6, 0.7, 0.9, 0.9.
    assert ranking(SCORES, SENTENCES) == ([0, 1, 2], [1, 0, 2, 3, 4])
    """Just above and below where the second document's sentence overtakes the first's."""
    for slack, first in ((1e-6, 1), (-1e-6, 0)):
        two = [RankedSentence(0, 0.3), RankedSentence(1, 0.3 * math.e + slack)]
        assert ranking([1.0, 0.0], two)[1][0] == first


def test_snippets_are_of_the_ten_best_documents_and_ten_of_them() -> None:
    scores = [-n / 1000 for n in range(12)]
    sentences = [RankedSentence(n, n / 100) for n in range(12) for _ in range(2)]
    best, chosen = ranking(scores, sentences)
    assert best == [*range(10)]
    assert [sentences[place].document for place in chosen] == [9, 9, 8, 8, 7, 7, 6, 6, 5, 5]


def test_the_first_of_equals_stands_first() -> None:
    equal = [RankedSentence(n, 0.5) for n in range(3)]
    assert ranking([1.0, 1.0, 1.0], equal) == ([0, 1, 2], [0, 1, 2])


GOLD = (Snippet("d1", "abstract", 0, "abstract", 15, "Salt stops fish."),)


def asked(*documents: tuple[str, ...]) -> EvidenceInstance:
    return retrieved(*documents, question="Does salt stop fish?", relevant=("d1",), gold=GOLD)


TWO = asked(("Tea is old.", "Fish swim."), ("Salt stops fish.", "Cold tea."))


def texts(found: RelevantItems) -> list[str]:
    return [one.text for one in found.snippets]


def test_snippets_stand_by_place_or_by_words_of_the_question() -> None:
    by_place, by_words = (search_order([TWO], snippets=snippets)(TWO) for snippets in ("order", "overlap"))
    assert by_place.documents == by_words.documents == ("d0", "d1")
    assert texts(by_place) == ["Tea is old.", "Fish swim.", "Salt stops fish.", "Cold tea."]
    assert texts(by_words) == ["Salt stops fish.", "Fish swim.", "Tea is old.", "Cold tea."]
    assert by_words.snippets[1] == Snippet("d0", "abstract", 100, "abstract", 110, "Fish swim.")
    assert search_order([TWO])(TWO) == by_words


def test_ten_documents_and_ten_of_their_sentences_remain() -> None:
    many = asked(*((f"Tea {n}.", "Fish.") for n in range(11)), ("Salt stops fish.",))
    by_words = search_order([many])(many)
    assert by_words.documents == tuple(f"d{n}" for n in range(10))
    assert texts(by_words) == ["Fish."] * 10
    assert texts(search_order([many], snippets="order")(many))[-2:] == ["Tea 4.", "Fish."]


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ([], "nothing was retrieved for 1; build `bioasq-retrieval`"),
        (["--set", "snippets=v3"], "snippets: 'v3' does not fit; write order or overlap"),
    ],
)
def test_a_wrong_request_is_one_line(
    more: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = EvidenceInstance("1", "Salt?", TWO.sentences)
    built = writing.write(tmp_path / "built", {"test": [bare]}, {"dataset": "made", "kind": "evidence"})
    out = tmp_path / "order.jsonl"
    assert run(["predict", "search-order", str(built.folder), "--out", str(out), *more]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert line in said
    assert not out.exists()


# --- the overlap of words -------------------------------------------------------------------------


def posed(question: str, *texts: str, title: str = "") -> EvidenceInstance:
    return EvidenceInstance("1", question, tuple(SourceSentence(text, title, text) for text in texts))


def test_the_overlap_is_the_weight_of_the_shared_words() -> None:
    one = posed("Salted fish?", "Salt on tea.", "A fish.", "Fish fish salt")
    # N = 3 documents; salt is in 2 of them, fish in 2
    assert fit([one])(one) == [pytest.approx(0.5), pytest.approx(0.5), pytest.approx(1.0)]
    rare = fit([one])(posed("Tea and fish?", "tea", "fish"))
    tea, fish, unseen = math.log(4 / 1.5), math.log(4 / 2.5), math.log(4 / 0.5)
    assert rare == [pytest.approx(tea / (tea + fish + unseen)), pytest.approx(fish / (tea + fish + unseen))]


def test_titles_count_as_text_of_their_document_and_a_document_once() -> None:
    with_title = posed("salt", "fish", "tea", title="Salt")
    assert fit([with_title, with_title])(posed("salt fish", "fish"))[0] == pytest.approx(
        math.log(3 / 1.5) / (math.log(3 / 1.5) + math.log(3 / 2.5))
    )


@given(st.lists(st.text(max_size=15), max_size=4), st.text(max_size=15))
def test_overlaps_are_between_0_and_1(texts: list[str], question: str) -> None:
    one = posed(question, *texts)
    assert all(0 <= score <= 1 + 1e-12 for score in fit([one])(one))
    assert fit([])(one) == fit([])(one)
