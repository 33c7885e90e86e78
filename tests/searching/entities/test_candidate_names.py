"""Names in sentences, those for one thing together, and those that are no names."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.entities.candidate_names import Name, ReadSentence, names
from anagnosis.searching.entities.features import FEATURES, PLAIN, features
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.passage import Passage

QUESTION = "Which receptor is blocked by gefitinib?"
TEXTS = (
    "Gefitinib blocks the epidermal growth factor receptor (EGFR).",
    "EGFR is blocked by gefitinib, HER2 is not.",
    "Tea was given to adults.",
)


def reads(*texts: str) -> list[ReadSentence]:
    return [
        ReadSentence(
            rank, Passage(str(rank), 0, "abstract", "", "", text), Sentence(0, len(text), 1 / (rank + 1), 1)
        )
        for rank, text in enumerate(texts)
    ]


def named(found: list[Name]) -> dict[str, Name]:
    return {surface: name for name in found for surface in name.surfaces}


def test_an_abbreviation_and_its_long_form_are_one_name() -> None:
    found = named(names(reads(*TEXTS), QUESTION))
    one = found["EGFR"]
    assert one is found["epidermal growth factor receptor"]
    assert one.text == "EGFR"
    assert "epidermal growth factor receptor" in one.others
    assert {mention.sentence for mention in one.mentions} == {0, 1}
    assert found["HER2"] is not one


def test_a_disease_is_shown_spelled_out() -> None:
    texts = ("Parkinson disease (PD) is slow.", "PD is treated.", "PD is rare.")
    assert named(names(reads(*texts), "Which disease is slow?"))["PD"].text == "Parkinson disease"
    assert named(names(reads(*texts), "What is slow?"))["PD"].text == "PD"


def test_what_stands_in_the_question_is_marked() -> None:
    found = named(names(reads(*TEXTS), QUESTION))
    assert found["gefitinib"].in_question
    assert not found["EGFR"].in_question
    short = named(names(reads("GFT binds HER2."), "What does Great Fine Tea (GFT) bind?"))
    assert short["GFT"].in_question


def test_a_name_near_the_questions_words_is_told_from_one_far_away(index: Index) -> None:
    every = names(reads(*TEXTS), QUESTION)
    rows = features(index.engine, QUESTION, reads(*TEXTS), every)
    assert rows.shape == (len(every), len(FEATURES))
    row = {name.text: dict(zip(FEATURES, own, strict=True)) for name, own in zip(every, rows, strict=True)}
    assert row["EGFR"]["near"] > row["adults"]["near"] == 0
    assert row["EGFR"]["papers"] == pytest.approx(math.log(3))
    assert row["EGFR"]["gene: symbol"] == 1
    assert row["EGFR"]["fits"] > row["adults"]["fits"]


def test_no_name_has_no_row(index: Index) -> None:
    assert features(index.engine, QUESTION, reads(*TEXTS), []).shape == (0, len(FEATURES))


@each_row(
    ("text", "label"),
    [
        ("Rationale: EGFR binds tea.", "Rationale"),
        ("EGFR rose (aRR = 2).", "aRR"),
        ("ETHNOPHARMACOLOGICAL RELEVANCE: EGFR binds tea.", "ETHNOPHARMACOLOGICAL RELEVANCE"),
    ],
)
def test_labels_and_left_sides_of_equations_are_no_names(text: str, label: str) -> None:
    every = named(names(reads(text), "Which receptor binds tea?"))
    assert "EGFR" in every
    assert label not in every


WORD = st.sampled_from(
    ["TNF-α", "kinase", "kinases", "(EGFR)", "epidermal growth factor receptor", "EGFR", "of", "XXXX", "is", "HER2/neu"]
)  # fmt: skip


@given(
    st.lists(st.lists(WORD, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=4),
    st.lists(WORD).map(" ".join),
)
def test_mentions_are_where_they_say(texts: list[str], question: str) -> None:
    sentences = reads(*texts)
    every = names(sentences, question)
    for name in every:
        for place, span in name.mentions:
            assert texts[place][span.begin : span.end] in name.surfaces


def test_features_have_names_of_their_own() -> None:
    assert len(set(FEATURES)) == len(FEATURES) > len(PLAIN)


def test_a_sentence_of_any_length_is_read_to_a_bound() -> None:
    text = "TNF helps. " + " ".join(f"{number}.5" for number in range(40_000))
    passage = Passage("1", 0, "table", "", "", text)
    found = names([ReadSentence(0, passage, Sentence(0, len(text), 0.9))], "How many people drink tea?")
    assert {"TNF", "100.5"} <= {name.text for name in found}
    assert len(found) < 2000  # of 40,000 numbers, each a name and part of others
