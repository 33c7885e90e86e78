"""The table of protocols: what each reads, leaves out and refuses.

The measures of exact answers beside the figures of the organisers' program, and those of the thesis's measures.
"""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from tests.rows import each_row

from anagnosis.datasets.bioasq.exact_answers import Number, parsed
from anagnosis.datasets.bioasq.rows import exact_of
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import KIND, TYPES, QuestionInstance
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.phase_b.questions import ABSENT, GoldAnswer, OrganisersProgramError, SystemAnswer
from anagnosis.evaluation.phase_b.rules import LONGEST_FUZZY, RULES, rules_of
from anagnosis.evaluation.protocols import SCORING
from anagnosis.predictions import Matched, Prediction
from anagnosis.predictions.annotators import Matching

FACTOID = GoldAnswer("q1", "factoid", (("a", "b"),))


def test_the_kind_names_the_protocols() -> None:
    assert [*RULES] == [*SCORING["question"].free_protocols]
    with pytest.raises(InputError, match="unknown protocol of exact answers 'organisers-4'"):
        rules_of("organisers-4")


@each_row("protocol", RULES)
def test_a_line_of_texts_has_the_shape_that_each_edition_reads(protocol: str) -> None:
    rules = rules_of(protocol)
    pair = rules.pair(FACTOID, SystemAnswer(("B",)))
    assert rules.factoid(pair).lenient == 1
    listed = rules.pair(GoldAnswer("q2", "list", (("a",), ("b",))), SystemAnswer(("b", "a")))
    assert rules.listed(listed).f1 == 1
    decision = rules.pair(GoldAnswer("q3", "yesno", (("yes",),)), SystemAnswer(("No",)))
    assert (decision.entries, decision.answers) == ((("yes",),), ("No",))


@each_row(
    ("given", "expected"),
    [
        (SystemAnswer(), (1, 1, 1)),  # null, or an empty list
        (SystemAnswer(("",)), (1, 1, 1)),
        (SystemAnswer(("  ", "salt")), (1, 1, 1)),
        (SystemAnswer(("salt", "")), (0, 1, 1 / 2)),
        (SystemAnswer(("salt",)), (0, 0, 0)),
        (SystemAnswer(value=[]), (1, 1, 1)),
        (SystemAnswer(value=[[""]]), (1, 1, 1)),
        (SystemAnswer(value=ABSENT), (1, 1, 1)),
        (None, (0, 0, 0)),  # no line
    ],
)
@pytest.mark.parametrize("protocol", [name for name in RULES if not name.startswith("organisers")])
def test_an_empty_answer_is_right_where_nothing_answers(
    protocol: str, given: SystemAnswer | None, expected: tuple[float, ...]
) -> None:
    rules = rules_of(protocol)
    found = rules.factoid(rules.pair(GoldAnswer("q1", "factoid", ()), given))
    assert (found.strict, found.lenient, found.reciprocal_rank) == expected
    if not (given and "salt" in given.texts):
        assert rules.factoid(rules.pair(FACTOID, given)).lenient == 0


def test_edition_9_leaves_both_out() -> None:
    rules = rules_of("organisers-9")
    assert rules.pair(FACTOID, None) is None
    assert rules.pair(GoldAnswer("q1", "factoid", None), SystemAnswer(("a",))) is None
    assert rules.pair(GoldAnswer("q1", "list", None, []), SystemAnswer(("a",))) is None
    assert rules.pair(GoldAnswer("q1", "list", None, [[]]), SystemAnswer(("a",))) is None


def test_the_thesis_counts_a_missing_question_as_wrong_and_leaves_out_one_without_gold() -> None:
    rules = rules_of("thesis")
    pair = rules.pair(FACTOID, None)
    assert pair.answers == (None,)
    assert rules.pair(GoldAnswer("q1", "factoid", None), SystemAnswer(("a",))) is None


def test_what_stops_edition_9() -> None:
    rules = rules_of("organisers-9")
    yesno = GoldAnswer("q1", "yesno", None, "yes")
    factoid = GoldAnswer("q1", "factoid", None, ["a"])
    for asked, value, why in (
        (yesno, [["yes"]], "the answer to a yes/no question is a list"),
        (GoldAnswer("q1", "yesno", None, [["yes"]]), "yes", "a yes/no question has no gold answer"),
        (FACTOID, ["a"], "a flat list of answers"),
        (factoid, [["a"]], "a flat list of answers"),
    ):
        with pytest.raises(OrganisersProgramError, match=f"question q1: .* edition 9 stops: {why}"):
            rules.pair(asked, SystemAnswer(value=value))
    assert rules.pair(yesno, SystemAnswer(value=ABSENT)).answers == ()


