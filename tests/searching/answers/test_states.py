"""Three states: more of the question found means more of an answer, never less."""

from __future__ import annotations

import math

import pytest

from anagnosis.language.question_kinds import NAME, YESNO
from anagnosis.searching.answers import states
from anagnosis.searching.answers.asking import ask
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import ANSWERED, CLOSEST, NOTHING, Hit, Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.evidence_order import (
    FEATURES,
    WEIGHTS,
    ReadSentence,
    different,
    read_sentences,
)
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
        hits.append(Hit(passage, 1.0, number + 1, None, [Sentence(*place, 0.0) for place in cut(passage)]))
    return states.features(asked, hits, read_sentences(asked, hits), PASSAGES, cosines)


def test_the_features_of_a_hand_count() -> None:
    found = dict(
        zip(
            states.FEATURES,
            row("Ginger helps. Ginger for nausea.", "Lupus.", cosines=(0.5, 0.2)),
            strict=True,
        )
    )
    # ginger stands in two sentences, 2/3; nausea in one, 1/2; each word weighs a quarter.
    assert found["paper"] == found["first"] == pytest.approx((2 / 3 + 1 / 2) / 4)
    assert found["passage"] == pytest.approx(72 / 144**0.5 / math.log(PASSAGES + 1))
    assert (found["nearest"], found["lead"]) == (0.5, pytest.approx(0.3))
    assert row() == [0.0] * len(states.FEATURES)


@pytest.mark.parametrize("fitted", [states.BY_WORDS, states.WITH_VECTORS])
def test_more_words_and_nearer_vectors_never_lower_the_score(fitted: states.StateWeights) -> None:
    texts = [
        "Ginger.",
        "Ginger for nausea.",
        "Ginger for nausea. Nausea in pregnancy.",
        "Ginger, nausea, pregnancy and lupus.",
    ]
    scores = [states.score(row(text, cosines=(0.4,)), fitted) for text in texts]
    assert scores == sorted(scores)
    assert all(weight >= 0 for weight in fitted.weights)
    assert 0 < fitted.nothing < 1


def sentences(*values: float, kind: str = NAME) -> list[ReadSentence]:
    """Sentences with these values."""
    place = FEATURES.index("words")
    of_one = WEIGHTS[kind]["words"]
    rows = [[0.0] * place + [value / of_one] + [0.0] * (len(FEATURES) - place - 1) for value in values]
    return [ReadSentence(0, 0, 1, frozenset(), row, kind) for row in rows]


def test_what_is_known_of_the_first_sentence() -> None:
    assert states.of_first(sentences(3.0, 3.0, 3.0, 3.0)) == pytest.approx([-math.log(4), 3.0, 0.0])
    assert states.of_first(sentences(2.0)) == pytest.approx([0.0, 2.0, 0.0])
    assert states.of_first(sentences(3.0, 3.0, kind=YESNO)) == pytest.approx([0.0, 3.0, 1.0])
    assert states.of_first([]) == [0.0, 0.0, 0.0]
    assert math.isfinite(states.first_is_right(1.0, states.of_first(sentences(1e3, -1e3))))


@pytest.mark.parametrize("fitted", [states.BY_WORDS, states.WITH_VECTORS])
def test_the_thresholds_part_the_scores(fitted: states.StateWeights) -> None:
    good = states.of_first(sentences(6.0, 0.0))
    given = [states.state(one, good, fitted) for one in (0.0, fitted.nothing, 0.9)]
    assert given == [NOTHING, CLOSEST, ANSWERED]
    assert states.state(fitted.nothing - 1e-9, good, fitted) == NOTHING


def test_answered_is_what_is_likelier_right_than_wrong() -> None:
    # 0.72 · logit + 0.56 · ln(share) + 0.19 · value - 1.03, alone and of no value: 0 where the logit is 1.03 / 0.72.
    at = 1 / (1 + math.exp(-1.03 / 0.72))
    assert states.first_is_right(at, [0.0, 0.0, 0.0]) == pytest.approx(0.5)
    assert states.first_is_right(0.5, [math.log(0.5), 2.0, 0.0]) == pytest.approx(0.2615, abs=1e-3)
    given = [states.state(at + off, [0.0, 0.0, 0.0], states.BY_WORDS) for off in (-1e-6, 1e-6)]
    assert given == [CLOSEST, ANSWERED]


def test_a_text_of_two_papers_is_one_sentence() -> None:
    asked = AskedWords({words_of(word)[0]: 6.0 for word in WORDS})
    texts = ("Ginger helps nausea.", "Ginger helps nausea.", "Ginger in pregnancy.")
    passages = [Passage(str(number), 0, "abstract", "", "", text) for number, text in enumerate(texts)]
    hits = [
        Hit(one, 1.0, number + 1, None, [Sentence(*place, 0.0) for place in cut(one)])
        for number, one in enumerate(passages)
    ]
    read = read_sentences(asked, hits)
    assert len(read) == 3
    assert sorted(one.hit for one in different(hits, read)) == [0, 2]


def test_a_sentence_among_many_alike_is_no_answer_except_to_yes_or_no() -> None:
    fitted = states.BY_WORDS
    assert states.state(0.9, states.of_first(sentences(*[6.0] * 40)), fitted) == CLOSEST
    assert states.state(0.9, states.of_first(sentences(*[6.0] * 40, kind=YESNO)), fitted) == ANSWERED
    alone = [states.of_first(sentences(one)) for one in (0.0, 6.0)]
    assert [states.state(0.7, one, fitted) for one in alone] == [CLOSEST, ANSWERED]


def test_a_small_collection_is_answered_too(index: Index) -> None:
    assert ask(index, "Does cold tea change sleep?").state == ANSWERED
    assert ask(index, "Which planet has rings?").state == NOTHING


def test_topic_words_ask_nothing_that_is_answered(index: Index) -> None:
    assert ask(index, "Does cold tea change sleep?").state == ANSWERED
    topic = ask(index, "cold tea and sleep")
    assert (topic.state, topic.evidence[0].text) == (CLOSEST, "Cold tea does not change sleep.")
