"""BioASQ's measures of exact answers: by hand, beside a second program written another way, and beside the vectors."""

from __future__ import annotations

import gzip
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.bioasq.rows import exact_of, json_of
from anagnosis.evaluation.exact_answers import (
    FactoidScore,
    ListScore,
    YesNoScore,
    factoid,
    listed,
    mean_factoid,
    mean_listed,
    yes_no,
)

WORD = st.sampled_from(["a", "A", "b", "c", "c ", "d", ""])
ENTRIES = st.lists(st.lists(WORD, min_size=1, max_size=3), max_size=4)
ANSWERS = st.lists(WORD, max_size=12)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["xyz1", "b"], (1, 1, 1)),
        (["b", "XYZ-1"], (0, 1, 1 / 2)),
        (["b", "b", "XYZ1"], (0, 1, 1 / 3)),
        (["b", "c", "d", "e", "XYZ1"], (0, 1, 1 / 5)),
        (["b", "c", "d", "e", "f", "XYZ1"], (0, 0, 0)),
        (["XYZ1 "], (0, 0, 0)),
        (["XYZ1."], (0, 0, 0)),
        ([], (0, 0, 0)),
    ],
)
def test_a_factoid_by_hand(answers: list[str], expected: tuple[float, float, float]) -> None:
    assert factoid([["XYZ1", "xyz-1"]], answers) == FactoidScore(*expected)


def test_how_many_are_looked_at_and_what_is_the_same_can_be_chosen() -> None:
    answers = ["b", "c", "d", "e", "f", " XYZ1."]
    loose = factoid([["xyz1"]], answers, first=6, same=lambda text: text.strip(" .").lower())
    assert loose == FactoidScore(0, 1, 1 / 6)
    assert listed([["a"], ["b"]], ["x", "a", "b"], first=2) == ListScore(1 / 2, 1 / 2, 1 / 2)


@pytest.mark.parametrize(
    ("gold", "answers", "expected"),
    [
        ([["a"], ["b"], ["c"]], ["C", "a", "b"], (1, 1, 1)),
        ([["a"], ["b"], ["c"]], ["a"], (1, 1 / 3, 1 / 2)),
        ([["a"], ["b"]], ["a", "a"], (1 / 2, 1 / 2, 1 / 2)),
        ([["a", "x"], ["b"]], ["a", "x"], (1 / 2, 1 / 2, 1 / 2)),
        ([["a"], ["a"]], ["a"], (1, 1 / 2, 2 / 3)),
        ([["a"]], [*"bcdefghijk", "a"], (0, 0, 0)),
        ([["a"]], [*"bcdefghij", "a"], (1 / 10, 1, 2 / 11)),
        ([["a"]], [], (0, 0, 0)),
        ([], ["a"], (0, 0, 0)),
    ],
)
def test_a_list_by_hand(
    gold: list[list[str]], answers: list[str], expected: tuple[float, float, float]
) -> None:
    found = listed(gold, answers)
    assert (found.precision, found.recall, found.f1) == pytest.approx(expected)


def test_the_f1_of_several_lists_is_the_mean_of_theirs() -> None:
    found = mean_listed([ListScore(1, 0.25, 0.4), ListScore(0.25, 1, 0.4)])
    assert found == ListScore(0.625, 0.625, 0.4)
    assert mean_listed([]) == ListScore(0, 0, 0)


def test_mrr_is_a_mean_over_questions() -> None:
    scores = [factoid([["a"]], answers) for answers in (["a"], ["b", "c", "a"], ["b"])]
    found = mean_factoid(scores)
    assert (found.strict, found.lenient, found.reciprocal_rank) == pytest.approx((1 / 3, 2 / 3, 4 / 9))
    assert mean_factoid([]) == FactoidScore(0, 0, 0)


def test_yes_and_no_by_hand() -> None:
    gold = ["yes"] * 6 + ["no"] * 4
    found = yes_no(gold, ["yes"] * 4 + ["no"] * 3 + ["yes"] * 3)
    assert found.accuracy == pytest.approx(0.5)
    assert (found.f1_yes, found.f1_no) == pytest.approx((8 / 13, 2 / 7))
    assert found.macro_f1 == pytest.approx((8 / 13 + 2 / 7) / 2)
    unsure = yes_no(gold, ["yes"] * 4 + ["maybe"] * 2 + ["no"] + [None] * 3)
    assert unsure == found
    assert yes_no(["yes"], ["Yes, it is."]) == YesNoScore(1, 1, 0, 0.5)
    assert yes_no([], []) == YesNoScore(0, 0, 0, 0)
    with pytest.raises(ValueError, match="argument 2"):
        yes_no(["yes"], [])


def naive_list(gold: list[list[str]], answers: list[str]) -> tuple[float, float, float]:
    """Marks gold entries one by one, and divides at the end."""
    taken: set[int] = set()
    for answer in answers[:10]:
        fits = [
            n for n, entry in enumerate(gold) if n not in taken and answer.lower() in map(str.lower, entry)
        ]
        taken |= set(fits[:1])
    precision = len(taken) / len(answers[:10]) if answers else 0.0
    recall = len(taken) / len(gold) if gold else 0.0
    return precision, recall, 2 * len(taken) / (len(answers[:10]) + len(gold)) if taken else 0.0


