"""Which queries count, what their values and means are, and what is told of the rest."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.retrieval_files import written

from anagnosis.evaluation.differences.paired import randomisation
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.retrieval import runs
from anagnosis.evaluation.retrieval.judgements import read_judgements, read_topics
from anagnosis.evaluation.retrieval.measures import requested_measure
from anagnosis.evaluation.retrieval.scoring import Evaluation, compare, evaluate
from anagnosis.evaluation.signature import parsed

MEASURES = ("ndcg@10", "recall", "judged@10")


def evaluated(folder: Path, *names: str, with_topics: bool = True, seed: int = 3) -> Evaluation:
    found = [runs.read(folder / f"{name}.run", name) for name in names]
    ids = read_topics(folder / "topics.tsv") if with_topics else None
    measures = [requested_measure(name) for name in MEASURES]
    return evaluate(
        read_judgements(folder / "qrels.txt"), found, measures, topics=ids, seed=seed, draws=5_000
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path)


def test_only_judged_topics_with_a_relevant_document_count(folder: Path) -> None:
    found = evaluated(folder, "best")
    assert found.queries == ("q1", "q2", "q3")
    assert (found.judgements, found.relevant) == (6, 5)
    told = {name: (problem.count, problem.first) for name, problem in found.problems.items()}
    assert told == {"no_relevant": (1, ("q4",)), "no_topic": (1, ("q5",)), "unjudged_query": (1, ("q6",))}


def test_without_topics_every_judged_query_counts(folder: Path) -> None:
    found = evaluated(folder, "best", with_topics=False)
    assert found.queries == ("q1", "q2", "q3", "q5")
    assert list(found.problems) == ["no_relevant"]


def test_a_query_without_results_is_worth_nothing_and_is_told(folder: Path) -> None:
    best, other = evaluated(folder, "best", "other").systems
    assert best.values["recall"] == (1, 1, 0.5)
    assert other.values["recall"] == (0.5, 1, 0)
    assert other.values["ndcg@10"] == pytest.approx(
        (2 / math.log2(3) / (2 + 1 / math.log2(3)), 1 / math.log2(3), 0)
    )
    assert other.estimates["recall"].value == pytest.approx(0.5)
    assert (other.problems["no_results"].count, other.problems["no_results"].first) == (1, ("q3",))
    assert best.problems["unknown_query"].first == ("q6",)
    assert (best.retrieved, other.retrieved) == (4, 4)


def test_means_have_the_interval_of_bounded_means_by_query(folder: Path) -> None:
    found = evaluated(folder, "best", "other")
    own = found.systems[0]
    assert own.estimates["ndcg@10"] == estimate(np.array(own.values["ndcg@10"]))
    assert own.estimates["ndcg@10"].interval.high < 1
    assert evaluated(folder, "best", "other") == found


def test_the_signature_tells_what_could_change_a_number(folder: Path) -> None:
    signed = parsed(evaluated(folder, "best").signatures["ndcg@10"])
    told = {
        "dataset": "qrels.txt",
        "measure": "ndcg@10",
        "n": "3",
        "seed": "3",
        "ties": "trec",
        "unit": "query",
    }
    assert signed | told == signed
    assert len(signed["fingerprint"]) == 12


def test_several_systems_are_tested_against_the_best_and_the_next() -> None:
    dice = np.random.default_rng(5)
    bad, good, middle = (np.clip(dice.normal(mean, 0.1, 60), 0, 1) for mean in (0.3, 0.6, 0.5))
    found = compare(["bad", "good", "middle"], [bad, good, middle], seed=1, draws=2_000)
    assert found.ranking == ("good", "middle", "bad")
    assert [(pair.first, pair.second) for pair in found.against_next] == [
        ("good", "middle"),
        ("middle", "bad"),
    ]
    assert [(pair.first, pair.second) for pair in found.against_first] == [
        ("good", "middle"),
        ("good", "bad"),
    ]
    assert found.family == 3
    pair = found.against_first[0]
    assert pair.difference == pytest.approx(good.mean() - middle.mean())
    assert pair.interval.low < pair.difference < pair.interval.high
    assert pair.p_two_tailed == randomisation(good, middle, draws=2_000, seed=1).two_tailed
    assert 1 / 2_001 <= pair.p_two_tailed <= pair.holm <= 3 * pair.p_two_tailed
    assert pair.verdict == "better"


def test_how_much_is_judged_is_measured_but_is_no_contest(folder: Path) -> None:
    found = evaluated(folder, "best", "other")
    assert found.systems[0].values["judged@10"] == (1, 1, 1)
    assert set(found.comparisons) == {"ndcg@10", "recall"}


def test_the_table_has_means_then_tests(folder: Path) -> None:
    found = evaluated(folder, "best", "other")
    rows = found.table().to_pylist()
    by_system = {
        (row["system"], row["measure"]): (row["value"], row["low"], row["high"], row["n"]) for row in rows
    }
    for system in found.systems:
        for name, own in system.estimates.items():
            assert by_system[system.name, name] == (own.value, own.interval.low, own.interval.high, 3)
    (pair,) = found.comparisons["recall"].differences
    assert by_system["best over other", "recall p"] == (pair.holm, None, None, 3)
    assert by_system["best over other", "recall difference"][0] == pair.difference
    assert len(rows) == 2 * 3 + 2 * 2
    assert {
        (row["dataset"], row["protocol"], row["signature"]) for row in rows if row["measure"] == "recall"
    } == {("qrels.txt", "retrieval", found.signatures["recall"])}
