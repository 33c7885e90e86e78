"""Stances of sentences, the guard against contradicted ones, and the reader's file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.rows import each_row

from anagnosis.errors import DamagedError, InputError
from anagnosis.searching.conclusions.stance import (
    FILE,
    FORMAT,
    StanceReader,
    StanceWeights,
    TrainingData,
    forbidden,
    load_stance_reader,
    store_stance_reader,
)
from anagnosis.searching.conclusions.stance_features import stance_features
from anagnosis.searching.fit.stance_fitting import NO_FIGURES
from anagnosis.searching.records.conclusions import OPPOSES, SUPPORTS, UNCLEAR, StanceFigures

FIGURES = StanceFigures(200, 0.6, 0.9, 0.84, 0.94, 0.5, 0.7, 0.72, "invented questions", "2026-01-02")
FITTED = StanceWeights(FORMAT, {"": 1.5, "denied": -3.0}, 0.7, (TrainingData("invented", "00", 10),), FIGURES)
LOWERS = "Does tea lower mortality in adults?"
# (question, sentence, forbidden)
GUARDED = (
    (LOWERS, "Tea did not lower mortality.", {SUPPORTS}),
    (LOWERS, "Tea lowered mortality.", set()),
    (LOWERS, "Tea raised mortality.", {SUPPORTS}),
    (LOWERS, "Tea had no significant effect on mortality.", {SUPPORTS}),
    (LOWERS, "Neither tea nor water changed mortality.", {SUPPORTS}),
    (LOWERS, "Mortality was similar in both arms.", {SUPPORTS}),
    (LOWERS, "Tea lowered mortality in adults who do not smoke.", {OPPOSES}),
    (LOWERS, "Tea lowered mortality, but pain was unchanged.", {OPPOSES}),
    ("Is tea as safe as water?", "Tea and water were equally safe.", {OPPOSES}),
    ("Is tea as safe as water?", "Tea is not safe.", {SUPPORTS}),
    ("Is rest needed?", "It failed to help.", {SUPPORTS, OPPOSES}),
    ("Does tea cause gout?", "A fever caused by a virus alone gives no reason for rest.", {SUPPORTS, OPPOSES}),
)  # fmt: skip


@each_row(("question", "sentence", "expected"), GUARDED)
def test_a_stance_that_the_sentence_contradicts_is_forbidden(
    question: str, sentence: str, expected: set[str]
) -> None:
    assert forbidden(question, sentence) == expected


def test_the_guard_holds_whatever_the_reader_says() -> None:
    always = StanceReader(replace(FITTED, weights={"": 9.0}))
    assert always.stance(LOWERS, "Tea lowered mortality.") == SUPPORTS
    assert always.stance(LOWERS, "Tea did not lower mortality.") == UNCLEAR


def test_a_stance_below_the_margin_is_unclear() -> None:
    sentence = "Tea did not lower mortality."
    opposed = StanceReader(FITTED)  # 1.5 - 3.0: .82 for no
    assert opposed.stance(LOWERS, sentence) == OPPOSES
    assert opposed.stance(LOWERS, "Tea lowered mortality.") == SUPPORTS
    assert StanceReader(replace(FITTED, margin=0.83)).stance(LOWERS, sentence) == UNCLEAR


@each_row(
    ("figures", "earned"),
    [
        (FIGURES, True),
        (replace(FIGURES, decided=0.49), False),
        (replace(FIGURES, accuracy=0.849), False),
        (replace(FIGURES, low=0.5), False),
        (replace(FIGURES, f1_of_no=0.59), False),
        (replace(FIGURES, decided=0.5, accuracy=0.85, low=0.51, f1_of_no=0.6), True),
    ],
)
def test_a_reader_has_earned_its_stances_only_above_every_bar(figures: StanceFigures, earned: bool) -> None:
    assert figures.earned is earned


def test_all_figures_of_a_reader_pass_the_bars_or_it_has_earned_nothing() -> None:
    # Without BioASQ's files nobody tested it where it is used.
    assert not FITTED.earned
    untested = replace(NO_FIGURES, data="a file")
    assert not replace(FITTED, over_collection=untested).earned
    assert untested.says == "not tested, and so off; a file would test it"
    assert replace(FITTED, over_collection=FIGURES).earned
    assert not replace(FITTED, over_collection=replace(FIGURES, f1_of_no=0.35)).earned
    assert not replace(FITTED, figures=replace(FIGURES, accuracy=0.8), over_collection=FIGURES).earned
    assert replace(FITTED, over_collection=FIGURES).measured == (FIGURES, FIGURES)


def test_the_figures_name_their_questions_and_date() -> None:
    assert FIGURES.says == (
        "right for 90% [84%, 94%] of the 60% that it decides, F1 of no 0.70, on 200 questions of invented questions,"
        " half of them no (2026-01-02)"
    )


def test_a_reader_is_stored_and_loaded(tmp_path: Path) -> None:
    store_stance_reader(tmp_path / "stance", FITTED)
    assert load_stance_reader(tmp_path / "stance").fitted == FITTED


def test_changed_figures_are_refused(tmp_path: Path) -> None:
    store_stance_reader(tmp_path, FITTED)
    text = (tmp_path / FILE).read_text()
    (tmp_path / FILE).write_text(
        text.replace('"accuracy":0.9', '"accuracy":0.99').replace('"accuracy": 0.9', '"accuracy": 0.99')
    )
    assert (tmp_path / FILE).read_text() != text
    with pytest.raises(
        DamagedError, match=r"is damaged: its checksum differs.*anagnosis readers make --data"
    ):
        load_stance_reader(tmp_path)


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        (replace(FITTED, format=FORMAT + 1), "was made by another version"),
        (replace(FITTED, margin=0.2), "has weights that are no numbers"),
    ],
)  # fmt: skip
def test_another_version_and_impossible_values_are_refused(
    tmp_path: Path, made: StanceWeights, fault: str
) -> None:
    store_stance_reader(tmp_path, made)
    with pytest.raises(InputError, match=fault):
        load_stance_reader(tmp_path)


def test_the_features_of_a_question_and_a_sentence() -> None:
    values = stance_features(LOWERS, "Tea did not lower mortality, but may help.")
    assert values["denied"] == values["absent effect"] == values["absent effect of the question"] == 1.0
    assert values["near same direction, denied"] == values["asks worse, denied"] == values["hedge"] == 1.0
    assert values["shared"] == pytest.approx(3 / 4)
    assert "near opposite direction" not in values
    assert stance_features(LOWERS, "Tea raised mortality.")["near opposite direction, amount"] == 1.0


@given(st.text(max_size=120), st.text(max_size=200))
def test_features_are_shares_of_any_text(question: str, sentence: str) -> None:
    assert all(0 < value <= 1 for value in stance_features(question, sentence).values())
    assert StanceReader(FITTED).stance(question, sentence) not in forbidden(question, sentence)
