"""Measures are held to trec_eval's own values, to a plain reading of the definitions, and to rankings done by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.evaluation.retrieval import RETRIEVAL_MEASURES
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


# retrieved grades, grades of the other relevant documents
RANKINGS = st.tuples(
    st.lists(st.sampled_from([None, -1, 0, 1, 2, 3]), max_size=12),
    st.lists(st.sampled_from([1, 2, 3]), max_size=4),
).filter(lambda pair: any(grade and grade > 0 for grade in [*pair[0], *pair[1]]))


def plainly(name: str, k: int | None, grades: list[int | None], relevant: list[int]) -> float:
    """Each definition as it is written, rank by rank, with whole fractions where there are no logarithms."""
    ranks = range(1, min(k or len(grades), len(grades)) + 1)
    good = [rank for rank in ranks if (grades[rank - 1] or 0) > 0]

    def discounted(order: list[int | None], exponential: bool) -> float:
        cut = order if k is None else order[:k]
        gains = [max(grade or 0, 0) for grade in cut]
        return math.fsum(
            ((2**gain - 1) if exponential else gain) / math.log2(1 + rank)
            for rank, gain in enumerate(gains, 1)
        )

    match name:
        case "ndcg" | "ndcg_exp":
            best = discounted([*sorted(relevant, reverse=True)], name == "ndcg_exp")
            return discounted(grades, name == "ndcg_exp") / best
        case "map":
            precisions = [Fraction(sum(other <= rank for other in good), rank) for rank in good]
            return float(sum(precisions, Fraction(0)) / len(relevant))
        case "recall":
            return float(Fraction(len(good), len(relevant)))
        case "precision":
            return float(Fraction(len(good), k or max(len(grades), 1)))
        case "reciprocal_rank":
            return float(Fraction(1, good[0])) if good else 0.0
        case _:
            return float(Fraction(sum(grades[rank - 1] is not None for rank in ranks), max(len(ranks), 1)))


@given(RANKINGS, st.sampled_from([None, 1, 2, 3, 5, 10, 100]))
def test_every_measure_is_its_definition(pair: tuple[list[int | None], list[int]], k: int | None) -> None:
    grades, others = pair
    relevant = sorted([*(g for g in grades if g and g > 0), *others], reverse=True)
    for name in RETRIEVAL_MEASURES:
        found = value(name if k is None else f"{name}@{k}", grades, relevant)
        assert found == pytest.approx(plainly(name, k, grades, relevant), abs=1e-12), name
        assert 0 <= found <= 1 + 1e-12


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