def test_edition_9_keeps_one_text_of_a_group_and_reads_no_text_as_a_list() -> None:
    rules = rules_of("organisers-9")
    pair = rules.pair(FACTOID, SystemAnswer(value=[["x", "b"]]))
    assert (pair.entries, pair.answers) == ((("a", "b"),), ("x",))
    pair = rules.pair(GoldAnswer("q1", "factoid", None, "a"), SystemAnswer(value="a"))
    assert (pair.entries, pair.answers) == ((), ())


@each_row("protocol", [name for name in RULES if name.startswith("fuzzy")])
def test_protocols_by_similarity_refuse_long_answers(protocol: str) -> None:
    rules = rules_of(protocol)
    assert rules.pair(FACTOID, SystemAnswer(("a" * LONGEST_FUZZY,))) is not None
    empty = rules.pair(FACTOID, SystemAnswer())
    assert empty.answers == ()
    assert rules.pair(GoldAnswer("q1", "factoid", None), SystemAnswer(("a",))) is None
    null = rules.pair(FACTOID, SystemAnswer(value=[[None], ["b"]]))
    assert rules.factoid(null).reciprocal_rank == 1 / 2
    with pytest.raises(InputError, match=r"question q1: an answer of 2,001 characters"):
        rules.pair(FACTOID, SystemAnswer(("a", "b" * (LONGEST_FUZZY + 1))))
    assert (
        rules.pair(GoldAnswer("q2", "yesno", (("yes",),)), SystemAnswer(("yes" * LONGEST_FUZZY,))) is not None
    )
    assert rules_of("thesis").pair(FACTOID, SystemAnswer(("b" * (LONGEST_FUZZY + 1),))) is not None


EXACT = ("factoid_strict", "factoid_lenient", "factoid_mrr", "list_precision", "list_recall", "list_f1")
FIGURES = ("yesno_accuracy", *EXACT, "yesno_macro_f1", "yesno_f1_yes", "yesno_f1_no")
GOLDEN = [
    {"id": "f1", "type": "factoid", "exact_answer": [["UCP1", "thermogenin"]]},
    {"id": "f2", "type": "factoid", "exact_answer": [["46.0"]]},
    {"id": "l1", "type": "list", "exact_answer": [["a", "s"], ["b", "s"], ["c"]]},
    {"id": "y1", "type": "yesno", "exact_answer": "yes"},
    {"id": "y2", "type": "yesno", "exact_answer": "No"},
    {"id": "y3", "type": "yesno", "exact_answer": "no"},
    {"id": "y4", "type": "yesno", "exact_answer": "yes"},
    {"id": "s1", "type": "summary"},
]
SYSTEM = [
    {"id": "f1", "exact_answer": [["x"], ["y"], ["y"], ["y"], ["y"], ["y", "ucp1"], ["Thermogenin"]]},
    {"id": "f2", "exact_answer": [[46.0]]},
    {"id": "l1", "exact_answer": [["S"], ["d"]]},
    {"id": "y1", "exact_answer": "Yes."},
    {"id": "y2", "exact_answer": "maybe"},
    {"id": "y3", "exact_answer": "not sure"},
    {"id": "y3", "exact_answer": "yes"},
    {"id": "y4", "exact_answer": "yes"},
]


