"""The measures of exact answers beside the figures of the organisers' program, and those of the thesis's measures."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from anagnosis.datasets.bioasq.exact_answers import Number, parsed
from anagnosis.datasets.bioasq.rows import exact_of
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import KIND, TYPES, QuestionInstance
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.phase_b.questions import OrganisersProgramError
from anagnosis.predictions import Matched, Prediction, read
from anagnosis.predictions.annotators import Voice

EXACT = ("factoid_strict", "factoid_lenient", "factoid_mrr", "list_precision", "list_recall", "list_f1")
FIGURES = ("yesno_accuracy", *EXACT, "yesno_macro_f1", "yesno_f1_yes", "yesno_f1_no")
GOLDEN = [
    {"id": "f1", "type": "factoid", "exact_answer": [["UCP1", "thermogenin"]]},
    {"id": "f2", "type": "factoid", "exact_answer": [["46.0"]]},
    {"id": "l1", "type": "list", "exact_answer": [["a", "s"], ["b", "s"], ["c"]]},
    {"id": "y1", "type": "yesno", "exact_answer": "yes"},
    {"id": "y2", "type": "yesno", "exact_answer": "No"},
    {"id": "y3", "type": "yesno", "exact_answer": "no"},
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
]


def objects(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return parsed(json.dumps(questions))


@pytest.mark.parametrize(
    ("edition", "factoid", "listed"),
    [
        (3, (1 / 2, 1, (1 / 6 + 1) / 2), (1 / 2, 1 / 2, 1 / 2)),
        (5, (1 / 2, 1, (1 / 7 + 1) / 2), (1 / 2, 1 / 2, 1 / 2)),
        (8, (1 / 2, 1, (1 / 7 + 1) / 2), (1 / 2, 1 / 2, 1 / 2)),
        (9, (1 / 2, 1, (1 / 7 + 1) / 2), (1 / 2, 1 / 2, 1 / 2)),
    ],
)
def test_the_figures_of_questions_of_ours_by_hand(
    edition: int, factoid: tuple[float, ...], listed: tuple[float, ...]
) -> None:
    found = figures(objects(GOLDEN), objects(SYSTEM), edition)
    assert [found[name] for name in EXACT] == pytest.approx([*factoid, *listed])
    # Two of three are right; F1 of yes is 2/(2 + 1) and that of no as well.
    assert found["yesno_accuracy"] == pytest.approx(2 / 3)
    assert found["yesno_f1_yes"] == found["yesno_f1_no"] == found["yesno_macro_f1"] == pytest.approx(2 / 3)


def test_answers_to_a_question_of_another_type_are_read() -> None:
    with pytest.raises(OrganisersProgramError, match=r"question s1: .*a flat list"):
        figures(objects(GOLDEN), objects([*SYSTEM, {"id": "s1", "exact_answer": ["flat"]}]), 8)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ({"id": "foreign", "exact_answer": None}, "foreign.* null"),
        ({"id": "f1", "exact_answer": [["x"], "y"]}, "f1.* mixes texts and lists"),
    ],
)
def test_answers_that_no_measure_reads_are_read_with_their_file(
    question: dict[str, Any], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "system.json"
    path.write_text(json.dumps({"questions": [*SYSTEM, question]}), "utf-8")
    with pytest.raises(InputError, match=why):
        list(read(path))


def test_a_golden_question_of_another_type_is_read_too() -> None:
    with pytest.raises(OrganisersProgramError, match=r"question s2: .*a flat list"):
        figures(
            objects([*GOLDEN, {"id": "s2", "type": "summary", "exact_answer": ["x"]}]), objects(SYSTEM), 8
        )


@pytest.mark.parametrize(
    ("answers", "yes", "no"),
    [
        (["yes", "no", "no"], 2 / 3, 2 / 3),
        (["no", "no", "no"], 0, 2 / 4),
        (["yes", "yes", "yes"], 4 / 5, 0),
        (["yes", "maybe", "no"], 2 / 3, 2 / 3),
    ],
)
def test_f1_of_yes_and_no_counts_every_wrong_answer(answers: list[str], yes: float, no: float) -> None:
    golden = [
        {"id": f"{n}", "type": "yesno", "exact_answer": text} for n, text in enumerate(("yes", "yes", "no"))
    ]
    system = [{"id": f"{n}", "exact_answer": text} for n, text in enumerate(answers)]
    found = figures(golden, system, 8)
    assert (found["yesno_f1_yes"], found["yesno_f1_no"]) == pytest.approx((yes, no))


def test_a_missing_question_stops_all_editions_but_9() -> None:
    without = [question for question in SYSTEM if question["id"] != "f2"]
    with pytest.raises(
        OrganisersProgramError, match=r"question f2: .*edition 5 stops: the submission lacks it"
    ):
        figures(objects(GOLDEN), objects(without), 5)
    assert figures(objects(GOLDEN), objects(without), 9)["factoid_strict"] == 0


def test_no_question_has_figures_of_zero() -> None:
    assert set(figures([], [], 8).values()) == {0.0}


def test_a_golden_file_through_the_columns_has_the_thesis_s_figures() -> None:
    expected = dict(zip(EXACT, (1 / 2, 1 / 2, 1 / 2, 1 / 2, 1 / 3, 2 / 5), strict=True))
    assert thesis(GOLDEN, SYSTEM) == pytest.approx(expected)


def thesis(golden: list[dict[str, Any]], system: list[dict[str, Any]]) -> dict[str, float]:
    """By the thesis's protocol, of the questions that have a type."""
    return values(*matched([one for one in golden if one["type"] in TYPES], system), EXACT, "thesis")


