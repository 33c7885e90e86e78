"""Fitting a reader of stances, and measuring it on abstracts and on questions that are asked over a collection."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.decisions import written
from tests.measured import STANCES
from tests.web.readers import stances

import anagnosis
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.searching.conclusions.stance import (
    FORMAT,
    StanceReader,
    StanceWeights,
    load_stance_reader,
    store_stance_reader,
)
from anagnosis.searching.fit import stance_fitting
from anagnosis.searching.fit.stance_fitting import (
    NO_FIGURES,
    Example,
    as_many_of_both,
    balanced,
    examples,
    figures_of,
    fit,
    measure,
    measure_over_collection,
)
from anagnosis.searching.records.conclusions import OPPOSES, SUPPORTS, UNCLEAR

DATE = "2026-01-02"
_DRINKS = ("tea", "coffee", "cocoa", "milk", "water", "broth", "juice", "cider", "wine", "beer")
_PAINS = ("fever", "pain", "cough", "thirst", "sleep", "stress", "fatigue", "nausea", "hunger", "itch")


def row(number: int, label: str) -> dict[str, object]:
    """A question whose conclusion says plainly what the label is."""
    drink, pain = _DRINKS[number % 10], _PAINS[number // 10 % 10]
    concludes = {
        "yes": f"Drinking {drink} lowered {pain} in adults.",
        "no": f"Drinking {drink} did not lower {pain} in adults.",
        "maybe": f"Effects of {drink} on {pain} differed.",
    }
    return {
        "QUESTION": f"Does drinking {drink} lower {pain} in adults of village {number}?",
        "CONTEXTS": [f"We gave {drink} to {40 + number} adults."],
        "LABELS": ["METHODS"],
        "MESHES": ["Adult"],
        "YEAR": "2001",
        "reasoning_required_pred": label,
        "reasoning_free_pred": label,
        "final_decision": label,
        "LONG_ANSWER": concludes[label],
    }


def dataset(folder: Path, yes: int, no: int) -> Dataset:
    labels = ["yes"] * yes + ["no"] * no + ["maybe"] * 40
    source = written(
        folder / "ori_pqal.json", {str(10_000 + n): row(n, label) for n, label in enumerate(labels)}
    )
    return anagnosis.import_dataset(source, folder / "built", layout="pubmedqa")


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return dataset(tmp_path_factory.mktemp("questions"), 160, 140)


def test_a_fit_learns_what_conclusions_say_and_measures_it_on_the_test_part(questions: Dataset) -> None:
    made = fit(questions, date=DATE)
    figures = made.figures
    test = examples(questions, "test")
    fewer = min(sum(one.supports is side for one in test) for side in (True, False))
    assert (figures.questions, figures.majority, figures.date) == (2 * fewer, 0.5, DATE)
    assert (figures.accuracy, figures.decided, figures.f1_of_no) == (1, 1, 1)
    assert figures.earned
    (source,) = made.trained_on
    assert source.examples == len(examples(questions, "train"))
    reader = StanceReader(made)
    assert reader.stance("Does salt lower anger?", "Salt lowered anger.") == SUPPORTS
    assert reader.stance("Does salt lower anger?", "Salt did not lower anger.") == OPPOSES


def test_a_fit_gives_the_same_bytes_again(questions: Dataset, tmp_path: Path) -> None:
    for name in ("a", "b"):
        store_stance_reader(tmp_path / name, fit(questions, date=DATE))
    one, other = ((tmp_path / name / "stance.json").read_bytes() for name in ("a", "b"))
    assert one == other
    assert load_stance_reader(tmp_path / "a").figures.date == DATE


def test_claims_teach_too_and_are_named(questions: Dataset, tmp_path: Path) -> None:
    corpus = {"doc_id": 1, "title": "T", "abstract": ["Salt raised anger.", "Rest."], "structured": False}
    claims = [
        {"id": n, "claim": f"Salt lowers anger {n}.", "cited_doc_ids": [1],
         "evidence": {"1": [{"sentences": [0], "label": "CONTRADICT" if n % 2 else "SUPPORT"}]}}
        for n in range(6)
    ]  # fmt: skip
    (tmp_path / "corpus.jsonl").write_text(json.dumps(corpus) + "\n")
    (tmp_path / "claims_train.jsonl").write_text("".join(json.dumps(one) + "\n" for one in claims))
    made = fit(questions, tmp_path, date=DATE)
    assert [(one.name, one.examples) for one in made.trained_on][1:] == [("SciFact, train claims", 6)]


def test_too_few_questions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="100 are needed"):
        fit(dataset(tmp_path, 30, 30), date=DATE)


def test_both_answers_count_alike() -> None:
    every = balanced([Example("q", "s", True)] * 3 + [Example("q", "s", False)], 0.5)
    assert sum(one.counts for one in every if one.supports) == pytest.approx(1)
    assert sum(one.counts for one in every if not one.supports) == pytest.approx(1)


def test_undecided_questions_count_as_missed() -> None:
    """Of six questions with a no, half are opposed: F1 is 2 · 3 / (3 + 6)."""
    reader = StanceReader(StanceWeights(FORMAT, {"shared": 2.0, "denied": -4.0}, 0.7, (), NO_FIGURES))
    asked = [Example(f"Does tea lower pain {n}?", "Tea did not lower pain.", False) for n in range(3)]
    asked += [Example(f"Does tea lower {n}?", "Sheep.", False) for n in range(3)]
    asked += [Example(f"Does tea lower pain {n}?", "Tea lowered pain.", True) for n in range(6, 12)]
    found = measure(reader, asked, "invented", DATE)
    undecided = sum(reader.stance(one.question, one.sentence) == "unclear" for one in asked)
    assert undecided == 3
    assert found.decided == pytest.approx(9 / 12)
    assert found.f1_of_no == pytest.approx(6 / 9, abs=1e-4)


@pytest.mark.slow
def test_the_figures_on_pubmedqa_are_those_written_down(shared: Path, tmp_path: Path) -> None:
    """docs/results_search.md: earned on 338 test questions, half of them no."""
    source = shared / "data/pubmedqa/ori_pqal.json.gz"
    made = fit(
        anagnosis.import_dataset(source, tmp_path / "pqal", layout="pubmedqa"),
        shared / "data/retrieval/scifact.tar.gz",
        date=DATE,
    )
    figures = made.figures
    assert figures.earned
    assert figures.questions == 338
    assert [round(value, 2) for value in (figures.decided, figures.accuracy, figures.f1_of_no)] == [
        0.52,
        0.87,
        0.6,
    ]


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
    monkeypatch.setattr(stance_fitting, "FEWEST", 6)
    figures = measure_over_collection(stances(), golden, DATE)
    assert figures is not None
    assert (figures.questions, figures.decided, figures.majority) == (6, 1, 0.5)
    # One no is told as yes, and one of the three yes that are drawn as no.
    assert (figures.accuracy, figures.f1_of_no, figures.f1_of_yes) == (0.6667, 0.6667, 0.6667)
    assert (figures.data, figures.date) == ("bioasq, edition 8, asked over their snippets", DATE)
    # A reader that has not earned its stances is measured too.
    assert measure_over_collection(stances(replace(STANCES, accuracy=0.1)), golden, DATE) == figures


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
