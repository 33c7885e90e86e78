"""What is counted of a sentence, by hand."""

from __future__ import annotations

import math

import pytest
from tests.readers.evidence.questions import ODD, asked
from tests.rows import each_row

from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.readers.evidence.surface_features import NAMES, WordRarity, count, surface_features

SALT = asked(
    "Does cold tea change sleep?",
    "OBJECTIVE: We investigated tea.",
    "Cold tea did not change sleep in 40 adults.",
    "These findings suggest that walks help.",
    held=1,
    title="Sleep and drinks",
)


def of(instance: EvidenceInstance, place: int, weights: WordRarity | None = None) -> dict[str, float]:
    rows = surface_features(instance, weights or count([instance]))
    assert len(rows) == len(instance.sentences)
    return dict(zip(NAMES, rows[place], strict=True))


def test_words_are_counted_once_a_sentence_and_known_by_their_first_letters() -> None:
    weights = count([asked("?", "changes changing changed", "change", "salt")])
    assert (weights.sentences, weights.sentences_with) == (3, {"chang": 2})
    assert weights["chang"] == pytest.approx(max(0.1, math.log(4 / 2.5)))
    assert weights["other"] == pytest.approx(math.log(4 / 1.5))


def test_shares_are_of_the_question_s_words_by_how_rare_they_are() -> None:
    weights = WordRarity(99, {"cold": 9, "tea": 49, "chang": 9, "sleep": 9})
    rare, common = math.log(100 / 9.5), math.log(100 / 49.5)
    first, second = of(SALT, 0, weights), of(SALT, 1, weights)
    assert first["share"] == pytest.approx(common / (3 * rare + common))
    assert (second["share"], second["share_of_distinct"], second["bigrams"]) == (1, 1, 1)
    assert first["share_of_distinct"] == 1 / 4
    # "sleep" stands in the title; of what does not, the second sentence has all.
    assert second["title_share"] == pytest.approx(rare / (3 * rare + common))
    assert (second["share_beyond_title"], second["share_of_document"]) == (1, 1)
    assert first["share_behind"] == 1
    assert second["above_others"] == pytest.approx(1 - first["share"])


def test_place_cues_numbers_and_negation() -> None:
    first, second, third = (of(SALT, place) for place in range(3))
    assert [row["position"] for row in (first, second, third)] == [0, 0.5, 1]
    assert (first["first"], second["first"], second["last"], third["last"]) == (1, 0, 0, 1)
    assert (first["heading"], second["heading"], first["asks"]) == (1, 0, 1)
    assert first["aim"] > 0 == second["aim"]
    assert third["finding"] > 0
    assert (second["negation"], third["negation"]) == (1, 0)
    assert second["numbers"] == pytest.approx(math.log(2))
    assert [row["rank"] for row in (first, second, third)] == [0.5, 0, 1]


def test_sentences_of_one_document_see_each_other_and_no_others() -> None:
    other = tuple(SourceSentence("e", "Else", text) for text in ("Cold tea.", "Does it change sleep?"))
    both = EvidenceInstance("1", SALT.question, (*SALT.sentences, *other))
    weights = count([both])
    assert surface_features(both, weights)[:3] == surface_features(SALT, weights)


def test_of_a_document_without_a_title_only_excerpts_are_known_whose_order_says_nothing() -> None:
    excerpts = EvidenceInstance(
        "1", SALT.question, tuple(SourceSentence("d", "", one.text, one.held) for one in SALT.sentences)
    )
    weights = count([excerpts])
    backwards = EvidenceInstance("1", SALT.question, excerpts.sentences[::-1])
    assert surface_features(backwards, weights) == surface_features(excerpts, weights)[::-1]
    assert all(
        dict(zip(NAMES, row, strict=True))["excerpt"] == 1 for row in surface_features(excerpts, weights)
    )


@each_row("case", ODD)
def test_every_clue_of_odd_input_is_a_number(case: str) -> None:
    for row in surface_features(ODD[case], count([SALT])):
        assert len(row) == len(NAMES)
        assert all(math.isfinite(value) for value in row)
