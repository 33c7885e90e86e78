"""The class of a similar answer: the thesis's examples, parts of names, joined names, words around a name."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.evaluation.phase_b.similar_answers import (
    BETTER,
    CLASSES,
    LONG,
    LONG_GOLD,
    SAME,
    WRONG,
    answer_class,
)

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


def test_the_sheet_explains_every_class() -> None:
    assert [*CLASSES] == [LONG, SAME, BETTER, WRONG]
