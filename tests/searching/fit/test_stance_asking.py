"""A reader of stances on yes/no questions that are asked over a collection."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.measured import STANCES
from tests.web.readers import stances

import anagnosis
from anagnosis.datasets.folder.store import Dataset
from anagnosis.searching.fit import stance_asking
from anagnosis.searching.fit.stance_asking import measure_over_collection
from anagnosis.searching.fit.stance_fitting import as_many_of_both, figures_of
from anagnosis.searching.records.conclusions import OPPOSES, SUPPORTS, UNCLEAR

DATE = "2026-01-02"
_DRINKS = ("tea", "coffee", "cocoa", "milk", "broth", "juice", "cider", "wine", "beer", "mead")


def question(number: int, label: str, said: str, drink: str, pain: str) -> dict[str, object]:
    snippet = {
        "document": f"http://www.ncbi.nlm.nih.gov/pubmed/{1000 + number}",
        "text": f"{drink.title()} {said} {pain}.",
        "beginSection": "abstract",
        "endSection": "abstract",
        "offsetInBeginSection": 0,
        "offsetInEndSection": 60,
    }
    return {
        "id": f"{number:024x}",
        "type": "yesno",
        "body": f"Does {drink} cure {pain}?",
        "documents": [snippet["document"]],
        "snippets": [snippet],
        "exact_answer": label,
        "ideal_answer": ["So it is."],
    }


@pytest.fixture
def golden(tmp_path: Path) -> Dataset:
    """Five yes and three no in edition 8, one of each wrongly told; others in editions that are not measured."""
    cures, not_cures = "cures", "does not cure"
    eighth = [
        *(question(n, "yes", cures, drink, "gout") for n, drink in enumerate(_DRINKS[:4])),
        question(4, "yes", not_cures, _DRINKS[4], "gout"),
        *(question(n, "no", not_cures, _DRINKS[n], "fever") for n in (5, 6)),
        question(7, "no", cures, _DRINKS[7], "fever"),
    ]
    files = {
        "6B1_golden.json": [question(8, "yes", not_cures, "mead", "cough")],
        "8B1_golden.json": eighth,
        "9B5_golden.json": [question(9, "yes", not_cures, "rum", "cough")],
        "10B1_golden.json": [question(10, "yes", not_cures, "gin", "cough")],
    }
    (tmp_path / "golden").mkdir()
    for name, questions in files.items():
        (tmp_path / "golden" / name).write_text(json.dumps({"questions": questions}))
    return anagnosis.import_dataset(tmp_path / "golden", tmp_path / "built", layout="bioasq")


def test_as_many_yes_as_no_are_measured_each_by_the_first_stance_of_its_list(
    golden: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert measure_over_collection(stances(), golden, DATE) is None  # fewer than FEWEST
    monkeypatch.setattr(stance_asking, "FEWEST", 6)
    figures = measure_over_collection(stances(), golden, DATE)
    assert figures is not None
    assert (figures.questions, figures.decided, figures.majority) == (6, 1, 0.5)
    # One no is told as yes, and one of the three yes that are drawn as no.
    assert (figures.accuracy, figures.f1_of_no, figures.f1_of_yes) == (0.6667, 0.6667, 0.6667)
    assert (figures.data, figures.date) == ("bioasq, edition 8, asked over their snippets", DATE)


def test_a_reader_that_has_not_earned_its_stances_is_measured_too(
    golden: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stance_asking, "FEWEST", 6)
    unearned = stances(replace(STANCES, accuracy=0.1))
    assert measure_over_collection(unearned, golden, DATE) == measure_over_collection(stances(), golden, DATE)


def test_of_the_commoner_answer_the_least_digests_are_drawn() -> None:
    every = [("a", True), ("b", True), ("c", True), ("d", False)]
    drawn = as_many_of_both(every, lambda one: one[1], lambda one: one[0])
    assert [side for _, side in drawn] == [True, False]
    assert drawn == as_many_of_both(every[::-1], lambda one: one[1], lambda one: one[0])
    assert as_many_of_both(every[:3], lambda one: one[1], lambda one: one[0]) == []


def test_figures_of_stances_count_undecided_ones_as_missed() -> None:
    figures = figures_of([SUPPORTS, UNCLEAR, OPPOSES, SUPPORTS], [True, True, False, False], "d", DATE)
    assert (figures.decided, figures.accuracy) == (0.75, pytest.approx(2 / 3, abs=1e-4))
    assert (figures.f1_of_no, figures.f1_of_yes) == (pytest.approx(2 / 3, abs=1e-4), 0.5)
    assert figures_of([], [], "d", DATE).decided == 0