def objects(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return parsed(json.dumps(questions))


def test_the_figures_by_hand() -> None:
    """A seventh answer counts in edition 9 alone, whose recall finds S in both entries that have it."""
    golden, system = objects(GOLDEN), objects(SYSTEM)
    # Three of four decisions are right, both of yes and one of two of no; the wrong one counts against both labels.
    decided = {
        "yesno_accuracy": 3 / 4,
        "yesno_f1_yes": 4 / 5,
        "yesno_f1_no": 2 / 3,
        "yesno_macro_f1": 11 / 15,
    }
    factoids = {"factoid_strict": 1 / 2, "factoid_lenient": 1, "factoid_mrr": (1 / 7 + 1) / 2}
    lists = {"list_precision": 1 / 2, "list_recall": 1 / 2, "list_f1": 1 / 2}
    assert figures(golden, system) == pytest.approx(decided | factoids | lists)
    factoids = {"factoid_strict": 1 / 2, "factoid_lenient": 1 / 2, "factoid_mrr": 1 / 2}
    lists = {"list_precision": 1 / 2, "list_recall": 1 / 3, "list_f1": 2 / 5}
    assert thesis(golden, system) == pytest.approx(factoids | lists)


def test_intervals_of_macro_f1_are_made_of_the_f1s_of_its_labels() -> None:
    found = named("yesno_macro_f1").of_run(*matched(objects(GOLDEN), objects(SYSTEM)), "thesis")
    both, either = (each.sum(0) for each in found.f1s(found.of_instances))
    assert 2 * both / (both + either) == pytest.approx([4 / 5, 2 / 3])
    assert np.isnan(found.value(np.zeros(3))), "of no question"


def test_answers_to_a_question_of_another_type_are_read() -> None:
    with pytest.raises(OrganisersProgramError, match=r"question s1: .*a flat list"):
        figures(objects(GOLDEN), objects([*SYSTEM, {"id": "s1", "exact_answer": ["flat"]}]))


def test_a_golden_question_of_another_type_is_read_too() -> None:
    with pytest.raises(OrganisersProgramError, match=r"question s2: .*a flat list"):
        figures(objects([*GOLDEN, {"id": "s2", "type": "summary", "exact_answer": ["x"]}]), objects(SYSTEM))


def test_no_question_has_figures_of_zero() -> None:
    assert set(figures([], []).values()) == {0.0}


def thesis(golden: list[dict[str, Any]], system: list[dict[str, Any]]) -> dict[str, float]:
    """By the thesis's protocol, of the questions that have a type."""
    return values(*matched([one for one in golden if one["type"] in TYPES], system), EXACT, "thesis")


def figures(golden: list[dict[str, Any]], system: list[dict[str, Any]]) -> dict[str, float]:
    """The ten figures of edition 9 of the program."""
    return values(*matched(golden, system), FIGURES, "organisers-9")


def matched(golden: list[dict[str, Any]], system: list[dict[str, Any]]) -> tuple[Gold, Matched]:
    """Golden questions as a split, and a submission matched with it; of a repeated id the first answer counts."""
    ids = [one["id"] for one in golden]
    instances = [
        QuestionInstance(
            one["id"] if one["id"] not in ids[:n] else f"{one['id']}, place {n}",
            one["type"] if one.get("type") in TYPES else "",
            "?",
            exact=exact_of(one.get("type", ""), one.get("exact_answer")),
            text=spelled({"exact_answer": one["exact_answer"]}) if "exact_answer" in one else "",
        )
        for n, one in enumerate(golden)
    ]
    gold = Gold.of_instances(KIND, instances, "test", free=True)
    given: dict[str, Any] = {}
    for question in system:
        given.setdefault(question["id"], question)
    run = Matching(gold)
    for row, one in enumerate(golden):
        question = given.get(one["id"])
        if question is not None:
            text = spelled(question["exact_answer"]) if "exact_answer" in question else None
            run.add(row, Prediction(one["id"], spelled=text), [*TYPES])
    return gold, run.matched("system", run.problems)


def values(gold: Gold, run: Matched, measures: tuple[str, ...], protocol: str) -> dict[str, float]:
    """By measure, 0 where no question counts."""
    found = {name: named(name).of_run(gold, run, protocol) for name in measures}
    return {
        name: float(np.nan_to_num(each.value(each.of_instances.sum(0)))) if each.counted.any() else 0.0
        for name, each in found.items()
    }


def spelled(value: Any) -> str:
    """JSON in which a Number stands as it was spelled."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, list):
        return f"[{','.join(map(spelled, cast('list[Any]', value)))}]"
    return json.dumps(value)


def cases(shared: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]] | None]]:
    """(a line of the vectors, its golden questions); None where the golden file is not given."""
    golden: dict[str, bytes] = {}
    for path in (shared / "data/bioasq").glob("golden-*.tar.gz"):
        with tarfile.open(path) as archive:
            for member in archive:
                if (stream := archive.extractfile(member)) is not None:
                    golden[member.name] = stream.read()
    for name in ("phase_b", "phase_b_real", "phase_b_submissions"):
        with gzip.open(shared / f"vectors/bioasq/{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                case = json.loads(line)
                case["text"] = line
                where = case["golden"]
                if isinstance(where, str):
                    where = json.loads(golden[where]) if where in golden else None
                yield case, None if where is None else where["questions"]


def test_the_sets_of_figures_of_edition_9_are_those_of_the_program(shared: Path) -> None:
    printed = stopped = 0
    for case, questions in cases(shared):
        if questions is None or (expected := case["expected"].get("9")) is None:
            continue
        golden = objects(questions)
        system = parsed(case["text"])["system"]["questions"]
        if "error" in expected:
            with pytest.raises(OrganisersProgramError, match=r"^question "):
                figures(golden, system)
            stopped += 1
        else:
            assert figures(golden, system) == pytest.approx(expected), case.get("name")
            printed += 1
    assert (printed, stopped) == (91, 16)


def test_121_of_123_lines_of_the_thesis_s_measures(shared: Path) -> None:
    compared = absent = 0
    for case, questions in cases(shared):
        if questions is None:
            absent += 1
            continue
        assert thesis(questions, case["system"]["questions"]) == pytest.approx(case["thesis"]), case.get(
            "name"
        )
        compared += 1
    assert (compared, absent) == (121, 2)
