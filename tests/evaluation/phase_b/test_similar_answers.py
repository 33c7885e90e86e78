"""The class of a similar answer: the thesis's examples, parts of names, joined names, words around a name.

What is listed of systems' answers: right by similarity alone, by question, each answer once with its systems.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.golden_files import ident
from tests.rows import each_row

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.evaluation.phase_b.similar_answers import (
    BETTER,
    LONG,
    LONG_GOLD,
    SAME,
    WRONG,
    SimilarAnswer,
    answer_class,
    right_by_similarity,
    similar_answers,
)
from anagnosis.predictions import Answer, Matched, Prediction, match_files, write

LOX = (
    "the best-studied role of lox enzymes is the remodeling of the extracellular matrix (ecm) in animals by "
    "cross-linking collagens and elastin."
)
EXOSOMES = "exosomes are a subset of extracellular vesicles (evs) that have important roles in communication."
DRUGS = (("salinol",), ("dulcan", "sweetol"))


# The thesis, Table 4.4.
@each_row(
    ("question", "prediction", "gold", "expected"),
    [
        ("What is the function of LOX proteins?", "cross-linking collagens and elastin", LOX, LONG),
        ("What is an exosome?", "extracellular vesicles (evs)", EXOSOMES, LONG),
        ("Which is the main protein in BAT?", "uncoupling protein 1 (ucp1)", "uncoupling protein 1", SAME),
        ("What is the technique?", "optical coherence tomography", "optical coherence tomography.", SAME),
        ("In what percentage of fibers is it restored?", "nearly 100%", "100%", BETTER),
        ("Where would the navicular bone be found?", "medial side of the foot", "foot", BETTER),
    ],
)
def test_the_thesiss_examples_have_their_classes(
    question: str, prediction: str, gold: str, expected: str
) -> None:
    assert answer_class(question, prediction, gold) == expected


@each_row(
    ("prediction", "gold", "expected"),
    [
        ("kinase", "tyrosine kinase", WRONG),  # a part
        ("interleukin 5", "interleukin 6", WRONG),
        ("miR-146b", "miR-146b-3p", WRONG),
        ("haemophilia A", "hemophilia A", SAME),
        ("salinol disease", "salinol", SAME),  # the question has the word
        ("the salinol gene", "salinol", SAME),
        ("disease", "salinol disease", WRONG),  # the question's word alone tells nothing
        ("not salinol", "salinol", WRONG),
        ("oral salinol", "salinol", BETTER),
        ("Salinol: a tool", "salinol", SAME),
        ("salinol, which was found in 2014", "salinol", SAME),
        ("a new compound that many groups have tried in mice is salinol", "salinol", SAME),
        ("salinolol", "salinol", WRONG),
        ("edema, relapsing facial paralysis", "relapsing facial paralysis", WRONG),  # alike in most letters
        ("", "salinol", WRONG),
    ],
)
def test_what_a_prediction_adds_or_leaves_out_decides(prediction: str, gold: str, expected: str) -> None:
    assert answer_class("Which disease has salt and sea in the deep?", prediction, gold) == expected


@each_row(
    ("prediction", "others", "expected"),
    [
        ("salinol and dulcan", (), WRONG),  # of a factoid the other name is none
        ("salinol and dulcan", DRUGS[1:], BETTER),
        ("salinol/sweetol", DRUGS[1:], BETTER),
        ("dulcan, salinol and oral sweetol", DRUGS[1:], BETTER),
        ("salinol and penicillin", DRUGS[1:], WRONG),
        ("salinol, dulcan or penicillin", DRUGS[1:], WRONG),
        ("salinol (and penicillin)", DRUGS[1:], SAME),  # what stands in brackets is aside
        ("salinol and not dulcan", DRUGS[1:], WRONG),
    ],
)
def test_joined_names_are_right_where_each_is_a_gold_entry(
    prediction: str, others: tuple[tuple[str, ...], ...], expected: str
) -> None:
    assert answer_class("Which drugs help?", prediction, "salinol", others) == expected


def test_a_long_answer_is_a_part_of_words_that_tell_of_an_explaining_gold_answer() -> None:
    gold = " ".join(f"word{letter}" for letter in "abcdefgh"[:LONG_GOLD])
    assert answer_class("Why?", "worda wordb", gold) == LONG
    assert answer_class("Why?", "worda", gold) == WRONG
    assert answer_class("Why?", "worda wordb", gold.rpartition(" ")[0]) == WRONG
    assert answer_class("Why?", "worda wordz", gold) == WRONG


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
    assert {(each.question, each.class_by_rule, each.systems) for each in found} == {
        ("Which protein?", "same", ("one",))
    }


def test_an_answer_to_a_list_takes_out_its_entry_as_in_the_scores(
    dataset: store.Dataset, tmp_path: Path
) -> None:
    found = listed(dataset, tmp_path, one={0: ("dulcan oral", "dulcan-oral", "salinol 5", "new salinol")})
    assert [(each.prediction, each.gold) for each in found] == [("salinol 5", "salinol")]
    (later,) = listed(dataset, tmp_path, one={0: ("dulcan orals", "DULCAN ORAL")})
    assert (later.prediction, later.gold, later.class_by_rule) == ("dulcan orals", "Dulcan oral", "same")


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


def test_each_has_its_place_among_the_answers(dataset: store.Dataset, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    write(file, [Prediction(ident(0), answers=[Answer("x"), Answer("salinol 5"), Answer("dulcan oral")])])
    gold, (run,) = match_files([file], dataset, "test", check_fingerprint=True, free=True)
    (each,) = right_by_similarity(gold, run)
    assert (each.row, each.rank, each.others) == (0, 2, (("Dulcan oral", "dulcan oral use"),))