@given(ENTRIES, ANSWERS)
def test_lists_as_a_second_program_counts_them(gold: list[list[str]], answers: list[str]) -> None:
    found = listed(gold, answers)
    assert (found.precision, found.recall, found.f1) == pytest.approx(naive_list(gold, answers))


@given(ENTRIES, ANSWERS)
def test_factoids_as_a_second_program_counts_them(gold: list[list[str]], answers: list[str]) -> None:
    hits = [any(answer.lower() == text.lower() for entry in gold for text in entry) for answer in answers[:5]]
    rank = hits.index(True) + 1 if True in hits else 0
    assert factoid(gold, answers) == FactoidScore(rank == 1, rank > 0, 1 / rank if rank else 0)


@given(st.lists(st.tuples(st.sampled_from(["yes", "no"]), st.sampled_from(["yes", "no"])), min_size=1))
def test_yes_and_no_as_counted_from_precision_and_recall(pairs: list[tuple[str, str]]) -> None:
    gold, answers = map(list, zip(*pairs, strict=True))
    found = yes_no(gold, answers)
    for label, own in (("yes", found.f1_yes), ("no", found.f1_no)):
        right = pairs.count((label, label))
        precision = right / max(1, answers.count(label))
        recall = right / max(1, gold.count(label))
        assert own == pytest.approx(2 * precision * recall / (precision + recall) if right else 0.0)
    assert found.accuracy == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))


def system_answers(value: Any) -> list[str]:
    """A submission's answers in either shape; of synonyms the first, as the program reads them."""
    listing: list[Any] = value if isinstance(value, list) else [] if value is None else [value]
    firsts = (entry[:1] if isinstance(entry, list) else [entry] for entry in listing)
    answers = ("" if text is None and isinstance(listing[0], list) else text for e in firsts for text in e)
    return [text if isinstance(text, str) else json_of(text) for text in answers if text is not None]


def measured(golden: dict[str, Any], system: dict[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
    given_: dict[str, Any] = {}
    for question in system["questions"]:
        given_.setdefault(question.get("id"), question.get("exact_answer"))
    factoids: list[FactoidScore] = []
    lists: list[ListScore] = []
    truth: list[str] = []
    said: list[str | None] = []
    for question in golden["questions"]:
        kind, answer = question["type"], given_.get(question["id"])
        gold = exact_of(kind, question.get("exact_answer"))
        if gold is None:
            continue
        if kind == "factoid":
            factoids.append(factoid(gold, system_answers(answer)))
        elif kind == "list":
            lists.append(listed(gold, system_answers(answer)))
        elif kind == "yesno":
            truth.append(gold[0][0])
            said.append(answer if isinstance(answer, str) else None)
    one, two, three = mean_factoid(factoids), mean_listed(lists), yes_no(truth, said)
    return (
        {
            "factoid_strict": one.strict,
            "factoid_lenient": one.lenient,
            "factoid_mrr": one.reciprocal_rank,
            "list_precision": two.precision,
            "list_recall": two.recall,
            "list_f1": two.f1,
        },
        {
            "yesno_accuracy": three.accuracy,
            "yesno_macro_f1": three.macro_f1,
            "yesno_f1_yes": three.f1_yes,
            "yesno_f1_no": three.f1_no,
        },
    )


# Yes/no alone: a gold answer that is neither, which no golden file has; a missing question, which edition 9 skips.
APART = {("gold-maybe", "2"), ("gold-maybe", "3"), ("gold-maybe", "5"), ("gold-maybe", "8")} | {
    ("gold-maybe", "9"),
    ("yesno-one-missing", "9"),
}


def test_the_vectors_of_the_thesis_and_of_the_organisers_program(shared: Path) -> None:
    golden: dict[str, Any] = {}
    for path in (shared / "data/bioasq").glob("golden-*.tar.gz"):
        with tarfile.open(path) as archive:
            for member in archive:
                stream = archive.extractfile(member)
                if stream is not None:
                    golden[member.name] = stream.read()
    compared = 0
    for name in ("phase_b", "phase_b_real", "phase_b_submissions"):
        with gzip.open(shared / f"vectors/bioasq/{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for case in map(json.loads, lines):
                gold = case["golden"]
                if isinstance(gold, str):
                    if gold not in golden:
                        continue  # the twelfth edition is no longer there
                    gold = json.loads(golden[gold])
                exact, decided = measured(gold, case["system"])
                if "thesis" in case:
                    assert exact == pytest.approx(case["thesis"]), case["name"]
                for edition, figures in case["expected"].items():
                    if "error" not in figures and (case.get("name"), edition) not in APART:
                        own = {key: figures[key] for key in decided}
                        assert decided == pytest.approx(own), (case.get("name"), edition)
                        compared += 1
    assert compared > 400
