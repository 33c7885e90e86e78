"""Measures are held to trec_eval's own values, and to rankings done by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.evaluation.retrieval import runs as runs_of
from anagnosis.evaluation.retrieval.judgements import read_judgements
from anagnosis.evaluation.retrieval.measures import requested_measure

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "retrieval"


def value(name: str, grades: list[int | None], relevant: list[int]) -> float:
    measure = requested_measure(name)
    return measure.measure(grades, relevant, measure.k)


def test_every_value_is_that_of_trec_eval() -> None:
    """Grades of several levels and below zero, unjudged documents, equal scores and ones that are equal in 32 bits."""
    gold = read_judgements(SAMPLES / "graded.qrels")
    run = runs_of.read(SAMPLES / "tied.run", "random")
    lines = [line.split("\t") for line in (SAMPLES / "trec_eval.tsv").read_text().splitlines()[1:]]
    assert len(lines) == 272
    for query, name, expected in lines:
        grades = [gold.grades[query].get(document) for document in run.ranked[query]]
        found = value(name, grades, gold.relevant(query))
        assert found == pytest.approx(float(expected), abs=1e-12), (query, name)


@each_row(
    ("name", "grades", "relevant", "expected"),
    [
        ("ndcg_exp", [1, None, 2], [2, 1], (1 + 3 / 2) / (3 + 1 / math.log2(3))),
        ("ndcg_exp@2", [None, 2, 1], [2, 1], 3 / math.log2(3) / (3 + 1 / math.log2(3))),
        ("ndcg_exp@1", [1, 2], [2, 1], 1 / 3),
        ("ndcg_exp", [-1, 1], [1], 1 / math.log2(3)),
        ("judged", [None, 0, -1], [1], 2 / 3),
        ("judged@2", [None, 0, 1], [1], 1 / 2),
        ("judged", [], [1], 0),
        ("reciprocal_rank@1", [0, 1], [1], 0),
        ("reciprocal_rank@2", [0, 1], [1], 1 / 2),
        ("precision", [], [1], 0),
    ],
)
def test_what_trec_eval_does_not_print_by_hand(
    name: str, grades: list[int | None], relevant: list[int], expected: float
) -> None:
    assert value(name, grades, relevant) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("given_name", "name"),
    [("mrr@10", "reciprocal_rank@10"), ("P@5", "precision@5"), (" nDCG@10", "ndcg@10")],
)
def test_other_programs_names_are_known(given_name: str, name: str) -> None:
    assert str(requested_measure(given_name)) == name


@each_row(
    ("name", "line"),
    [
        ("ndgc@10", "unknown measure 'ndgc'; did you mean ndcg"),
        ("ndcg@", "measure 'ndcg@': '' is no number of ranks; known: ndcg, "),
        ("ndcg@0", "'0' is no number of ranks"),
        ("ndcg@-1", "'-1' is no number of ranks"),
        ("ndcg@²", "'²' is no number of ranks"),
        ("ndcg@" + "9" * 5000, "is no number of ranks"),
        ("ndcg@00000100000000", "'00000100000000' is no number of ranks"),
        ("ndcg@000000001", "'000000001' is no number of ranks"),
    ],
)
def test_a_measure_that_is_none_is_refused(name: str, line: str) -> None:
    with pytest.raises(InputError) as refused:
        requested_measure(name)
    assert line in str(refused.value)
    assert len(str(refused.value)) < 300
