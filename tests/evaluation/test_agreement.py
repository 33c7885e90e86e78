from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golds import Row, gold_of, plain

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.agreement import Agreement, agreement
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.kappa import TREATMENTS, mean_kappa
from anagnosis.evaluation.signature import parsed
from anagnosis.evaluation.systems import System
from anagnosis.predictions import Matched, match_each

KEYS = ["x", "y", "z"]


def people(folder: Path, gold: Gold, *lines: dict[str, Any], name: str = "people.jsonl") -> list[Matched]:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, lines)))
    return match_each(path, gold)


def answers(annotator: str, given: str, group: str | None = None, **more: Any) -> list[dict[str, Any]]:
    """A line a sign: x, y, z is the candidate, - could not answer, a blank no line at all, ? an answer outside."""
    own = {"annotator": annotator} | ({"group": group} if group else {}) | more
    said = {"-": None, "?": "something else"}
    return [
        own | {"id": f"{i}:0", "answer": said.get(sign, sign)} for i, sign in enumerate(given) if sign != " "
    ]


@pytest.fixture
def gold() -> Gold:
    """Right are x, y, z, x and y."""
    return gold_of([Row(f"{i}:0", KEYS, i % 3) for i in range(5)])


def run(gold: Gold, own: list[Matched], *systems: Matched) -> Agreement:
    return agreement(gold, own, [*map(System.alone, systems)], protocol="expected", seed=1, draws=100)


def test_bioreads_human_figures_come_out_of_their_counts(tmp_path: Path) -> None:
    # reference: answered and right of 30; the paper's 68.01 %, 21.11 % unanswered, and the 53.33 % it should say
    gold = plain(30)
    counts = {"1": (22, 17), "2": (23, 15), "3": (26, 16)}
    lines = [
        {"id": f"d{i}:0", "answer": "k0" if i < right else "k1" if i < answered else None, "annotator": who}
        for who, (answered, right) in counts.items()
        for i in range(30)
    ]
    found = run(gold, people(tmp_path, gold, *lines))
    (group,) = found.groups
    assert round(100 * group.left_out.value, 2) == 68.01
    assert round(100 * found.scores[0].estimate.value, 2) == 53.33
    assert round(100 * group.unanswered, 2) == 21.11


def test_each_person_is_scored_and_over_answered_questions_alone_too(gold: Gold, tmp_path: Path) -> None:
    own = people(tmp_path, gold, *answers("ann", "xyz--"), *answers("bob", "xx?xy"), *answers("cat", "-----"))
    found = run(gold, own)
    ann, bob, cat = found.people
    assert (ann.name, ann.group, ann.answered, ann.unanswered) == ("ann", "people", 3, 0.4)
    assert [score.estimate.value for score in found.scores[1:]] == pytest.approx([3 / 5, 3 / 5, 0])
    assert ann.left_out == estimate(np.ones(3))
    assert bob.left_out == estimate(np.array([1.0, 0, 0, 1, 1]))
    assert bob.problems["unmapped"].count == 1
    assert cat.left_out is None
    assert cat.unanswered == 1


def test_a_group_has_the_mean_of_its_people_and_their_pairwise_kappa(gold: Gold, tmp_path: Path) -> None:
    own = people(
        tmp_path,
        gold,
        *answers("ann", "xyzxy", "experts"),
        *answers("bob", "xyzxx", "experts"),
        *answers("cat", "xxxx-", "non-experts"),
        *answers("dan", "yyyy-", "non-experts"),
        *answers("eve", "xyzx-", "non-experts"),
    )
    found = run(gold, own)
    experts, others = found.groups
    assert (experts.name, experts.people, others.people) == ("experts", ("ann", "bob"), ("cat", "dan", "eve"))
    assert [(score.name, score.annotator) for score in found.scores[:3]] == [
        ("experts (mean of 2)", None),
        ("non-experts (mean of 3)", None),
        ("ann", "ann"),
    ]
    assert [score.estimate.value for score in found.scores[:2]] == pytest.approx([0.9, (2 + 1 + 4) / 15])
    assert others.left_out.value == pytest.approx((2 + 1 + 4) / 12)
    assert (experts.unanswered, others.unanswered) == (0, pytest.approx(0.2))
    assert [(pair.first, pair.second, pair.group) for pair in found.pairs] == [
        ("ann", "bob", "experts"),
        ("cat", "dan", "non-experts"),
        ("cat", "eve", "non-experts"),
        ("dan", "eve", "non-experts"),
    ]
    for treatment in TREATMENTS:
        pairs = [pair.kappa[treatment] for pair in found.pairs if pair.group == "non-experts"]
        mean = others.kappa[treatment]
        assert mean.value == pytest.approx(np.mean([pair.value for pair in pairs if pair]))


def test_labels_are_keys_so_that_the_same_place_with_another_key_is_no_agreement(tmp_path: Path) -> None:
    gold = gold_of([Row("0:0", ["x", "y"]), Row("1:0", ["y", "x"]), Row("2:0", ["z", "y"])])
    (pair,) = run(gold, people(tmp_path, gold, *answers("ann", "xx?"), *answers("bob", "xy?"))).pairs
    expected = mean_kappa([np.array([0, 0, 9]), np.array([0, 1, 9])], "wrong", seed=1, draws=100)
    assert pair.kappa["wrong"] == expected
    assert expected.value == pytest.approx(0.5)  # 2/3 observed, 1/3 expected


