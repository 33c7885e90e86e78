"""Three states: more of the question found means more of an answer, never less."""

from __future__ import annotations

import math

import pytest

from anagnosis.searching.answers import states
from anagnosis.searching.answers.asking import ask
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import ANSWERED, CLOSEST, NOTHING, Hit, Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.evidence_order import read_sentences
from anagnosis.searching.sentences.overlap import AskedWords
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of

PASSAGES = 100_000
WORDS = ("ginger", "nausea", "pregnancy", "lupus")


def row(*texts: str, cosines: tuple[float, ...] = ()) -> list[float]:
    asked = AskedWords({words_of(word)[0]: 6.0 for word in WORDS})
    hits = list[Hit]()
    for number, text in enumerate(texts):
        passage = Passage(str(number), 0, "abstract", "", "", text)
        hits.append(Hit(passage, 1.0, number + 1, [Sentence(*place, 0.0) for place in cut(passage)]))
    sentences = read_sentences(asked, hits)
    found = states.features(asked, hits, sentences, PASSAGES, cosines)
    assert found[2] == max((one.value for one in sentences), default=0)
    return found


def test_the_features_of_a_hand_count() -> None:
    texts = "Ginger helps. Ginger for nausea.", "Lupus."
    paper, passage, _, first_passage, nearest, lead = row(*texts, cosines=(0.5, 0.2))
    # ginger stands in two sentences, 2/3; nausea in one, 1/2; each word weighs a quarter.
    assert paper == first_passage == pytest.approx((2 / 3 + 1 / 2) / 4)
    assert passage == pytest.approx(72 / 144**0.5 / math.log(PASSAGES + 1))
    assert (nearest, lead) == (0.5, pytest.approx(0.3))
    assert row() == row("Coffee.") == [0.0] * len(states.FEATURES)


@pytest.mark.parametrize("fitted", [states.BY_WORDS, states.WITH_VECTORS])
def test_more_words_never_lower_the_state(fitted: states.Logit) -> None:
    texts = [
        "Ginger.",
        "Ginger for nausea.",
        "Ginger for nausea. Nausea in pregnancy.",
        "Ginger, nausea, pregnancy and lupus.",
    ]
    given = [states.state(row(text, cosines=(0.5,)), fitted) for text in texts]
    assert given == sorted(given, key=[NOTHING, CLOSEST, ANSWERED].index)
    assert (given[0], given[-1]) == (NOTHING, ANSWERED)
    assert all(weight >= 0 for weight in fitted.weights)
    assert states.state(row(), fitted) == NOTHING


@pytest.mark.parametrize(
    ("first", "state"),
    [
        # 2.41 / 2 + 2.43 - 5.03 + 0.23 · first = 0.23 · first - 1.395
        (1.395 / 0.23 + 1e-6, ANSWERED),
        (1.395 / 0.23 - 1e-6, CLOSEST),
        (-0.435 / 0.23 + 1e-6, CLOSEST),
        (-0.435 / 0.23 - 1e-6, NOTHING),
    ],
)
def test_the_thresholds_part_the_logit(first: float, state: str) -> None:
    assert states.state([0.5, 1.0, first, 0.0, 0.0, 0.0], states.BY_WORDS) == state


def test_with_vectors_cosines_say_what_is_nothing() -> None:
    # 1.513 / 2 + 2.049 + 3.911 / 2 + 3.431 / 2 + 6.161 · lead - 8.059 = -1.556 where the lead is .0044.
    for lead, state in ((0.0, NOTHING), (0.05, CLOSEST)):
        assert states.state([0.5, 1.0, 0.0, 0.5, 0.5, lead], states.WITH_VECTORS) == state
    assert states.state([0.5, 1.0, 9.0, 0.5, 0.5, 0.5], states.WITH_VECTORS) == ANSWERED


def test_topic_words_ask_nothing_that_is_answered(index: Index) -> None:
    topic = ask(index, "cold tea and sleep")
    assert (topic.state, topic.evidence[0].text) == (CLOSEST, "Cold tea does not change sleep.")
