from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.golds import Row, gold_of
from tests.predictions.matched import match

from anagnosis.datasets.folder import writing
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, QUESTION
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import protocol_of
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.scoring import score, scored_rows
from anagnosis.evaluation.signature import parsed
from anagnosis.evaluation.systems import System

KEYS = ["a", "b", "c"]
ROWS = [
    Row("1:0", KEYS, 0),
    Row("1:5", KEYS, 1),
    Row("2:0", KEYS, None),
    Row("3:0", ["a", "b"], 0, types=["Gene", "Disease"]),
    Row("4:0", KEYS, 2),
]
LINES = [
    {"id": "1:0", "answer": "a", "scores": {"a": 1, "b": 1, "c": 0}},
    {"id": "1:5", "answer": None},
    {"id": "2:0", "answer": "a"},
    {"id": "3:0", "answer": None, "scores": {"a": 2, "b": 1}},
]


def credits_of(gold: Gold, system: System, protocol: str) -> list[float]:
    """The means over the runs, of the instances that count."""
    return measure_runs(gold, system, named("accuracy"), protocol, scored_rows(gold)).mean.tolist()


@pytest.fixture
def gold() -> Gold:
    return gold_of(ROWS)


@pytest.fixture
def system(gold: Gold, tmp_path: Path) -> System:
    path = tmp_path / "base4.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)))
    return System.alone(match(path, gold))


def test_an_instance_without_gold_answer_does_not_count_and_one_without_line_is_wrong(
    gold: Gold, system: System
) -> None:
    assert scored_rows(gold).tolist() == [0, 1, 3, 4]
    assert credits_of(gold, system, "expected") == [0.5, 0, 1, 0]
    assert credits_of(gold, system, "answer") == [1, 0, 0, 0]


def test_a_score_says_what_it_counts(gold: Gold, system: System) -> None:
    found = score(gold, system, protocol="expected", train=gold)
    credits = np.array([0.5, 0, 1, 0])
    assert (found.name, [*found.measures], found.protocol) == ("base4", ["accuracy"], "expected")
    assert found.estimate.interval == estimate(credits, np.array([0, 0, 2, 3])).interval
    alone = score(gold, system, protocol="expected", unit="instance").estimate
    assert (alone.value, alone.interval) == (0.375, estimate(credits).interval)
    assert (found.instances, found.documents, found.withheld, found.unanswered, found.tied) == (4, 3, 1, 2, 1)
    assert {name: problem.count for name, problem in found.problems.items()} == {"missing": 1}
    assert [part.factor for part in found.breakdowns] == [
        "candidates",
        "entity type",
        "familiarity",
    ]
    assert sum(part.n for part in found.breakdowns[0].slices) == 4
    assert score(gold, system, protocol="answer").unanswered == 3


def test_a_score_carries_its_signature(gold: Gold, system: System) -> None:
    signature = parsed(score(gold, replace(system, view="global"), protocol="expected").signature)
    told = {"dataset": "biomrc", "split": "test", "view": "global", "protocol": "expected"}
    told |= {"measure": "accuracy", "n": "4", "seed": None}
    assert signature | told == signature
    assert gold.fingerprint.startswith(signature["fingerprint"])


def test_a_blind_split_an_unknown_measure_and_an_unknown_protocol_are_refused(
    gold: Gold, system: System
) -> None:
    blind = gold_of([Row("1:0", KEYS, None)])
    with pytest.raises(InputError, match="biomrc test: no gold answers"):
        scored_rows(blind)
    with pytest.raises(InputError, match="unknown measure 'acuracy'; did you mean accuracy"):
        score(gold, system, protocol="answer", measures=["acuracy"])
    with pytest.raises(InputError, match="unknown protocol"):
        score(gold, system, protocol="best")


@pytest.mark.parametrize(
    ("kind", "first", "other"),
    [
        (CLOZE, "expected", "answer"),
        (DECISION, "fixed", "official"),
        (QUESTION, "fixed", None),
        (EVIDENCE, "sentences", None),
    ],
)
def test_a_kind_has_its_protocols_and_the_first_unless_one_is_asked_for(
    tmp_path: Path, kind: str, first: str, other: str | None
) -> None:
    data = writing.write(tmp_path / "data", {"test": []}, {"dataset": "ours", "kind": kind})
    assert protocol_of(data, None) == protocol_of(data, first) == first
    if other is not None:
        assert protocol_of(data, other) == other
    with pytest.raises(InputError, match="unknown protocol 'both'"):
        protocol_of(data, "both")
