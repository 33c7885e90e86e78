from __future__ import annotations

from typing import Any

import pytest
from tests.encoders.tiny_text import tiny_text_model

from anagnosis.datasets.kinds.question import SnippetQuestion
from anagnosis.encoders import text_models
from anagnosis.encoders.text_models import Writing
from anagnosis.readers.answers.prompts import ANSWERS, INPUTS, QUESTIONS, Config, Prompted, Prompting

FACTOID = SnippetQuestion(
    "q",
    "factoid",
    "Which gene  causes cancer",
    ("the gene BRCA1 .", " ", "mice", "tp53 brca1"),
    (("brca1", "x"),),
)
LIST = SnippetQuestion(
    "l", "list", "which", ("tp53 is in il-2", "cancer"), (("TP53",), ("il-2", "il"), ("mice",))
)


@pytest.fixture(scope="module")
def writing(tmp_path_factory: pytest.TempPathFactory) -> Writing:
    return text_models.load(tiny_text_model(tmp_path_factory.mktemp("m") / "tiny", words=["yes"])).writing


def prompting(writing: Writing, **changed: Any) -> Prompting:
    return Prompting(writing, Config(encoder="", **{"input_pieces": 64, "answer_pieces": 16, **changed}))


def texts(writing: Writing, sequences: tuple[tuple[int, ...], ...]) -> list[str]:
    return [writing.text(list(sequence)) for sequence in sequences]


def test_every_snippet_is_asked_alone_and_its_target_is_the_answer_that_occurs_in_it(
    writing: Writing,
) -> None:
    found = prompting(writing)(FACTOID)
    assert texts(writing, found.inputs) == [
        "question : which gene causes cancer context : the gene brca1 .",
        "question : which gene causes cancer context : mice",
        "question : which gene causes cancer context : tp53 brca1",
    ]
    assert found.places == (0, 2, 3)
    assert texts(writing, found.targets) == ["brca1", "", "brca1"]
    assert [target[-1:] for target in found.targets] == [(writing.end,), (), (writing.end,)]
    assert (found.target, found.snippets) == (0, FACTOID.snippets)
    # What begins and ends an input is its tokenizer's affair; this one adds nothing.
    assert writing.around == ([], [])


def test_several_answers_are_joined_in_their_order_and_each_stands_once(writing: Writing) -> None:
    assert texts(writing, prompting(writing)(LIST).targets) == ["tp53 ; il-2", ""]
    every = prompting(writing, targets="all", delimiter=" ")(LIST)
    assert texts(writing, every.targets) == ["tp53 il-2 mice"] * 2


@pytest.mark.parametrize(
    "asked",
    [
        SnippetQuestion("y", "yesno", "is it", ("mice",), (("yes",),)),
        SnippetQuestion("f", "factoid", "which", ("mice",), None),
        SnippetQuestion("f", "factoid", "which", (), (("mice",),)),
        SnippetQuestion("f", "factoid", "which", ("tp53",), (("mice",),)),
    ],
)
def test_questions_that_cannot_train_are_asked_all_the_same(writing: Writing, asked: SnippetQuestion) -> None:
    made = prompting(writing)
    assert made(asked).target == -1
    assert len(made(asked).inputs) == (asked.type != "yesno" and len(asked.snippets))


def test_a_long_context_is_cut_behind_and_counted(writing: Writing) -> None:
    asked = SnippetQuestion("q", "factoid", "which gene", ("a b c d e f g h i j", "a b"), (("brca1",),))
    made = prompting(writing, input_pieces=14)
    found = made(asked)
    assert texts(writing, found.inputs) == [
        "question : which gene context : a b c d e f g h",
        "question : which gene context : a b",
    ]
    assert (made.counts[INPUTS], made.counts[QUESTIONS]) == (1, 0)
    short = prompting(writing, input_pieces=5)
    assert all(len(given) == 5 for given in short(asked).inputs)
    assert (short.counts[INPUTS], short.counts[QUESTIONS]) == (2, 2)


def test_a_long_target_is_cut_and_counted_and_still_ends(writing: Writing) -> None:
    asked = SnippetQuestion("q", "list", "which", ("a b c d",), (("a",), ("b",), ("c",), ("d",)))
    made = prompting(writing, answer_pieces=4)
    (target,) = made(asked).targets
    assert (texts(writing, (target,)), target[-1], made.counts[ANSWERS]) == (["a ; b"], writing.end, 1)
    # Seven pieces and the end fit into eight.
    whole = prompting(writing, answer_pieces=8)
    assert (len(whole(asked).targets[0]), whole.counts[ANSWERS]) == (8, 0)


def test_so_many_inputs_are_drawn_by_seed(writing: Writing) -> None:
    questions = [
        SnippetQuestion(f"q{number}", "factoid", "which", ("brca1 a", "mice", "b brca1"), (("brca1",),))
        for number in range(20)
    ]
    draws: set[frozenset[tuple[str, int]]] = set()
    for seed in range(3):
        made = prompting(writing, pairs=7, seed=seed)
        drawn = made.drawn(questions)
        assert drawn is not None
        assert len(drawn) == 7
        assert made.drawn(reversed(questions)) == drawn
        assert {place for _, place in drawn} <= {0, 2}
        found: list[Prompted] = [made(asked, drawn) for asked in questions]
        trained = {
            (one.id, place)
            for one in found
            for place, target in zip(one.places, one.targets, strict=True)
            if target
        }
        assert trained == drawn
        assert {one.id for one in found if one.target == 0} == {ident for ident, _ in drawn}
        assert all(len(one.inputs) == 3 for one in found)
        draws.add(drawn)
    assert len(draws) == 3
    assert prompting(writing).drawn(questions) is None