def test_only_instances_that_somebody_was_asked_count(gold: Gold, tmp_path: Path) -> None:
    own = people(tmp_path, gold, *answers("ann", "xy   "), *answers("bob", "x  - "))
    found = run(gold, own)
    assert (found.asked, found.instances) == (3, 3)
    assert [person.unanswered for person in found.people] == [pytest.approx(1 / 3), pytest.approx(2 / 3)]
    kappa = found.pairs[0].kappa["left out"]
    assert kappa.instances == 1


def test_people_agree_without_gold_answers_but_have_no_scores(tmp_path: Path) -> None:
    gold = gold_of([Row(f"{i}:0", KEYS, None) for i in range(3)])
    own = people(tmp_path, gold, *answers("ann", "xyz"), *answers("bob", "xyx"))
    (system,) = people(tmp_path, gold, {"id": "0:0", "answer": "x"}, name="system.jsonl")
    found = run(gold, own, system)
    assert (found.asked, found.instances) == (3, 0)
    assert (found.scores, found.comparisons, found.people[0].left_out) == ((), (), None)
    kappa = found.groups[0].kappa["own label"]
    assert kappa.value == pytest.approx(0.5)


def test_people_are_taken_by_their_answers_and_systems_by_scores_on_the_same_instances(
    gold: Gold, tmp_path: Path
) -> None:
    scores = {"x": 1, "y": 1, "z": 0}
    own = people(tmp_path, gold, *answers("ann", "xyz  ", scores=scores), *answers("bob", "xxx  "))
    lines = [{"id": f"{i}:0", "answer": "x", "scores": scores} for i in range(5)]
    (system,) = people(tmp_path, gold, *lines, name="system.jsonl")
    found = run(gold, own, system)
    _, ann, _, other = found.scores
    assert (ann.estimate.value, ann.instances, found.people[0].left_out.value) == (1, 3, 1)
    assert other.estimate.value == pytest.approx((0.5 + 0.5 + 0) / 3)


def test_how_long_people_took_is_told(gold: Gold, tmp_path: Path) -> None:
    lines = answers("ann", "xyzxy")
    for line, seconds in zip(lines, [10, 20, None, 90, None], strict=True):
        line |= {"seconds": seconds} if seconds else {}
    (ann,) = run(gold, people(tmp_path, gold, *lines)).people
    assert ann.seconds == 20
    (bob,) = run(gold, people(tmp_path, gold, *answers("bob", "xyzxy"), name="bob.jsonl")).people
    assert bob.seconds is None


def test_a_single_person_has_no_kappa_and_nobody_is_refused(gold: Gold, tmp_path: Path) -> None:
    own = people(tmp_path, gold, *answers("ann", "xyzxy"))
    found = run(gold, own)
    assert found.pairs == ()
    assert found.groups[0].kappa == dict.fromkeys(TREATMENTS)
    assert found.groups[0].left_out == found.people[0].left_out
    assert [score.name for score in found.scores] == ["ann"]
    with pytest.raises(InputError, match="nobody's answers"):
        run(gold, [])
    with pytest.raises(InputError, match="annotator 'ann' has two files"):
        run(gold, own + own)


def test_it_is_signed_and_becomes_json(gold: Gold, tmp_path: Path) -> None:
    found = run(gold, people(tmp_path, gold, *answers("ann", "xyz- "), *answers("bob", "xx?x ")))
    signature = parsed(found.signature)
    told = {"n": "4", "seed": "1", "draws": "100", "asked": "4", "people": "answer"}
    assert signature | told == signature
    plainly = json.loads(json.dumps(asdict(found), allow_nan=False))
    assert plainly["groups"][0]["kappa"]["own label"]["instances"] == 4


def test_the_table_has_accuracies_kappas_and_systems(gold: Gold, tmp_path: Path) -> None:
    own = people(
        tmp_path,
        gold,
        *answers("ann", "xyz-y", "a"),
        *answers("bob", "xx?xy", "a"),
        *answers("cat", "x-zxx", "b"),
    )
    (system,) = people(tmp_path, gold, *answers("max", "xyzxy"), name="max.jsonl")
    found = run(gold, own, system)
    rows = found.table().to_pylist()
    assert {(row["split"], row["protocol"]) for row in rows} == {("test", "answer"), ("test", "expected")}
    values = {(row["system"], row["measure"], row["unanswered"]): row["value"] for row in rows}
    assert len(values) == len(rows)
    assert values["cat", "accuracy", None] == 3 / 5
    assert values["cat", "accuracy", "left out"] == values["b", "accuracy", "left out"] == 3 / 4
    (pair,) = found.pairs
    for treatment in TREATMENTS:
        inside = pair.kappa[treatment]
        assert inside is not None
        assert values["ann, bob", "kappa", treatment] == inside.value
        assert values["a (mean of 2)", "kappa", treatment] == inside.value
    assert values["max", "accuracy", None] == 1
    left_out = [row for row in rows if row["system"] == "ann, bob" and row["unanswered"] == "left out"]
    assert [(row["n"], row["method"]) for row in left_out] == [(4, "bootstrap by instance")]
    assert {measure for _, measure, _ in values} == {"accuracy", "kappa", "accuracy difference", "accuracy p"}