def figures(golden: list[dict[str, Any]], system: list[dict[str, Any]], edition: int) -> dict[str, float]:
    """The ten figures of an edition of the program."""
    return values(*matched(golden, system), FIGURES, f"organisers-{edition}")


def matched(golden: list[dict[str, Any]], system: list[dict[str, Any]]) -> tuple[Gold, Matched]:
    """Golden questions as a split, and a submission matched with it; of a repeated id the first answer counts."""
    ids = [one["id"] for one in golden]
    instances = [
        QuestionInstance(
            one["id"] if one["id"] not in ids[:n] else f"{one['id']}, place {n}",
            one["type"] if one.get("type") in TYPES else "",
            "?",
            exact=exact_of(one.get("type", ""), one.get("exact_answer")),
            fields=(("exact_answer", spelled(one["exact_answer"])),) if "exact_answer" in one else (),
        )
        for n, one in enumerate(golden)
    ]
    gold = Gold.of_instances(KIND, instances, "test", free=True)
    given: dict[str, Any] = {}
    for question in system:
        given.setdefault(question["id"], question)
    run = Voice(gold)
    for row, one in enumerate(golden):
        question = given.get(one["id"])
        if question is not None:
            text = spelled(question["exact_answer"]) if "exact_answer" in question else None
            run.hear(row, Prediction(one["id"], spelled=text), [*TYPES])
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


def test_560_of_564_sets_of_figures_are_those_of_the_program(shared: Path) -> None:
    printed = stopped = absent = 0
    for case, questions in cases(shared):
        if questions is None:
            absent += len(case["expected"])  # 12B1 and 12B2 are not given
            continue
        golden = objects(questions)
        system = parsed(case["text"])["system"]["questions"]
        for edition, expected in case["expected"].items():
            where = f"{case.get('name')}, edition {edition}"
            if "error" in expected:
                with pytest.raises(OrganisersProgramError, match=r"^question "):
                    figures(golden, system, int(edition))
                stopped += 1
            else:
                assert figures(golden, system, int(edition)) == pytest.approx(expected), where
                printed += 1
    assert (printed, stopped, absent) == (467, 93, 4)


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
