"""What is listed of systems' answers: right by similarity alone, by question, each answer once with its systems."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.golden_files import ident

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.evaluation.phase_b.similar_answers import SimilarAnswer, similar_answers
from anagnosis.predictions import Answer, Matched, Prediction, match_files, write

QUESTIONS = (
    QuestionInstance(
        ident(0), "list", "Which drugs?", exact=(("Dulcan oral", "dulcan oral use"), ("salinol",))
    ),
    QuestionInstance(ident(1), "factoid", "Which protein?", exact=(("uncoupling protein 1", "UCP1"),)),
    QuestionInstance(ident(2), "yesno", "Is it?", exact=(("yes",),)),
    QuestionInstance(ident(3), "factoid", "Which?", exact=None),
    QuestionInstance(ident(4), "summary", "What?"),
)


@pytest.fixture
def dataset(tmp_path: Path) -> store.Dataset:
    return writing.write(tmp_path / "made", {"test": QUESTIONS}, {"dataset": "asked", "kind": "question"})


def listed(
    dataset: store.Dataset, folder: Path, **systems: dict[int, tuple[str, ...]]
) -> tuple[SimilarAnswer, ...]:
    runs: list[tuple[str, Matched]] = []
    gold = None
    for name, answers in systems.items():
        file = folder / f"{name}.jsonl"
        write(file, [Prediction(ident(n), answers=[*map(Answer, texts)]) for n, texts in answers.items()])
        gold, (run,) = match_files([file], dataset, "test", check_fingerprint=True, free=True)
        runs.append((name, run))
    return similar_answers(gold, runs, {each.id: each.question for each in QUESTIONS})


def test_an_answer_that_only_similarity_accepts_is_listed_with_its_gold_synonym(
    dataset: store.Dataset, tmp_path: Path
) -> None:
    answers = ("Uncoupling protein 1 (ucp1)", "ucp1", "water", "uncoupling protein-1")
    found = listed(dataset, tmp_path, one={1: answers, 2: ("yes it is",), 3: ("water",), 4: ("water",)})
    assert [(each.prediction, each.gold, each.similarity) for each in found] == [
        ("Uncoupling protein 1 (ucp1)", "uncoupling protein 1", 95),
        ("uncoupling protein-1", "uncoupling protein 1", 100),
    ]
    assert {(each.question, each.systems) for each in found} == {("Which protein?", ("one",))}


def test_an_answer_to_a_list_takes_out_its_entry_as_in_the_scores(
    dataset: store.Dataset, tmp_path: Path
) -> None:
    found = listed(dataset, tmp_path, one={0: ("dulcan oral", "dulcan-oral", "salinol 5", "new salinol")})
    assert [(each.prediction, each.gold) for each in found] == [("salinol 5", "salinol")]
    (later,) = listed(dataset, tmp_path, one={0: ("dulcan orals", "DULCAN ORAL")})
    assert (later.prediction, later.gold) == ("dulcan orals", "Dulcan oral")


def test_only_answers_that_count_are_listed(dataset: store.Dataset, tmp_path: Path) -> None:
    answers = ("fish", "tree", "salt", "wind", "moon", "uncoupling protein-1")
    assert listed(dataset, tmp_path, one={1: answers}) == ()
    assert len(listed(dataset, tmp_path, one={1: answers[1:]})) == 1


def test_one_answer_of_several_systems_stands_once_and_the_order_is_that_of_the_questions(
    dataset: store.Dataset, tmp_path: Path
) -> None:
    first = {1: ("uncoupling protein-1",), 0: ("Salinol 5",)}
    found = listed(dataset, tmp_path, one=first, two={0: ("salinol 5", "dulcan-oral")})
    assert [(each.prediction, each.systems) for each in found] == [
        ("dulcan-oral", ("two",)),
        ("Salinol 5", ("one", "two")),
        ("uncoupling protein-1", ("one",)),
    ]
